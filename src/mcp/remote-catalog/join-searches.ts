/** Joins searches: both sides run in parallel, and their results are merged. */
import { isNothingToSearch } from '../../operations/shapes.ts';
import { keywordTokens } from '../../search/keyword.ts';
import type { AgentSearch } from '../../operations/agent-search.ts';
import { LIMIT } from '../../operations/shapes.ts';
import type { ItemKind } from '../../operations/join.ts';
import { renderSkillsSearch } from '../../render/agents/replies.ts';
import { asData } from '../tool.ts';
import type { RemoteAnswer } from './remote-catalog.ts';
import { type Join, JOIN_MS, withoutLocal } from './joining.ts';
import { noteOn, withCatalog } from './notes.ts';

/** Common part of the results of `skills_search` and `search_specs`. */
interface Found {
  mode: 'auto' | 'keyword';
  confidence?: 'low';
  reason?: string;
  total?: number;
  limit?: number;
  results: Hit[];
}

interface Hit {
  score: number;
  name?: string;
  spec_id?: string;
}

function joinSearch(kind: ItemKind, nameOf: (hit: Hit) => string, render?: (data: AgentSearch) => string): Join {
  return async ({ tool, args, local, served, catalog }) => {
    const { searchMode, minScore } = (await served.snapshot()).settings;
    // The shared catalog searches in the mode of this server.
    const call = { ...args, mode: args['mode'] ?? (kind === 'skill' ? searchMode.value : 'auto') };
    const [result, answer] = await Promise.all([local(args), catalog.ask({ tool, args: call, waitMs: JOIN_MS })]);
    if (result.isError === true) return result;
    const ours = result.structuredContent as unknown as Found;
    const theirs = foundIn(answer, kind === 'spec' ? minScore.value : undefined);
    const more = await withoutLocal(theirs?.results ?? [], nameOf, { served, kind });
    const others: Found = { ...(theirs ?? ours), results: more };
    const limit = ours.limit ?? Number(args['limit'] ?? LIMIT.default);
    const { confidence: _low, reason, ...rest } = ours;
    const note = noteOn(catalog, answer)?.replace(/\.$/u, '');
    // One empty side does not matter if the other has documents.
    const ownReasons = [reason, theirs?.reason].filter((each) => each !== undefined);
    const isAllEmpty = theirs !== undefined && ownReasons.length === 2 && ownReasons.every(isNothingToSearch);
    const shown = isAllEmpty ? ownReasons : ownReasons.filter((each) => !isNothingToSearch(each));
    const reasons = [...new Set([...shown, ...(note === undefined ? [] : [note])])].join('. ');
    const leftOut = (theirs?.results.length ?? 0) - more.length;
    const data = {
      ...rest,
      ...(ours.total === undefined ? {} : { total: ours.total + (theirs?.total ?? 0) - leftOut }),
      ...(isLow(ours, others) ? { confidence: 'low' } : {}),
      ...(reasons === '' ? {} : { reason: reasons }),
      results: merged(ours, others, orderFor(ours, others, args['query'])).slice(0, limit),
    };
    return withCatalog(asData(data, render?.(data as unknown as AgentSearch)), catalog, answer);
  };
}

export const joinSkillSearch = joinSearch('skill', ({ name = '' }) => name, renderSkillsSearch);
export const joinSpecSearch = joinSearch('spec', ({ spec_id: id = '' }) => id);

function foundIn(answer: RemoteAnswer, minScore = 0): Found | undefined {
  if (answer.kind === 'unreachable' || answer.result.isError === true) return undefined;
  const found = answer.result.structuredContent as unknown as Found;
  return { ...found, results: found.results.filter(({ score }) => score >= minScore) };
}

/** True if every side with results has low confidence. */
function isLow(...sides: readonly Found[]): boolean {
  const found = sides.filter(({ results }) => results.length > 0);
  return found.length > 0 && found.every(({ confidence }) => confidence === 'low');
}

type Order = (hit: Hit) => readonly number[];

/**
 * Scores are absolute. In keyword mode all scores are equal and matches in names rank first. Results do not reveal which other matches
 * are whole words, so each side keeps its order. Results of different modes cannot be compared.
 */
function orderFor(ours: Found, theirs: Found, query: unknown): Order {
  if (ours.mode !== theirs.mode) return () => [];
  if (ours.mode === 'auto') return ({ score }) => [score];
  const tokens = keywordTokens(typeof query === 'string' ? query : '');
  return (hit) => {
    const { name = '', installName = '', meta } = hit as Partial<AgentSearch['results'][number]>;
    const [names, description] = [[name, installName, meta?.name].join('\n'), meta?.description ?? ''];
    const occurring = (text: string): number => tokens.filter((token) => text.toLowerCase().includes(token)).length;
    return [hit.score, occurring(names), occurring(description)];
  };
}

/** Merges two sorted lists. Local items come first among equals. */
function merged(ours: Found, theirs: Found, order: Order): Hit[] {
  const [left, right] = [[...ours.results], [...theirs.results]];
  const all: Hit[] = [];
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
