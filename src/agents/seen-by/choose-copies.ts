/** Chooses among copies with the same name. */
import { quoteForBash } from '../../core/quote-for-bash.ts';
import type { Profile } from '../profile.ts';
import type { Candidate, Judge } from './verdict.ts';

/** Maximum number of copies that one fix disables. Each copy names the others, so naming all would take quadratic space. */
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
    const best = profile.copies === 'ranked' ? bestRanked(same) : same;
    const isOpen = profile.copies !== 'best-rank' && best.length > 1;
    if (isOpen) {
      const reason =
        profile.copies === 'undetermined'
          ? `there are ${best.length} copies with this name, and ${profile.name} uses a different one from run to run`
          : `there are ${best.length} copies with this name, and which one ${profile.name} uses ${profile.facts.copies.source === 'observed' ? 'was not observed' : 'is not documented'}`;
      const open = new Set(best);
      for (const candidate of same) {
        const { copy, found } = candidate;
        const more = {
          file: found.file,
          winner: null,
          fix: keepOne(best, open.has(candidate) ? found.dir : undefined),
        };
        if (open.has(candidate)) judge(copy, 'unknown', 'copies', reason, more);
        else judge(copy, 'other-copy', 'copies', `${profile.name} uses another version`, more);
      }
      // One of the copies is listed, but it is not known which.
      return best.slice(0, 1);
    }
    const winner = [...best].sort((a, b) => a.at.rank - b.at.rank || a.folder - b.folder)[0] ?? first;
    for (const { copy, found } of same)
      if (copy !== winner.copy)
        judge(copy, 'other-copy', 'copies', `${profile.name} uses the version in ${winner.at.place.dir}`, {
          file: found.file,
          winner: winner.copy,
          fix: `lectern disable ${quoteForBash(winner.found.dir)}`,
        });
    if (profile.order !== 'folder-backwards') return [winner];
    // The winner is listed at the position of the first copy that was found.
    const inFirst = same.filter(({ folder }) => folder === first.folder);
    return [{ ...winner, folder: first.folder, sortedAs: (inFirst.at(-1) ?? first).found.dir }];
  });
}

/** Returns the copies that no other copy beats. Several remain if it was not observed which of them the agent takes. */
function bestRanked(same: readonly Candidate[]): readonly Candidate[] {
  const inRank = withLeast(same, ({ at }) => at.rank);
  const near = withLeast(inRank, ({ at }) => at.distance);
  const first = withLeast(near, ({ at }) => at.among ?? Infinity)[0]?.at.among;
  return near.filter(({ at: { among } }) => among === undefined || among === first);
}

function withLeast(all: readonly Candidate[], numberOf: (candidate: Candidate) => number): readonly Candidate[] {
  const least = all.reduce((known, each) => Math.min(known, numberOf(each)), Infinity);
  return all.filter((each) => numberOf(each) === least);
}

/** Returns the command that disables the copies, except for the one in `dir`. */
function keepOne(copies: readonly Candidate[], dir: string | undefined): string {
  const others = copies.slice(0, COPIES_NAMED + 1).flatMap(({ found }) => (found.dir === dir ? [] : [found.dir]));
  return `lectern disable ${others.slice(0, COPIES_NAMED).map(quoteForBash).join(' ')}`;
}
