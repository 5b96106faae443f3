import { expect, test } from 'vitest';
import { lectern, PACKAGE_DIR } from '../support/run-lectern.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BEFORE = { cwd: `${PACKAGE_DIR}/examples/descriptions/before` };
const AFTER = { cwd: `${PACKAGE_DIR}/examples/descriptions/after` };

test('lectern overlap fits into 80 columns', async () => {
  using home = tempFolder();
  const { code, stdout, stderr } = await lectern(home, ['overlap'], BEFORE);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^0\.\d\d {2}order-cancellations · order-refunds\n {6}Gemini CLI\n {6}both: customer, /u);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('better descriptions do not compete, and the exit code is 0 in both cases', async () => {
  using home = tempFolder();
  const { code, stdout } = await lectern(home, ['overlap'], AFTER);
  expect(code).toBe(0);
  expect(stdout).toContain('No two skills compete in the list of Gemini CLI.');
});

test('an unknown skill or agent is exit code 2, with a suggestion', async () => {
  using home = tempFolder();
  const run = async (...args: string[]) => {
    const { code, stdout } = await lectern(home, ['overlap', ...args, '--json'], BEFORE);
    return { code, ...(JSON.parse(stdout) as { error: { code: string; suggestions: string[] } }) };
  };
  expect(await run('order-refund')).toMatchObject({
    code: 2,
    error: { code: 'NOT_FOUND', suggestions: expect.arrayContaining(['order-refunds']) },
  });
  expect(await run('--agent', 'gemni')).toMatchObject({ code: 2, error: { suggestions: ['gemini'] } });
});

test('doctor shows at most three lines about competing skills', async () => {
  using home = tempFolder();
  const { stdout } = await lectern(home, ['doctor'], BEFORE);
  expect(stdout).toMatch(/\nCompeting skills \(1 pair; details: lectern overlap\)\n {2}\S.* · \S.*\n\n/u);
  expect((await lectern(home, ['doctor'], AFTER)).stdout).not.toContain('Competing skills');
});
