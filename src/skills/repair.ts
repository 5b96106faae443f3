/**
 * Repairs the frontmatter of a SKILL.md without changing its meaning: after a repair, the name, the description, all other keys
 * and the body are the same as those that the lenient reader returned before. Pure: texts in, texts out.
 */
import type { Rule } from '../core/diagnostics.ts';
import { closeFence } from '../core/frontmatter/close-fence.ts';
import type { Frontmatter } from '../core/frontmatter/plain.ts';
import { readFrontmatter } from '../core/frontmatter/read.ts';
import { quotedYaml, quoteValues, repairLines } from '../core/frontmatter/repair-lines.ts';
import { splitFrontmatter } from '../core/frontmatter/split.ts';
import * as codes from './codes.ts';
import { type ParsedHeader, parseHeader } from './parse.ts';
import { nameAsYaml } from './valid-name.ts';

export interface Repair {
  code: string;
  before: string;
  after: string;
}

export interface Repairs {
  /** In the order in which they are applied. Each starts with the result of the one before. */
  repairs: Repair[];
  /** Problems of the same kinds that have no safe repair. */
  refused: { code: string; reason: string }[];
}

/** A text and everything that is read from it. */
interface Parsed {
  text: string;
  header: ParsedHeader;
  read: Frontmatter;
}

interface Step {
  rule: Rule;
  /** Whether the text has the problem. */
  applies(parsed: Parsed): boolean;
  /** Returns the possible results, best first. The first one that keeps the meaning is taken. */
  candidates(parsed: Parsed): (string | undefined)[];
  isSame: (before: Parsed, after: Parsed) => boolean;
  reason: string;
}

const GUESS = 'a repair would have to guess the meaning';

/** In this order, a repair never reveals a problem that an earlier step would have repaired. */
const STEPS: readonly Step[] = [
  {
    rule: codes.frontmatterUnclosed,
    applies: (parsed) => hasCode(parsed, codes.frontmatterUnclosed),
    candidates: ({ text }) => [closeFence(text)],
    isSame: (_, after) => !hasCode(after, codes.frontmatterSalvaged) && after.header.description !== undefined,
    reason: 'it is not clear where the frontmatter ends',
  },
  {
    rule: codes.byteOrderMark,
    applies: (parsed) => hasCode(parsed, codes.byteOrderMark),
    candidates: ({ text }) => [text.slice(1)],
    isSame,
    reason: GUESS,
  },
  {
    rule: codes.frontmatterLate,
    applies: (parsed) => hasCode(parsed, codes.frontmatterLate),
    candidates: ({ text }) => [text.slice(text.lastIndexOf('\n', text.search(/\S/u)) + 1)],
    isSame,
    reason: GUESS,
  },
  ...[codes.frontmatterSalvaged, codes.frontmatterRepaired].map((rule): Step => ({
    rule,
    applies: (parsed) => hasCode(parsed, rule),
    candidates: ({ text }) => [
      inYaml(text, (yaml) => quoteValues(yaml, { nested: false })),
      inYaml(text, (yaml) => quoteValues(yaml, { nested: true })),
      inYaml(text, repairLines),
    ],
    // Salvaging keeps only two keys, so the others cannot be compared.
    isSame: rule === codes.frontmatterSalvaged ? hasSameTexts : isSame,
    reason: GUESS,
  })),
  {
    rule: codes.valueType,
    // A list or a map has no single text to quote.
    applies: (parsed) => unquotedKeys(parsed).length > 0,
    candidates: (parsed) => [
      unquotedKeys(parsed).reduce(
        (text, { key, source }) => withValue(text, parsed.header.lines.get(key), quotedYaml(source)),
        parsed.text,
      ),
    ],
    isSame: hasSameTexts,
    reason: 'the value is not on the line of its key',
  },
];

/** Finds all repairs of a file. */
export function repairsOf(text: string): Repairs {
  const repairs: Repair[] = [];
  const refused: Repairs['refused'] = [];
  let current = parse(text);
  for (const { rule, applies, candidates, isSame: keepsMeaning, reason } of STEPS) {
    if (!applies(current)) continue;
    const before = current;
    let found: Parsed | undefined;
    for (const candidate of candidates(before)) {
      if (candidate === undefined || candidate === before.text) continue;
      const after = parse(candidate);
      if (applies(after) || !keepsMeaning(before, after)) continue;
      found = after;
      break;
    }
    if (!found) {
      refused.push({ code: rule.code, reason });
      continue;
    }
    repairs.push({ code: rule.code, before: before.text, after: found.text });
    current = found;
  }
  return { repairs, refused };
}

/** Sets the name in the header. Returns undefined if the name is not on the line of its key. */
export function withName(text: string, name: string): string | undefined {
  const before = parse(text);
  const after = parse(withValue(text, before.header.lines.get('name'), nameAsYaml(name)));
  const others = ({ read: { data } }: Parsed): string => JSON.stringify({ ...data, name: undefined });
  const isKept = others(before) === others(after) && bodyIn(before) === bodyIn(after);
  return isKept && after.header.name === name ? after.text : undefined;
}

/** Replaces the value that is written on a line, and keeps a comment behind it. */
function withValue(text: string, line: number | undefined, value: string): string {
  const rows = text.split('\n');
  const row = line === undefined ? undefined : rows[line - 1];
  if (line === undefined || row === undefined) return text;
  const start = row.slice(0, row.indexOf(':') + 1);
  const rest = row.slice(start.length).trim();
  const quote = /^["']/u.exec(rest)?.[0];
  const after = quote === undefined ? rest : rest.slice(rest.lastIndexOf(quote) + 1);
  const comment = after.search(/[ \t]#/u);
  const end = (comment === -1 ? '' : after.slice(comment)) + (row.endsWith('\r') ? '\r' : '');
  rows[line - 1] = `${start} ${value}${end}`;
  return rows.join('\n');
}

/** Names and descriptions that are read as another type than text, with their source. */
function unquotedKeys({ read: { data, sources } }: Parsed): { key: string; source: string }[] {
  return ['name', 'description'].flatMap((key) => {
    const source = typeof data[key] === 'number' || typeof data[key] === 'boolean' ? sources.get(key) : undefined;
    return source === undefined ? [] : [{ key, source }];
  });
}

function inYaml(text: string, map: (yaml: string) => string): string | undefined {
  const split = splitFrontmatter(text, { complete: true });
  if (split.kind !== 'found') return undefined;
  const { yaml, yamlStart } = split;
  return text.slice(0, yamlStart) + map(yaml) + text.slice(yamlStart + yaml.length);
}

/** Whether every key and the body are read as before. */
function isSame(before: Parsed, after: Parsed): boolean {
  return hasSameTexts(before, after) && JSON.stringify(before.read.data) === JSON.stringify(after.read.data);
}

/** Whether the name, the description and the body are read as before. */
function hasSameTexts(before: Parsed, after: Parsed): boolean {
  return (
    before.header.name === after.header.name &&
    before.header.description === after.header.description &&
    bodyIn(before) === bodyIn(after)
  );
}

function bodyIn({ text, read: { bodyStart } }: Parsed): string {
  return text.slice(bodyStart);
}

function hasCode({ header }: Parsed, { code }: Rule): boolean {
  return header.diagnostics.some((diagnostic) => diagnostic.code === code);
}

function parse(text: string): Parsed {
  let read: Frontmatter | undefined;
  const header = parseHeader('', Buffer.from(text), {
    complete: true,
    read: (head, options) => (read = readFrontmatter(head, options)),
  });
  if (!header || !read) throw new Error('a complete text is always parsed');
  return { text, header, read };
}
