/** Real agents load a skill from the real server; only their model is made up. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { AGENTS, nameOf } from './agents.ts';
import { type AgentRun, install, runAgent } from './run-agent.ts';
import * as seen from './seen.ts';

/** In a folder that no agent reads by itself, so that whatever it knows of them it has from us. */
const skill = (name: string, body: string, description = `What ${name} is for`): Record<string, string> => ({
  [`project/skills/${name}/SKILL.md`]: skillText({ name, description, body }),
});
const MANY = Array.from({ length: 199 }, (_, index) => `skill-${String(index).padStart(3, '0')}`).map((name) =>
  skill(name, 'Do it.\n', `Use ${name} when the work is of its kind. `.padEnd(150, 'Not for other work. ')),
);

describe.each(AGENTS.map((agent) => [nameOf(agent), agent] as const))('%s', (_, agent) => {
  let missing: string | undefined;
  let runs: Record<'small' | 'middle' | 'large', AgentRun>;
  beforeAll(async () => {
    missing = await install(agent);
    if (missing !== undefined) return;
    runs = {
      small: await runAgent(agent, skill('alpha', '# Alpha\n\nFirst letter.\n')),
      middle: await runAgent(agent, Object.assign({}, ...MANY, skill('alpha', seen.numberedLines(300)))),
      large: await runAgent(agent, skill('alpha', seen.numberedLines(1000))),
    };
  });
  const skipIfMissing = ({ skip }: TestContext): void => void (missing !== undefined && skip(missing));

  test('calls the skill tool once, reads the skill’s text and ends', (context) => {
    skipIfMissing(context);
    for (const run of Object.values(runs)) {
      expect([run.exitCode, run.output]).toEqual([0, expect.stringContaining('Done.')]);
      expect(seen.callsOf(run)).toEqual([{ name: 'skill', arguments: { name: 'alpha' } }]);
    }
    expect(seen.resultShown(runs.small)).toMatch(/# Alpha(?:\n|\\n){2}First letter\./u);
  });

  test.skipIf(agent.program)('shows its model the tool with the whole list, be it short or long', (context) => {
    skipIfMissing(context);
    expect(seen.toolNameOf(runs.small)).toMatch(/skill$/u);
    for (const run of Object.values(runs)) expect(seen.descriptionShown(run)).toMatch(/^whole/u);
  });

  test('shows its model the whole of a skill of 30 kB, and of one page of a longer one', (context) => {
    skipIfMissing(context);
    expect([seen.bodyShown(runs.middle), seen.bodyShown(runs.large)]).toEqual([
      'whole',
      expect.stringMatching(/^of a first page of \d+ kB: whole$/u),
    ]);
  });

  test('shows its model what the page about it says', async (context) => {
    skipIfMissing(context);
    const record: seen.Seen = {
      name: nameOf(agent),
      package: agent.package,
      protocol: seen.protocolOf(runs.small),
      tool: seen.toolNameOf(runs.small),
      tools: seen.toolsShown(runs.small),
      instructions: seen.instructionsShown(runs.small),
      result: agent.program ? 'whatever its program prints' : seen.formOf(seen.resultShown(runs.small)),
      description: { '1 skill': seen.descriptionShown(runs.small), '200 skills': seen.descriptionShown(runs.middle) },
      body: { '30 kB': seen.bodyShown(runs.middle), '100 kB': seen.bodyShown(runs.large) },
    };
    await expect(`${JSON.stringify(record, undefined, 2)}\n`).toMatchFileSnapshot(
      fileURLToPath(new URL(`./seen/${agent.id}.json`, import.meta.url)),
    );
  });
});
