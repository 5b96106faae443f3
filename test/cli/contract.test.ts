import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { flagsOfCommand } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { lectern, type Run } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFile, type TempFolder } from '../support/temp-folder.ts';

const FILES: Record<string, TempFile> = {
  'project/.agents/skills/git/SKILL.md': skillText({ name: 'git' }),
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Another way.' }),
  'project/.claude/skills/off/.SKILL.md': skillText({ name: 'off' }),
};
const BROKEN = { 'project/.claude/skills/broken/SKILL.md': 'nothing' };

/** Every verb, once so that it succeeds and once so that it cannot be done. */
const VERBS: { verb: string; works: string[]; fails: string[]; code: string }[] = [
  { verb: '(overview)', works: [], fails: ['--include', 'codex:@plugins'], code: 'INVALID_FILTER' },
  { verb: 'list', works: ['list'], fails: ['list', '--include=codex:@plugins'], code: 'INVALID_FILTER' },
  { verb: 'show', works: ['show', 'git'], fails: ['show', 'gti'], code: 'NOT_FOUND' },
  { verb: 'info', works: ['info', 'git'], fails: ['info', 'pdf'], code: 'AMBIGUOUS' },
  { verb: 'search', works: ['search', 'pdf'], fails: ['search', ' '], code: 'USAGE' },
  { verb: 'validate', works: ['validate', 'git'], fails: ['validate', './nowhere'], code: 'NOT_FOUND' },
  { verb: 'scan', works: ['scan'], fails: ['scan', './nowhere'], code: 'NOT_FOUND' },
  { verb: 'doctor', works: ['doctor'], fails: ['doctor', '--exclude=:x'], code: 'INVALID_FILTER' },
  { verb: 'enable', works: ['enable', 'off'], fails: ['enable', 'of'], code: 'NOT_FOUND' },
  { verb: 'disable', works: ['disable', 'git'], fails: ['disable', 'pdf'], code: 'AMBIGUOUS' },
  { verb: 'new', works: ['new', 'fresh'], fails: ['new', 'Not A Name'], code: 'USAGE' },
  { verb: 'sync', works: ['sync'], fails: ['sync', '--file', '.agents'], code: 'UNREADABLE' },
  { verb: 'completion', works: ['completion', 'bash'], fails: ['completion', 'tcsh'], code: 'USAGE' },
];

function oneDocument({ bytes }: Run): unknown {
  expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes).endsWith('}\n')).toBe(true);
  return JSON.parse(bytes.toString());
}

describe('every verb', () => {
  test.each(VERBS)('$verb: done is 0 and text on stdout', async ({ works }) => {
    using folder = tempFolder(FILES);
    const run = await lectern(folder, works);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/\S.*\n$/su);
  });

  test.each(VERBS)('$verb: done with --json is one document', async ({ works }) => {
    using folder = tempFolder(FILES);
    const run = await lectern(folder, [...works, '--json']);
    expect(run.code).toBe(0);
    expect(oneDocument(run)).not.toHaveProperty('error');
  });

  test.each(VERBS)('$verb: not done is 2, a sentence on stderr and nothing on stdout', async ({ fails }) => {
    using folder = tempFolder(FILES);
    const run = await lectern(folder, fails);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/^lectern: .+\n(?: {2}.+\n)?$/u);
  });

  test.each(VERBS)('$verb: not done with --json is one document that holds the error', async ({ fails, code }) => {
    using folder = tempFolder(FILES);
    const run = await lectern(folder, [...fails, '--json']);
    expect(run.code).toBe(2);
    expect(oneDocument(run)).toEqual({
      error: expect.objectContaining({ code, message: expect.stringMatching(/\S/u) }),
    });
  });

  test.each(VERBS)('$verb: a broken configuration is reported, and the command goes on', async ({ verb, works }) => {
    using folder = tempFolder({ ...FILES, 'project/.lectern/config.json': '{\n"inclde": "x"\n}' });
    const run = await lectern(folder, [...works, '--json']);
    expect(oneDocument(run)).not.toHaveProperty('error');
    // A completion script has nothing to do with the configuration.
    if (verb === 'completion') return;
    // Named once: in the document if it has problems of the configuration, otherwise on stderr.
    const isInDocument = run.stdout.includes('"config-key-unknown"') && verb === 'doctor';
    expect(run.stderr.includes('[config-key-unknown] .lectern/config.json:2')).toBe(!isInDocument);
    if (verb === 'doctor') expect(run.code).toBe(1);
  });

  test.each(VERBS)('$verb: --help tells what it does with an example, and runs nothing', async ({ works }) => {
    using folder = tempFolder({ ...FILES, 'project/.lectern/config.json': '{' });
    const run = await lectern(folder, [...works.slice(0, 1), '--help']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/Examples:?\n {2}lectern/u);
    if (works[0] !== undefined) expect((await lectern(folder, ['help', works[0]])).stdout).toBe(run.stdout);
  });

  test.each(VERBS)('$verb: an unknown flag is 2 and what was meant', async ({ works }) => {
    using folder = tempFolder(FILES);
    const run = await lectern(folder, [...works, '--jsno']);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--json') });
  });

  test.each(VERBS)('$verb: writes nothing unless that is its work and it succeeds', async ({ verb, works, fails }) => {
    using folder = tempFolder(FILES);
    await lectern(folder, ['--version']);
    const before = listing(folder.dir);
    await lectern(folder, fails);
    if (!['enable', 'disable', 'new', 'sync'].includes(verb)) await lectern(folder, works);
    expect(listing(folder.dir)).toEqual(before);
  });
});

/** Everything but the cache, which can be made again. */
function listing(dir: string): string[] {
  const all = fs.readdirSync(dir, { recursive: true }).map(String);
  return all.filter((place) => !place.startsWith(path.join('home', '.cache'))).sort();
}

describe('exit codes', () => {
  test('1 where the content has errors: validate and doctor', async () => {
    using folder = tempFolder({ ...FILES, ...BROKEN });
    expect((await lectern(folder, ['validate'])).code).toBe(1);
    expect((await lectern(folder, ['validate', '--json'])).code).toBe(1);
    expect((await lectern(folder, ['doctor'])).code).toBe(1);
    expect((await lectern(folder, ['list'])).code).toBe(0);
    expect((await lectern(folder, ['validate', 'git'])).code).toBe(0);
  });

  test('--strict makes warnings count', async () => {
    using folder = tempFolder({ 'project/skills/a/SKILL.md': skillText({ name: 'a', more: ['model: x'] }) });
    expect((await lectern(folder, ['validate'])).code).toBe(0);
    expect((await lectern(folder, ['validate', '--strict'])).code).toBe(1);
  });

  test('70 where it is our bug: a neutral sentence, the details only with --verbose', async () => {
    using folder = tempFolder({
      ...FILES,
      'break.cjs': 'Buffer.prototype.toString = () => { throw new Error("secret detail"); };',
    });
    const node = ['--require', folder.at('break.cjs')];
    const plain = await lectern(folder, ['show', 'git', '--json'], { node });
    expect([plain.code, oneDocument(plain)]).toEqual([70, { error: expect.objectContaining({ code: 'INTERNAL' }) }]);
    expect(plain.stdout + plain.stderr).not.toContain('secret detail');
    const verbose = await lectern(folder, ['show', 'git', '--verbose'], { node });
    expect(verbose).toMatchObject({ code: 70, stdout: '', stderr: expect.stringContaining('secret detail') });
  });
});

describe('mistakes on the command line', () => {
  test.each([
    [['lst'], 'lectern list'],
    [['shwo', 'pdf'], 'lectern show'],
    [['shwo', '--full', 'pdf'], 'lectern show'],
    [['vlaidate', './x', '--strict'], 'lectern validate'],
    [['list', '--inclde=x'], '--include'],
    [['list', '--skill-dri', 'x'], '--skill-dir'],
    [['validate', '--profile', 'cluade'], 'claude'],
    [['show', 'gti'], 'git'],
    [['enable', 'offf'], 'off'],
    [['new', 'x', '--to', 'cluade'], 'claude'],
    [['completion', 'bsh'], 'bash'],
  ])('%j: did you mean %s?', async (args, meant) => {
    using folder = tempFolder(FILES);
    const run = await lectern(folder, args);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(meant) });
    expect(run.stderr).toMatch(/did you mean/iu);
  });

  test.each([
    [['show']],
    [['search']],
    [['enable']],
    [['disable']],
    [['new']],
    [['completion']],
    [['doctor', 'extra']],
    [['doctor', 'extra']],
    [['list', '--include']],
    [['search', 'x', '--limit', '0']],
    [['search', 'x', '--limit', '1e9']],
    [['search', 'x', '--limit=-1']],
    [['validate', 'git', '--all']],
  ])('%j: reports a usage failure', async (args) => {
    using folder = tempFolder(FILES);
    const run = await lectern(folder, [...args, '--json']);
    expect(run.code).toBe(2);
    expect(oneDocument(run)).toMatchObject({ error: { code: 'USAGE' } });
  });
});

describe('flags', () => {
  test('may stand before the command', async () => {
    using folder = tempFolder({ ...FILES, 'other/skills/only/SKILL.md': skillText({ name: 'only' }) });
    const run = await lectern(folder, ['--json', '--project-dir', folder.at('other'), 'list']);
    expect(JSON.parse(run.stdout)).toMatchObject({ skills: [{ name: 'only' }] });
  });

  test.each([
    { args: ['--include=git'], names: ['git'] },
    { args: ['--include', 'git'], names: ['git'] },
    { args: ['--exclude=git'], names: ['pdf', 'pdf'] },
    { args: ['--include=codex', '--include=git'], names: ['pdf', 'git'] },
    { args: ['--include=codex,git', '--exclude=git'], names: ['pdf'] },
    { args: ['--all'], names: ['git', 'off', 'pdf', 'pdf'] },
    { args: ['--disabled'], names: ['off'] },
    { args: ['--no-scan-default-dirs'], names: [] },
    { args: ['--no-scan-default-dirs', '--skill-dir', '.codex/skills'], names: ['pdf'] },
    { args: ['--root', '.codex/skills', '--include=repo'], names: [] },
    { args: ['--priority=project-first'], names: ['git', 'pdf', 'pdf'] },
  ])('list $args gives $names', async ({ args, names }) => {
    using folder = tempFolder(FILES);
    const { skills } = JSON.parse((await lectern(folder, ['list', '--json', ...args])).stdout) as {
      skills: { name: string }[];
    };
    expect(skills.map(({ name }) => name)).toEqual(names);
  });

  test.each(['--no-plugins', '--skip-plugins'])(
    '%s leaves out plugins, and --plugins-file has an older name',
    async (flag) => {
      using folder = tempFolder({ ...FILES });
      folder.write({
        'home/.claude/plugins/installed_plugins.json': JSON.stringify({
          plugins: { 'office@m': [{ scope: 'user', installPath: folder.at('office') }] },
        }),
        'office/skills/xlsx/SKILL.md': skillText({ name: 'xlsx' }),
      });
      const names = async (...args: string[]): Promise<string[]> =>
        (
          JSON.parse((await lectern(folder, ['list', '--json', '--include=@plugins', ...args])).stdout) as {
            skills: { fullName: string }[];
          }
        ).skills.map(({ fullName }) => fullName);
      expect(await names()).toEqual(['claude:office:xlsx']);
      expect(await names(flag)).toEqual([]);
      expect(
        await names(
          '--user-dir',
          folder.at('empty'),
          '--claude-plugins-file',
          folder.at('home/.claude/plugins/installed_plugins.json'),
        ),
      ).toEqual(['claude:office:xlsx']);
    },
  );

  test('an explicit --user-dir is looked at as it is: the variables speak of the real home', async () => {
    using folder = tempFolder({
      'other/.claude/skills/a/SKILL.md': skillText({ name: 'a' }),
      'moved/skills/b/SKILL.md': skillText({ name: 'b' }),
    });
    const env = { CLAUDE_CONFIG_DIR: folder.at('moved') };
    const names = async (...args: string[]): Promise<unknown> =>
      (
        JSON.parse((await lectern(folder, ['list', '--json', ...args], { env })).stdout) as {
          skills: { name: string }[];
        }
      ).skills.map(({ name }) => name);
    expect(await names()).toEqual(['b']);
    expect(await names('--user-dir', folder.at('other'))).toEqual(['a']);
  });

  test('--version with --json is a document, wherever the two stand', async () => {
    using folder = tempFolder({});
    for (const args of [
      ['--version', '--json'],
      ['--json', '-V'],
      ['list', '--json', '--version'],
    ])
      expect(oneDocument(await lectern(folder, args))).toMatchObject({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/u),
      });
  });

  test('--version --json has the facts for a bug report, and no path names the user', async () => {
    using folder = tempFolder({ 'home/x': '' });
    const document = oneDocument(await lectern(folder, ['--version', '--json']));
    expect(document).toMatchObject({
      node: process.versions.node,
      platform: process.platform,
      paths: { config: path.join('~', '.config/lectern'), cache: path.join('~', '.cache/lectern') },
    });
    expect(JSON.stringify(document)).not.toContain(folder.at('home'));
  });

  test('--help with --json matches the reference page', async () => {
    using folder = tempFolder({});
    const help = oneDocument(await lectern(folder, ['list', '--help', '--json']));
    expect(help).toEqual(oneDocument(await lectern(folder, ['help', 'list', '--json'])));
    const list = COMMANDS.find(({ name }) => name === 'list');
    expect(help).toMatchObject({
      command: 'lectern list',
      usage: 'lectern list [provider|name] [flags]',
      summary: list?.summary,
    });
    expect(help).toHaveProperty(
      'flags',
      list && flagsOfCommand(list).map(({ names, about }) => expect.objectContaining({ names, about })),
    );
    expect(help).toHaveProperty(
      'examples',
      list?.examples.map(([command, about]) => ({ command, about })),
    );
    expect(oneDocument(await lectern(folder, ['show', '-h', '--json']))).toMatchObject({
      usage: 'lectern show <name> [flags]',
      aliases: ['lectern info'],
      arguments: [{ form: '<name>' }],
    });
  });

  test('--help with --json names every command, and those of one group', async () => {
    using folder = tempFolder({});
    const all = COMMANDS.filter(({ name }) => name !== '').map(({ name }) =>
      expect.objectContaining({ command: `lectern ${name}` }),
    );
    expect(oneDocument(await lectern(folder, ['--help', '--json']))).toMatchObject({
      command: 'lectern',
      commands: all,
    });
    expect(oneDocument(await lectern(folder, ['help', 'spec', '--json']))).toMatchObject({
      command: 'lectern spec',
      commands: [{ command: 'lectern spec list' }, { command: 'lectern spec show' }, {}, {}],
    });
  });

  test('--version is one line', async () => {
    using folder = tempFolder();
    for (const args of [['--version'], ['-V'], ['list', '--version']])
      expect(await lectern(folder, args)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/u),
        stderr: '',
      });
  });

  test('--raw copies the file byte for byte', async () => {
    const text = '\ufeff---\r\nname: odd\r\ndescription: d\r\n---\r\n\u001b[31m\u0000 \u{10ffff}\t  \r\n';
    using folder = tempFolder({ 'project/skills/odd/SKILL.md': text });
    expect((await lectern(folder, ['show', 'odd', '--raw'])).bytes.equals(Buffer.from(text))).toBe(true);
  });

  test('--sarif is a document for code hosts', async () => {
    using folder = tempFolder({ ...FILES, ...BROKEN });
    const run = await lectern(folder, ['validate', '--sarif']);
    expect(run.code).toBe(1);
    const sarif = JSON.parse(run.stdout) as {
      version: string;
      runs: { tool: { driver: { rules: object[] } }; results: { ruleId: string; level: string }[] }[];
    };
    expect(sarif.version).toBe('2.1.0');
    const errors = sarif.runs[0]?.results.filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([
      {
        ruleId: 'frontmatter-missing',
        level: 'error',
        locations: [{ physicalLocation: { region: { startLine: 1 } } }],
      },
    ]);
    expect(sarif.runs[0]?.tool.driver.rules).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: 'frontmatter-missing',
          help: { text: expect.stringContaining('docs/reference/diagnostics.md#frontmatter-missing') },
        }),
      ]),
    );
  });
});

test('problems are named on stderr beside a list, twenty at the most, and with --json only in the document', async () => {
  using folder = tempFolder({
    ...FILES,
    ...Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [`project/.claude/skills/bad${index}/SKILL.md`, 'nothing']),
    ),
  });
  const { code, stderr } = await lectern(folder, ['list']);
  expect(code).toBe(0);
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(21);
  expect(lines[0]).toBe(
    'lectern: error [frontmatter-missing] .claude/skills/bad0/SKILL.md:1: the file does not start with ---',
  );
  expect(lines[20]).toContain('and 5 errors more');
  const run = await lectern(folder, ['list', '--json']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: object[] };
  expect(diagnostics.length).toBeGreaterThanOrEqual(25);
});

test.each([
  ['list', 'git'],
  ['list', '--exclude=nothing-like-it'],
  ['search', 'x', '--exclude=nothing-like-it'],
  ['doctor'],
])('%s %s: with --json, no problem is both in the document and on stderr', async (...args) => {
  using folder = tempFolder({ ...FILES, ...BROKEN });
  expect((await lectern(folder, [...args, '--json'])).stderr).toBe('');
});

test.each([
  ['new', 'fresh'],
  ['new', 'fresh', '--to', './my folder'],
  ['new', 'fresh', '--to', 'claude', '--user'],
  // A copy that the shared one hides.
  ['new', 'git', '--to', 'claude'],
])('%s %s %s %s: the suggested next command validates the new skill', async (...args) => {
  using folder = tempFolder(FILES);
  const made = JSON.parse((await lectern(folder, [...args, '--json'])).stdout) as { file: string };
  fs.rmSync(path.dirname(made.file), { recursive: true });
  const told = /lectern (validate .+)\n/u.exec((await lectern(folder, args)).stdout)?.[1] ?? '';
  const words = [...told.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const run = await lectern(folder, [...words, '--json']);
  expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { valid: true, items: [{ valid: true }] }]);
  expect(words[1] === 'fresh' || words[1] === path.dirname(made.file)).toBe(true);
});

test('no message names the same place twice', async () => {
  using folder = tempFolder({
    ...FILES,
    ...BROKEN,
    'project/.claude/skills/pdf/.SKILL.md': 'in the way',
    'project/.cursor/mcp.json': '{ "mcpServers": 5 }\n',
  });
  for (const [args, place] of [
    [['new', 'git'], '.agents/skills/git'],
    [['disable', 'claude:pdf'], '.claude/skills/pdf/.SKILL.md'],
    [['setup', 'cursor', '--write'], '.cursor/mcp.json'],
    [['validate', './.claude/skills/broken'], '.claude/skills/broken/SKILL.md'],
  ] as const) {
    const { stdout, stderr } = await lectern(folder, args);
    expect([args, (stdout + stderr).split(place).length - 1]).toEqual([args, 1]);
  }
});

describe('index', () => {
  const status = async (folder: TempFolder) =>
    JSON.parse((await lectern(folder, ['index', '--status', '--json'])).stdout);

  test('writes only to the user’s cache, and --clear empties it', async () => {
    using folder = tempFolder({ ...FILES, 'home/.keep': '' });
    const before = listing(folder.dir);
    expect((await lectern(folder, ['index'])).code).toBe(0);
    expect(await status(folder)).toMatchObject({ state: 'ready', documents: 4, built: true });
    expect((await lectern(folder, ['index', '--clear'])).code).toBe(0);
    expect(await status(folder)).toMatchObject({ state: 'empty', entries: 0, built: false });
    expect(listing(folder.dir).filter((place) => !place.startsWith('tmp'))).toEqual(before);
  });

  test('puts the cache in XDG_CACHE_HOME', async () => {
    using folder = tempFolder({ ...FILES, 'elsewhere/.keep': '' });
    await lectern(folder, ['index'], { env: { XDG_CACHE_HOME: folder.at('elsewhere') } });
    expect(fs.readdirSync(folder.at('elsewhere/lectern/search')).sort()).toEqual(['projects', expect.any(String)]);
    expect(fs.existsSync(folder.at('home/.cache'))).toBe(false);
  });

  test('an old index in the project is left alone, and doctor names it', async () => {
    using folder = tempFolder({ ...FILES, 'project/.lectern/index/current.json': '{}' });
    await lectern(folder, ['index']);
    await lectern(folder, ['index', '--clear', '--all']);
    expect(fs.readdirSync(folder.at('project/.lectern/index'))).toEqual(['current.json']);
    expect((await lectern(folder, ['doctor'])).stdout).toContain('.lectern/index');
  });
});

describe('a new user’s first commands', () => {
  test('the first change of a project brings its folders, and it validates', async () => {
    using folder = tempFolder(FILES);
    expect((await lectern(folder, ['change', 'new', 'add-login'])).code).toBe(0);
    const run = await lectern(folder, ['change', 'validate', '--json']);
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([
      0,
      { valid: true, items: [{ type: 'change', id: 'add-login' }] },
    ]);
  });

  test.each([
    ['spec', '--help'],
    ['help', 'change'],
    ['change', '-h'],
  ])('lectern %s %s lists the commands of the group', async (...args) => {
    using folder = tempFolder(FILES);
    const run = await lectern(folder, args);
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('validate')]);
  });

  test('a group without a subcommand lists its subcommands', async () => {
    using folder = tempFolder(FILES);
    expect(await lectern(folder, ['change'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Usage: lectern change list .*\| archive$/mu),
    });
  });

  test('a project folder that does not exist is a mistake, not an empty project', async () => {
    using folder = tempFolder(FILES);
    expect(await lectern(folder, ['list', '--project-dir=/nowhere-at-all'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no folder'),
    });
    expect((await lectern(folder, ['list', '--project-dir', '.agents/skills/git/SKILL.md'])).code).toBe(2);
  });

  test('show explains why a skill was skipped', async () => {
    using folder = tempFolder({ ...FILES, 'project/.agents/skills/nofm/SKILL.md': 'no frontmatter' });
    expect(await lectern(folder, ['show', 'nofm'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('frontmatter-missing'),
    });
  });

  test('a character written as a YAML escape is still found', async () => {
    using folder = tempFolder({
      ...FILES,
      'project/.agents/skills/sly/SKILL.md': '---\nname: sly\ndescription: "x \\u202e y"\n---\nbody\n',
    });
    const report = JSON.parse((await lectern(folder, ['validate', 'sly', '--json'])).stdout) as {
      errors: { code: string }[];
    };
    expect(report.errors.map(({ code }) => code)).toContain('bidi-controls');
  });

  test('a dangling link is a warning, and no skill', async () => {
    using folder = tempFolder({ ...FILES, 'project/.agents/skills/gone': { link: '/nowhere-at-all' } });
    const report = JSON.parse((await lectern(folder, ['validate', '--json'])).stdout) as {
      warnings: { code: string }[];
      items: { id: string }[];
    };
    expect(report.warnings.map(({ code }) => code)).toContain('link-dangling');
    expect(report.items.filter(({ id }) => id.includes('gone'))).toEqual([]);
  });
});
