/** Headers in the form that most skills have, told from all others by one pattern: a list of ten thousand spends its time elsewhere. */
import type { Diagnostic } from '../core/diagnostics.ts';
import { newYamlMap, type YamlMap } from '../core/frontmatter/yaml-value.ts';
import { LIMITS } from '../core/limits.ts';
import { lineFeeds } from '../core/text.ts';
import type { Header } from './parse.ts';

/** The pattern of headers whose words are made of ASCII and of other characters, given as ranges. */
function headerPattern(otherCharacters: string): RegExp {
  const word = String.raw`[!-~${otherCharacters}]`;
  const wordEnd = String.raw`[!-9;-~${otherCharacters}]`;
  const quoted = String.raw`[!#-\[\]-~${otherCharacters}]`;
  // Text as YAML means it and as lists show it: one line of single-spaced words, none of which begins a comment or ends like a
  // key; and not a word of four or five letters that could be true, false or null.
  const text = String.raw`(?![TtFfNn][A-Za-z]{3,4}\n)[A-Za-z](?:${word}*${wordEnd})?(?: (?!#)${word}*${wordEnd})*`;
  // Between double quotes, or folded over indented lines, a colon or a hash is a character like any other.
  const quotedText = String.raw`${quoted}+(?: ${quoted}+)*`;
  const line = String.raw`${word}+(?: ${word}+)*`;
  const key = String.raw`[A-Za-z][\w-]*`;
  const entry = String.raw`${key}: (?:${text}|"${quotedText}")\n`;
  return new RegExp(
    String.raw`---\nname: (${text})\ndescription: (?:(${text})\n|"(${quotedText})"\n|>(-?)\n((?:  ${line}\n)+))` +
      String.raw`((?:${entry}|${key}:\n(?:  ${entry})+)*)---\n`,
    'y',
  );
}

const ASCII_HEADER = headerPattern('');
const SIMPLE_HEADER = headerPattern(
  String.raw`\u00a1-\u061b\u061d-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffc`,
);
const BEFORE_NAME = '---\nname: '.length;
const BEFORE_DESCRIPTION = '\ndescription: '.length;

/** Most headers are no longer; whatever is decoded is kept with the name and the description. */
export const SHORT_HEADER_BYTES = 512;

/** So much is searched for repeated keys pair by pair; the general reader does better with more. */
const REST_MAX_CHARACTERS = 2_000;
const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

/** Name and description; the rest is read when somebody asks for it, which a list does not. */
class SimpleHeader implements Header {
  readonly name: string;
  readonly description: string;
  private readonly text: string;
  private details: Details | undefined;

  constructor(name: string, description: string, text: string) {
    this.name = name;
    this.description = description;
    this.text = text;
  }

  get frontmatter(): YamlMap {
    return (this.details ??= readDetails(this.text)).frontmatter;
  }

  get lines(): ReadonlyMap<string, number> {
    return (this.details ??= readDetails(this.text)).lines;
  }

  get bodyLine(): number {
    return (this.details ??= readDetails(this.text)).bodyLine;
  }

  get diagnostics(): readonly Diagnostic[] {
    return NO_DIAGNOSTICS;
  }
}

/**
 * What most skills have, recognized at once: name, description, perhaps more of the same kind. For all others the general
 * reader decides, and for these it says the same. What follows the header does not matter.
 */
export function readSimpleHeader(text: string): Header | undefined {
  const found = match(SIMPLE_HEADER, text, 0, text.length);
  return found && new SimpleHeader(found.name, found.description, text);
}

/** The same for a text whose bytes were taken for characters one by one: recognized only where that is what they are. */
export function readAsciiHeader(text: string): Header | undefined {
  const found = matchAscii(text, 0, text.length);
  return found && new SimpleHeader(found.name, found.description, text);
}

/** The same for a header that stands somewhere in a text, and ends before `end`. */
export function matchAscii(text: string, start: number, end: number): Match | undefined {
  return match(ASCII_HEADER, text, start, end);
}

/** A header that `matchAscii` has found. */
export function headerAt(
  text: string,
  start: number,
  { name, description }: Pick<Match, 'name' | 'description'>,
): Header {
  return new SimpleHeader(name, description, text.slice(start, start + SHORT_HEADER_BYTES));
}

export interface Match {
  name: string;
  description: string;
  /** Where the description stands in the text; -1 where it is put together from several lines. */
  at: number;
}

function match(pattern: RegExp, text: string, start: number, end: number): Match | undefined {
  pattern.lastIndex = start;
  const groups = pattern.exec(text);
  if (!groups || pattern.lastIndex > end) return undefined;
  const description = groups[2] ?? groups[3] ?? unfolded(groups[5]);
  if (description.length > LIMITS.descriptionCharacters.value) return undefined;
  const rest = groups[6];
  if (rest !== undefined && rest !== '' && (rest.length > REST_MAX_CHARACTERS || repeatsKey(rest))) return undefined;
  const name = groups[1] ?? '';
  const at = start + BEFORE_NAME + name.length + BEFORE_DESCRIPTION;
  return { name, description, at: groups[2] !== undefined ? at : groups[3] !== undefined ? at + 1 : -1 };
}

function unfolded(lines = ''): string {
  return lines.slice(2, -1).replaceAll('\n  ', ' ');
}

function repeatsKey(rest: string): boolean {
  let outer: string[] | undefined;
  let inner: string[] = [];
  for (let at = 0; at < rest.length; at = rest.indexOf('\n', at) + 1) {
    const isInner = rest[at] === ' ';
    const key = rest.slice(isInner ? at + 2 : at, rest.indexOf(':', at));
    if (!isInner) inner = [];
    const keys = isInner ? inner : (outer ??= ['name', 'description']);
    if (keys.includes(key)) return true;
    keys.push(key);
  }
  return false;
}

interface Details {
  frontmatter: YamlMap;
  lines: ReadonlyMap<string, number>;
  bodyLine: number;
}

function readDetails(text: string): Details {
  SIMPLE_HEADER.lastIndex = 0;
  const groups = SIMPLE_HEADER.exec(text);
  const [folded, rest = ''] = [groups?.[5], groups?.[6]];
  const description = groups?.[2] ?? groups?.[3] ?? unfolded(folded);
  const frontmatter = newYamlMap();
  frontmatter['name'] = groups?.[1] ?? '';
  frontmatter['description'] = folded !== undefined && groups?.[4] === '' ? `${description}\n` : description;
  const lines = new Map([
    ['name', 2],
    ['description', 3],
  ]);
  let line = 4 + lineFeeds(folded ?? '');
  let inner = frontmatter;
  for (let at = 0; at < rest.length; line++) {
    const end = rest.indexOf('\n', at);
    const colon = rest.indexOf(':', at);
    const isInner = rest[at] === ' ';
    const map = isInner ? inner : frontmatter;
    const key = rest.slice(isInner ? at + 2 : at, colon);
    if (!isInner) lines.set(key, line);
    if (colon + 1 === end) map[key] = inner = newYamlMap();
    else map[key] = rest[colon + 2] === '"' ? rest.slice(colon + 3, end - 1) : rest.slice(colon + 2, end);
    at = end + 1;
  }
  return { frontmatter, lines, bodyLine: line + 1 };
}
