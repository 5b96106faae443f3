/** What an author sees who has nothing yet. */
import { expect, test } from 'vitest';
import { connect, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';

test('the help of mcp names its presets, and shows the three flags that matter first above the others', async () => {
  using folder = project({}, 'disk');
  const { stdout } = await lectern(folder, ['mcp', '--help']);
  expect(stdout).toMatch(/Presets:\n {2}lectern mcp-server .*\n(?: .*\n)* {2}lectern mcp serve /u);
  const first = /Flags to start with:\n(?<rows>(?: .*\n)+)/u.exec(stdout)?.groups?.['rows'] ?? '';
  expect([...first.matchAll(/^ {2}(--\S+)/gmu)].map(([, name]) => name)).toEqual([
    '--transport',
    '--include',
    '--tools',
  ]);
  expect(stdout.indexOf('Flags to start with:')).toBeLessThan(stdout.indexOf('More flags:'));
  expect(stdout.match(/^ {2}--transport /gmu)).toHaveLength(1);
  const help = JSON.parse((await lectern(folder, ['mcp', '--help', '--json'])).stdout) as object;
  expect(help).toMatchObject({
    presets: [{ command: 'lectern mcp-server' }, { command: 'lectern mcp serve' }],
    firstFlags: ['--transport', '--include', '--tools'],
  });
});

test('the overview of an empty project offers to create and install skills, and to connect an agent', async () => {
  using folder = project({}, 'disk');
  const { stdout } = await lectern(folder, []);
  expect(stdout).toMatch(/^ {2}lectern new my-first-skill {2,}create a skill$/mu);
  expect(stdout).toMatch(/^ {2}lectern install <owner\/repo> {2,}install skills/mu);
  expect(stdout).toMatch(/^ {2}lectern setup <client> {2,}connect an agent/mu);
});

test.each([
  [['search', 'anything'], 'no skills, specs or changes here'],
  [['search', 'anything', '--mode', 'keyword'], 'no skills, specs or changes here'],
  [['search', 'anything', '--in', 'skills'], 'no skills here'],
  [['search', 'anything', '--in', 'specs', '--in', 'changes'], 'no specs or changes here'],
  [['spec', 'search', 'anything'], 'no specs here'],
])('%j in an empty catalog reports that there is nothing to search', async (args, what) => {
  using folder = project({}, 'disk');
  expect(await lectern(folder, args)).toMatchObject({
    code: 0,
    stdout: `There is nothing to search: ${what}.\n\nSee where Lectern looks: lectern doctor\n`,
  });
});

test.each(['stdio', 'http', 'sse'] as const)(
  'the search tools report over %s that there is nothing to search',
  async (way) => {
    await using session = await connect(way, { 'project/openspec/project.md': '# P\n', 'home/x': '' });
    const skills = await session.call('skills_search', { query: 'anything' });
    expect(skills.structuredContent).toMatchObject({ total: 0, results: [] });
    expect(textOf(skills)).toContain('there is nothing to search: no skills here.');
    expect((await session.call('search_specs', { query: 'anything' })).structuredContent).toMatchObject({
      results: [],
      reason: 'there is nothing to search: no specs here',
    });
  },
);
