/**
 * Follows new versions of agents: installs the newest one, compares its skill lists with the predicted ones, and prints the
 * differences. If there are none, the profile and the record get the new version.
 * Usage: npm run agents:refresh [-- -t 'Qwen Code']
 */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, test } from 'vitest';
import { PROFILES } from '../../src/agents/profiles/index.ts';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { type ListedAgent, nameOf } from './agents.ts';
import { install, installedVersion, whyOlder } from './install.ts';
import { LISTED_AGENTS } from './more-agents.ts';
import { scenesFor } from './scenes.ts';
import { compareLists, settled } from './skill-list.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A list with another order can differ in a thousand lines. */
const LINES_SHOWN = 30;

/** Returns the lines that only one of both lists has, or the first ones in another order. */
function differences(shown: readonly string[], predicted: readonly string[]): string[] {
  const [isShown, isPredicted] = [new Set(shown), new Set(predicted)];
  const found = [
    ...predicted.filter((line) => !isShown.has(line)).map((line) => `- ${line}`),
    ...shown.filter((line) => !isPredicted.has(line)).map((line) => `+ ${line}`),
  ];
  const at = shown.findIndex((line, index) => line !== predicted[index]);
  if (found.length > 0 || (at < 0 && shown.length === predicted.length)) return found;
  return [`order: ${predicted[at]} was predicted where the agent has ${shown[at]}`];
}

/** Writes a version to the profile and to the record of an agent. */
function rewrite(agent: ListedAgent, from: string, to: string): string[] {
  const files = [`src/agents/profiles/${agent.client}.ts`, `test/agents/lists/${agent.client}.json`];
  return files.filter((file) => {
    const text = fs.readFileSync(path.join(PACKAGE_DIR, file), 'utf8');
    const next = text
      .replaceAll(`version: '${from}'`, `version: '${to}'`)
      .replaceAll(`${agent.title} ${from}`, `${agent.title} ${to}`);
    if (next !== text) fs.writeFileSync(path.join(PACKAGE_DIR, file), next);
    return next !== text;
  });
}

async function refresh(agent: ListedAgent): Promise<string> {
  const missing = await install(agent);
  if (missing !== undefined) return `${agent.title}: ${missing}`;
  const known = PROFILES.find(({ id }) => id === agent.client)?.version ?? 'unknown';
  const found = installedVersion(agent) ?? 'unknown';
  say(`\n${nameOf(agent)}${found === known ? '' : `, now ${found}`}`);
  const older = whyOlder(agent);
  if (older !== undefined) say(`  ${older}`);
  const scenes = Object.entries(scenesFor(agent.client));
  let equal = 0;
  for (const [title, scene] of scenes) {
    try {
      const lines = differences(...settled(agent, await compareLists(agent, scene)));
      if (lines.length === 0) equal += 1;
      else say([`  ${title}`, ...lines.slice(0, LINES_SHOWN).map((line) => `    ${line}`)].join('\n'));
    } catch (error) {
      say(`  ${title}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const outcome = `${agent.title} ${found}: ${equal} of ${scenes.length} lists as predicted`;
  if (equal < scenes.length || found === known) return outcome;
  return `${outcome}; wrote the version to ${rewrite(agent, known, found).join(' and ')}`;
}

const outcomes: string[] = [];
test.each(LISTED_AGENTS.map((agent) => [agent.title, agent] as const))('%s', async (_, agent) => {
  outcomes.push(await refresh(agent));
});
afterAll(() => say(`\n${outcomes.join('\n')}`));
