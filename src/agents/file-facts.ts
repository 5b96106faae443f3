/** Reads the raw content of a `SKILL.md`, before the rules of any agent apply. Nothing is repaired or skipped. */
import { orTrouble } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { type Frontmatter, readPlainFrontmatter } from '../core/frontmatter/plain.ts';
import type { YamlMap } from '../core/frontmatter/yaml-value.ts';
import { LIMITS } from '../core/limits.ts';
import type { Flaw } from './profile.ts';

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
  /** First line for an agent that accepts frontmatter only at the very start. */
  firstLine: string;
  /** False if an `agents/openai.yaml` in the skill folder removes the skill from the list of Codex. */
  implicitForCodex: boolean;
}

/** Enough for nearly every frontmatter and the first line below it. */
const START_BYTES = 8 * 1024;
const start = Buffer.alloc(START_BYTES);

export async function readFacts(tree: FileTree, realFile: string): Promise<FileFacts> {
  const length = orTrouble(() => tree.readStart(realFile, start));
  if (length instanceof FileTrouble) return unreadable(length);
  const isWhole = length < START_BYTES;
  const text = start.toString('utf8', 0, length);
  const read = readPlainFrontmatter(text, { complete: isWhole });
  if (read && (isWhole || text.slice(read.bodyStart).trim() !== '')) return factsOf(text, read);
  return readOddFacts(tree, realFile);
}

/** Reads the whole file with the full YAML parser. */
async function readOddFacts(tree: FileTree, realFile: string): Promise<FileFacts> {
  const read = orTrouble(() => tree.read(realFile, LIMITS.skillFileBytes.value));
  if (read instanceof FileTrouble) return unreadable(read);
  const { readFrontmatter } = await import('../core/frontmatter/read.ts');
  const text = Buffer.from(read.bytes).toString('utf8');
  const frontmatter = readFrontmatter(text);
  // Never undefined for a complete text.
  return frontmatter ? factsOf(text, frontmatter) : unreadable(new FileTrouble('missing', realFile));
}

function unreadable({ reason }: Pick<FileTrouble, 'reason'>): FileFacts {
  return {
    unreadable: reason,
    flaws: new Set(),
    data: {},
    sources: new Map(),
    firstBodyLine: '',
    firstLine: '',
    implicitForCodex: true,
  };
}

/** Content of a project link that leads out of the project, which Lectern does not read. */
export const LEADS_OUT: FileFacts = unreadable({ reason: 'outside' });

function factsOf(text: string, { data, sources, problems, bodyStart }: Frontmatter): FileFacts {
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
  const isPlain = flaws.size === 0 && typeof data['name'] === 'string' && typeof data['description'] === 'string';
  return {
    flaws,
    data,
    sources,
    firstBodyLine: firstLineOf(text.slice(bodyStart)),
    firstLine: firstLineOf(text),
    implicitForCodex: true,
    ...(isPlain ? {} : { lines: linesIn(yaml) }),
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

/** Accepts YAML 1.1 spellings too. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|yes|on|1)$/iu.test(value.trim()));
}
