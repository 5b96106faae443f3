/**
 * The fixes that Lectern prints, run as printed: `why` explains why a real agent does not use a skill, a shell runs the fix, and
 * the agent is started again. Its list must change as predicted.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CLI } from '../support/run-lectern.ts';
import { type Agent, AGENTS, nameOf } from './agents.ts';
import { type Fault, faultsFor, FINE, fullListFor, sceneOf } from './faults.ts';
import { binOf, install, searchPath } from './install.ts';
import { homeOf } from './run-agent.ts';
import { type OpenScene, openScene, settled } from './skill-list.ts';

const Why = z.object({
  agents: z.array(z.object({ status: z.string(), fix: z.string().optional() })).length(1),
});
const Fit = z.object({ remedies: z.array(z.object({ id: z.string(), command: z.string().optional() })) });

/** Runs a line in a shell, as a user of the home would, with the built command and the agent on the path. */
function inShell(agent: Agent, { folder }: OpenScene, line: string): { status: number | null; output: string } {
  const bin = folder.at('bin');
  if (!fs.existsSync(bin)) {
    folder.write({ 'bin/lectern': `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n` });
    fs.chmodSync(path.join(bin, 'lectern'), 0o755);
  }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd: folder.at('project'),
    env: {
      ...homeOf(folder),
      ...agent.environment('http://127.0.0.1:9'),
      PATH: [bin, path.dirname(binOf(agent)), searchPath(agent)].join(path.delimiter),
      NO_COLOR: '1',
    },
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

interface Advice {
  status: string;
  /** The fix in the result and in the text for people, in which paths are shorter. */
  fix: string;
  printed: string;
}

const word = (text: string): string => `'${text}'`;

function askWhy(agent: Agent, scene: OpenScene, skill: string): Advice {
  const asked = `lectern why ${word(skill)} --agent ${agent.client}`;
  const [{ status, fix = '' } = { status: '' }] = Why.parse(
    JSON.parse(inShell(agent, scene, `${asked} --json`).output),
  ).agents;
  const { output } = inShell(agent, scene, asked);
  return { status, fix, printed: /^ {2}fix: (.*)$/mu.exec(output)?.[1] ?? output };
}

describe.each(AGENTS.filter(({ variant }) => variant === undefined).map((agent) => [nameOf(agent), agent] as const))(
  '%s',
  (name, agent) => {
    const record: Record<string, string> = {};
    let missing: string | undefined;
    beforeAll(async () => {
      missing = await install(agent);
    });

    /** Starts the agent. Its list must be the predicted one. */
    async function listIn(scene: OpenScene): Promise<string[]> {
      const [shown, predicted] = settled(agent, await scene.compare());
      expect(shown).toEqual(predicted);
      return shown;
    }

    function run(scene: OpenScene, line: string): void {
      const { status, output } = inShell(agent, scene, line);
      expect([line, status, status === 0 ? '' : output]).toEqual([line, 0, '']);
    }

    const linesWith = (list: readonly string[], { description }: Pick<Fault, 'description'>): string[] =>
      list.filter((line) => line.includes(description));

    test('lists every skill after the printed fixes were run, and not after they were undone', async ({ skip }) => {
      if (missing !== undefined) skip(missing);
      const faults = faultsFor(agent.client);
      expect(faults.length).toBeGreaterThanOrEqual(10);
      await using scene = await openScene(agent, sceneOf(agent.client, faults));
      const countsOf = (list: readonly string[]): [string, number][] =>
        [...faults, FINE].map((fault) => [fault.title, linesWith(list, fault).length]);
      const expected = (without: readonly string[]): [string, number][] =>
        [...faults, FINE].map(({ title }) => [title, without.includes(title) ? 0 : 1]);
      const hidden = new Set(faults.filter(({ status }) => status !== 'unknown').map(({ title }) => title));
      const before = countsOf(await listIn(scene));
      expect(before).toEqual(before.map(([title, lines]) => [title, hidden.has(title) ? 0 : lines]));
      for (const [index, { title, skill, status }] of faults.entries()) {
        const advice = askWhy(agent, scene, skill.replace('{folder}', scene.folder.dir));
        expect([title, advice.status]).toEqual([title, status]);
        run(scene, index % 2 === 0 ? advice.printed : advice.fix);
        record[title] = advice.fix.replaceAll(scene.folder.dir, '');
      }
      const fixed = await listIn(scene);
      expect(countsOf(fixed)).toEqual(expected([]));

      const [shared] = faults;
      const undo = `${record[shared?.title ?? '']} --undo`;
      const disable = `lectern disable ${FINE.skill} --for ${agent.client}`;
      for (const line of [undo, disable]) run(scene, line);
      expect(countsOf(await listIn(scene))).toEqual(expected([shared?.title ?? '', FINE.title]));

      const [share, enable] = [shared?.skill ?? '', FINE.skill].map((skill) => askWhy(agent, scene, skill));
      for (const advice of [share, enable]) run(scene, advice?.printed ?? '');
      expect(await listIn(scene)).toEqual(fixed);
      Object.assign(record, {
        'shared by mistake': undo,
        'disabled with disable --for': enable?.fix.replaceAll(scene.folder.dir, ''),
      });
    });

    const full = fullListFor(agent.client);
    test.skipIf(full === undefined)('lists more after the fixes for a full list were run', async ({ skip }) => {
      if (missing !== undefined || full === undefined) return skip(missing);
      await using scene = await openScene(agent, full.scene);
      const before = await listIn(scene);
      expect(linesWith(before, full)).toEqual([]);
      const { status, printed } = askWhy(agent, scene, full.skill);
      expect(status).toBe(full.status);
      expect(printed).toBe(`lectern fit ${agent.client}`);
      const { remedies } = Fit.parse(JSON.parse(inShell(agent, scene, `${printed} --json`).output));
      const limit = remedies.find(({ id }) => id === 'limit')?.command ?? '';
      run(scene, limit);
      expect(linesWith(await listIn(scene), full).length).toBe(1);
      run(scene, `lectern fit ${agent.client} --reset`);
      expect(await listIn(scene)).toEqual(before);
      record['a full list'] = limit;
    });

    test('matches the recorded fixes', async ({ skip }) => {
      if (missing !== undefined) skip(missing);
      expect(Object.keys(record)).toEqual(
        expect.arrayContaining([...faultsFor(agent.client).map(({ title }) => title), 'shared by mistake']),
      );
      await expect(`${JSON.stringify({ name, fixes: record }, undefined, 2)}\n`).toMatchFileSnapshot(
        fileURLToPath(new URL(`./fixes/${agent.id}.json`, import.meta.url)),
      );
    });
  },
);
