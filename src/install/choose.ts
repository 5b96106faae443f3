/** Chooses which of the offered skills to install: by name, all of them, or by asking the user. */
import { Failure } from '../core/failure.ts';
import { groupBy } from '../core/group-by.ts';
import { LIMITS } from '../core/limits.ts';
import { nearest } from '../core/near.ts';
import { count, echo, foldName, grouped } from '../core/text.ts';
import type { Offer, OfferedSkill } from './discover.ts';
import { fetchTogether, pathsOf } from './fetch-together.ts';
import type { OpenedSource } from './open-source.ts';
import {
  failedSkill,
  type FindingsOf,
  type InstallQuestions,
  type InstallRequest,
  type MarkedSkill,
  type PlannedSkill,
  scriptsAmong,
} from './plan.ts';
import { ReadBudget } from './read-budget.ts';
import { collectSkill } from './tree.ts';

export async function choose<Finding>(
  { skills: offered, leftOut }: Offer,
  { skills: names, all }: InstallRequest,
  { skills: ask }: InstallQuestions<Finding>,
  marked: () => Promise<MarkedSkill<Finding>[]>,
): Promise<{ chosen: OfferedSkill[]; failed: PlannedSkill<never>[] }> {
  if (names.length > 0) return named(offered, leftOut, names);
  const [only] = offered;
  if (only && offered.length === 1) return { chosen: [only], failed: [] };
  if (all) return withoutAmbiguous(offered, offered);
  if (ask) {
    const paths = new Set(await ask(await marked()));
    return withoutAmbiguous(
      offered.filter(({ path }) => paths.has(path)),
      [],
    );
  }
  const cut = leftOut.length > 0 ? ` (${leftOut.join('; ')})` : '';
  throw new Failure('CHOICE_NEEDED', `It has ${count(offered.length, 'skill')}${cut}.`, {
    hint: 'Name those to install, or use --all, or -i to pick them from a list.',
    facts: { choices: [...new Set(offered.map(({ name }) => name))].sort() },
  });
}

/** Maximum number of files to read for marking skills. Reading larger sources would take longer than choosing. */
const MARKED_MAX_FILES = 2_000;

export async function markSkills<Finding>(
  offered: readonly OfferedSkill[],
  { tree }: Pick<OpenedSource, 'tree'>,
  findingsOf: FindingsOf<Finding>,
): Promise<MarkedSkill<Finding>[]> {
  const files = pathsOf(tree, offered).filter((place) => tree.entries.get(place)?.kind === 'file');
  const isSmall = files.length <= MARKED_MAX_FILES;
  if (isSmall) await fetchTogether({ tree }, offered);
  const budget = new ReadBudget(LIMITS.installedBytes.value);
  const marked: MarkedSkill<Finding>[] = [];
  for (const skill of offered) {
    const collected = isSmall ? await collectSkill(tree, skill.path, budget).catch(() => undefined) : undefined;
    const own = collected?.files ?? [];
    marked.push({
      ...skill,
      scripts: scriptsAmong(own).length,
      findings: await findingsOf(skill.name, skill.path, own),
    });
  }
  return marked;
}

function named(
  offered: readonly OfferedSkill[],
  leftOut: readonly string[],
  names: readonly string[],
): { chosen: OfferedSkill[]; failed: PlannedSkill<never>[] } {
  const chosen = new Set<OfferedSkill>();
  const failed: PlannedSkill<never>[] = [];
  for (const name of new Set(names)) {
    const byPath = offered.filter(({ path }) => path === name.replace(/\/$/u, '') && path !== '');
    const exact = offered.filter((skill) => skill.name === name);
    const fits =
      byPath.length > 0
        ? byPath
        : exact.length > 0
          ? exact
          : offered.filter((skill) => foldName(skill.name) === foldName(name));
    const [only, second] = fits;
    if (only && !second) chosen.add(only);
    else failed.push(failedSkill(name, fits.length > 1 ? ambiguous(name, fits) : notOffered(name, offered, leftOut)));
  }
  return { chosen: [...chosen], failed };
}

function withoutAmbiguous(
  skills: readonly OfferedSkill[],
  among: readonly OfferedSkill[],
): { chosen: OfferedSkill[]; failed: PlannedSkill<never>[] } {
  const repeated = [...groupBy(among, ({ name }) => name)].filter(([, fits]) => fits.length > 1);
  const failed = repeated.map(([name, fits]) => failedSkill(name, ambiguous(name, fits)));
  const names = new Set(repeated.map(([name]) => name));
  return { chosen: skills.filter(({ name }) => !names.has(name)), failed };
}

function ambiguous(name: string, fits: readonly OfferedSkill[]): Failure {
  const paths = fits.map(({ path }) => path);
  const shown = paths.slice(0, PATHS_NAMED);
  const more = paths.length > shown.length ? ` and ${grouped(paths.length - shown.length)} more` : '';
  return new Failure('AMBIGUOUS', `Several skills are called "${echo(name)}": ${shown.map(echo).join(', ')}${more}.`, {
    hint: 'Name one by its path.',
    suggestions: shown,
    facts: { paths },
  });
}

/** Maximum number of paths in a message. The rest are counted. */
const PATHS_NAMED = 10;

function notOffered(name: string, offered: readonly OfferedSkill[], leftOut: readonly string[]): Failure {
  const near = nearest(
    name,
    offered.map((skill) => skill.name),
  );
  return new Failure('NOT_FOUND', `It has no skill called "${echo(name)}".`, {
    suggestions: near,
    ...(leftOut.length > 0
      ? { hint: `Note: ${leftOut.join('; ')}.` }
      : near.length > 0
        ? { hint: `Did you mean ${near.map(echo).join(' or ')}?` }
        : {}),
  });
}
