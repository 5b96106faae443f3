/**
 * Reads GIVEN, WHEN and THEN from the body of a scenario in any form: bold or not, with or without bullets, in any case, in
 * Chinese or Spanish, several on one line. Other text is added to the clause before it.
 */
import type { Outline } from '../core/headings.ts';

export type Role = 'given' | 'when' | 'then';
export type Keyword = Role | 'and' | 'but';

export interface Clause {
  keyword: Keyword;
  /** AND and BUT take the role of the clause before them. */
  role: Role;
  text: string;
  /** 1-based line in the file. */
  line: number;
}

export interface Clauses {
  clauses: Clause[];
  /** Text before the first clause. */
  notes: string;
}

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ...(['given', '假设', '假如', '给定', '前提', '前置条件', 'dado', 'dada', 'dados', 'dadas'] as const).map(
    (word) => [word, 'given'] as const,
  ),
  ...(['when', '当', '如果', 'cuando'] as const).map((word) => [word, 'when'] as const),
  ...(['then', '那么', '则', '然后', 'entonces'] as const).map((word) => [word, 'then'] as const),
  ...(['and', '并且', '而且', '同时', '以及', '且', '和', 'y', 'e'] as const).map((word) => [word, 'and'] as const),
  ...(['but', '但是', '然而', '但', 'pero'] as const).map((word) => [word, 'but'] as const),
]);

const LATIN = [...KEYWORDS.keys()].filter((word) => /^[a-z]/u.test(word)).join('|');
const HAN = [...KEYWORDS.keys()]
  .filter((word) => !/^[a-z]/u.test(word))
  .sort((a, b) => b.length - a.length)
  .join('|');

const BULLET = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/u;
const EMPHASIS = '\\*{1,3}|_{1,3}|`';
/** `**WHEN** x`, `**When:** x`, `__then__: x`. The emphasis must close right after the word. */
const EMPHASIZED = new RegExp(
  `^(${EMPHASIS})\\s?(${LATIN}|${HAN})\\s?[:：]?\\s?(?:${EMPHASIS})\\s*[:：,，]?\\s*`,
  'iu',
);
const BARE_LATIN = new RegExp(`^(${LATIN})(?:\\s*[:：]|(?=\\s)|$)\\s*`, 'iu');
const BARE_HAN = new RegExp(`^(${HAN})\\s*[:：,，]?\\s*`, 'u');
/** Common words that merely start with a keyword: 当前 is "current", 当然 is "of course". */
const NOT_HAN_KEYWORD = /^(?:当[前然中地局]|和[平谐]|则是)/u;
/** `, **When** b` after a first clause on the same line. */
const INLINE = new RegExp(`[,;，；]?\\s?(?:${EMPHASIS})(?=(?:${LATIN})\\s?:?\\s?(?:${EMPHASIS}))`, 'iu');

interface Opening {
  keyword: Keyword;
  /** Rest of the line after the keyword. */
  rest: string;
  emphasized: boolean;
  shape: 'upper' | 'capital' | 'lower';
}

/** Reads the lines `[from, to)`. */
export function readClauses(outline: Outline, from: number, to: number): Clauses {
  const clauses: Clause[] = [];
  const notes: string[] = [];
  let current: { indent: number; bulleted: boolean } | undefined;

  for (let index = from; index < to; index++) {
    const line = outline.lines[index] ?? '';
    const text = line.trim();
    const last = clauses.at(-1);
    if (text === '' && outline.fenced[index] !== 1) continue;
    if (outline.fenced[index] === 1) {
      if (last) last.text += `\n${line.trimEnd()}`;
      else notes.push(line);
      continue;
    }
    const indent = line.length - line.trimStart().length;
    const bullet = BULLET.exec(text)?.[0] ?? '';
    const opening = openingOf(text.slice(bullet.length));
    if (opening && startsClause(opening, { indent, bulleted: bullet !== '' }, current)) {
      const role = opening.keyword === 'and' || opening.keyword === 'but' ? last?.role : opening.keyword;
      if (role) {
        addClauses(clauses, opening, role, index + 1);
        current = { indent, bulleted: bullet !== '' };
        continue;
      }
    }
    if (!last) notes.push(text);
    else if (bullet === '' && !text.startsWith('|')) last.text += last.text === '' ? text : ` ${text}`;
    else last.text += `\n${line.slice(Math.min(indent, current?.indent ?? 0)).trimEnd()}`;
  }
  return { clauses, notes: notes.join('\n').trim() };
}

function startsClause(
  opening: Opening,
  line: { indent: number; bulleted: boolean },
  current: { indent: number; bulleted: boolean } | undefined,
): boolean {
  if (opening.emphasized || !current) return true;
  // Nested bullets are details of the clause. Wrapped lines often begin with a lowercase "when" or "and".
  const isNested = line.bulleted && line.indent > current.indent;
  const isWrapped = !line.bulleted && current.bulleted;
  if (isNested) return opening.shape === 'upper';
  return !isWrapped || opening.shape !== 'lower';
}

function addClauses(clauses: Clause[], opening: Opening, role: Role, line: number): void {
  let { keyword, rest } = opening;
  let owner = role;
  for (;;) {
    const inline = /[*_`]/u.test(rest) ? INLINE.exec(rest) : undefined;
    const next = inline ? openingOf(rest.slice(inline.index).replace(/^[,;，；]?\s*/u, '')) : undefined;
    if (!inline || !next?.emphasized) break;
    clauses.push({ keyword, role: owner, text: rest.slice(0, inline.index).trim(), line });
    keyword = next.keyword;
    rest = next.rest;
    if (keyword !== 'and' && keyword !== 'but') owner = keyword;
  }
  clauses.push({ keyword, role: owner, text: rest.trim(), line });
}

function openingOf(text: string): Opening | undefined {
  const emphasized = EMPHASIZED.exec(text);
  if (emphasized) return opening(emphasized[2] ?? '', text.slice(emphasized[0].length), true);
  const latin = BARE_LATIN.exec(text);
  if (latin) return opening(latin[1] ?? '', text.slice(latin[0].length), false);
  const han = BARE_HAN.exec(text);
  if (han && !NOT_HAN_KEYWORD.test(text)) return opening(han[1] ?? '', text.slice(han[0].length), false);
  return undefined;
}

function opening(word: string, rest: string, emphasized: boolean): Opening | undefined {
  const lower = word.toLowerCase();
  const keyword = KEYWORDS.get(lower);
  if (!keyword) return undefined;
  const shape = word === lower && /[a-z]/u.test(word) ? 'lower' : word === word.toUpperCase() ? 'upper' : 'capital';
  return { keyword, rest, emphasized, shape };
}

export interface ScenarioClauses {
  given: string[];
  /** WHEN with its ANDs, as one sentence. */
  when: string;
  when_clauses: string[];
  then: string[];
}

export function groupClauses(clauses: readonly Clause[]): ScenarioClauses {
  const of = (role: Role): string[] => clauses.filter((clause) => clause.role === role).map((clause) => clause.text);
  const whenClauses = of('when');
  return { given: of('given'), when: whenClauses.join(' AND '), when_clauses: whenClauses, then: of('then') };
}
