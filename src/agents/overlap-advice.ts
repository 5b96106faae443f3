/** Suggests how to keep two skills in one list apart. */
import { quoteForBash } from '../core/quote-for-bash.ts';
import { foldName } from '../core/text.ts';
import { type ComparedLine, ownWords } from '../search/similar-lines.ts';
import type { Entry } from './seen-by.ts';

/** Number of words in a suggestion. */
const WORDS_MAX = 3;

/** `lines` are those of the entries. */
export function adviceFor(
  [first, second]: readonly [ComparedLine, ComparedLine],
  { a, b }: { a: Entry; b: Entry },
): string {
  if (foldName(first.name) === foldName(second.name)) return oneOfTwo(a, b);
  const one = { entry: a, own: ownWords(first, second, WORDS_MAX) };
  const other = { entry: b, own: ownWords(second, first, WORDS_MAX) };
  // The description to change is one that the user wrote, and the other skill needs words to name.
  const [changed, kept] = rankOf(one, other) >= rankOf(other, one) ? [one, other] : [other, one];
  if (!isOwn(changed.entry))
    return `Disable one of ${a.name} and ${b.name} if you do not need both: their descriptions come with the agent or a plugin`;
  if (kept.own.length === 0) return `State in the descriptions of ${a.name} and ${b.name} when to use each`;
  return `Add to ${changed.entry.name}: "Do not use it for ${listOf(kept.own.map(({ word }) => word))}; use ${kept.entry.name}."`;
}

interface Side {
  entry: Entry;
  own: ReturnType<typeof ownWords>;
}

/** How well the suggestion fits: the description can be changed, and the other skill has a more distinctive word. */
function rankOf({ entry }: Side, other: Side): number {
  return (isOwn(entry) ? 8 : 0) + (other.own[0]?.weight ?? 0);
}

/** Whether the user can change the description. An update of a plugin replaces it. */
function isOwn({ verdict }: Entry): boolean {
  return verdict !== undefined && verdict.copy.sightings.every(({ place }) => place.plugin === undefined);
}

function oneOfTwo(a: Entry, b: Entry): string {
  const removable = [b, a].find(isOwn) ?? b;
  const target = removable.verdict?.copy.path ?? removable.name;
  return `Disable one of the two: lectern disable ${quoteForBash(target)}`;
}

function listOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
