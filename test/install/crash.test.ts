/** Processes that die, that run at the same time, and that are stopped. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { times } from '../support/effort.ts';
import { gitServer } from '../support/git-server.ts';
import { CLI, lectern, type Run } from '../support/run-lectern.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- Answers are compared as whole documents.
const json = ({ stdout }: Run): any => JSON.parse(stdout);
const text = (name: string, body = 'Body'): string => `---\nname: ${name}\ndescription: About it\n---\n\n${body}\n`;

/** A skill of some files, all of which differ from one version to the next. */
function version(number: number): Record<string, string> {
  const files = Array.from({ length: 40 }, (_, index) => [`big/f${index}.txt`, `${number} ${index}\n`.repeat(200)]);
  return { 'big/SKILL.md': text('big', `Version ${number}`), ...Object.fromEntries(files) };
}

function hashOf(dir: string): string {
  const hash = createHash('sha256');
  for (const name of fs.readdirSync(dir).sort()) hash.update(name).update(fs.readFileSync(path.join(dir, name)));
  return hash.digest('hex');
}

function leftovers(folder: TempFolder): string[] {
  const below = (dir: string): string[] => fs.readdirSync(folder.at(dir), { recursive: true }).map(String);
  return [...below('project'), ...below('tmp')].filter((name) => /(?:^|\/)(?:\.lectern-\d|lectern-fetch)/u.test(name));
}

/** Starts the command and kills it after some time. Resolves when it has ended. */
function startAndKill(folder: TempFolder, args: readonly string[], afterMs: number): Promise<void> {
  for (const dir of ['project', 'home', 'tmp']) fs.mkdirSync(folder.at(dir), { recursive: true });
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: folder.at('project'),
      env: { PATH: process.env['PATH'], HOME: folder.at('home'), TMPDIR: folder.at('tmp') },
      stdio: 'ignore',
    });
    setTimeout(() => child.kill('SIGKILL'), afterMs);
    child.on('close', () => resolve());
  });
}

describe('a process that is killed', () => {
  test(
    'leaves the old or the new version, and the next one cleans up',
    async () => {
      await using server = await gitServer();
      const repository = server.repository('shop', version(1));
      using folder = tempFolder();
      const skill = folder.at('project/.claude/skills/big');
      const install = ['install', repository.url, '--to', 'claude', '--yes'];
      const before = performance.now();
      expect((await lectern(folder, install)).code).toBe(0);
      const whole = performance.now() - before;
      let [old, number] = [hashOf(skill), 1];
      for (let round = 0; round < times(4, 25); round++) {
        number += 1;
        repository.commit(version(number));
        const now = hashOf(repository.work.at('big'));
        // The last third is where files are written. In the sample the moments are always the same parts of the time.
        const part = times(4, 25) === 4 ? 0.6 + round * 0.12 : 0.3 + Math.random() * 0.8;
        const command = round % 2 === 0 ? ['update', '--yes'] : install;
        await startAndKill(folder, command, whole * part);
        const found = hashOf(skill);
        expect([old, now], `killed after ${part} of the time`).toContain(found);
        expect(() => JSON.parse(fs.readFileSync(folder.at('project/lectern.lock.json'), 'utf8'))).not.toThrow();
        const next = await lectern(folder, ['update', '--yes', '--json']);
        expect([next.code, json(next).skills[0].status]).toEqual([0, expect.stringMatching(/^(?:updated|current)$/u)]);
        expect(hashOf(skill)).toBe(now);
        expect((await lectern(folder, ['verify'])).code).toBe(0);
        old = now;
      }
      // What was fetched is removed by the next process that fetches; what was staged, by the next that writes.
      repository.commit(version(number + 1));
      await lectern(folder, ['update', '--yes']);
      expect(leftovers(folder)).toEqual([]);
    },
    times(120_000, 900_000),
  );
});

test('ten installations at the same time: every skill is whole, and the lock has all of them', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'same', 'same', 'same', 'same', 'same'];
  await using server = await gitServer();
  const repository = server.repository(
    'shop',
    Object.fromEntries(
      names.flatMap((name) => [
        [`${name}/SKILL.md`, text(name)],
        [`${name}/x.txt`, name.repeat(1000)],
      ]),
    ),
  );
  using folder = tempFolder();
  const runs = await Promise.all(
    names.map((name) => lectern(folder, ['install', repository.url, name, '--to', 'claude', '--yes', '--json'])),
  );
  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual(names.map(() => [0, expect.any(String)]));
  const lock = JSON.parse(fs.readFileSync(folder.at('project/lectern.lock.json'), 'utf8'));
  expect(Object.keys(lock.skills)).toEqual(['a', 'b', 'c', 'd', 'e', 'same']);
  expect((await lectern(folder, ['verify', '--frozen'])).code).toBe(0);
  expect(leftovers(folder)).toEqual([]);
});

test('Ctrl-C while the server hangs stops git, removes fetched files, and exits with 130', async () => {
  await using server = await gitServer();
  const repository = server.repository('shop', { 'a/SKILL.md': text('a') });
  server.behavior = 'hang';
  using folder = tempFolder();
  for (const dir of ['project', 'home', 'tmp']) fs.mkdirSync(folder.at(dir), { recursive: true });
  const child = spawn(process.execPath, [CLI, 'install', repository.url, '--to', 'claude', '--yes', '--json'], {
    cwd: folder.at('project'),
    env: { PATH: process.env['PATH'], HOME: folder.at('home'), TMPDIR: folder.at('tmp') },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await expect.poll(() => server.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect([fs.readdirSync(folder.at('tmp')), fs.readdirSync(folder.at('project'))]).toEqual([[], []]);
});
