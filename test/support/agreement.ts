/** Compares every place that reports how an agent treats a skill. */
import path from 'node:path';
import { expect } from 'vitest';
import { listBlocks } from '../../src/agents/list-blocks.ts';
import { COUNT_KEYS, isListed, type Status, STATUSES } from '../../src/agents/status.ts';
import type { AgentSummary } from '../../src/operations/agent-shapes.ts';
import { agents } from '../../src/operations/agents.ts';
import { doctor } from '../../src/operations/doctor.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { overview } from '../../src/operations/overview.ts';
import { why } from '../../src/operations/why.ts';
import { askOperation } from '../../src/web/ask.ts';
import { Here } from '../../src/web/here.ts';
import type { PageContext, Values } from '../../src/web/page.ts';
import type { StripData } from '../../src/web/plots/strips.tsx';
import { PAGES } from '../../src/web/routes.ts';
import { STATUS_LOOKS } from '../../src/web/status.tsx';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from './ask.ts';

type Statuses = Record<string, Status>;

/** Fails unless `list`, `why`, `agents`, the matrix, the overview, `doctor` and the page agree about every skill and agent. */
export async function expectAgreement(workspace: Workspace): Promise<{ skills: number; statuses: Set<Status> }> {
  const { rows: copies = [], agents: present = [] } = await allRows(workspace, 'copy');
  const found = (await ask(overview, {}, workspace)).found;
  expect(copies).toHaveLength(found);

  const summaries = ((await ask(agents, {}, workspace)).agents ?? []) as AgentSummary[];
  for (const { id, counts } of summaries)
    expect([id, Object.values(counts).reduce((sum, number) => sum + number, 0)]).toEqual([id, found]);
  const here = summaries.filter((agent) => agent.found);
  expect(here.map(({ id }) => id)).toEqual(present);
  for (const { id, counts } of here)
    for (const status of STATUSES)
      expect([id, status, copies.filter((row) => row.status[id] === status).length]).toEqual([
        id,
        status,
        counts[COUNT_KEYS[status]],
      ]);
  expect((await ask(overview, {}, workspace)).agents).toEqual(here);
  // Doctor leaves out the size of the first request.
  const withoutContext = here.map(({ context: _context, ...agent }) => agent);
  expect((await ask(doctor, {}, workspace)).agents).toEqual(withoutContext);

  const byFolder = new Map(copies.map((row) => [row.path, row.status as Statuses]));
  expect(byFolder.size).toBe(copies.length);
  for (const [dir, statuses] of byFolder) expect([dir, await whyOf(workspace, dir)]).toEqual([dir, statuses]);

  const { rows: names = [] } = await allRows(workspace, 'skill');
  for (const { name, status, used } of names) {
    const answers = (await ask(why, { name }, workspace)).agents;
    expect([name, Object.fromEntries(answers.map((each) => [each.id, each.status]))]).toEqual([name, status]);
    const listed = answers.filter((each) => isListed(each.status)).map((each) => [each.id, each.path]);
    expect([name, Object.fromEntries(listed)]).toEqual([name, used]);
  }

  const { skills } = await ask(listSkills, { state: 'all', agents: true }, workspace);
  for (const skill of skills)
    expect([skill.path, skill.agents]).toEqual([skill.path, await whyOf(workspace, skill.path)]);

  for (const { id } of here) await expectList(workspace, id, copies);
  await expectPages(workspace, names, here);
  return { skills: found, statuses: new Set(copies.flatMap(({ status }) => Object.values(status))) };
}

async function allRows(workspace: Workspace, by: 'copy' | 'skill') {
  const first = await ask(agents, { matrix: true, by, limit: 1_000 }, workspace);
  const rows = [...(first.rows ?? [])];
  for (let cursor = first.nextCursor; cursor !== undefined;) {
    const next = await ask(agents, { matrix: true, by, limit: 1_000, cursor }, workspace);
    rows.push(...(next.rows ?? []));
    cursor = next.nextCursor;
  }
  return { ...first, rows };
}

async function whyOf(workspace: Workspace, name: string): Promise<Statuses> {
  const { agents: answers } = await ask(why, { name }, workspace);
  return Object.fromEntries(answers.map(({ id, status }) => [id, status]));
}

/** The list of one agent has every skill once: in the list, or hidden. */
async function expectList(
  workspace: Workspace,
  agent: string,
  copies: readonly { path: string; name: string; status: Record<string, Status> }[],
): Promise<void> {
  const { entries = [], hidden = [], hiddenTotal } = await ask(agents, { agent }, workspace);
  const own = entries.filter(({ builtIn }) => builtIn !== true);
  expect([agent, own.length + hidden.length]).toEqual([agent, copies.length]);
  expect(hiddenTotal).toBe(hidden.length);
  const { agent: summary } = await ask(agents, { agent }, workspace);
  if (summary) expectPicture({ agent: summary, entries });
  const tally = (statuses: readonly (Status | undefined)[]) => [...statuses].map(String).toSorted();
  const shown = [...own, ...hidden].map(({ status }) => status);
  expect([agent, tally(shown)]).toEqual([agent, tally(copies.map(({ status }) => status[agent]))]);
}

/** The picture of a budget has the lengths of its figures. */
function expectPicture(data: StripData): void {
  const { id, budget } = data.agent;
  const blocks = listBlocks(data.agent.budget, data.entries);
  const lengthOf = (isCounted: (block: (typeof blocks)[number]) => boolean): number =>
    blocks.filter(isCounted).reduce((sum, { length }) => sum + length, 0);
  expect([id, lengthOf(({ kind }) => kind !== 'lost')]).toEqual([id, budget.used]);
  expect([id, lengthOf(() => true)]).toEqual([id, budget.wanted]);
}

/** The pages show the data of their operations. */
async function expectPages(
  workspace: Workspace,
  names: readonly { name: string; status: Record<string, Status> }[],
  columns: readonly AgentSummary[],
): Promise<void> {
  if (columns.length === 0) return;
  const shown = await htmlOf(workspace, '/agents', { show: 'all', limit: '1000' });
  for (const { name, status } of names.slice(0, 1_000))
    for (const { id, name: title } of columns)
      expect(shown).toContain(
        `aria-label="${escaped(`${name} in ${title}: ${STATUS_LOOKS[status[id] ?? 'unknown'].words}`)}"`,
      );
}

async function htmlOf(workspace: Workspace, at: string, values: Values): Promise<string> {
  const page = PAGES.find((each) => each.path === at);
  if (!page) throw new Error(`there is no page ${at}`);
  const { projectDir, userDir } = workspace.options;
  const context: PageContext = {
    values,
    here: new Here(path.resolve(projectDir), userDir, []),
    ask: (operation, input) => askOperation(workspace, operation, input ?? {}, { isForPage: true }),
  };
  const content = await page.show(await context.ask(page.twin.operation, page.twin.input(values)), context);
  if ('bytes' in content) throw new Error(`${at} is a download`);
  return String(await content.main);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
