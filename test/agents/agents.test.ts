/** Real agents use the real server; only their model is made up. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { renderSkillDescription } from '../../src/render/agents/skill-description.ts';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { AGENTS, nameOf } from './agents.ts';
import { install } from './install.ts';
import { type AgentRun, runAgent } from './run-agent.ts';
import * as seen from './seen.ts';

/** As long as those of real skills are on average: 20 and 280 characters. */
const namesOf = (count: number): string[] => [
  'alpha',
  ...Array.from({ length: count - 1 }, (_, index) => `ordinary-skill-no-${String(index).padStart(3, '0')}`),
];
const descriptionOf = (name: string): string =>
  `Use ${name} when the work is of its kind. `.padEnd(280, 'It is not meant for other kinds of work. ').trim();

/** In a folder that no agent reads by itself, so that whatever it knows of them it has from us. */
const skills = (names: readonly string[], alpha: string): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => [
      `project/skills/${name}/SKILL.md`,
      skillText({ name, description: descriptionOf(name), body: name === 'alpha' ? alpha : 'Do it.\n' }),
    ]),
  );
/** The six skills of the example project. */
const BOOKSHOP = Object.fromEntries(
  [
    '.agents/skills/database-migration',
    '.agents/skills/incident-review',
    '.agents/skills/release-notes',
    '.claude/skills/cover-photos',
    '.codex/skills/accessibility-check',
    'skills/stock-import',
  ].map((place) => [
    place.split('/').at(-1) ?? '',
    readFileSync(`${PACKAGE_DIR}/examples/bookshop/${place}/SKILL.md`, 'utf8'),
  ]),
);

/** The characters of a list of all skills in full. */
const fullListing = (names: readonly string[]): number =>
  renderSkillDescription(
    names.map((name) => ({
      name,
      description: /^description: (.*)$/mu.exec(BOOKSHOP[name] ?? '')?.[1] ?? descriptionOf(name),
      location: 'project',
      provider: 'repo',
    })),
    { budget: 0, searchTool: 'skills_search', fileTool: 'skill_file' },
  ).length;

const SCRIPT = '#!/bin/sh\n# Counts the lines of a file.\nwc -l "$1"\n';
const SPEC = `# Checkout

## Purpose
How an order is paid.

## Requirements

### Requirement: Payment
The system SHALL take the money before it ships the order.

#### Scenario: Paid
- **WHEN** the payment arrives
- **THEN** the order is shipped
`;
const [SIXTY, MANY] = [namesOf(60), namesOf(300)];
const SIX = Object.keys(BOOKSHOP);

describe.each(AGENTS.map((agent) => [nameOf(agent), agent] as const))('%s', (_, agent) => {
  let missing: string | undefined;
  let runs: Record<'failure' | 'search' | 'large' | 'script' | 'specs', AgentRun>;
  beforeAll(async () => {
    missing = await install(agent);
    if (missing !== undefined) return;
    const six = Object.fromEntries(SIX.map((name) => [`project/skills/${name}/SKILL.md`, BOOKSHOP[name] ?? '']));
    runs = {
      failure: await runAgent(agent, six, { tool: 'skill', input: { name: 'relaese-notes' } }),
      search: await runAgent(agent, skills(SIXTY, '# Alpha\n'), { tool: 'skills_search', input: { query: 'no-007' } }),
      large: await runAgent(agent, skills(MANY, seen.numberedLines(800)), { tool: 'skill', input: { name: 'alpha' } }),
      script: await runAgent(
        agent,
        { ...six, 'project/skills/release-notes/scripts/count.sh': SCRIPT },
        { tool: 'skill_file', input: { name: 'release-notes', path: 'scripts/count.sh' } },
      ),
      specs: await runAgent(
        agent,
        { ...six, 'project/openspec/specs/checkout/spec.md': SPEC },
        { tool: 'get_spec_requirements', input: { spec_id: 'checkout' } },
      ),
    };
  }, 3_600_000);
  const skipIfMissing = ({ skip }: TestContext): void => void (missing !== undefined && skip(missing));

  test('calls the tool once, reads its reply and ends', (context) => {
    skipIfMissing(context);
    for (const [name, run] of Object.entries(runs)) {
      expect([name, run.exitCode, run.output]).toEqual([name, 0, expect.stringContaining('Done.')]);
      expect([name, seen.callsOf(run).length]).toEqual([name, 1]);
    }
  });

  test.skipIf(agent.program)('shows its model the whole list, with a description of each of 60 skills', (context) => {
    skipIfMissing(context);
    for (const run of [runs.failure, runs.search, runs.large]) expect(seen.descriptionShown(run)).toMatch(/^whole/u);
    expect(seen.skillsShown(runs.search, SIXTY)).toBe('60 named, 60 described');
  });

  test('gives its model the content documented on its page', async (context) => {
    skipIfMissing(context);
    const tokens = (run: AgentRun, names: readonly string[]) => ({
      ...seen.tokensOf(run),
      fullListing: Math.round(fullListing(names) / 4),
    });
    const described = (run: AgentRun, names: readonly string[]): string =>
      agent.program ? seen.descriptionShown(run) : `${seen.descriptionShown(run)}; ${seen.skillsShown(run, names)}`;
    const record: seen.Seen = {
      name: nameOf(agent),
      package: agent.package,
      protocol: seen.protocolOf(runs.failure),
      tool: seen.toolNameOf(runs.failure),
      tools: seen.toolsShown(runs.failure),
      instructions: seen.instructionsShown(runs.failure),
      description: {
        '6 skills': described(runs.failure, SIX),
        '60 skills': described(runs.search, SIXTY),
        '300 skills': described(runs.large, MANY),
      },
      tokens: {
        '6 skills': tokens(runs.failure, SIX),
        '60 skills': tokens(runs.search, SIXTY),
        '300 skills': tokens(runs.large, MANY),
        '6 skills and specs': tokens(runs.specs, SIX),
      },
      replies: {
        'a skill of 80,000 characters': seen.bodyShown(runs.large),
        'a bundled script': seen.replyShown(runs.script, ['Counts the lines of a file.', 'wc -l "$1"']),
        'a search': seen.replyShown(runs.search, ['ordinary-skill-no-007']),
        'a failure': seen.replyShown(runs.failure, [
          "Skill 'relaese-notes' not found.",
          'Did you mean: release-notes?',
          '- stock-import: ',
        ]),
        'requirements of a spec': seen.replyShown(runs.specs, ['Payment', 'SHALL take the money', 'Paid']),
      },
    };
    await expect(`${JSON.stringify(record, undefined, 2)}\n`).toMatchFileSnapshot(
      fileURLToPath(new URL(`./seen/${agent.id}.json`, import.meta.url)),
    );
  });
});
