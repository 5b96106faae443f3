/**
 * The one count of problems. `validate --all` lists them; the overview, `doctor` and the page show the same numbers. A problem is
 * an error or a warning about a skill, a spec, a change, a setting, a name or an MCP client. Notes do not count.
 */
import { inSlices } from '../core/breathe.ts';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostics.ts';
import { LIMITS } from '../core/limits.ts';
import { memo } from '../core/memo.ts';
import type { Judged } from '../core/report.ts';
import type { Profile } from '../skills/rules/subject.ts';
import type { Reader } from '../workspace/reader.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { Workspace } from '../workspace/workspace.ts';

type Kind = 'skills' | 'specs' | 'changes';

interface Judgment {
  judged: Judged[];
  /** Problems of settings, names and clients, and of files that are not items. They never decide a verdict. */
  others: Diagnostic[];
}

interface Judging {
  profile?: Profile;
  /** Only these items, and nothing else. */
  kinds?: readonly Kind[] | undefined;
  /** Compares the descriptions of skills with each other. */
  compares?: boolean;
}

/** Validates everything. */
export async function judgeAll(workspace: Reader, judging: Judging): Promise<Judgment> {
  const judged = await judgeItems(workspace, judging);
  return { judged, others: judging.kinds === undefined ? await otherProblems(workspace, judged) : [] };
}

/** Findings of specs and changes, for as long as their catalog exists. */
const keptOf = memo<SpecCatalog, Map<Kind, Promise<Judged[]>>>(() => new Map());

async function judgeItems(
  workspace: Reader,
  { profile = 'spec', kinds, compares = false }: Judging,
): Promise<Judged[]> {
  const wants = (kind: Kind): boolean => kinds === undefined || kinds.includes(kind);
  const [{ judgeSkills }, { judgeAs }, { judgeChanges, judgeSpecs }] = await Promise.all([
    import('../workspace/judge-skills.ts'),
    import('../agents/judge.ts'),
    import('../specs/validate.ts'),
  ]);
  const judgeFile = (file: string): Promise<Diagnostic[]> => judgeAs(profile, workspace.disk, file);
  const all = { target: undefined, all: true, profile, compares };
  const catalog = await workspace.snapshot.specs();
  // Watched specs get a new catalog when a file changes.
  const known = (await workspace.isCurrent?.()) === true ? keptOf(catalog) : new Map<Kind, Promise<Judged[]>>();
  const once = (kind: Kind, judge: () => Iterable<Judged>): Promise<Judged[]> => {
    const judging = known.get(kind) ?? inSlices(judge());
    known.set(kind, judging);
    judging.catch(() => known.delete(kind));
    return judging;
  };
  return [
    ...(wants('skills') ? await judgeSkills(all, workspace, judgeFile) : []),
    ...(wants('specs') ? await once('specs', () => judgeSpecs(catalog)) : []),
    ...(wants('changes') ? await once('changes', () => judgeChanges(catalog)) : []),
  ];
}

/** Problems that were found while reading and that are not among the judged ones. */
async function otherProblems(workspace: Reader, judged: readonly Judged[]): Promise<Diagnostic[]> {
  const known = new Set(judged.flatMap(({ diagnostics }) => diagnostics.map(keyOf)));
  const found = await readProblems(workspace);
  return found
    .filter((each) => each.severity !== 'info' && !known.has(keyOf(each)))
    .map((each) => ({ ...each, advice: true }));
}

function keyOf({ code, path }: Diagnostic): string {
  return `${code}\0${path}`;
}

/** Returns the diagnostics of reading settings, skills, specs and clients, without validating anything. */
async function readProblems(workspace: Reader): Promise<Diagnostic[]> {
  const { snapshot } = workspace;
  const specs = await snapshot.specs();
  // Counting reads the specs, which finds their problems.
  void specs.specs.length;
  for (const change of specs.changes) change.readAll();
  return [
    ...snapshot.diagnostics({ state: 'all', names: true }),
    ...specs.diagnostics,
    ...(isLocal(workspace) ? [...snapshot.configDiagnostics, ...(await clientProblems(workspace))] : []),
  ];
}

async function clientProblems(workspace: Workspace): Promise<Diagnostic[]> {
  const { clientDiagnostics, clientStates } = await import('../clients/states.ts');
  const places = { ...workspace.options, projectRoot: workspace.projectRoot };
  return clientDiagnostics(clientStates(workspace.disk, places, process.platform));
}

function isLocal(workspace: Reader): workspace is Workspace {
  return !workspace.isShared;
}

export interface Problems {
  /** Errors, then warnings. */
  problems: Diagnostic[];
  errors: number;
  warnings: number;
  /** There are too many skills to validate for an overview, so only problems found while reading count. */
  isPartial: boolean;
}

export async function findProblems(workspace: Reader): Promise<Problems> {
  const isPartial = workspace.snapshot.all.skills.length > LIMITS.countedSkills.value;
  const judged = isPartial ? [] : await judgeItems(workspace, {});
  const others = await otherProblems(workspace, judged);
  const problems = sortDiagnostics([...judged.flatMap(({ diagnostics }) => diagnostics), ...others]).filter(
    ({ severity }) => severity !== 'info',
  );
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { problems, errors, warnings: problems.length - errors, isPartial };
}
