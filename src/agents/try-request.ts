/** Ranks the lines of one agent's list against a request: a pure function of the list and the request. */
import { memo } from '../core/memo.ts';
import { foldName, oneLine } from '../core/text.ts';
import { valueOf } from '../skills/file-facts.ts';
import { type Line, type LineScore, readLine, scoreLine, type TriedRequest } from '../search/line.ts';
import type { StaticModel } from '../search/model/static-model.ts';
import type { Outcome, TryVerdict } from './names.ts';
import type { Entry, Seen, Verdict } from './seen-by.ts';
import type { Status } from './status.ts';
import { bestVerdict, groupedByName, namesOf } from './why.ts';
import type { Copy } from './survey.ts';

/**
 * A line with a lower score does not fit the request. Chosen on two sets of questions over 109 skills: nine of ten off-topic
 * questions score less.
 */
const FITS = 0.18;

/** With a smaller margin, the second line fits almost as well. Three of four wrong first lines have a smaller one. */
const CLEAR_MARGIN = 0.05;

export interface Ranked extends LineScore {
  entry: Entry;
}

export interface Tried {
  verdict: TryVerdict;
  /** Score of the first line minus that of the second. */
  margin: number;
  /** All lines, best first. */
  ranked: Ranked[];
}

/** A skill that would have been first if the agent listed it, or listed its whole description. */
export interface Missing {
  name: string;
  status: Status;
  reason: string;
}

/** Parses each list once, because a server answers many requests about the same list. */
const linesOf = memo((model: StaticModel) =>
  memo(({ entries }: Pick<Seen, 'entries'>) => entries.map(({ name, text }) => readLine(model, name, text))),
);

export function tryRequest(model: StaticModel, seen: Pick<Seen, 'entries'>, request: TriedRequest): Tried {
  const lines = linesOf(model)(seen);
  const ranked = seen.entries
    .map((entry, index) => ({ entry, ...scoreLine(request, lines[index] ?? NO_LINE) }))
    .sort((a, b) => b.score - a.score || a.entry.position - b.entry.position);
  const [first, second] = ranked;
  const margin = (first?.score ?? 0) - (second?.score ?? 0);
  const verdict = (first?.score ?? 0) < FITS ? 'none' : margin < CLEAR_MARGIN ? 'close' : 'clear';
  return { verdict, margin, ranked };
}

/** The first line and those that fit almost as well, at most `max`. Empty if none fits. */
export function contendersOf({ ranked }: Pick<Tried, 'ranked'>, max: number): Ranked[] {
  const least = Math.max(FITS, (ranked[0]?.score ?? 0) - CLEAR_MARGIN);
  return ranked.slice(0, max).filter(({ score }) => score >= least);
}

/** Lines with the whole description: of a listed skill, and of one that is not in the list. */
const wholeLineOf = memo((model: StaticModel) =>
  memo(({ name, description }: Entry) => readLine(model, name, description)),
);
const copyLineOf = memo((model: StaticModel) =>
  memo((copy: Copy) => readLine(model, copy.name, oneLine(valueOf(copy.facts, 'description') ?? ''))),
);

const NO_LINE: Line = { weights: new Map(), vector: undefined };

/** Maximum number of missing skills in an answer. */
const MISSING_SHOWN = 3;

/** Finds the skills that fit better than the first line, but are hidden from the model in whole or in part. Best first. */
export function missingFrom(
  model: StaticModel,
  seen: Seen,
  request: TriedRequest,
  { ranked }: Pick<Tried, 'ranked'>,
): Missing[] {
  const least = Math.max(FITS, ranked[0]?.score ?? 0);
  const better: (Missing & { score: number })[] = [];
  const note = (missing: Missing, line: Line): void => {
    const { score } = scoreLine(request, line);
    if (score > least) better.push({ ...missing, score });
  };
  for (const { entry } of ranked.slice(1))
    if (entry.description !== '' && entry.text !== entry.description)
      note({ name: entry.name, status: entry.status, reason: reasonOf(entry) }, wholeLineOf(model)(entry));
  for (const { copy, status, reason } of hiddenIn(seen))
    note({ name: copy.name, status, reason }, copyLineOf(model)(copy));
  better.sort((a, b) => b.score - a.score);
  return better.slice(0, MISSING_SHOWN).map(({ name, status, reason }) => ({ name, status, reason }));
}

function reasonOf({ verdict }: Entry): string {
  return verdict?.reason ?? 'the list is full';
}

/** The best verdict about each name that the list does not contain. */
const hiddenIn = memo((seen: Seen): Verdict[] => {
  const listed = new Set(seen.entries.flatMap(({ verdict }) => (verdict ? foldName(verdict.copy.name) : [])));
  const copies = [...seen.verdicts.keys()].filter(({ builtIn, name }) => !builtIn && !listed.has(foldName(name)));
  return groupedByName(copies).flatMap((group) => bestVerdict(seen, group) ?? []);
});

export interface Judgment {
  outcome: Outcome;
  /** Undefined if the request passes. */
  reason?: string;
  /** Status of the expected skill, if the agent does not list it. */
  status?: Status;
}

/** The value of an expectation that no skill fits. */
export const NO_SKILL = 'none';

/** Compares a result with the expected skill. `copies` are those with the expected name. */
export function judgeTried(
  seen: Seen,
  { verdict, margin, ranked }: Tried,
  expected: { name: string; copies: readonly Copy[] },
  minMargin: number,
): Judgment {
  const [first] = ranked;
  if (expected.name === NO_SKILL) {
    if (verdict === 'none' || !first) return { outcome: 'pass' };
    return { outcome: 'fail', reason: `${first.entry.name} fits (score ${shown(first.score)}), and no skill should` };
  }
  const at = ranked.findIndex(({ entry }) => isNamed(entry, expected));
  if (at === -1) {
    const found = bestVerdict(seen, expected.copies);
    return {
      outcome: 'fail',
      reason: found ? `${expected.name} is not in the list: ${found.reason}` : `${expected.name} is not in the list`,
      status: found?.status ?? 'not-read',
    };
  }
  if (at > 0 && first)
    return { outcome: 'fail', reason: `${first.entry.name} is first, and ${expected.name} is number ${at + 1}` };
  if (margin < minMargin)
    return { outcome: 'fail', reason: `the margin is ${shown(margin)}, below ${shown(minMargin)}` };
  if (verdict === 'none')
    return { outcome: 'close', reason: `its score of ${shown(first?.score ?? 0)} is too low to be certain of a match` };
  if (verdict === 'clear') return { outcome: 'pass' };
  return { outcome: 'close', reason: `${ranked[1]?.entry.name ?? 'another skill'} is only ${shown(margin)} behind` };
}

function isNamed({ name, verdict }: Entry, expected: { name: string; copies: readonly Copy[] }): boolean {
  if (verdict) return expected.copies.includes(verdict.copy) || namesOf(verdict.copy).includes(expected.name);
  return foldName(name) === foldName(expected.name);
}

/** A score with two decimals. */
export function shown(score: number): string {
  return score.toFixed(2);
}
