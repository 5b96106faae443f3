/** Computes how one agent treats all skills of the survey: a pure function of its profile, the survey and its settings. */
import { oneLine } from '../core/text.ts';
import { valueOf } from '../skills/file-facts.ts';
import { lineCharacters } from './budget.ts';
import type { Profile } from './profile.ts';
import { findCandidates, withOwnNames } from './seen-by/candidates.ts';
import { chooseCopies } from './seen-by/choose-copies.ts';
import { budgetOf, cutList, judgeLine, statusOf } from './seen-by/cut.ts';
import { judgeOthers } from './seen-by/judge-others.ts';
import { disableOtherCopies, inOrder, listedAs, switchesOf, withBuiltIn } from './seen-by/lines.ts';
import type { Candidate, Judge, Verdict } from './seen-by/verdict.ts';
import type { AgentSettings } from './settings.ts';
import type { Status } from './status.ts';
import type { Copy, Survey } from './survey.ts';
import { asInstalled } from './versions.ts';

export type { Verdict } from './seen-by/verdict.ts';

/** A line of the list that the agent shows its model. */
export interface Entry {
  /** Position in the agent's order, starting at 1. */
  position: number;
  /** Name in the list. */
  name: string;
  /** Undefined for a built-in skill. */
  verdict: Verdict | undefined;
  status: Status;
  /** Size of the line, including its line break. */
  characters: number;
  /** Size of the line in the unit of the budget, now and with its full description. */
  cost: number;
  fullCost: number;
  /** Description that the model sees: full, shortened or empty. */
  text: string;
  /** True if the line was not cut to fit the list. */
  isWhole: boolean;
  /** Full description of the skill. */
  description: string;
}

export interface SeenBudget {
  limit: number | null;
  unit: 'characters' | 'tokens';
  used: number;
  /** Size of the whole list without a limit. */
  wanted: number;
  builtIn: number;
  window: number | null;
}

export interface Seen {
  profile: Profile;
  entries: Entry[];
  verdicts: ReadonlyMap<Copy, Verdict>;
  budget: SeenBudget;
}

/** Returns the description in the file, which an agent that ignores the frontmatter does not list. */
function ownDescription({ copy, read }: Candidate): string {
  return read.otherText ? oneLine(valueOf(copy.facts, 'description') ?? '') : read.description;
}

function withFix(verdict: Verdict, fixFor: () => string): Verdict {
  let known: string | undefined;
  return {
    ...verdict,
    get fix() {
      return (known ??= fixFor());
    },
  };
}

/** `window` is the context window of the model in tokens. Defaults to the settings, or to the default model. */
export function seenBy(known: Profile, survey: Survey, settings: AgentSettings, window?: number): Seen {
  const profile = asInstalled(known, survey.agents.get(known.id)?.installed);
  const verdicts = new Map<Copy, Verdict>();
  const judge: Judge = (copy, status, topic, reason, { fixFor, ...more } = {}) => {
    const verdict: Verdict = { copy, file: copy.file, status, reason, source: profile.facts[topic], ...more };
    verdicts.set(copy, fixFor ? withFix(verdict, fixFor) : verdict);
  };
  const candidates = findCandidates(profile, survey, settings, judge);
  const winners = withOwnNames(profile, chooseCopies(profile, candidates, judge));
  const switchFor = switchesOf(settings.switches);
  const listed = winners.flatMap((candidate) => listedAs(profile, candidate, settings, switchFor, judge));
  disableOtherCopies(profile, candidates, winners, ({ copy }) => verdicts.get(copy), judge);
  const lines = withBuiltIn(profile, survey, settings, inOrder(profile, listed));
  const size = budgetOf(profile, settings, window);
  const { cut, table } = cutList(profile, survey, lines, size.limit);
  const entries = lines.flatMap(({ candidate, line, nameOnly }, index) => {
    const text = cut.texts[index];
    // If the copy is undetermined, that matters more than the length of its line.
    if (candidate && !verdicts.has(candidate.copy)) judgeLine(profile, candidate, line, nameOnly, text, judge);
    if (text === undefined) return [];
    const verdict = candidate && verdicts.get(candidate.copy);
    return {
      name: line.name,
      verdict: candidate?.copy.builtIn ? undefined : verdict,
      status: verdict?.status ?? statusOf(line.description, text),
      characters: lineCharacters(line, text),
      cost: cut.costs[index] ?? 0,
      fullCost: cut.wholes[index] ?? 0,
      text: candidate ? text : '',
      isWhole: statusOf(line.description, text) === 'seen' && nameOnly === undefined,
      description: candidate ? ownDescription(candidate) : '',
    };
  });
  judgeOthers(profile, survey, verdicts, judge);
  const own = lines.map(({ candidate }) => candidate === undefined || candidate.copy.builtIn);
  return {
    profile,
    entries: entries.map((entry, index) => ({ position: index + 1, ...entry })),
    verdicts,
    budget: {
      limit: size.limit,
      unit: profile.budget.unit,
      used: cut.used + table,
      wanted: cut.wanted + table,
      builtIn: cut.costs.reduce((sum, cost, index) => sum + (own[index] ? cost : 0), 0),
      window: size.window,
    },
  };
}
