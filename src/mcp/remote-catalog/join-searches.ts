/** Joins searches: both sides run in parallel, and their results are merged. */
import { isRecord } from '../../core/json-file.ts';
import type { Scored } from '../../operations/join.ts';
import { isNothingToSearch, LIMIT } from '../../operations/shapes.ts';
import { keywordTokens } from '../../search/keyword.ts';
import type { Data, JoinedOutcome } from '../outcome.ts';
import { itemsIn, numberIn, textIn } from './data.ts';
import { JOIN_MS, type JoinCall, outputOf, withoutLocal } from './joining.ts';
import { metaOf, noteOn } from './notes.ts';

/** Results of one side, best first. */
interface Side {
  mode: string | undefined;
  confidence: string | undefined;
  results: readonly Data[];
}

export async function joinSearch({ field, kind, name }: Scored, call: JoinCall): Promise<JoinedOutcome> {
  const { operation, args, local, served, catalog } = call;
  const { searchMode, minScore } = (await served.snapshot()).settings;
  // The shared catalog searches in the mode of this server.
  const input = { ...args, mode: args['mode'] ?? (kind === 'skill' ? searchMode.value : 'auto') };
  const [outcome, answer] = await Promise.all([
    local(args),
    catalog.ask({ operation: operation.name, input, waitMs: JOIN_MS }),
  ]);
  if ('error' in outcome) return outcome;
  const { confidence: _low, reason, nearest, ...rest } = outcome.output;
  const theirs = outputOf(answer);
  const floor = kind === 'spec' ? (minScore.value ?? 0) : 0;
  const found = itemsIn(theirs, field).filter((hit) => scoreOf(hit) >= floor);
  const more = await withoutLocal(found, (hit) => textIn(hit, name) ?? '', { served, kind });
  const ours = sideOf(outcome.output, itemsIn(outcome.output, field));
  const others = sideOf(theirs ?? outcome.output, more);
  const limit = numberIn(rest, 'limit') ?? Number(args['limit'] ?? LIMIT.default);
  const total = numberIn(rest, 'total');
  const reasons = joinReasons([textIn({ reason }, 'reason'), textIn(theirs, 'reason')], {
    hasBoth: theirs !== undefined,
    note: noteOn(catalog, answer),
  });
  const results = merged(ours, others, orderFor(ours, others, args['query'])).slice(0, limit);
  const output = {
    ...rest,
    ...(total === undefined ? {} : { total: total + (numberIn(theirs, 'total') ?? 0) - (found.length - more.length) }),
    ...(isLow(ours, others) ? { confidence: 'low' } : {}),
    ...(reasons === '' ? {} : { reason: reasons }),
    [field]: results,
    // The nearest local skills are of no use next to real matches.
    ...(nearest === undefined || results.length > 0 ? {} : { nearest }),
  };
  return { output, meta: metaOf(catalog, answer) };
}

function sideOf(output: Data, results: readonly Data[]): Side {
  return { mode: textIn(output, 'mode'), confidence: textIn(output, 'confidence'), results };
}

function scoreOf(hit: Data): number {
  return numberIn(hit, 'score') ?? 0;
}

/** One empty side does not matter if the other has documents. */
function joinReasons(
  given: readonly (string | undefined)[],
  { hasBoth, note }: { hasBoth: boolean; note: string | undefined },
): string {
  const reasons = given.filter((each) => each !== undefined);
  const isAllEmpty = hasBoth && reasons.length === 2 && reasons.every(isNothingToSearch);
  const shown = isAllEmpty ? reasons : reasons.filter((each) => !isNothingToSearch(each));
  return [...new Set([...shown, ...(note === undefined ? [] : [note.replace(/\.$/u, '')])])].join('. ');
}

/** True if every side with results has low confidence. */
function isLow(...sides: readonly Side[]): boolean {
  const found = sides.filter(({ results }) => results.length > 0);
  return found.length > 0 && found.every(({ confidence }) => confidence === 'low');
}

type Order = (hit: Data) => readonly number[];

/**
 * Scores are absolute. In keyword mode all scores are equal and matches in names rank first. Results do not reveal which other matches
 * are whole words, so each side keeps its order. Results of different modes cannot be compared.
 */
function orderFor(ours: Side, theirs: Side, query: unknown): Order {
  if (ours.mode !== theirs.mode) return () => [];
  if (ours.mode === 'auto') return (hit) => [scoreOf(hit)];
  const tokens = keywordTokens(typeof query === 'string' ? query : '');
  return (hit) => {
    const meta = isRecord(hit['meta']) ? hit['meta'] : {};
    const names = [textIn(hit, 'name'), textIn(hit, 'installName'), textIn(meta, 'name')].join('\n');
    const occurring = (text: string): number => tokens.filter((token) => text.toLowerCase().includes(token)).length;
    return [scoreOf(hit), occurring(names), occurring(textIn(meta, 'description') ?? '')];
  };
}

/** Merges two sorted lists. Local items come first among equals. */
function merged(ours: Side, theirs: Side, order: Order): Data[] {
  const [left, right] = [[...ours.results], [...theirs.results]];
  const all: Data[] = [];
  for (;;) {
    const [a, b] = [left[0], right[0]];
    if (!a || !b) return [...all, ...left, ...right];
    if (isBefore(order(b), order(a))) all.push(...right.splice(0, 1));
    else all.push(...left.splice(0, 1));
  }
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
}
