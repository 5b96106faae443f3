/** Chooses among copies with the same name. */
import type { Profile } from '../profile.ts';
import { asWord, type Candidate, type Judge } from './verdict.ts';

/** Maximum number of copies to name. Each copy names the others, so naming all would take quadratic space. */
const COPIES_NAMED = 20;

/** Selects the listed copies among those with the same name. */
export function chooseCopies(profile: Profile, candidates: readonly Candidate[], judge: Judge): Candidate[] {
  if (profile.copies === 'all') return [...candidates];
  const byKey = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const same = byKey.get(candidate.key);
    if (same) same.push(candidate);
    else byKey.set(candidate.key, [candidate]);
  }
  return [...byKey.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    if (profile.copies !== 'best-rank') {
      const reason =
        profile.copies === 'undetermined'
          ? `there are ${same.length} copies with this name, and ${profile.name} takes a different one from run to run`
          : `there are ${same.length} copies with this name, and which one ${profile.name} takes is not documented`;
      const shown = same.slice(0, COPIES_NAMED + 1).map(({ found }) => found.dir);
      for (const { copy, found } of same) {
        const others = shown.filter((dir) => dir !== found.dir).slice(0, COPIES_NAMED);
        const left = same.length - 1 - others.length;
        const more = left === 0 ? '' : `, and ${left} more`;
        judge(copy, 'unknown', 'copies', reason, {
          file: found.file,
          winner: null,
          fix: `Keep one copy: lectern disable ${others.map(asWord).join(' ')}${more}`,
        });
      }
      // One of the copies is listed, but it is undetermined which.
      return [first];
    }
    const winner = [...same].sort((a, b) => a.at.rank - b.at.rank || a.folder - b.folder)[0] ?? first;
    for (const { copy, found } of same)
      if (copy !== winner.copy)
        judge(copy, 'other-copy', 'copies', `${profile.name} uses the version in ${winner.at.place.dir}`, {
          file: found.file,
          winner: winner.copy,
          fix: `lectern disable ${asWord(winner.found.dir)}`,
        });
    if (profile.order !== 'folder-backwards') return [winner];
    // The winner is listed at the position of the first copy that was found.
    const inFirst = same.filter(({ folder }) => folder === first.folder);
    return [{ ...winner, folder: first.folder, sortedAs: (inFirst.at(-1) ?? first).found.dir }];
  });
}
