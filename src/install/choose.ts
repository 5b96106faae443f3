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

/** Additional input for a choice. */
interface ChoiceContext<Finding> {
  marked: () => Promise<MarkedSkill<Finding>[]>;
  commit: string | null;
}

export async function choose<Finding>(
  offer: Offer,
  request: InstallRequest,
  { skills: ask }: InstallQuestions<Finding>,
  { marked, commit }: ChoiceContext<Finding>,
): Promise<{ chosen: OfferedSkill[]; failed: PlannedSkill<never>[] }> {
  const { skills: offered, leftOut } = offer;
  if (request.skills.length > 0) return named(offered, leftOut, request.skills);
  const [only] = offered;
  if (only && offered.length === 1) return { chosen: [only], failed: [] };
  if (request.all) return withoutAmbiguous(offered, offered);
  if (ask) {
    const paths = new Set(await ask(await marked()));
    return withoutAmbiguous(
      offered.filter(({ path }) => paths.has(path)),
      [],
    );
  }
  throw choiceNeeded(choicesOf(request, offer, commit), leftOut);
}

/** The skills of a source, as shown to the user and to programs. */
export interface Choices {
  /** As given. */
  source: string;
  commit?: string;
  skills: Pick<OfferedSkill, 'name' | 'description' | 'path'>[];
}

export function choicesOf(
  { source }: Pick<InstallRequest, 'source'>,
  { skills }: Offer,
  commit: string | null,
): Choices {
  return {
    source,
    ...(commit === null ? {} : { commit }),
    skills: skills.map(({ name, description, path }) => ({ name, description, path })),
  };
}

/** Maximum number of skills in a message. The rest are counted. */
const SKILLS_NAMED = 10;

function choiceNeeded(choices: Choices, leftOut: readonly string[]): Failure {
  const names = [...new Set(choices.skills.map(({ name }) => name))].sort();
  const shown = names.slice(0, SKILLS_NAMED).map(echo).join(', ');
  const more = names.length > SKILLS_NAMED ? ', …' : '';
  const cut = leftOut.length > 0 ? ` (${leftOut.join('; ')})` : '';
  return new Failure(
    'CHOICE_NEEDED',
    `${echo(choices.source)} has ${count(choices.skills.length, 'skill')}: ${shown}${more}${cut}.`,
    { hint: 'Name those to install, or use --all.', facts: { choices: names, ...choices } },
  );
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
  return new Failure('NOT_FOUND', `The source has no skill called "${echo(name)}".`, {
    suggestions: near,
    ...(leftOut.length > 0
      ? { hint: `Note: ${leftOut.join('; ')}.` }
      : near.length > 0
        ? { hint: `Did you mean ${near.map(echo).join(' or ')}?` }
        : { hint: 'To see its skills, use --list instead of a name.' }),
  });
}
