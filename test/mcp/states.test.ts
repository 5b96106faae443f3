/** `--all` and `--disabled` of a server, and filters that cannot be parsed. */
import { describe, expect, test } from 'vitest';
import { connect, listedNames, startServer, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FILES = {
  'project/.claude/skills/on/SKILL.md': skillText({ name: 'on' }),
  'project/.claude/skills/off/.SKILL.md': skillText({ name: 'off' }),
  'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Of all agents.' }),
  'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Of Claude.' }),
};

describe.each(['memory', 'stdio', 'http, modern'] as const)('over %s', (way) => {
  test.each([
    ['by default', [], ['on', 'pdf']],
    ['with --disabled', ['--disabled'], ['off']],
    ['with --all, which includes every copy', ['--all'], ['claude:pdf', 'off', 'on', 'pdf']],
    ['with --all and filters', ['--all', '--exclude=pdf'], ['off', 'on']],
  ])('a server lists, finds and loads the skills of a state, %s', async (_, flags, expected) => {
    await using session = await connect(way, FILES, { flags });
    expect(listedNames(await session.description()).sort()).toEqual(expected);
    const { structuredContent } = await session.call('skills_search', { query: 'work', mode: 'keyword' });
    const { results } = structuredContent as { results: { name: string }[] };
    // A search finds the other copies of a name too.
    const found = results.map(({ name }) => name).filter((name) => name !== 'claude:pdf');
    expect(found.sort()).toEqual(expected.filter((name) => name !== 'claude:pdf'));
    for (const name of expected) expect((await session.skill(name)).isError).toBeUndefined();
    const isServed = expected.includes('off');
    expect(textOf(await session.skill('off')).startsWith(isServed ? 'Loading: off\n' : "Skill 'off' not found")).toBe(
      true,
    );
  });
});

test.each([['codex:@plugins'], ['claude::pdf'], [':x']])(
  'the filter %s cannot be parsed, so the server fails before it serves',
  async (token) => {
    using folder = tempFolder(FILES);
    for (const flag of ['--include', '--exclude']) {
      const { code, stdout, stderr } = await lectern(folder, ['mcp', `${flag}=${token}`]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).not.toContain('serving');
      expect(stderr).toContain(token);
    }
  },
);

test('a filter in a configuration file that cannot be parsed fails before a server listens', async () => {
  using folder = project({ ...FILES, 'project/.lectern/config.json': '{ "include": ["codex:@plugins"] }' }, 'disk');
  await expect(startServer(folder, 'http')).rejects.toMatchObject({ code: 'INVALID_FILTER' });
});
