/** What every operation that only reads answers, for comparing two readers. */
import { Failure } from '../../src/core/failure.ts';
import { agentList } from '../../src/operations/agent-list.ts';
import { agentSearch } from '../../src/operations/agent-search.ts';
import { changeOverlaps } from '../../src/operations/change-overlaps.ts';
import { changeStates } from '../../src/operations/change-states.ts';
import { changeStatus } from '../../src/operations/change-status.ts';
import type { AnyOperation } from '../../src/operations/define.ts';
import { diffChange } from '../../src/operations/diff-change.ts';
import { getChange } from '../../src/operations/get-change.ts';
import { getScenario } from '../../src/operations/get-scenario.ts';
import { getSpecRequirements } from '../../src/operations/get-spec-requirements.ts';
import { listChanges } from '../../src/operations/list-changes.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { listSpecs } from '../../src/operations/list-specs.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { search } from '../../src/operations/search.ts';
import { searchSpecs } from '../../src/operations/search-specs.ts';
import { showChange } from '../../src/operations/show-change.ts';
import { showSkill } from '../../src/operations/show-skill.ts';
import { showSpec } from '../../src/operations/show-spec.ts';
import { skillFile } from '../../src/operations/skill-file.ts';
import { specCounts } from '../../src/operations/spec-counts.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { validateChange, validateSpec } from '../../src/operations/validate-specs.ts';
import { viewChanges } from '../../src/operations/view-changes.ts';
import type { Reader } from '../../src/workspace/reader.ts';
import { ask } from './ask.ts';

const QUERIES = ['books', 'order a book', 'nothing of this kind', 'refnd', 'zorblex', 'or', 'f-d'];

/** The operations that are asked. */
export const READING: readonly AnyOperation[] = [
  listSkills,
  agentList,
  listSpecs,
  specCounts,
  listChanges,
  changeStates,
  viewChanges,
  changeOverlaps,
  validateSkills,
  validateSpec,
  validateChange,
  search,
  agentSearch,
  searchSpecs,
  loadSkill,
  showSkill,
  skillFile,
  getSpecRequirements,
  getScenario,
  showSpec,
  getChange,
  showChange,
  changeStatus,
  diffChange,
];

/** The answers in a fixed order, failures included. `ids` are of specs and of changes. */
export async function everyAnswer(
  reader: Reader,
  names: readonly string[],
  ids: readonly string[],
): Promise<unknown[]> {
  const all: Promise<unknown>[] = [
    ask(listSkills, { state: 'all' }, reader),
    ask(agentList, { includeBody: true }, reader),
    ask(listSpecs, {}, reader),
    ask(specCounts, {}, reader),
    ask(listChanges, {}, reader),
    ask(changeStates, {}, reader),
    ask(changeStates, { archived: true }, reader),
    ask(viewChanges, {}, reader),
    ask(changeOverlaps, {}, reader),
    ask(validateSkills, { all: true }, reader),
    ask(validateSpec, {}, reader),
    ask(validateChange, {}, reader),
    ...QUERIES.flatMap((query) => [
      ask(search, { query, limit: 100 }, reader),
      ask(search, { query, mode: 'keyword', limit: 100 }, reader),
      ask(agentSearch, { query, limit: 50 }, reader),
      ask(searchSpecs, { query, limit: 50 }, reader),
    ]),
    ...names.flatMap((name) => [
      ask(loadSkill, { name }, reader).then(({ source: _source, ...loaded }) => loaded),
      // Which agents of this machine read a file on it says nothing about a shared one.
      ask(showSkill, { name, full: true }, reader).then(({ agents: _agents, ...shown }) => shown),
      ask(skillFile, { name }, reader),
      ask(skillFile, { name, path: 'SKILL.md' }, reader),
    ]),
    ...ids.flatMap((id) => [
      ask(getSpecRequirements, { spec_id: id }, reader),
      ask(getScenario, { spec_id: id, requirement: '*', scenario: '*' }, reader),
      ask(showSpec, { spec_id: id, full: true }, reader),
      ask(getChange, { change_id: id }, reader),
      ask(showChange, { change_id: id }, reader),
      ask(changeStatus, { change_id: id }, reader),
      ask(diffChange, { change_id: id }, reader),
    ]),
  ];
  return Promise.all(all.map(told));
}

async function told(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint, suggestions } = error;
    return { code, message, hint, suggestions, available: error.available?.names() };
  }
}
