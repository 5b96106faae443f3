/** The examples of the first document in docs/requirements.md, "The skill tool", replayed through a client. */
import { rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect, factsOf, listedNames, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';

const installed = (...plugins: string[]): string =>
  JSON.stringify({
    version: 2,
    plugins: Object.fromEntries(
      plugins.map((plugin) => [
        `${plugin}@market`,
        [{ scope: 'user', installPath: `{home}/.claude/plugins/${plugin}`, version: '1.0.0' }],
      ]),
    ),
  });

/** One skill in the project, one of the user, one of a plugin, and one in a folder that only a flag names. */
const EVERY_KIND = {
  'project/.claude/skills/git/SKILL.md': skillText({ name: 'git' }),
  'home/.claude/skills/user/SKILL.md': skillText({ name: 'user' }),
  'home/.claude/plugins/installed_plugins.json': installed('example'),
  'home/.claude/plugins/example/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Fill in the form.\n' }),
  'extra/notes/SKILL.md': skillText({ name: 'notes' }),
  'elsewhere/installed_plugins.json': JSON.stringify({
    version: 2,
    plugins: { 'other@market': [{ scope: 'user', installPath: 'other', version: '1.0.0' }] },
  }),
  'elsewhere/other/skills/chart/SKILL.md': skillText({ name: 'chart' }),
  'home/tools/plugins.json': JSON.stringify({
    version: 2,
    plugins: { 'third@market': [{ scope: 'user', installPath: '{home}/tools/third', version: '1.0.0' }] },
  }),
  'home/tools/third/skills/draw/SKILL.md': skillText({ name: 'draw' }),
};

/** The same name for two agents, and one skill that each of them has alone. */
const BOTH_PROVIDERS = {
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'For Claude.\n' }),
  'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'For Codex.\n' }),
  'project/.claude/skills/deploy/SKILL.md': skillText({ name: 'deploy' }),
  'project/.codex/skills/deployment/SKILL.md': skillText({ name: 'deployment' }),
};

describe('the tool', () => {
  test('--tools skill offers the skill tool and no other', async () => {
    await using session = await connect('memory', EVERY_KIND, { flags: ['--tools', 'skill'] });
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['skill']);
    await expect(session.call('skills_list', {})).rejects.toMatchObject({ code: -32602 });
  });

  test('the description explains how to call the tool and where its list comes from', async () => {
    await using session = await connect('memory', EVERY_KIND);
    const description = await session.description();
    const instructions =
      /<skills_instructions>\n(?<text>[\s\S]+)\n<\/skills_instructions>/u.exec(description)?.groups?.['text'] ?? '';
    expect(instructions).toMatch(/call this tool with (?:its|the) name|using this tool with the skill name/u);
    expect(instructions).toMatch(/list/u);
    expect(description.indexOf('</skills_instructions>')).toBeLessThan(description.indexOf('<available_skills>'));
  });

  test('the header of a plugin skill names the skill, path, location, provider and plugin', async () => {
    await using session = await connect('memory', EVERY_KIND);
    const result = await session.skill('pdf');
    const dir = session.folder.at('home/.claude/plugins/example/skills/pdf');
    expect(textOf(result)).toBe(
      [
        `Loading: pdf\nBase directory: ${dir}\n`,
        `name: claude:example:pdf\npath: ${dir}/SKILL.md\nlocation: plugin\nprovider: claude\nplugin: example@market\n`,
        EVERY_KIND['home/.claude/plugins/example/skills/pdf/SKILL.md'],
      ].join('\n'),
    );
    expect(factsOf(result)).toMatchObject({ provider: 'claude' });
  });

  test('example:pdf and other:pdf make pdf ambiguous', async () => {
    await using session = await connect('memory', {
      'home/.claude/plugins/installed_plugins.json': installed('example', 'other'),
      'home/.claude/plugins/example/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'One way.' }),
      'home/.claude/plugins/other/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Another way.' }),
    });
    const result = await session.skill('pdf');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("Skill name 'pdf' is ambiguous.");
    expect(textOf(await session.skill('example:pdf'))).toContain('One way.');
    expect(textOf(await session.skill('other:pdf'))).toContain('Another way.');
  });
});

describe('the refresh interval', () => {
  const realSetTimeout = globalThis.setTimeout;

  test.each([
    [[], 30_000],
    [['--refresh-interval', '10000'], 10_000],
  ])('%j rescans every %i milliseconds and logs each rescan', async (flags, interval) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await using session = await connect('memory', EVERY_KIND, { flags: ['--no-watch', ...flags] });
    const notices = (): number => session.log.filter((line) => line.startsWith('refreshed: 3 skills')).length;
    const times: number[] = [];
    // The clock stands still while the server scans, and then moves to the next timer.
    for (let left = 10_000; times.length < 3 && left > 0; left--) {
      await vi.advanceTimersToNextTimerAsync();
      await new Promise((resolve) => realSetTimeout(resolve, 10));
      if (notices() > times.length) times.push(Date.now());
    }
    const [first = 0, second = 0, third = 0] = times;
    expect([second - first, third - second]).toEqual([interval, interval]);
    expect(notices()).toBe(3);
  });
});

describe('discovery settings', () => {
  const config = (settings: object) => ({ 'home/.config/lectern/config.json': JSON.stringify(settings) });
  const flags = (...given: string[]) => ({ flags: given });

  test.each([
    ['nothing', {}, () => flags(), ['git', 'user', 'example:pdf']],
    ['--skill-dir', {}, (at: string) => flags('--skill-dir', `${at}/extra`), ['notes', 'git', 'user', 'example:pdf']],
    ['--no-plugins', {}, () => flags('--no-plugins'), ['git', 'user']],
    ['--skip-plugins', {}, () => flags('--skip-plugins'), ['git', 'user']],
    ['skipPlugins', config({ skipPlugins: true }), () => flags(), ['git', 'user']],
    [
      '--plugins-file',
      {},
      (at: string) => flags('--plugins-file', `${at}/home/tools/plugins.json`),
      ['git', 'user', 'third:draw'],
    ],
    ['--plugins-root', {}, (at: string) => flags('--plugins-root', `${at}/elsewhere`), ['git', 'user', 'other:chart']],
    ['--no-scan-default-dirs', {}, () => flags('--no-scan-default-dirs'), ['none']],
    ['scanDefaultDirs', config({ scanDefaultDirs: false }), () => flags(), ['none']],
  ])('%s: the server and the command line offer the same skills', async (_, settings, given, expected) => {
    using folder = project({ ...EVERY_KIND, ...settings }, 'disk');
    const options = given(folder.dir);
    await using session = await connect('memory', {}, { ...options, folder });
    expect(listedNames(await session.description())).toEqual(expected);
    const { stdout } = await lectern(folder, ['list', '--json', '--user-dir', folder.at('home'), ...options.flags]);
    const { skills }: { skills: { file: string }[] } = JSON.parse(stdout);
    const { structuredContent } = await session.call('skills_list', {});
    const { skills: served = [] }: { skills?: { skillFile: string }[] } = structuredContent ?? {};
    expect(served.map(({ skillFile }) => skillFile).sort()).toEqual(skills.map(({ file }) => file).sort());
  });

  test('--no-plugins: a plugin skill is neither listed nor loaded', async () => {
    await using session = await connect('memory', EVERY_KIND, { flags: ['--no-plugins'] });
    expect(listedNames(await session.description())).toEqual(['git', 'user']);
    for (const name of ['pdf', 'example:pdf', 'claude:example:pdf']) {
      const result = await session.skill(name);
      expect([name, result.isError, textOf(result)]).toEqual([name, true, expect.stringContaining('not found.')]);
    }
  });
});

describe('filters', () => {
  test('--include=codex: only its skills are listed, found and suggested', async () => {
    await using session = await connect('memory', BOTH_PROVIDERS, { flags: ['--include=codex'] });
    expect(listedNames(await session.description())).toEqual(['deployment', 'pdf']);
    const missing = await session.skill('deploy');
    expect([missing.isError, textOf(missing)]).toEqual([
      true,
      expect.stringMatching(/^Skill 'deploy' not found\.\n\nDid you mean: deployment\?/u),
    ]);
    expect(textOf(await session.skill('claude:pdf'))).toMatch(/^Skill 'claude:pdf' not found\./u);
    expect(textOf(await session.skill('pdf'))).toContain('For Codex.');
  });

  test('--exclude leaves a skill out of the description and refuses to load it', async () => {
    await using session = await connect('memory', BOTH_PROVIDERS, { flags: ['--exclude', 'claude'] });
    expect(listedNames(await session.description())).toEqual(['deployment', 'pdf']);
    expect(textOf(await session.skill('claude:deploy'))).toMatch(/^Skill 'claude:deploy' not found\./u);
  });

  test('each refresh applies the filters to added and removed skills', async () => {
    await using session = await connect('memory', BOTH_PROVIDERS, { flags: ['--include=codex'] });
    expect(listedNames(await session.description())).toEqual(['deployment', 'pdf']);
    session.folder.write({
      'project/.claude/skills/hidden/SKILL.md': skillText({ name: 'hidden' }),
      'project/.codex/skills/added/SKILL.md': skillText({ name: 'added' }),
    });
    await expect.poll(async () => listedNames(await session.description())).toEqual(['added', 'deployment', 'pdf']);
    rmSync(session.folder.at('project/.codex/skills/deployment'), { recursive: true });
    await expect.poll(async () => listedNames(await session.description())).toEqual(['added', 'pdf']);
  });

  test('pdf for two agents: the error names claude:pdf and codex:pdf, and each of them loads', async () => {
    await using session = await connect('memory', BOTH_PROVIDERS);
    const result = await session.skill('pdf');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('Specify the full name: claude:pdf or codex:pdf.');
    for (const [name, text] of [
      ['claude:pdf', 'For Claude.'],
      ['codex:pdf', 'For Codex.'],
    ] as const) {
      const loaded = textOf(await session.skill(name));
      expect(loaded).toContain(text);
      expect(loaded).toContain(`\nprovider: ${name.split(':')[0]}\n`);
    }
  });
});
