import { count, grouped } from '../core/text.ts';
import type { State } from '../skills/filter.ts';

/** Number of skills that were found but not shown. */
export interface LeftOut {
  /** Skills that match the filters but not the requested state. */
  byState: number;
  byFilters: number;
}

/** Explains why no skills are shown although there are some. Returns undefined if there are none. */
export function whyNone(state: State, { byState, byFilters }: LeftOut): string | undefined {
  if (byState + byFilters === 0) return undefined;
  const other = state === 'disabled' ? 'enabled' : 'disabled';
  const isOrAre = byState === 1 ? 'is' : 'are';
  if (byFilters === 0)
    return `No skill is ${state}; ${count(byState, 'skill')} ${isOrAre} ${other}${state === 'enabled' ? ': add --all' : ''}.`;
  const wanted = state === 'all' ? 'skill' : `${state} skill`;
  const found = byFilters + byState;
  const others =
    byState === 0
      ? ''
      : `\n${count(byState, `${other} skill`)} ${byState === 1 ? 'matches' : 'match'} them: add --all.`;
  return `No ${wanted} matches the filters; ${count(found, 'skill')} ${found === 1 ? 'was' : 'were'} found without them.${others}`;
}

/** Returns `7 skills`, `1 more disabled`. */
export function skillCounts(skills: number, moreDisabled: number): string[] {
  return [count(skills, 'skill'), ...(moreDisabled > 0 ? [`${grouped(moreDisabled)} more disabled`] : [])];
}
