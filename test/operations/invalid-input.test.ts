import { expect, test } from 'vitest';
import { agentList } from '../../src/operations/agent-list.ts';
import { ask } from '../support/ask.ts';
import { failureOf } from '../support/failure-of.ts';
import { project } from '../support/project.ts';

test('an input that an operation cannot use is reported in the words of the face', async () => {
  const workspace = await project({}).open();
  expect(await failureOf(ask(agentList, { cursor: 'bogus' }, workspace))).toMatchObject({
    code: 'USAGE',
    message: 'skills_list: cursor must be the nextCursor of an earlier page.',
  });
});
