/** The description of the `skill` tool as a client gets it: the instructions, the folders, and the word for a place. */
import { describe, expect, test } from 'vitest';
import { connect, textOf } from '../support/connect.ts';
import { skillText } from '../support/skill-text.ts';

const FILES = {
  'project/.claude/skills/git/SKILL.md': skillText({ name: 'git' }),
  'home/.claude/skills/user/SKILL.md': skillText({ name: 'user' }),
  'project/more/own/SKILL.md': skillText({ name: 'own' }),
};

/** As commissioned, but for the parameter in the examples and the line about a message that this server does not send. */
const INSTRUCTIONS = `<skills_instructions>
When users ask you to perform tasks, check if any of the available skills below can help complete the task more effectively. Skills provide specialized capabilities and domain knowledge.

How to use skills:
- Invoke skills using this tool with the skill name only (no arguments)
- The skill's prompt will expand and provide detailed instructions on how to complete the task
- Examples:
  - \`name: "pdf"\` - invoke the pdf skill
  - \`name: "xlsx"\` - invoke the xlsx skill
  - \`name: "ms-office-suite:pdf"\` - invoke using fully qualified name

Important:
- Only use skills listed in <available_skills> below
- Do not invoke a skill that is already running
- Do not use this tool for built-in CLI commands (like /help, /clear, etc.)
`;

describe('the instructions in the description of skill', () => {
  test.each([
    ['--description-budget 0', ['--description-budget', '0'], 'test'],
    ['--description-budget 16000', ['--description-budget', '16000'], 'test'],
    ['a client that shows 16,000 characters', [], 'codex-mcp-client'],
  ])('are whole with %s', async (_, flags, client) => {
    await using session = await connect('memory', FILES, { flags, client });
    const description = await session.description();
    expect(description).toContain(INSTRUCTIONS);
    expect(description).not.toContain('command-message');
    expect(description).toContain('Searched: .agents/skills, .claude/skills and the like in project and home, skills');
  });

  test.each([
    ['--description-budget 15999', ['--description-budget', '15999']],
    ['a client that shows 4,000 characters', []],
  ])('are short with %s, and keep the line about built-in commands', async (_, flags) => {
    await using session = await connect('memory', FILES, { flags });
    const description = await session.description();
    expect(description).not.toContain('How to use skills:');
    expect(description).toContain('Do not use this tool for built-in CLI commands (like /help, /clear, etc.)');
    const [before = ''] = description.split('<available_skills>\n');
    expect(before.length).toBeLessThan(800);
  });

  test.each<[string, string[], string]>([
    ['by default', [], '.agents/skills, .claude/skills and the like in project and home, skills, Claude Code plugins'],
    ['without plugins', ['--no-plugins'], '.agents/skills, .claude/skills and the like in project and home, skills'],
    ['with another root', ['--no-scan-default-dirs', '--root', '{project}/vendored'], 'vendored'],
    [
      'with folders of skills',
      ['--no-scan-default-dirs', '--skill-dir', '{project}/more', '--skill-dir', '~/own'],
      'more, ~/own',
    ],
    ['without any folder', ['--no-scan-default-dirs'], 'no folder'],
  ])('name the folders that are searched, %s', async (_, flags, expected) => {
    await using session = await connect('memory', FILES);
    const { folder } = session;
    const placed = flags.map((flag) => flag.replace('{project}', folder.at('project')));
    await using other = await connect('memory', FILES, { folder, flags: placed });
    expect(/^Searched: (?<list>.*)\.$/mu.exec(await other.description())?.groups?.['list']).toBe(expected);
  });
});

test('a place has one word, in the list and in the header of a loaded skill', async () => {
  await using plain = await connect('memory', FILES);
  const { folder } = plain;
  await using session = await connect('memory', FILES, { folder, flags: ['--skill-dir', folder.at('project/more')] });
  const description = await session.description();
  for (const [name, word] of [
    ['git', 'project'],
    ['user', 'global'],
    ['own', 'custom'],
  ] as const) {
    expect(description).toMatch(new RegExp(`<name>${name}</name>\n.*\n<location>${word}</location>`, 'u'));
    expect(textOf(await session.skill(name))).toContain(`\nlocation: ${word}\n`);
  }
});
