import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { addTeam, databaseStatus } from '../../src/operations/shared-admin.ts';
import { DATABASE } from '../../src/operations/shared-database.ts';
import { ask } from '../support/ask.ts';
import { failureOf } from '../support/failure-of.ts';
import { project } from '../support/project.ts';

test('every operation on the database takes its URL the same way', () => {
  const taking = OPERATIONS.filter(({ params }) => 'database' in params);
  expect(taking).toHaveLength(18);
  for (const { params, reads } of taking) {
    expect(params).toMatchObject(DATABASE);
    expect(reads).toBe('none');
  }
});

test('without a database URL, an operation fails before it connects and names the variable to set', async () => {
  const workspace = await project({}).open();
  for (const request of [ask(addTeam, { team: 'payments' }, workspace), ask(databaseStatus, {}, workspace)]) {
    expect(await failureOf(request)).toMatchObject({
      code: 'USAGE',
      message: 'No database URL given.',
      hint: expect.stringContaining('Set LECTERN_DATABASE_URL'),
    });
  }
});
