/** `lectern context` as people run it. */
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { project } from '../support/project.ts';
import { hasOrdinaryUser, lectern } from '../support/run-lectern.ts';

test('an unknown agent is refused with exit code 2 and suggestions', async () => {
  using folder = project({ 'project/.git/HEAD': 'ref: refs/heads/main\n' }, 'disk');
  const { code, stdout } = await lectern(folder, ['context', 'claud', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'NOT_FOUND', suggestions: ['claude'] } }]);
  expect((await lectern(folder, ['context', 'claud'])).stderr).toContain('Did you mean claude?');
});

test('a known agent that is not installed is answered without its installed version', async () => {
  using folder = project({ 'project/.git/HEAD': 'ref: refs/heads/main\n' }, 'disk');
  const { code, stdout } = await lectern(folder, ['context', 'codex', '--json'], { env: { PATH: '' } });
  expect([code, JSON.parse(stdout).agent, 'installed' in JSON.parse(stdout)]).toEqual([0, 'codex', false]);
});

test.skipIf(!hasOrdinaryUser)('a memory file that cannot be read is an item with its reason and fix', async () => {
  using folder = project({ 'project/.git/HEAD': 'ref: refs/heads/main\n', 'project/CLAUDE.md': 'p' }, 'disk');
  fs.chmodSync(folder.at('project/CLAUDE.md'), 0o000);
  const { stdout } = await lectern(folder, ['context', 'claude', '--json'], { unprivileged: true });
  const { items } = JSON.parse(stdout) as { items: Record<string, unknown>[] };
  expect(items.filter(({ kind }) => kind === 'memory')).toMatchObject([
    {
      status: 'not-read',
      characters: 0,
      reason: 'Claude Code cannot read it: permission denied',
      fix: expect.stringContaining('chmod u+r'),
    },
  ]);
});
