/** The machine as it may be: no home, no terminal, few files allowed, a foreign language, nobody at the keyboard. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { widthOf } from '../../src/render/width.ts';
import { CLI, hasOrdinaryUser, lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFile, type TempFolder } from '../support/temp-folder.ts';

const ONE: Record<string, TempFile> = { 'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) };
const VERBS = [
  [],
  ['list'],
  ['show', 'pdf'],
  ['search', 'pdf'],
  ['validate'],
  ['doctor'],
  ['enable', 'pdf'],
  ['disable', 'pdf'],
  ['new', 'fresh'],
  ['completion', 'bash'],
  ['list', '--json'],
  ['--help'],
].map((args) => ({ args, line: ['lectern', ...args].join(' ') }));
const ESCAPE = '\u001b';
const hasCommand = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

function manySkills(number: number): Record<string, TempFile> {
  return Object.fromEntries(
    Array.from({ length: number }, (_, index) => [
      `project/.claude/skills/s${index}/SKILL.md`,
      skillText({ name: `s${index}` }),
    ]),
  );
}

async function namesIn(folder: TempFolder, options: Parameters<typeof lectern>[2] = {}): Promise<string[]> {
  const run = await lectern(folder, ['list', '--json'], options);
  expect(run.code).toBe(0);
  return (JSON.parse(run.stdout) as { skills: { name: string }[] }).skills.map(({ name }) => name);
}

describe('colors', () => {
  test.each([
    { story: 'a pipe', env: {}, colored: false },
    { story: 'FORCE_COLOR on a pipe', env: { FORCE_COLOR: '1' }, colored: true },
    { story: 'FORCE_COLOR=0', env: { FORCE_COLOR: '0' }, colored: false },
    { story: 'NO_COLOR', env: { NO_COLOR: '1' }, colored: false },
    { story: 'TERM=dumb', env: { TERM: 'dumb' }, colored: false },
  ])('$story: colored $colored', async ({ env, colored }) => {
    using folder = tempFolder(ONE);
    expect((await lectern(folder, ['list'], { env })).stdout.includes(ESCAPE)).toBe(colored);
    expect((await lectern(folder, ['show', 'nope'], { env })).stderr.includes(ESCAPE)).toBe(colored);
  });

  test('--no-color goes before FORCE_COLOR, and JSON never has any', async () => {
    using folder = tempFolder(ONE);
    expect((await lectern(folder, ['list', '--no-color'], { env: { FORCE_COLOR: '1' } })).stdout).not.toContain(ESCAPE);
    expect((await lectern(folder, ['list', '--json'], { env: { FORCE_COLOR: '1' } })).stdout).not.toContain(ESCAPE);
  });

  test.skipIf(!hasCommand('script')).each([
    { story: 'plain', env: {}, colored: true },
    { story: 'with NO_COLOR', env: { NO_COLOR: '1' }, colored: false },
    { story: 'with TERM=dumb', env: { TERM: 'dumb' }, colored: false },
  ])('a terminal $story: colored $colored', ({ env, colored }) => {
    using folder = tempFolder({ ...ONE, 'home/x': '' });
    const { stdout } = spawnSync('script', ['-qec', `"${process.execPath}" "${CLI}" list`, '/dev/null'], {
      cwd: folder.at('project'),
      env: { PATH: process.env['PATH'], HOME: folder.at('home'), TERM: 'xterm', ...env },
      encoding: 'utf8',
    });
    expect(stdout).toContain('pdf');
    expect(stdout.includes(`${ESCAPE}[`)).toBe(colored);
  });
});

describe('thousands of skills', () => {
  const MANY = 2_000;
  let folder: TempFolder;
  beforeAll(() => {
    folder = tempFolder({ ...manySkills(MANY), 'home/x': '' });
  });
  afterAll(() => folder[Symbol.dispose]());
  const bash = (script: string) =>
    spawnSync('bash', ['-c', script.replace('lectern', `"${process.execPath}" "${CLI}"`)], {
      cwd: folder.at('project'),
      env: { PATH: process.env['PATH'], HOME: folder.at('home') },
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });

  test.each(['list', 'list --json', 'validate --all', 'doctor --verbose'])(
    '%s | head -1: no complaint, nothing left behind',
    (command) => {
      const { stdout, stderr } = bash(`lectern ${command} | head -1 | cut -c1-60; echo "code \${PIPESTATUS[0]}"`);
      expect(stderr).toBe('');
      expect(stdout).toMatch(/\ncode [01]\n$/u);
    },
  );

  test('closing standard error early does not affect the result', () => {
    const { stdout } = bash('lectern list --include=nosuch,many-1 --json 2> >(true)');
    expect(JSON.parse(stdout)).toMatchObject({ counts: { total: expect.any(Number) } });
  });

  test.skipIf(process.platform !== 'linux').each([
    ['lectern list --json > /dev/full', 'lectern: Cannot write the output: the disk is full\n'],
    ['lectern --help > /dev/full', 'lectern: Cannot write the output: the disk is full\n'],
    [
      'trap "" XFSZ; ulimit -f 1; lectern list --json > big',
      'lectern: Cannot write the output: the file would be larger than is allowed\n',
    ],
  ])('%s: one sentence and exit code 2', (command, sentence) => {
    const { status, stderr } = bash(command);
    expect(stderr.split('\n').slice(-2).join('\n')).toBe(sentence);
    expect(status).toBe(2);
  });

  test.skipIf(process.platform !== 'linux')('an error that cannot be told keeps its exit code', () => {
    expect(bash('lectern nosuch 2> /dev/full').status).toBe(2);
  });

  test('JSON arrives whole through a slow pipe', () => {
    const { stdout } = bash('lectern list --json | (sleep 0.3; cat)');
    expect((JSON.parse(stdout) as { counts: { total: number } }).counts.total).toBe(MANY);
  });

  test('64 open files are enough', () => {
    const { stdout } = bash('ulimit -n 64; lectern list --json');
    expect((JSON.parse(stdout) as { counts: { total: number } }).counts.total).toBe(MANY);
  });
});

test.each(VERBS)('$line with stdin closed and CI=1 never waits', async ({ args }) => {
  using folder = tempFolder(ONE);
  const run = await lectern(folder, args, { env: { CI: '1' }, through: ['sh', '-c', 'exec "$@" <&-', 'sh'] });
  expect([run.signal, run.code]).toEqual([null, 0]);
});

describe('homes', () => {
  test.each([
    ['unset', undefined],
    ['empty', ''],
    ['nonexistent', '/nonexistent/home'],
    ['relative', 'somewhere'],
  ])('HOME %s: the skills of the project are there', async (_, HOME) => {
    using folder = tempFolder(ONE);
    // With HOME unset the account's real home is searched as well.
    expect(await namesIn(folder, { env: { HOME } })).toContain('pdf');
    expect((await lectern(folder, [], { env: { HOME } })).code).toBe(0);
    expect((await lectern(folder, ['doctor'], { env: { HOME } })).stderr).toBe('');
  });

  test('HOME is a file', async () => {
    using folder = tempFolder({ ...ONE, 'a-file': '' });
    expect(await namesIn(folder, { env: { HOME: folder.at('a-file') } })).toEqual(['pdf']);
  });

  test.skipIf(!hasOrdinaryUser)(
    'a read-only home is enough for everything that only looks (needs an ordinary user)',
    async () => {
      using folder = tempFolder({ ...ONE, 'home/.claude/skills/git/SKILL.md': skillText({ name: 'git' }) });
      fs.chmodSync(folder.at('home'), 0o555);
      expect(await namesIn(folder, { unprivileged: true })).toEqual(['pdf', 'git']);
      for (const args of [[], ['doctor'], ['validate', '--all'], ['search', 'git']])
        expect((await lectern(folder, args, { unprivileged: true })).code).toBe(0);
      const refused = await lectern(folder, ['new', 'x', '--user'], { unprivileged: true });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Cannot write') });
    },
  );
});

test.each([[['new', 'a-skill']], [['list', '--project-dir', '../project']]])(
  'the working folder was deleted: commands that need it are refused: %s',
  async (args) => {
    using folder = tempFolder({ 'gone/x': '', 'project/x': '' });
    const run = await lectern(folder, args, {
      cwd: folder.at('gone'),
      through: ['sh', '-c', 'rm -r "$PWD"; exec "$@"', 'sh'],
    });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('The working folder no longer exists.')]);
  },
);

test('the working folder was deleted: no crash, an empty catalog', async () => {
  using folder = tempFolder({ 'gone/x': '' });
  const run = await lectern(folder, ['list', '--json'], {
    cwd: folder.at('gone'),
    through: ['sh', '-c', 'rm -r "$PWD"; exec "$@"', 'sh'],
  });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ skills: [] });
});

describe('languages', () => {
  test.each(['C', 'tr_TR.UTF-8', 'de_DE.UTF-8'])('LANG=%s: TITLE finds title', async (LANG) => {
    using folder = tempFolder({ 'project/skills/title/SKILL.md': skillText({ name: 'title' }) });
    expect((await lectern(folder, ['show', 'TITLE'], { env: { LANG, LC_ALL: LANG } })).code).toBe(0);
  });

  test('twenty columns with wide letters and emoji: cut between characters, never wider', async () => {
    using folder = tempFolder({
      'project/skills/a/SKILL.md': skillText({ name: '处理文档的非常长的技能名称', description: '描述很长的文字' }),
      'project/skills/b/SKILL.md': skillText({ name: '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦' }),
      'project/skills/c/SKILL.md': skillText({ name: 'plain' }),
    });
    const { code, stdout } = await lectern(folder, ['list'], { env: { COLUMNS: '20' } });
    expect(code).toBe(0);
    const rows = stdout.split('\n').filter((line) => line.startsWith('  '));
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(20);
    expect(stdout.isWellFormed() && !stdout.includes('\ufffd')).toBe(true);
  });

  test.each(['0', '-5', 'abc', '1', '7'])('COLUMNS=%s is no reason to fail', async (COLUMNS) => {
    using folder = tempFolder(ONE);
    for (const args of [['list'], ['show', 'pdf'], []])
      expect((await lectern(folder, args, { env: { COLUMNS } })).code).toBe(0);
  });
});

describe('the network', () => {
  const TRACED = ['strace', '-f', '-qq', '-e', 'trace=connect,sendto,sendmsg', '-o'];
  const traces = spawnSync('strace', ['-qq', '-e', 'trace=connect', '-o', '/dev/null', 'true']).status === 0;

  test.skipIf(!traces).each(VERBS)('$line opens no connection (traced)', async ({ args }) => {
    using folder = tempFolder(ONE);
    await lectern(folder, args, { through: [...TRACED, folder.at('trace')] });
    const trace = fs.readFileSync(folder.at('trace'), 'utf8');
    expect(trace.split('\n').filter((line) => /AF_INET|sin_port|sin6_port/u.test(line))).toEqual([]);
  });

  test.each(VERBS)('$line asks for no connection and no address', async ({ args }) => {
    const guard = `const refuse = (what) => () => { process.stderr.write('NETWORK ' + what); process.exit(99); };
      const net = require('node:net'); net.Socket.prototype.connect = refuse('connect');
      const dns = require('node:dns'); dns.lookup = refuse('lookup'); globalThis.fetch = refuse('fetch');
      const dgram = require('node:dgram'); dgram.Socket.prototype.send = refuse('send');`;
    using folder = tempFolder({ ...ONE, 'guard.cjs': guard });
    const run = await lectern(folder, args, { node: ['--require', folder.at('guard.cjs')] });
    expect([run.code, run.stderr]).toEqual([0, '']);
  });
});

test('an old Node.js gets one line with the required version', async () => {
  using folder = tempFolder({ 'old.cjs': "Object.defineProperty(process.versions, 'node', { value: '18.20.0' });" });
  const run = await lectern(folder, ['list'], { node: ['--require', folder.at('old.cjs')] });
  expect(run).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'lectern needs Node.js 20.19 or newer; this is 18.20.0.\n',
  });
});
