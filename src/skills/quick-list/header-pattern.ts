/** Matches the common form of a header with one ASCII pattern. */
import type { Diagnostic } from '../../core/diagnostics.ts';
import { newYamlMap, type YamlMap } from '../../core/frontmatter/yaml-value.ts';
import { lineFeeds } from '../../core/text.ts';
import type { Header } from '../parse.ts';

const WORD = String.raw`[!-~]`;
const WORD_END = String.raw`[!-9;-~]`;
const QUOTED_WORD = String.raw`[!#-\[\]-~]`;
// One line of single-spaced words, none of which begins a comment or ends like a key. Excludes a single word of four or five
// letters that could be true, false or null.
const TEXT = String.raw`(?![TtFfNn][A-Za-z]{3,4}\n)[A-Za-z](?:${WORD}*${WORD_END})?(?: (?!#)${WORD}*${WORD_END})*`;
// In double quotes or on folded lines, a colon or a hash has no special meaning.
const QUOTED = String.raw`${QUOTED_WORD}+(?: ${QUOTED_WORD}+)*`;
const LINE = String.raw`${WORD}+(?: ${WORD}+)*`;
const KEY = String.raw`[A-Za-z][\w-]*`;
const ENTRY = String.raw`${KEY}: (?:${TEXT}|"${QUOTED}")\n`;
const HEADER = new RegExp(
  String.raw`---\nname: (${TEXT})\n` +
    String.raw`description: (?:(${TEXT})\n|"(${QUOTED})"\n|>(-?)\n((?:  ${LINE}\n)+))` +
    String.raw`((?:${ENTRY}|${KEY}:\n(?:  ${ENTRY})+)*)---\n`,
  'y',
);

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

/** Parses the header between `start` and `end` in a text of many headers. Undefined if it does not have the common form. */
export function matchHeader(text: string, start: number, end: number): Header | undefined {
  HEADER.lastIndex = start;
  const match = HEADER.exec(text);
  if (!match || HEADER.lastIndex > end) return undefined;
  const [, name = '', plain, quoted, chomp, folded = '', rest = ''] = match;
  const description = plain ?? quoted ?? folded.slice(2, -1).replaceAll('\n  ', ' ');
  const frontmatter = newYamlMap();
  frontmatter['name'] = name;
  frontmatter['description'] = chomp === '' ? `${description}\n` : description;
  const bodyLine = readRest(rest, 4 + lineFeeds(folded), frontmatter);
  if (bodyLine === undefined) return undefined;
  return { name, description, frontmatter, bodyLine, diagnostics: NO_DIAGNOSTICS };
}

/** Adds the entries after the description. Returns the line of the body, or undefined if a key repeats. */
function readRest(rest: string, firstLine: number, frontmatter: YamlMap): number | undefined {
  let line = firstLine;
  let inner = frontmatter;
  for (let at = 0; at < rest.length; line++) {
    const end = rest.indexOf('\n', at);
    const colon = rest.indexOf(':', at);
    const isInner = rest[at] === ' ';
    const map = isInner ? inner : frontmatter;
    const key = rest.slice(isInner ? at + 2 : at, colon);
    if (key in map) return undefined;
    if (colon + 1 === end) map[key] = inner = newYamlMap();
    else map[key] = rest[colon + 2] === '"' ? rest.slice(colon + 3, end - 1) : rest.slice(colon + 2, end);
    at = end + 1;
  }
  return line + 1;
}
