/** The memory files and subagents in the first request of real agents, compared with `lectern context` to the character. */
import { beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, nameOf } from './agents.ts';
import { CONTEXT_SCENES } from './context-scenes.ts';
import { compareContext } from './request-context.ts';
import { install } from './install.ts';

const compared = AGENTS.filter(({ id }) => Object.hasOwn(CONTEXT_SCENES, id)).map(
  (agent) => [nameOf(agent), agent] as const,
);

describe.each(compared)('%s', (_, agent) => {
  let missing: string | undefined;
  beforeAll(async () => {
    missing = await install(agent);
  });

  test.each(Object.entries(CONTEXT_SCENES[agent.id] ?? {}))('sends the predicted files: %s', async (_title, scene) => {
    if (missing !== undefined) return;
    const { sent, predicted } = await compareContext(agent, scene);
    expect(predicted).toEqual(sent);
  });

  test('was started', ({ skip }) => {
    if (missing !== undefined) skip(missing);
  });
});
