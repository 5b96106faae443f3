/** Finds skills that compete in the lists of agents: a pure function of the lists and the saved requests. */
import { LIMITS } from '../core/limits.ts';
import { compareText, foldName } from '../core/text.ts';
import type { TriedRequest } from '../search/line.ts';
import type { StaticModel } from '../search/model/static-model.ts';
import {
  areDistinguished,
  COMPETING,
  type ComparedLine,
  readComparedLine,
  sharedWords,
  similarityOf,
  similarPairs,
} from '../search/similar-lines.ts';
import { adviceFor } from './overlap-advice.ts';
import type { Entry, Seen } from './seen-by.ts';
import { contendersOf, tryRequest } from './try-request.ts';

/** A name and a description, with the entries that have both, by agent. */
interface SharedLine {
  line: ComparedLine;
  entries: Map<string, [Entry, ...Entry[]]>;
}

export interface PairInAgent {
  agent: string;
  a: Entry;
  b: Entry;
  similarity: number;
  /** Number of saved requests that both fit almost equally well. */
  requests: number;
}

/** Two skills that compete in the list of at least one agent. */
export interface Overlap {
  /** The highest one, if agents show different parts of the descriptions. */
  similarity: number;
  words: string[];
  suggestion: string;
  /** Two copies of one skill. */
  areCopies: boolean;
  agents: [PairInAgent, ...PairInAgent[]];
}

export interface SavedTry {
  request: TriedRequest;
  /** Agents that it applies to. Undefined for all. */
  agents: readonly string[] | undefined;
}

export interface OverlapOptions {
  saved?: readonly SavedTry[];
  /** Limits the pairs to those with a matching entry. */
  isWanted?: ((entry: Entry) => boolean) | undefined;
}

export interface Overlaps {
  /** Pairs with close requests, then by similarity. Copies come last. */
  overlaps: Overlap[];
  /** Similar pairs that are left out because a request can tell them apart. */
  distinguished: number;
  /** Lines that were not compared with all others, because there are too many. */
  notCompared: number;
  /** Entries without a description. */
  withoutText: number;
  /** Saved requests that were not tried, because there are too many. */
  notTried: number;
}

/** Number of shared words in an answer. */
const WORDS_SHOWN = 5;

export function findOverlaps(model: StaticModel, lists: readonly Seen[], options: OverlapOptions = {}): Overlaps {
  const { isWanted = () => true } = options;
  const { lines, tooMany, withoutText } = sharedLines(model, lists);
  const { close, notTried } = closeRequests(model, lists, lines, options.saved ?? []);
  const { similar, notCompared } = similarIn(lines, options.isWanted);
  const found: Overlap[] = [];
  const distinguished = new Set<string>();
  for (const id of new Set([...similar.keys(), ...close.keys()])) {
    const [a, b] = [lines[Math.floor(id / lines.length)], lines[id % lines.length]];
    if (!a || !b) continue;
    const similarity = similar.get(id) ?? similarityOf(a.line, b.line);
    const agents = agentsWith(a, b, { similarity, close: close.get(id) }).filter(
      (pair) => (isWanted(pair.a) || isWanted(pair.b)) && (similar.has(id) || pair.requests > 0),
    );
    const [first, ...others] = agents;
    if (!first) continue;
    const areVersions = foldName(a.line.name) === foldName(b.line.name);
    const isShown = areVersions || agents.some(({ requests }) => requests > 0) || !areDistinguished(a.line, b.line);
    if (isShown) found.push(describe([a.line, b.line], [first, ...others]));
    else distinguished.add(`${a.line.name}\n${b.line.name}`);
  }
  return {
    overlaps: [...merged(found), ...copiesIn(lines, isWanted)].sort(compareOverlaps),
    distinguished: distinguished.size,
    notCompared: tooMany + notCompared,
    withoutText,
    notTried,
  };
}

/** Merges pairs of the same names: agents may list different copies of a skill, or different parts of its description. */
function merged(found: readonly Overlap[]): Overlap[] {
  const byNames = new Map<string, Overlap>();
  for (const overlap of [...found].sort(compareOverlaps)) {
    const [{ a, b }] = overlap.agents;
    const key = [a, b].map((entry) => foldName(shortName(entry))).join('\n');
    const known = byNames.get(key);
    if (known) known.agents.push(...overlap.agents);
    else byNames.set(key, { ...overlap, agents: [...overlap.agents] });
  }
  return [...byNames.values()];
}

/** Merges entries with the same name and description, so that a pair in the lists of several agents is compared once. */
function sharedLines(
  model: StaticModel,
  lists: readonly Seen[],
): { lines: SharedLine[]; tooMany: number; withoutText: number } {
  const merged = new Map<string, { name: string; text: string; entries: SharedLine['entries'] }>();
  let withoutText = 0;
  for (const { profile, entries } of lists)
    for (const entry of entries) {
      if (entry.text === '') {
        withoutText += 1;
        continue;
      }
      const name = shortName(entry);
      const key = `${foldName(name)}\n${entry.text}`;
      const known = merged.get(key) ?? { name, text: entry.text, entries: new Map() };
      const own = known.entries.get(profile.id);
      if (own) own.push(entry);
      else known.entries.set(profile.id, [entry]);
      merged.set(key, known);
    }
  const { value: max } = LIMITS.comparedLines;
  // Sorted, so that the result does not depend on the order of a list.
  const sorted = [...merged].sort(([x], [y]) => compareText(x, y)).map(([, each]) => each);
  const lines = sorted
    .slice(0, max)
    .map(({ name, text, entries }) => ({ line: readComparedLine(model, name, text), entries }));
  return { lines, tooMany: Math.max(0, sorted.length - max), withoutText };
}

/** The name without its plugin, which says nothing about the skill. */
function shortName({ name }: Entry): string {
  return name.slice(name.lastIndexOf(':') + 1) || name;
}

/** Returns the similarity of each similar pair by its ID, `position of a · number of lines + position of b`. */
function similarIn(
  lines: readonly SharedLine[],
  isWanted: OverlapOptions['isWanted'],
): { similar: ReadonlyMap<number, number>; notCompared: number } {
  const compared = lines.map(({ line }) => line);
  if (!isWanted) {
    const { pairs, notCompared } = similarPairs(compared, COMPETING);
    return { similar: new Map(pairs.map(({ a, b, similarity }) => [a * lines.length + b, similarity])), notCompared };
  }
  const similar = new Map<number, number>();
  for (const [index, { line, entries }] of lines.entries()) {
    if (![...entries.values()].some((own) => own.some(isWanted))) continue;
    for (const [other, partner] of compared.entries()) {
      const similarity = other === index ? 0 : similarityOf(line, partner);
      if (similarity >= COMPETING)
        similar.set(Math.min(index, other) * lines.length + Math.max(index, other), similarity);
    }
  }
  return { similar, notCompared: 0 };
}

/** Maximum number of skills that count as close for one request. */
const CONTENDERS = 5;

/** Counts the saved requests that two lines fit almost equally well, by the ID of the pair and by agent. */
function closeRequests(
  model: StaticModel,
  lists: readonly Seen[],
  lines: readonly SharedLine[],
  saved: readonly SavedTry[],
): { close: Map<number, Map<string, number>>; notTried: number } {
  const close = new Map<number, Map<string, number>>();
  const total = lists.reduce((sum, { entries }) => sum + entries.length, 0);
  const tried = saved.slice(0, Math.ceil(LIMITS.triedLines.value / Math.max(1, total)));
  const positions = new Map(
    lines.flatMap(({ entries }, index) =>
      [...entries.values()].flatMap((own) => own.map((entry): [Entry, number] => [entry, index])),
    ),
  );
  for (const { request, agents } of tried)
    for (const seen of lists) {
      const { id } = seen.profile;
      if (agents && !agents.includes(id)) continue;
      const at = contendersOf(tryRequest(model, seen, request), CONTENDERS).flatMap(
        ({ entry }) => positions.get(entry) ?? [],
      );
      const sorted = [...new Set(at)].sort((x, y) => x - y);
      for (const [index, a] of sorted.entries())
        for (const b of sorted.slice(index + 1)) {
          const pair = a * lines.length + b;
          const counts = close.get(pair) ?? new Map<string, number>();
          close.set(pair, counts.set(id, (counts.get(id) ?? 0) + 1));
        }
    }
  return { close, notTried: saved.length - tried.length };
}

function agentsWith(
  a: SharedLine,
  b: SharedLine,
  { similarity, close }: { similarity: number; close: ReadonlyMap<string, number> | undefined },
): PairInAgent[] {
  return [...a.entries].flatMap(([agent, [first]]) => {
    const [second] = b.entries.get(agent) ?? [];
    return second ? { agent, a: first, b: second, similarity, requests: close?.get(agent) ?? 0 } : [];
  });
}

function describe([a, b]: readonly [ComparedLine, ComparedLine], agents: Overlap['agents']): Overlap {
  const [first] = agents;
  return {
    similarity: first.similarity,
    words: sharedWords(a, b, WORDS_SHOWN),
    suggestion: adviceFor([a, b], first),
    areCopies: false,
    agents,
  };
}

/** Pairs of entries with the same name and description, in the list of one agent. */
function copiesIn(lines: readonly SharedLine[], isWanted: (entry: Entry) => boolean): Overlap[] {
  return lines.flatMap(({ line, entries }) => {
    const agents = [...entries].flatMap(([agent, [a, ...others]]) =>
      others
        .filter((b) => isWanted(a) || isWanted(b))
        .map((b): PairInAgent => ({ agent, a, b, similarity: 1, requests: 0 })),
    );
    const [first, ...rest] = agents;
    return first ? { ...describe([line, line], [first, ...rest]), areCopies: true } : [];
  });
}

function compareOverlaps(x: Overlap, y: Overlap): number {
  const most = ({ agents }: Overlap): number => Math.max(...agents.map(({ requests }) => requests));
  const names = ({ agents: [{ a, b }] }: Overlap): string => `${a.name} ${b.name}`;
  return (
    Number(x.areCopies) - Number(y.areCopies) ||
    most(y) - most(x) ||
    y.similarity - x.similarity ||
    compareText(names(x), names(y))
  );
}
