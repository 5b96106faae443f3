import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { CLI, lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

const POLL = { timeout: 120_000, interval: 50 };

test.each([
  ['a skill of the project', '.claude/skills/pdf', []],
  ['a folder that no agent reads', 'drafts/pdf', ['drafts/pdf']],
])('validate --watch validates %s again after a change, and ends on Ctrl-C', async (_, dir, target) => {
  using folder = tempFolder();
  const file = `project/${dir}/SKILL.md`;
  folder.write({ [file]: skillText({ name: 'other' }), 'home/.keep': '' });
  const child = spawn(process.execPath, [CLI, 'validate', ...target, '--watch'], {
    cwd: folder.at('project'),
    env: { PATH: process.env['PATH'], HOME: folder.at('home') },
  });
  try {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()));
    await vi.waitFor(() => expect(printed).toContain('1 of 1 skill not valid.'), POLL);
    folder.write({ [file]: skillText({ name: 'pdf' }) });
    await vi.waitFor(() => expect(printed).toContain('1 skill valid.'), POLL);
    expect(printed).not.toContain('\u001b');
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
    // A shell reports a process that this signal has ended as 130.
    expect(signal === 'SIGINT' || code === 130).toBe(true);
  } finally {
    child.kill('SIGKILL');
  }
});

test.each(['--json', '--sarif', '--fix'])('validate --watch refuses %s', async (flag) => {
  using folder = tempFolder();
  const { code, stderr } = await lectern(folder, ['validate', '--watch', flag]);
  expect(stderr).toContain(`--watch and ${flag} cannot be combined.`);
  expect(code).toBe(2);
});
