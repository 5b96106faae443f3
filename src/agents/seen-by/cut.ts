/** Cuts the list of an agent to its length, and judges each line by the part that is left. */
import path from 'node:path';
import { type Cut, dealtOut, type Line, lineCharacters, tableTokens, wholeOrName } from '../budget.ts';
import type { Profile } from '../profile.ts';
import type { AgentSettings, Switch } from '../settings.ts';
import type { Status } from '../status.ts';
import type { Survey } from '../survey.ts';
import type { Candidate, Judge, Listed } from './verdict.ts';

const LARGE_WINDOW = 1_000_000;

export function budgetOf(
  { budget }: Profile,
  settings: AgentSettings,
  window: number | undefined,
): { limit: number | null; window: number | null } {
  if (budget.kind === 'none' || budget.kind === 'unknown') return { limit: null, window: null };
  const size = window ?? settings.window ?? budget.window ?? 0;
  const fraction = settings.fraction ?? budget.fraction ?? 0;
  // Observed for 200,000 and 1,000,000 tokens.
  const perToken = budget.unit === 'tokens' ? 1 : size >= LARGE_WINDOW ? 3 : 4;
  // A fraction such as 0.07 is inexact, and rounding must not cost a character.
  return { limit: settings.limit ?? Math.floor(size * perToken * fraction + 1e-6), window: size };
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
  const costs = lines.map((line) => lineCharacters(line, line.description));
  const sum = costs.reduce((a, b) => a + b, 0);
  return {
    cut: { texts: lines.map(({ description }) => description), costs, used: sum, wanted: sum },
    table: 0,
  };
}

export function statusOf(whole: string, text: string): Status {
  if (text === whole) return 'seen';
  return text === '' ? 'name-only' : 'shortened';
}

export function judgeLine(
  { copy, found, read }: Candidate,
  line: Line,
  nameOnly: Switch | undefined,
  text: string | undefined,
  judge: Judge,
): void {
  const { file } = found;
  if (text === undefined)
    return judge(copy, 'not-read', 'budget', 'the list is full, and it was dropped', { file, fix: SHORTEN });
  if (nameOnly)
    return judge(copy, 'name-only', 'settings', `${nameOnly.key} leaves only its name`, {
      file,
      fix: `Edit ${nameOnly.key} in ${nameOnly.file}`,
    });
  const status = statusOf(line.description, text);
  if (status === 'name-only')
    return judge(copy, status, 'budget', 'the list has no room for its description', { file, fix: SHORTEN });
  if (status === 'shortened')
    return judge(copy, status, 'budget', `its description is cut to ${[...text].length} characters to fit the list`, {
      file,
      fix: SHORTEN,
    });
  if (read.isCut)
    return judge(copy, 'shortened', 'budget', `its description is cut to ${[...read.description].length} characters`, {
      file,
      fix: `Shorten the description in ${file}`,
    });
  judge(copy, 'seen', 'places', 'listed with its full description', { file });
}

const SHORTEN =
  'Shorten descriptions, or disable skills that are not needed: lectern agents shows what each step gains';
