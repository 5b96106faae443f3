/** Headers in the form that most skills have, told from all others by one pattern: a list of ten thousand spends its time elsewhere. */
import type { Diagnostic } from '../core/diagnostics.js';
import { newYamlMap, type YamlMap } from '../core/frontmatter/yaml-value.js';
import { LIMITS } from '../core/limits.js';
import { lineFeeds } from '../core/text.js';
import type { Header } from './parse.js';

/** Text as YAML means it and as lists show it: one line of single-spaced words, none of which begins a comment or ends like a key. */
const WORD = String.raw`[!-~\u00a1-\u061b\u061d-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffc]`;
const WORD_END = WORD.replace('!-~', '!-9;-~');
/** Not a word of four or five letters that could be true, false or null. */
const SIMPLE_TEXT = String.raw`(?![TtFfNn][A-Za-z]{3,4}\n)[A-Za-z](?:${WORD}*${WORD_END})?(?: (?!#)${WORD}*${WORD_END})*`;
/** Between double quotes, or folded over indented lines, a colon or a hash is a character like any other. */
const LINE_OF_WORDS = String.raw`${WORD}+(?: ${WORD}+)*`;
const QUOTED_TEXT = LINE_OF_WORDS.replaceAll('!-~', String.raw`!#-\[\]-~`);
const SIMPLE_KEY = String.raw`[A-Za-z][\w-]*`;
const SIMPLE_ENTRY = String.raw`${SIMPLE_KEY}: (?:${SIMPLE_TEXT}|"${QUOTED_TEXT}")\n`;
const SIMPLE_HEADER = new RegExp(
  String.raw`^---\nname: (${SIMPLE_TEXT})\ndescription: (?:(${SIMPLE_TEXT})\n|"(${QUOTED_TEXT})"\n|>(-?)\n((?:  ${LINE_OF_WORDS}\n)+))` +
    String.raw`((?:${SIMPLE_ENTRY}|${SIMPLE_KEY}:\n(?:  ${SIMPLE_ENTRY})+)*)---\n$`,
);
const SIMPLE_LINES: ReadonlyMap<string, number> = new Map([
  ['name', 2],
  ['description', 3],
]);
const SIMPLE_BODY_LINE = 5;
const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

/**
 * What most skills have, recognised at once: name, description, perhaps more of the same kind. For all others the general
 * reader decides, and for these it says the same.
 */
export function readSimpleHeader(head: string): Header | undefined {
  const match = SIMPLE_HEADER.exec(head);
  if (!match) return undefined;
  const [name, folded, rest] = [match[1] ?? '', match[5], match[6] ?? ''];
  const description = match[2] ?? match[3] ?? (folded ?? '').slice(2, -1).replaceAll('\n  ', ' ');
  if (description.length > LIMITS.descriptionCharacters.value) return undefined;
  const frontmatter = newYamlMap();
  frontmatter['name'] = name;
  frontmatter['description'] = folded !== undefined && match[4] === '' ? `${description}\n` : description;
  const header: Header = { name, description, frontmatter, lines: SIMPLE_LINES, bodyLine: SIMPLE_BODY_LINE, diagnostics: NO_DIAGNOSTICS };
  if (folded !== undefined) header.bodyLine += lineFeeds(folded);
  return rest === '' ? header : withOtherLines(header, rest);
}

const SPACE = ' ';

function withOtherLines(header: Header, rest: string): Header | undefined {
  const lines = new Map(SIMPLE_LINES);
  let line = header.bodyLine - 1;
  let inner: YamlMap | undefined;
  for (let at = 0; at < rest.length; line++) {
    const end = rest.indexOf('\n', at);
    const colon = rest.indexOf(':', at);
    const isInner = rest[at] === SPACE;
    const map: YamlMap = isInner && inner ? inner : header.frontmatter;
    const key = rest.slice(isInner ? at + 2 : at, colon);
    if (key in map) return undefined;
    if (!isInner) lines.set(key, line);
    if (colon + 1 === end) map[key] = inner = newYamlMap();
    else map[key] = rest[colon + 2] === '"' ? rest.slice(colon + 3, end - 1) : rest.slice(colon + 2, end);
    at = end + 1;
  }
  header.lines = lines;
  header.bodyLine = line + 1;
  return header;
}
