/** `npm start`, the command that the README begins with. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Starts the page, waits for the line with its address, and stops it. Returns the log and the overview. */
async function start(flags: readonly string[], home: string): Promise<{ log: string; overview: string; code: number }> {
  const words = [path.join(PACKAGE_DIR, 'scripts/start.mjs'), '--port', '0', ...flags];
  const child = spawn(process.execPath, words, { env: { PATH: process.env['PATH'], HOME: home } });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const closed = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  const address = (): string | undefined => /the page is at (\S+)\n/u.exec(log)?.[1];
  await expect.poll(address).toBeDefined();
  const before = log;
  const overview = await (await fetch(`${address()}api/overview`)).text();
  child.kill('SIGTERM');
  return { log: before, overview, code: await closed };
}

test('shows the example, and prints the address of the page last', async () => {
  using folder = tempFolder({ 'home/x': '' });
  const { log, overview, code } = await start([], folder.at('home'));
  expect(log.trim().split('\n').at(-1)).toMatch(/the page is at http:/u);
  expect(overview).toContain('bookshop');
  expect(code).toBe(0);
});

test('shows a project that is named, with the home of the user', async () => {
  using folder = tempFolder({
    'home/.claude/skills/own/SKILL.md': skillText({ name: 'own' }),
    'app/.claude/skills/deploy/SKILL.md': skillText({ name: 'deploy' }),
  });
  const { log, overview } = await start(['--project-dir', folder.at('app')], folder.at('home'));
  expect(log).toContain('2 skills in 2 folders');
  expect(overview).not.toContain('bookshop');
});
