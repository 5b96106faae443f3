/** The examples of the second document in docs/requirements.md, "The skill tool, first proposal", replayed through a client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Workspace } from '../../src/workspace/workspace.ts';
import { connect, errorOf, folderFlags, listedNames, type Session, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { CLI } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';

/** A skill of the user, one of the project and one of a plugin. */
const FILES = {
  'home/.claude/skills/user/SKILL.md': skillText({
    name: 'user',
    description: '用户的全局技能,必读!',
    body: '# User\n\n    indented\n\n```sh\nbun test\t# tab\n```\n\n- 必读 ✓ 👍\n',
  }),
  'project/.claude/skills/bun/SKILL.md': skillText({
    name: 'bun',
    description: "Enhanced documentation skill for 'bun'",
  }),
  'home/.claude/plugins/installed_plugins.json': JSON.stringify({
    version: 2,
    plugins: {
      'example-skills@market': [{ scope: 'user', installPath: '{home}/.claude/plugins/example', version: '1.0.0' }],
    },
  }),
  'home/.claude/plugins/example/skills/pdf/SKILL.md': skillText({
    name: 'pdf',
    description: 'Comprehensive PDF manipulation toolkit',
  }),
};

describe('the server process', () => {
  test('writes nothing to standard output before the first request', async () => {
    using folder = project(FILES, 'disk');
    const server = spawn(process.execPath, [CLI, 'mcp', ...folderFlags(folder)]);
    const [output, log]: string[][] = [[], []];
    server.stdout.setEncoding('utf8').on('data', (text: string) => output?.push(text));
    server.stderr.setEncoding('utf8').on('data', (text: string) => log?.push(text));
    await expect.poll(() => log?.join('')).toMatch(/lectern: 3 skills in 3 folders/u);
    expect(output).toEqual([]);
    server.stdin.end();
    expect(await once(server, 'close')).toEqual([0, null]);
    expect(output).toEqual([]);
  });
});

describe('the description', () => {
  test('lists user, bun and example-skills:pdf with their descriptions', async () => {
    await using session = await connect('memory', FILES);
    const description = await session.description();
    expect(listedNames(description)).toEqual(['bun', 'user', 'example-skills:pdf']);
    expect(description).toContain('\nLoad a skill by name to get specialized instructions.\n');
    for (const [name, text] of [
      ['user', '用户的全局技能,必读!'],
      ['bun', "Enhanced documentation skill for 'bun'"],
      ['example-skills:pdf', 'Comprehensive PDF manipulation toolkit'],
    ])
      expect(description).toContain(`<name>${name}</name>\n<description>${text}</description>`);
  });
});

describe('loading', () => {
  test.each(['user', 'USER', 'User'])(
    '%s returns the header and the whole file, frontmatter included',
    async (name) => {
      await using session = await connect('memory', FILES);
      const text = textOf(await session.skill(name));
      const dir = session.folder.at('home/.claude/skills/user');
      expect(text.startsWith(`Loading: user\nBase directory: ${dir}\n\n`)).toBe(true);
      expect(text.endsWith(`\n\n${FILES['home/.claude/skills/user/SKILL.md']}`)).toBe(true);
    },
  );

  test.each(['example-skills:pdf', 'pdf'])('%s returns the plugin skill', async (name) => {
    await using session = await connect('memory', FILES);
    const text = textOf(await session.skill(name));
    expect(text.startsWith('Loading: pdf\n')).toBe(true);
    expect(text.endsWith(FILES['home/.claude/plugins/example/skills/pdf/SKILL.md'])).toBe(true);
  });

  test('pdf in several places is an error with every full name and the advice to use one', async () => {
    await using session = await connect('memory', {
      ...FILES,
      'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'For Codex.' }),
      'project/.gemini/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'For Gemini.' }),
    });
    const result = await session.skill('pdf');
    expect(textOf(result)).toMatch(/is ambiguous\. Multiple skills found: .*\n\nSpecify the full name: /su);
    expect(errorOf(result)).toMatchObject({ code: 'AMBIGUOUS' });
    for (const name of ['codex:pdf', 'gemini:pdf', 'claude:example-skills:pdf']) {
      expect(textOf(result)).toContain(name);
      expect([name, (await session.skill(name)).isError ?? false]).toEqual([name, false]);
    }
  });
});

test('the next rescan finds new, changed and removed skills', async () => {
  await using session = await connect('memory', FILES, { flags: ['--refresh-interval', '100', '--no-watch'] });
  const names = async (): Promise<string[]> => listedNames(await session.description());
  expect(await names()).toEqual(['bun', 'user', 'example-skills:pdf']);
  session.folder.write({ 'project/.claude/skills/added/SKILL.md': skillText({ name: 'added' }) });
  await expect.poll(names).toEqual(['added', 'bun', 'user', 'example-skills:pdf']);
  expect(textOf(await session.skill('added'))).toContain('Loading: added\n');
  session.folder.write({
    'project/.claude/skills/bun/SKILL.md': skillText({ name: 'bun', description: 'Changed', body: 'New text.' }),
  });
  await expect.poll(() => session.description()).toContain('<description>Changed</description>');
  expect(textOf(await session.skill('bun'))).toContain('New text.');
  rmSync(session.folder.at('home/.claude/skills/user'), { recursive: true });
  await expect.poll(names).toEqual(['added', 'bun', 'example-skills:pdf']);
  expect(textOf(await session.skill('user'))).toMatch(/^Skill 'user' not found\./u);
});

test('a refresh under way delays no request, and its result counts when it has ended', async () => {
  await using session = await connect('memory', FILES, { flags: ['--refresh-interval', '100', '--no-watch'] });
  const names = async (): Promise<string[]> => listedNames(await session.description());
  const before = await names();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => void (release = resolve));
  const { reload } = Workspace.prototype;
  const held = vi.spyOn(Workspace.prototype, 'reload').mockImplementation(async function (this: Workspace) {
    await released;
    return reload.call(this);
  });
  onTestFinished(() => held.mockRestore());
  session.folder.write({ 'project/.claude/skills/added/SKILL.md': skillText({ name: 'added' }) });
  await expect.poll(() => held.mock.calls.length).toBeGreaterThan(0);
  expect(await names()).toEqual(before);
  expect(textOf(await session.skill('user'))).toContain('Loading: user\n');
  release();
  await session.nextNotification('notifications/tools/list_changed');
  expect(await names()).toEqual(['added', ...before]);
});

test('an internal error is an error of the call, and the log has its message', async () => {
  await using session = await connect('memory', FILES);
  await session.description();
  const broken = vi.spyOn(Workspace.prototype, 'contentOf').mockImplementation(() => {
    throw new TypeError('the details of the bug');
  });
  onTestFinished(() => broken.mockRestore());
  const result = await session.skill('user');
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/\w/u)]);
  expect(textOf(result)).not.toContain('the details of the bug');
  await expect.poll(() => session.log.join('\n')).toContain('the details of the bug');
});

test('a skill that was added between two runs is listed by the second run', async () => {
  using folder = project(FILES, 'disk');
  const names = async (session: Session): Promise<string[]> => listedNames(await session.description());
  {
    await using first = await connect('stdio', {}, { folder });
    expect(await names(first)).toEqual(['bun', 'user', 'example-skills:pdf']);
  }
  folder.write({ 'project/.claude/skills/added/SKILL.md': skillText({ name: 'added' }) });
  await using second = await connect('stdio', {}, { folder });
  await expect.poll(() => names(second)).toEqual(['added', 'bun', 'user', 'example-skills:pdf']);
});
