/**
 * Compares two versions of a requirement paragraph by paragraph, scenario by scenario and clause by clause. Marks the words
 * that differ and adds a short summary.
 */
import { editsBetween } from '../core/edits.ts';
import type { Outline } from '../core/headings.ts';
import { count } from '../core/text.ts';
import { countWords, likeness, type Marked, markWords } from '../core/word-marks.ts';
import type { Keyword } from './clauses.ts';
import { COMPARED_CHARACTERS_MAX, COMPARED_LINES_MAX, Effort } from './effort.ts';
import { clausesOf, describeRequirement, type Requirement, type Scenario } from './parse-spec.ts';

export type Comparison = 'same' | 'changed' | 'added' | 'removed';

/** A paragraph or a clause. If unchanged, only `after` is set. Text that is added or removed as a whole has no marks. */
export interface ComparedText {
  change: Comparison;
  before?: Marked;
  after?: Marked;
}

export interface ComparedClause extends ComparedText {
  /** Absent for text that is not a clause. */
  keyword?: Keyword;
  /** Set if the keyword changed. */
  keyword_before?: Keyword;
}

export interface ComparedScenario {
  name: string;
  change: Comparison;
  clauses: ComparedClause[];
}

export interface ComparedRequirement {
  text: ComparedText[];
  scenarios: ComparedScenario[];
  /** Summary, such as `1 sentence, 2 clauses changed, 1 scenario added`. */
  summary: string;
}

/** A requirement and its file. */
export interface Version {
  source: { outline: Outline };
  requirement: Requirement;
}

export function compareRequirements(
  before: Version | undefined,
  after: Version | undefined,
  effort = new Effort(),
): ComparedRequirement {
  const paragraphs = align(paragraphsOf(before), paragraphsOf(after), (text) => text, effort);
  const text = paragraphs.map((pair) => compareTexts(pair.before, pair.after, effort));
  const scenarios = pairScenarios(before, after).map((pair) => compareScenarios(before, after, pair, effort));
  const summary =
    before && after ? summaryOfChange(text, scenarios, effort) : summaryOfWhole((after ?? before)?.requirement);
  return { text, scenarios, summary };
}

interface Pair<T> {
  before?: T;
  after?: T;
}

/** Maximum number of candidate pairs in one difference. Above it, items are paired in order instead of by similarity. */
const COMPARED_PAIRS_MAX = 2_500;

/** Minimum similarity of two versions of a text. */
const LIKENESS_MIN = 0.3;

const MAX_EDITS = 1_000;

/** Costs in steps: splitting into words, per character, and comparing two texts, per word of the shorter one. */
const STEPS_TO_SPLIT = 8;
const STEPS_PER_WORD = 8;
/** Fixed cost per text. */
const STEPS_TO_BEGIN = 1_000;

/** Estimated word length. Kept low, because short words mean more words. */
const CHARACTERS_OF_A_WORD = 3;

/** Maximum number of edits that marking words searches for. */
const MARKED_EDITS = 400;

/** Pairs old and new items: first equal items, then the most similar ones between them, in order. */
function align<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string, effort: Effort): Pair<T>[] {
  const size = before.length + after.length;
  if (before.length === 0 || after.length === 0 || size > COMPARED_LINES_MAX || !effort.affords(size))
    return inOrder(before, after);
  const pairs: Pair<T>[] = [];
  let [gone, come]: [T[], T[]] = [[], []];
  const settle = (): void => {
    for (const pair of pairAlike(gone, come, keyOf, effort)) pairs.push(pair);
    [gone, come] = [[], []];
  };
  const [old, fresh] = [before.values(), after.values()];
  let edits = 0;
  for (const { kind } of editsBetween(before.map(keyOf), after.map(keyOf), MAX_EDITS)) {
    if (kind !== ' ') edits += 1;
    if (kind === '-') gone.push(old.next().value as T);
    else if (kind === '+') come.push(fresh.next().value as T);
    else {
      settle();
      pairs.push({ before: old.next().value as T, after: fresh.next().value as T });
    }
  }
  settle();
  effort.spend(Math.min(edits, MAX_EDITS) * size);
  return pairs;
}

function inOrder<T>(before: readonly T[], after: readonly T[]): Pair<T>[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    ...(index < before.length ? { before: before[index] as T } : {}),
    ...(index < after.length ? { after: after[index] as T } : {}),
  }));
}

function pairAlike<T>(gone: readonly T[], come: readonly T[], keyOf: (item: T) => string, effort: Effort): Pair<T>[] {
  // One removal paired with one addition reads as a change, however different the texts.
  if (gone.length === 0 || come.length === 0 || (gone.length === 1 && come.length === 1)) return inOrder(gone, come);
  const isSmall = gone.length * come.length <= COMPARED_PAIRS_MAX;
  const shares = isSmall ? sharesOf(gone.map(keyOf), come.map(keyOf), effort) : undefined;
  if (!shares) return inOrder(gone, come);
  const width = come.length + 1;
  // best[i][j]: maximum total similarity of the items starting at i and j.
  const best = new Float64Array((gone.length + 1) * width);
  for (let i = gone.length - 1; i >= 0; i--) {
    for (let j = come.length - 1; j >= 0; j--) {
      const share = shares[i * width + j] ?? 0;
      const paired = share === 0 ? 0 : share + (best[(i + 1) * width + j + 1] ?? 0);
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
    }
  }
  const pairs: Pair<T>[] = [];
  let [i, j] = [0, 0];
  while (i < gone.length && j < come.length) {
    const here = best[i * width + j] ?? 0;
    const share = shares[i * width + j] ?? 0;
    if (share > 0 && here === share + (best[(i + 1) * width + j + 1] ?? 0))
      pairs.push({ before: gone[i++] as T, after: come[j++] as T });
    else if (here === (best[(i + 1) * width + j] ?? 0)) pairs.push({ before: gone[i++] as T });
    else pairs.push({ after: come[j++] as T });
  }
  while (i < gone.length) pairs.push({ before: gone[i++] as T });
  while (j < come.length) pairs.push({ after: come[j++] as T });
  return pairs;
}

/** Returns the similarity of each pair of texts, in rows with one extra column. Undefined if that exceeds the budget. */
function sharesOf(gone: readonly string[], come: readonly string[], effort: Effort): Float64Array | undefined {
  const length = [...gone, ...come].reduce((sum, text) => sum + text.length, 0);
  if (!effort.affords(STEPS_TO_SPLIT * length)) return undefined;
  const [old, fresh] = [gone.map(countWords), come.map(countWords)];
  const width = come.length + 1;
  const shares = new Float64Array((gone.length + 1) * width);
  for (const [i, a] of old.entries()) {
    for (const [j, b] of fresh.entries()) {
      if (!effort.affords(STEPS_PER_WORD * Math.min(a.counts.size, b.counts.size))) return undefined;
      const share = likeness(a, b);
      shares[i * width + j] = share < LIKENESS_MIN ? 0 : share;
    }
  }
  return shares;
}

function compareTexts(before: string | undefined, after: string | undefined, effort: Effort): ComparedText {
  const whole = (text: string): Marked => ({ text, marks: [] });
  if (before === undefined || after === undefined) {
    if (after !== undefined) return { change: 'added', after: whole(after) };
    return { change: 'removed', before: whole(before ?? '') };
  }
  if (before === after) return { change: 'same', after: whole(after) };
  const length = before.length + after.length;
  if (length > COMPARED_CHARACTERS_MAX || !effort.affords(STEPS_TO_BEGIN + STEPS_TO_SPLIT * length))
    return { change: 'changed', before: whole(before), after: whole(after) };
  const marked = markWords(before, after);
  const isSame = marked.before.marks.length === 0 && marked.after.marks.length === 0;
  // The cost is the number of differing words, estimated from the marks, times the number of all words.
  const differing = [marked.before, marked.after].flatMap(({ marks }) => marks.map(([start, end]) => end - start));
  const words = differing.reduce((sum, characters) => sum + characters / CHARACTERS_OF_A_WORD, 0);
  effort.spend(Math.min(words, MARKED_EDITS) * (length / CHARACTERS_OF_A_WORD));
  return isSame ? { change: 'same', after: marked.after } : { change: 'changed', ...marked };
}

const BULLET = /^\s*(?:[-*+]|\d{1,9}[.)])\s/u;

/** Splits text into paragraphs, list items, table rows and fenced blocks, and unwraps lines. */
function paragraphsOf(version: Version | undefined): string[] {
  if (!version) return [];
  const lines = describeRequirement(version.source, version.requirement).split('\n');
  const paragraphs: string[] = [];
  let fence: string | undefined;
  let isOpen = false;
  for (const line of lines) {
    const mark = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence !== undefined || mark !== undefined) {
      if (fence === undefined) paragraphs.push(line);
      else paragraphs.push(`${paragraphs.pop() ?? ''}\n${line}`);
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
      isOpen = false;
    } else if (line.trim() === '') isOpen = false;
    else if (isOpen && !BULLET.test(line) && !line.trimStart().startsWith('|'))
      paragraphs.push(`${paragraphs.pop() ?? ''} ${line.trim()}`);
    else {
      paragraphs.push(line.trim());
      isOpen = true;
    }
  }
  return paragraphs;
}

/** Pairs scenarios by name, as archiving does. Removed scenarios keep their position. */
function pairScenarios(before: Version | undefined, after: Version | undefined): Pair<Scenario>[] {
  const old = before?.requirement.scenarios ?? [];
  // Positions by name in descending order. Searching the list for each of thousands of names would be too slow.
  const places = new Map<string, number[]>();
  for (const [index, { name }] of [...old.entries()].reverse()) {
    const known = places.get(name);
    if (known) known.push(index);
    else places.set(name, [index]);
  }
  const fresh = (after?.requirement.scenarios ?? []).map((scenario) => ({
    scenario,
    place: places.get(scenario.name)?.pop(),
  }));
  const isKept = new Set(fresh.map(({ place }) => place));
  const pairs: Pair<Scenario>[] = [];
  const addGone = (from: number): void => {
    for (let at = from; at < old.length && !isKept.has(at); at++) pairs.push({ before: old[at] as Scenario });
  };
  addGone(0);
  for (const { scenario, place } of fresh) {
    if (place === undefined) pairs.push({ after: scenario });
    else {
      pairs.push({ before: old[place] as Scenario, after: scenario });
      addGone(place + 1);
    }
  }
  return pairs;
}

interface Line {
  keyword?: Keyword;
  text: string;
}

function linesOf(version: Version | undefined, scenario: Scenario | undefined): Line[] {
  if (!version || !scenario) return [];
  const { clauses, notes } = clausesOf(version.source, scenario);
  return [...(notes === '' ? [] : [{ text: notes }]), ...clauses.map(({ keyword, text }) => ({ keyword, text }))];
}

function compareScenarios(
  before: Version | undefined,
  after: Version | undefined,
  pair: Pair<Scenario>,
  effort: Effort,
): ComparedScenario {
  const [old, fresh] = [linesOf(before, pair.before), linesOf(after, pair.after)];
  const clauses = align(old, fresh, ({ keyword, text }) => `${keyword ?? ''} ${text}`, effort).map((lines) => {
    const compared = compareTexts(lines.before?.text, lines.after?.text, effort);
    const keyword = (lines.after ?? lines.before)?.keyword;
    const earlier = lines.before?.keyword;
    const differs = lines.before !== undefined && lines.after !== undefined && earlier !== keyword;
    return {
      ...(keyword === undefined ? {} : { keyword }),
      ...(differs && earlier !== undefined ? { keyword_before: earlier } : {}),
      ...(differs && compared.change === 'same'
        ? { change: 'changed' as const, before: { text: lines.before?.text ?? '', marks: [] }, after: compared.after }
        : compared),
    } as ComparedClause;
  });
  const change = !pair.before
    ? 'added'
    : !pair.after
      ? 'removed'
      : clauses.some((clause) => clause.change !== 'same')
        ? 'changed'
        : 'same';
  return { name: (pair.after ?? pair.before)?.name ?? '', change, clauses };
}

const STEPS_TO_SEGMENT = 20;

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

function sentencesOf(text: string): string[] {
  return Array.from(SENTENCES.segment(text), ({ segment }) => segment.trim().replace(/\s+/gu, ' ')).filter(Boolean);
}

type Tally = Record<Exclude<Comparison, 'same'>, Map<string, number>>;

function summaryOfChange(
  text: readonly ComparedText[],
  scenarios: readonly ComparedScenario[],
  effort: Effort,
): string {
  const tally: Tally = { changed: new Map(), added: new Map(), removed: new Map() };
  const note = (change: keyof Tally, noun: string, number = 1): void => {
    if (number > 0) tally[change].set(noun, (tally[change].get(noun) ?? 0) + number);
  };
  for (const { change, before, after } of text) {
    if (change === 'same') continue;
    const [old, fresh] = [before?.text ?? '', after?.text ?? ''];
    if (!effort.affords(STEPS_TO_BEGIN + STEPS_TO_SEGMENT * (old.length + fresh.length))) {
      note(change, 'paragraph');
      continue;
    }
    const pairs = align(sentencesOf(old), sentencesOf(fresh), (sentence) => sentence, effort);
    for (const pair of pairs) {
      if (pair.before === undefined) note('added', 'sentence');
      else if (pair.after === undefined) note('removed', 'sentence');
      else if (pair.before !== pair.after) note('changed', 'sentence');
    }
  }
  for (const scenario of scenarios) {
    if (scenario.change === 'added' || scenario.change === 'removed') note(scenario.change, 'scenario');
    else for (const { change } of scenario.clauses) if (change !== 'same') note(change, 'clause');
  }
  const parts = (['changed', 'added', 'removed'] as const).flatMap((change) => {
    const nouns = [...tally[change]].map(([noun, number]) => count(number, noun));
    return nouns.length === 0 ? [] : [`${nouns.join(', ')} ${change}`];
  });
  return parts.length === 0 ? 'no word changed' : parts.join(', ');
}

function summaryOfWhole(requirement: Requirement | undefined): string {
  const number = requirement?.scenarios.length ?? 0;
  return number === 0 ? 'no scenarios' : count(number, 'scenario');
}
