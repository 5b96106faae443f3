/** `lectern mcp-server`: the vendored skills of a repository and nothing else, as its clients know it. */
import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connect, type ConnectOptions, type Session, textOf, type Way } from '../support/connect.ts';
import { skillText } from '../support/skill-text.ts';

const COMMAND = ['mcp-server'];

/** A skill that is told apart by its description. */
const named = (name: string, place: string): string => skillText({ name, description: `From ${place}.` });

const FILES = {
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/skills/pdf/SKILL.md': named('pdf', 'the repository'),
  'project/skills/pdf/deeper/inner/SKILL.md': named('inner', 'below another skill'),
  'project/skills/a/b/c/d/e/f/g/h/deep/SKILL.md': named('deep', 'the depth'),
  'project/.claude/skills/claude-only/SKILL.md': named('claude-only', 'the agent'),
  'project/.agents/skills/pdf/SKILL.md': named('pdf', 'the agents'),
  'home/.claude/skills/pdf/SKILL.md': named('pdf', 'the home'),
  'home/.agents/skills/personal/SKILL.md': named('personal', 'the home'),
  'home/extra/own/SKILL.md': named('own', 'a folder of the user'),
  'home/.claude/plugins/installed_plugins.json': JSON.stringify({
    version: 2,
    plugins: { 'docs@market': [{ scope: 'user', installPath: 'cache/market/docs/1.0.0' }] },
  }),
  'home/.claude/plugins/cache/market/docs/1.0.0/skills/plugged/SKILL.md': named('plugged', 'a plugin'),
};

type Listed = { installName: string; name: string; meta: { description: string } };

async function list(session: Session): Promise<Listed[]> {
  const { structuredContent = {} } = await session.call('skills.list', {});
  return (structuredContent as { skills: Listed[] }).skills;
}

const names = async (session: Session): Promise<string[]> => (await list(session)).map(({ name }) => name);

const start = (way: Way, files: Record<string, string>, options: ConnectOptions = {}) =>
  connect(way, files, { command: COMMAND, ...options });

describe.each(['memory', 'stdio', 'http, modern'] as const)('over %s', (way) => {
  test('it serves skills of the project at any depth, and no personal skill takes a name', async () => {
    await using session = await start(way, FILES);
    expect(await list(session)).toMatchObject([
      { installName: 'deep', name: 'deep', meta: { description: 'From the depth.' } },
      { installName: 'inner', name: 'inner', meta: { description: 'From below another skill.' } },
      { installName: 'pdf', name: 'pdf', meta: { description: 'From the repository.' } },
    ]);
    const file = await session.call('skill_file', { name: 'pdf', path: 'SKILL.md' });
    expect(textOf(file)).toContain('From the repository.');
    expect((await session.call('skill_file', { name: 'personal' })).isError).toBe(true);
    expect((await session.client.listResources()).resources.map(({ name }) => name)).toEqual(['deep', 'inner', 'pdf']);
  });
});

describe('the scope of the repository', () => {
  test('is the folder of --root', async () => {
    const files = { ...FILES, 'project/vendor/kit/x/SKILL.md': named('x', 'the kit') };
    await using plain = await start('memory', files);
    const { folder } = plain;
    await using session = await start('memory', files, { folder, flags: ['--root', folder.at('project/vendor')] });
    expect(await names(session)).toEqual(['x']);
  });

  test('is the folder that the project configures', async () => {
    const files = {
      ...FILES,
      'project/.lectern/config.json': '{ "root": "vendor" }',
      'project/vendor/kit/x/SKILL.md': named('x', 'the kit'),
    };
    await using session = await start('memory', files);
    expect(await names(session)).toEqual(['x']);
  });

  test('is that of the repository if the server starts in a folder of it', async () => {
    await using plain = await start('memory', FILES);
    const { folder } = plain;
    mkdirSync(folder.at('project/src/app'), { recursive: true });
    await using session = await start('memory', FILES, {
      folder,
      flags: ['--project-dir', folder.at('project/src/app')],
    });
    expect(await names(session)).toEqual(['deep', 'inner', 'pdf']);
  });

  test('is not widened by the settings of the user', async () => {
    const config = { skillDir: ['~/extra'], root: '~/extra', pluginsRoot: '~/.claude/plugins', scanDefaultDirs: true };
    await using session = await start('memory', {
      ...FILES,
      'home/.config/lectern/config.json': JSON.stringify(config),
    });
    expect(await names(session)).toEqual(['deep', 'inner', 'pdf']);
  });

  test('is widened by flags that name other folders', async () => {
    await using session = await start('memory', FILES, {
      flags: ['--skill-dir', '~/extra', '--plugins-root', '~/.claude/plugins'],
    });
    expect(await names(session)).toEqual(['deep', 'inner', 'own', 'pdf', 'docs:plugged']);
  });

  test('may be missing: the list is empty, the log has a notice, and skills that appear are announced', async () => {
    await using session = await start('memory', { 'home/.claude/skills/pdf/SKILL.md': named('pdf', 'the home') });
    expect(await list(session)).toEqual([]);
    const place = session.folder.at('project/skills');
    await expect.poll(() => session.log.join('\n')).toContain(`[root-missing] ${place}: there is no such folder`);
    session.folder.write({ 'project/skills/new/SKILL.md': named('new', 'the repository') });
    await session.nextNotification('notifications/tools/list_changed');
    expect(await names(session)).toEqual(['new']);
  });
});

describe('excerpts', () => {
  const body = `# bd\n\nThe first lines.\n\n${'Filler. '.repeat(40)}\n\nRun bd ready to find work.\n`;
  const files = {
    'project/skills/bd/SKILL.md': skillText({ name: 'bd', description: 'Everything about ready work.', body }),
    'project/skills/empty/SKILL.md': skillText({ name: 'empty', description: 'Only a description.', body: '' }),
  };

  test.each([
    ['a word that the description has too', 'ready', /bd ready/u],
    ['words of which each is in name or description', 'bd ready', /^# bd The first lines\./u],
    ['a word of the description alone', 'everything', /^# bd The first lines\./u],
    ['a word of the body alone', 'filler', /Filler\./u],
    ['a skill without a body', 'only', /^Only a description\.$/u],
  ])('are never empty: %s', async (_, query, expected) => {
    await using session = await start('memory', files);
    const { structuredContent } = await session.call('skills.search', { query });
    expect(structuredContent).toMatchObject({ total: 1, results: [{ excerpt: expect.stringMatching(expected) }] });
  });

  test('stay empty in lectern mcp where they would repeat the description', async () => {
    await using session = await connect('memory', files);
    const { structuredContent } = await session.call('skills_search', { query: 'ready', mode: 'keyword' });
    expect(structuredContent).toMatchObject({ results: [{ excerpt: '' }] });
  });
});

describe('a SKILL.md that changes', () => {
  const files = {
    'project/skills/one/SKILL.md': skillText({ name: 'one' }),
    'project/skills/broken/SKILL.md': 'no frontmatter',
  };
  const changed = skillText({ name: 'one', body: 'Another body.\n' });

  test.each<[string, Way, Record<string, string>, string]>([
    ['in its body only', 'memory', { 'project/skills/one/SKILL.md': changed }, '1 SKILL.md changed'],
    ['in its body only', 'stdio', { 'project/skills/one/SKILL.md': changed }, '1 SKILL.md changed'],
    ['in its body only', 'http, modern', { 'project/skills/one/SKILL.md': changed }, '1 SKILL.md changed'],
    ['although it stays broken', 'memory', { 'project/skills/broken/SKILL.md': 'none still' }, '1 SKILL.md changed'],
    ['because it is new', 'memory', { 'project/skills/two/SKILL.md': skillText({ name: 'two' }) }, '1 skill added'],
  ])('%s is announced with its reason, over %s', async (_, way, change, reason) => {
    await using session = await start(way, files);
    await list(session);
    session.folder.write(change);
    expect(await session.nextNotification('notifications/tools/list_changed')).toMatchObject({
      _meta: { 'lectern/reason': reason },
    });
  });

  test('in its body only is not announced by lectern mcp, where no list changed', async () => {
    await using session = await connect('memory', files);
    await session.description();
    session.folder.write({ 'project/skills/one/SKILL.md': changed });
    await expect.poll(async () => textOf(await session.skill('one'))).toContain('Another body.');
    await expect.poll(() => session.log.join('\n')).toMatch(/refreshed: 1 skill/u);
    expect(session.heard).toEqual([]);
  });
});
