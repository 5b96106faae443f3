/** Headers in the form that most skills have, told from all others by one pattern: a list of ten thousand spends its time elsewhere. */
import type { Diagnostic } from '../core/diagnostics.js';
import { newYamlMap, type YamlMap } from '../core/frontmatter/yaml-value.js';
import { LIMITS } from '../core/limits.js';
import { lineFeeds } from '../core/text.js';
import type { Header } from './parse.js';

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
    String.raw`^---\nname: (${text})\ndescription: (?:(${text})\n|"(${quotedText})"\n|>(-?)\n((?:  ${line}\n)+))` +
      String.raw`((?:${entry}|${key}:\n(?:  ${entry})+)*)---\n`,
  );
}

const ASCII_HEADER = headerPattern('');
const SIMPLE_HEADER = headerPattern(
  String.raw`\u00a1-\u061b\u061d-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffc`,
);
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
 * What most skills have, recognised at once: name, description, perhaps more of the same kind. For all others the general
 * reader decides, and for these it says the same. What follows the header does not matter.
 */
export function readSimpleHeader(text: string): Header | undefined {
  return headerOf(SIMPLE_HEADER.exec(text), text);
}

/** The same for a text whose bytes were taken for characters one by one: recognised only where that is what they are. */
export function readAsciiHeader(text: string): Header | undefined {
  return headerOf(ASCII_HEADER.exec(text), text);
}

function headerOf(match: RegExpExecArray | null, text: string): Header | undefined {
  if (!match) return undefined;
  const description = match[2] ?? match[3] ?? unfolded(match[5]);
  if (description.length > LIMITS.descriptionCharacters.value) return undefined;
  const rest = match[6];
  if (rest !== undefined && rest !== '' && (rest.length > REST_MAX_CHARACTERS || repeatsKey(rest))) return undefined;
  return new SimpleHeader(match[1] ?? '', description, text);
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
  const match = SIMPLE_HEADER.exec(text);
  const [folded, rest = ''] = [match?.[5], match?.[6]];
  const description = match?.[2] ?? match?.[3] ?? unfolded(folded);
  const frontmatter = newYamlMap();
  frontmatter['name'] = match?.[1] ?? '';
  frontmatter['description'] = folded !== undefined && match?.[4] === '' ? `${description}\n` : description;
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
