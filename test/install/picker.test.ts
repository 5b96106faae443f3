/** The picker on a real terminal: `script` gives the command one. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { gitServer } from '../support/git-server.ts';
import { CLI } from '../support/run-lectern.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Types an answer each time a question appears. Returns what was shown, and the exit code. */
async function answer(
  folder: TempFolder,
  args: readonly string[],
  answers: readonly [question: string, keys: readonly string[]][],
): Promise<{ shown: string; code: number | null }> {
  for (const dir of ['project', 'home', 'tmp']) fs.mkdirSync(folder.at(dir), { recursive: true });
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`);
  // A terminal without a size would be one column wide.
  const command = `stty cols 100 rows 40; exec ${words.join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder.at('project'),
    env: {
      PATH: process.env['PATH'],
      HOME: folder.at('home'),
      TMPDIR: folder.at('tmp'),
      TERM: 'xterm',
      COLUMNS: '100',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString('utf8')));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let from = 0;
  for (const [question, keys] of answers) {
    await expect.poll(() => shown.indexOf(question, from), { message: question }).toBeGreaterThan(-1);
    // The next question may arrive together with the answer to this one, so it is looked for from here on.
    from = shown.indexOf(question, from) + question.length;
    for (const key of keys) {
      const before = shown.length;
      child.stdin.write(key);
      await expect.poll(() => shown.length, { message: `${question} ${key}` }).toBeGreaterThan(before);
    }
  }
  const code = await ended;
  return { shown, code };
}

const skill = (name: string): string => `---\nname: ${name}\ndescription: About ${name}\n---\n\nBody\n`;

test.skipIf(!hasTerminal)('skills and targets are picked, the plan is shown, and yes installs it', async () => {
  await using server = await gitServer();
  const repository = server.repository('shop', {
    'a/SKILL.md': skill('a'),
    'a/run.sh': 'ls\n',
    'b/SKILL.md': skill('b'),
  });
  using folder = tempFolder();
  const { shown, code } = await answer(
    folder,
    ['install', repository.url, '-i'],
    [
      ['Which skills?', ['\t', '\r']],
      ['Where to?', ['c', 'l', 'a', 'u', '\t', '\r']],
      ['Install ', ['\r']],
    ],
  );
  expect(code).toBe(0);
  expect(shown).toContain('a [1 script]');
  expect(shown).toContain('would be installed');
  expect(fs.readdirSync(folder.at('project/.claude/skills'))).toEqual(['a']);
});

test.skipIf(!hasTerminal)('Ctrl-C at a question writes nothing and exits with 130', async () => {
  using folder = tempFolder({ 'source/a/SKILL.md': skill('a'), 'source/b/SKILL.md': skill('b') });
  const { code } = await answer(
    folder,
    ['install', '../source', '-i', '--to', 'claude'],
    [['Which skills?', ['\u0003']]],
  );
  expect(code).toBe(130);
  expect(fs.readdirSync(folder.at('project'))).toEqual([]);
});

test.skipIf(!hasTerminal)('no is an answer: nothing is written', async () => {
  using folder = tempFolder({ 'source/a/SKILL.md': skill('a') });
  const { code } = await answer(folder, ['install', '../source', '--to', 'claude'], [['Install ', ['n']]]);
  expect(code).toBe(2);
  expect(fs.readdirSync(folder.at('project'))).toEqual([]);
});
