import { count } from '../core/text.ts';
import type { State } from '../skills/filter.ts';

/** Skills that were found and are not shown. */
export interface LeftOut {
  /** They fit the filters, but not the state that was asked for. */
  byState: number;
  byFilters: number;
}

/** Why nothing is shown although there are skills; undefined where there are none at all. */
export function whyNone(state: State, { byState, byFilters }: LeftOut): string | undefined {
  if (byState + byFilters === 0) return undefined;
  const other = state === 'disabled' ? 'enabled' : 'disabled';
  const isOrAre = byState === 1 ? 'is' : 'are';
  if (byFilters === 0)
    return `No skill is ${state}; ${count(byState, 'skill')} ${isOrAre} ${other}${state === 'enabled' ? ': add --all' : ''}.`;
  const wanted = state === 'all' ? 'skill' : `${state} skill`;
  const found = byFilters + byState;
  const others =
    byState === 0 ? '' : `\n${count(byState, `${other} skill`)} ${byState === 1 ? 'fits' : 'fit'} them: add --all.`;
  return `No ${wanted} fits the filters; ${count(found, 'skill')} ${found === 1 ? 'was' : 'were'} found without them.${others}`;
}

/** `7 skills, 1 more disabled` */
export function skillCounts(skills: number, moreDisabled: number): string[] {
  return [count(skills, 'skill'), ...(moreDisabled > 0 ? [`${moreDisabled} more disabled`] : [])];
}
