/** The lists that real agents put in front of their models, held against what `lectern agents` says they will be. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { nameOf } from './agents.ts';
import { install, whyOlder } from './install.ts';
import { LISTED_AGENTS } from './more-agents.ts';
import { scenesFor } from './scenes.ts';
import { compareLists, settled } from './skill-list.ts';

describe.each(LISTED_AGENTS.map((agent) => [nameOf(agent), agent] as const))('%s', (name, agent) => {
  const scenes = Object.entries(scenesFor(agent.client));
  const record: Record<string, string> = {};
  let missing: string | undefined;
  beforeAll(async () => {
    missing = await install(agent);
  });

  test.each(scenes)('shows its model the list that was predicted: %s', async (title, scene) => {
    if (missing !== undefined) return;
    const compared = await compareLists(agent, scene);
    const [shown, predicted] = settled(agent, compared);
    expect(shown).toEqual(predicted);
    expect(compared.isFoundAfterwards).toBe(true);
    record[title] = compared.summary;
  });

  test('is the newest version', ({ skip }) => {
    const reason = missing ?? whyOlder(agent);
    if (reason !== undefined) skip(reason);
  });

  test('matches the lists documented on its page', async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    expect(Object.keys(record)).toEqual(scenes.map(([title]) => title));
    await expect(`${JSON.stringify({ name, lists: record }, undefined, 2)}\n`).toMatchFileSnapshot(
      fileURLToPath(new URL(`./lists/${agent.client}.json`, import.meta.url)),
    );
  });
});
