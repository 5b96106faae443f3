/** Cuts the list of an agent to its maximum length, and determines the status of each line. */
import path from 'node:path';
import { grouped } from '../../core/text.ts';
import {
  type Cut,
  dealtOut,
  firstLines,
  firstWhole,
  type Line,
  lineCharacters,
  tableTokens,
  wholeOrName,
} from '../budget.ts';
import type { Profile } from '../profile.ts';
import type { AgentSettings, Switch } from '../settings.ts';
import type { Status } from '../status.ts';
import type { Survey } from '../survey.ts';
import type { Candidate, Judge, Listed } from './verdict.ts';

const LARGE_WINDOW = 1_000_000;

export function budgetOf(
  profile: Profile,
  settings: AgentSettings,
  window: number | undefined,
): { limit: number | null; window: number | null } {
  const { budget } = profile;
  if (['none', 'names', 'unknown', 'first-line'].includes(budget.kind)) return { limit: null, window: null };
  if (budget.limit !== undefined) return { limit: settings.limit ?? budget.limit, window: null };
  const fraction = settings.fraction ?? budget.fraction ?? 0;
  const room = windowRoom(profile, settings, window);
  // A fraction such as 0.07 is inexact, and rounding must not cost a character.
  return { limit: settings.limit ?? Math.floor(room * fraction + 1e-6), window: windowOf(profile, settings, window) };
}

/** Returns the size of the context window in the unit of the budget. */
export function windowRoom(profile: Profile, settings: AgentSettings, window: number | undefined): number {
  const size = windowOf(profile, settings, window);
  // Observed for 200,000 and 1,000,000 tokens.
  return size * (profile.budget.unit === 'tokens' ? 1 : size >= LARGE_WINDOW ? 3 : 4);
}

function windowOf({ budget }: Profile, settings: AgentSettings, window: number | undefined): number {
  return window ?? settings.window ?? budget.window ?? 0;
}

export function cutList(
  profile: Profile,
  survey: Survey,
  listed: readonly Listed[],
  limit: number | null,
): { cut: Cut; table: number } {
  const lines = listed.map(({ line }) => line);
  if (profile.budget.kind === 'whole-or-name' && limit !== null) return { cut: wholeOrName(lines, limit), table: 0 };
  if (profile.budget.kind === 'dealt-out' && limit !== null) {
    const { places = [] } = survey.agents.get(profile.id) ?? {};
    const system = places.find(({ place }) => place.builtIn)?.place.dir;
    const rootOf = ({ candidate }: Listed): string => candidate?.at.place.dir ?? system ?? '';
    const used = new Set(listed.map(rootOf));
    const roots = places.map(({ place }) => place.dir).filter((dir) => used.has(dir));
    const short = listed.map((each): Line => {
      const root = rootOf(each);
      const file = each.candidate?.found.file ?? path.join(root, each.line.name, 'SKILL.md');
      const below = path.relative(root, file).split(path.sep).join('/');
      return { ...each.line, path: `r${roots.indexOf(root)}/${below}` };
    });
    const table = tableTokens(roots);
    return { cut: dealtOut(short, Math.max(0, limit - table)), table };
  }
  if (profile.budget.kind === 'first-whole' && limit !== null) {
    const placed = listed.map(({ candidate, line }): Line => ({
      ...line,
      path: candidate?.at.inProject === false ? 'user' : 'project',
    }));
    return { cut: firstWhole(placed, limit, profile.budget.nameLimit), table: 0 };
  }
  if (profile.budget.kind === 'first-line') {
    const leveled = listed.map(({ candidate, line }): Line => ({
      ...line,
      path: candidate === undefined ? 'bundled' : candidate.at.inProject ? 'project' : 'user',
    }));
    return { cut: firstLines(leveled, profile.budget.limit ?? Infinity), table: 0 };
  }
  const shown = lines.map((line) => (profile.budget.kind === 'names' ? '' : line.description));
  const costs = lines.map((line, index) => lineCharacters(line, shown[index] ?? ''));
  const sum = costs.reduce((a, b) => a + b, 0);
  return { cut: { texts: shown, costs, wholes: costs, used: sum, wanted: sum }, table: 0 };
}

export function statusOf(whole: string, text: string): Status {
  if (text === whole) return 'seen';
  return text === '' ? 'name-only' : 'shortened';
}

export function judgeLine(
  profile: Profile,
  { copy, found, read }: Candidate,
  line: Line,
  nameOnly: Switch | undefined,
  text: string | undefined,
  judge: Judge,
): void {
  const { file } = found;
  const fitting = `lectern fit ${profile.id}`;
  if (text === undefined)
    return judge(copy, 'dropped', 'budget', 'the list is full, and it was dropped', { file, fix: fitting });
  if (nameOnly)
    return judge(copy, 'name-only', 'settings', `${nameOnly.key} leaves only its name`, {
      file,
      fix: `Delete ${nameOnly.key} in ${nameOnly.file}`,
    });
  if (profile.budget.kind === 'names')
    return judge(copy, 'name-only', 'budget', `${profile.name} lists only the names of skills`, {
      file,
      fix: `lectern setup ${profile.id}`,
    });
  const status = statusOf(line.description, text);
  if (status === 'name-only')
    return judge(copy, status, 'budget', 'the list has no room for its description', { file, fix: fitting });
  if (read.otherText)
    return judge(copy, 'other-text', 'files', read.otherText.reason, { file, text, fix: read.otherText.fix });
  if (status === 'shortened' && profile.budget.kind === 'first-line')
    return judge(
      copy,
      status,
      'budget',
      `the list has more than ${grouped(profile.budget.limit ?? 0)} characters, so it has only the first line of the description`,
      { file, fix: `Put everything on the first line of the description in ${file}` },
    );
  if (status === 'shortened')
    return judge(copy, status, 'budget', `its description is cut to ${[...text].length} characters to fit the list`, {
      file,
      fix: fitting,
    });
  if (read.isCut)
    return judge(copy, 'shortened', 'budget', `its description is cut to ${[...read.description].length} characters`, {
      file,
      fix: `Shorten the description in ${file}`,
    });
  judge(copy, 'seen', 'places', 'listed with its full description', { file });
}
