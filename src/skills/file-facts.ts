/**
 * Facts about a `SKILL.md` that agents judge differently. The catalog repairs or skips a file with flaws, the agents have rules
 * of their own. Both use the same header, which is read once.
 */
import type { FileTrouble } from '../core/disk/tree.ts';
import type { Frontmatter } from '../core/frontmatter/plain.ts';
import type { YamlMap } from '../core/frontmatter/yaml-value.ts';

export const FLAWS = [
  'byte-order-mark',
  'blank-before-fence',
  'no-fence',
  'unclosed-fence',
  'repeated-key',
  'repeated-other',
  'tab',
  'fence-text',
  'fence-blank',
  'colon',
  'end-colon',
  'reserved-start',
  'odd-start',
  'quotes',
  'number',
  'list',
  'map',
  'tag',
  'other-key',
  'other-yaml',
] as const;
/** Problem with the frontmatter of a file. */
export type Flaw = (typeof FLAWS)[number];

export interface FileFacts {
  /** Reason why the file cannot be read. */
  unreadable?: FileTrouble['reason'];
  flaws: ReadonlySet<Flaw>;
  /** Frontmatter keys. Empty without frontmatter. */
  data: YamlMap;
  /** Source text of values that are not strings. */
  sources: ReadonlyMap<string, string>;
  /** Name and description read line by line, for a file that is not plain YAML with strings for both. */
  lines?: { name?: string; description?: string };
  /** The first line with text below the frontmatter, without heading marks. */
  firstBodyLine: string;
  /** The first paragraph below the frontmatter that is not a heading. */
  firstParagraph: string;
  /** First line for an agent that accepts frontmatter only at the very start. */
  firstLine: string;
}

/** Facts about a file with plain frontmatter. No agent looks at its body to list it. */
function plainFacts(data: YamlMap): FileFacts {
  return { flaws: NO_FLAWS, data, sources: NO_SOURCES, firstBodyLine: '', firstParagraph: '', firstLine: '' };
}

const NO_FLAWS: ReadonlySet<Flaw> = new Set();
const NO_SOURCES: ReadonlyMap<string, string> = new Map();

export function unreadableFacts(reason: FileTrouble['reason']): FileFacts {
  return { ...plainFacts({}), unreadable: reason };
}

/** Content of a project link that leads out of the project, which Lectern does not read. */
export const LEADS_OUT: FileFacts = unreadableFacts('outside');

/** Returns the facts about the file of a header. */
export function factsOf({ facts, frontmatter }: { facts?: FileFacts; frontmatter: YamlMap }): FileFacts {
  return facts ?? plainFacts(frontmatter);
}

/**
 * Whether all agents read the frontmatter alike, as far as that can be determined without the body: bare fences, valid YAML, and text for
 * the name and the description. This is the common case, so it is checked without regular expressions.
 */
export function isPlain(head: string, { data, problems }: Frontmatter): boolean {
  const { name, description } = data;
  return (
    problems.length === 0 &&
    typeof name === 'string' &&
    typeof description === 'string' &&
    description.trim() !== '' &&
    head.startsWith('---\n') &&
    head.endsWith('\n---\n') &&
    !head.includes('\n...') &&
    !head.includes('\t')
  );
}

/** Whether a text that may be cut off contains the first line and the first paragraph of its body, as far as agents show them. */
export function hasFirstParagraph(text: string, bodyStart: number): boolean {
  return paragraphIn(text.slice(bodyStart)).isWhole;
}

/** More than agents show of a paragraph, even with a heading before it. */
const FIRST_PARAGRAPH_CHARACTERS = 2_000;

function paragraphIn(body: string): { text: string; isWhole: boolean } {
  const found: string[] = [];
  const lines = body.slice(0, FIRST_PARAGRAPH_CHARACTERS).split('\n');
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (text !== '' && !/^#+\s/u.test(text)) found.push(text);
    // The last line may continue behind the end of the text.
    else if (found.length > 0 && index < lines.length - 1) return { text: found.join('\n'), isWhole: true };
  }
  return { text: found.join('\n'), isWhole: body.length > FIRST_PARAGRAPH_CHARACTERS };
}

export function readFacts(text: string, { data, sources, problems, bodyStart }: Frontmatter): FileFacts {
  const flaws = new Set<Flaw>();
  if (text.charCodeAt(0) === 0xfeff) flaws.add('byte-order-mark');
  const yaml = text.slice(0, bodyStart);
  // No agent accepts dots as the closing fence.
  if (/^\.\.\.\s*$/mu.test(yaml) && !/^---\s*$/mu.test(yaml.slice(4))) flaws.add('unclosed-fence');
  const [, after = ''] = /^\ufeff?---([^\r\n]*)/u.exec(text) ?? [];
  if (after !== '') flaws.add(after.trim() === '' ? 'fence-blank' : 'fence-text');
  for (const { kind } of problems) {
    if (kind === 'missing' || kind === 'empty') flaws.add('no-fence');
    else if (kind === 'unclosed' || kind === 'only-fence' || kind === 'too-large') flaws.add('unclosed-fence');
    else if (kind === 'leading-blank') flaws.add('blank-before-fence');
    else if (kind === 'duplicate-key') flaws.add(repeatsOwnKey(yaml) ? 'repeated-key' : 'repeated-other');
    else if (kind === 'tag') flaws.add('tag');
    else for (const flaw of yamlFlaws(yaml)) flaws.add(flaw);
  }
  if (/^ *\t/mu.test(yaml)) flaws.add('tab');
  for (const key of ['name', 'description']) {
    const value = data[key];
    if (typeof value === 'number' || typeof value === 'boolean') flaws.add('number');
    if (typeof value === 'object' && value !== null) flaws.add(Array.isArray(value) ? 'list' : 'map');
  }
  const isText = flaws.size === 0 && typeof data['name'] === 'string' && typeof data['description'] === 'string';
  return {
    flaws,
    data,
    sources,
    firstBodyLine: firstLineOf(text.slice(bodyStart)),
    firstParagraph: paragraphIn(text.slice(bodyStart)).text,
    firstLine: firstLineOf(text),
    ...(isText ? {} : { lines: linesIn(yaml) }),
  };
}

/** Reads invalid YAML like Gemini CLI: the rest of the line, and the indented lines below a description. */
function linesIn(yaml: string): { name?: string; description?: string } {
  const found: { name?: string; description?: string } = {};
  const lines = yaml.split(/\r?\n/u);
  for (let index = 0; index < lines.length; index++) {
    const [, key, value = ''] = /^\s*(name|description):\s*(\S.*)?$/u.exec(lines[index] ?? '') ?? [];
    if (key === 'name') found.name = value.trim();
    if (key !== 'description') continue;
    const parts = [value.trim()];
    while (/^[ \t]+\S/u.test(lines[index + 1] ?? '')) parts.push((lines[++index] ?? '').trim());
    found.description = parts.filter(Boolean).join(' ');
  }
  return found;
}

function repeatsOwnKey(yaml: string): boolean {
  const keys = Array.from(yaml.matchAll(/^(name|description)\s*:/gmu), ([, key]) => key);
  return new Set(keys).size < keys.length;
}

/** Classifies YAML errors that agents treat differently. */
function yamlFlaws(yaml: string): Flaw[] {
  const found = new Set<Flaw>();
  for (const [, key = '', written = ''] of yaml.matchAll(/^([A-Za-z_][\w.-]*):[ \t]+([^ \t\r\n].*)$/gmu)) {
    const flaw = valueFlaw(written.trim());
    if (flaw) found.add(flaw === 'colon' || key === 'name' || key === 'description' ? flaw : 'other-key');
  }
  if (found.size > 0) return [...found];
  return /^ *\t/mu.test(yaml) ? ['tab'] : ['other-yaml'];
}

function valueFlaw(value: string): Flaw | undefined {
  if (/^["']/u.test(value))
    return /^(?:"(?:[^"\\]|\\[^q])*"|'(?:[^']|'')*')\s*(?:#.*)?$/u.test(value) ? undefined : 'quotes';
  if (isFlow(value) || /^[|>][+-]?\d?[+-]?\s*(?:#.*)?$/u.test(value)) return undefined;
  if (/^[[{]/u.test(value)) return 'reserved-start';
  if (value.includes(': ')) return 'colon';
  if (/^[@`]/u.test(value)) return 'reserved-start';
  if (/^[%*|>,]/u.test(value)) return 'odd-start';
  return value.endsWith(':') ? 'end-colon' : undefined;
}

/** Whether the value is `[…]` or `{…}`, possibly followed by a comment. */
function isFlow(value: string): boolean {
  if (value.startsWith('[')) return /\]\s*(?:#|$)/u.test(value);
  return value.startsWith('{') && /\}\s*(?:#|$)/u.test(value);
}

function firstLineOf(body: string): string {
  const line = /^[ \t]*(\S.*)$/mu.exec(body.replace(/^\ufeff/u, ''))?.[1] ?? '';
  const text = line.trim().replace(/^#+\s+(?=\S)/u, '');
  // Cut like in Claude Code, the only agent that shows this line.
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}

/** Returns the text for a key, or undefined if it is missing or not text. */
export function valueOf({ data, sources }: FileFacts, key: string): string | undefined {
  const value = data[key];
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return sources.get(key) ?? String(value);
  return undefined;
}
