/** The raw facts of a `SKILL.md`: what is written there, before any agent's rules. Nothing is repaired or skipped. */
import { orTrouble } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { type Frontmatter, readPlainFrontmatter } from '../core/frontmatter/plain.ts';
import type { YamlMap } from '../core/frontmatter/yaml-value.ts';
import { LIMITS } from '../core/limits.ts';
import type { Flaw } from './profile.ts';

export interface FileFacts {
  /** Why it cannot be read. */
  unreadable?: FileTrouble['reason'];
  flaws: ReadonlySet<Flaw>;
  /** The keys of the frontmatter; empty if there is none. */
  data: YamlMap;
  /** What is written for values that are not text. */
  sources: ReadonlyMap<string, string>;
  /** The first line with text below the frontmatter, without heading marks. */
  firstBodyLine: string;
  /** The same for an agent that takes frontmatter only at the very start. */
  firstLine: string;
  /** `agents/openai.yaml` beside it takes it out of the list of Codex. */
  implicitForCodex: boolean;
}

/** Enough for nearly every header and the first line below it. */
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

/** The whole file, with the full YAML reader. */
async function readOddFacts(tree: FileTree, realFile: string): Promise<FileFacts> {
  const read = orTrouble(() => tree.read(realFile, LIMITS.skillFileBytes.value));
  if (read instanceof FileTrouble) return unreadable(read);
  const { readFrontmatter } = await import('../core/frontmatter/read.ts');
  const text = Buffer.from(read.bytes).toString('utf8');
  const frontmatter = readFrontmatter(text);
  // A whole text is always read.
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

/** A link of a project that leads out of it: Lectern does not read there. */
export const LEADS_OUT: FileFacts = unreadable({ reason: 'outside' });

function factsOf(text: string, { data, sources, problems, bodyStart }: Frontmatter): FileFacts {
  const flaws = new Set<Flaw>();
  if (text.charCodeAt(0) === 0xfeff) flaws.add('byte-order-mark');
  const yaml = text.slice(0, bodyStart);
  for (const { kind } of problems) {
    if (kind === 'missing' || kind === 'empty') flaws.add('no-fence');
    else if (kind === 'unclosed' || kind === 'only-fence' || kind === 'too-large') flaws.add('unclosed-fence');
    else if (kind === 'leading-blank') flaws.add('blank-before-fence');
    else if (kind === 'duplicate-key') flaws.add('repeated-key');
    else for (const flaw of yamlFlaws(yaml)) flaws.add(flaw);
  }
  if (/^ *\t/mu.test(yaml)) flaws.add('tab');
  for (const key of ['name', 'description']) {
    const value = data[key];
    if (typeof value === 'number' || typeof value === 'boolean') flaws.add('number');
    if (typeof value === 'object' && value !== null) flaws.add('list');
  }
  return {
    flaws,
    data,
    sources,
    firstBodyLine: firstLineOf(text.slice(bodyStart)),
    firstLine: firstLineOf(text),
    implicitForCodex: true,
  };
}

/** Which of the repairs that agents make the YAML needs. */
function yamlFlaws(yaml: string): Flaw[] {
  const values = [...yaml.matchAll(/^[A-Za-z_][\w.-]*:[ \t]+(.+)$/gmu)].map(([, value = '']) => value.trim());
  const bare = values.filter((value) => !/^["'|>]/u.test(value));
  const found: Flaw[] = [];
  if (bare.some((value) => value.includes(': '))) found.push('colon');
  if (bare.some((value) => value.startsWith('@'))) found.push('at-sign');
  return found.length === 0 ? ['other-yaml'] : found;
}

function firstLineOf(body: string): string {
  const line = /^[ \t]*(\S.*)$/mu.exec(body.replace(/^\ufeff/u, ''))?.[1] ?? '';
  return line.replace(/^#+\s+/u, '').trim();
}

/** Text for one of the two keys that every agent reads; undefined if there is none, or none that is text. */
export function valueOf({ data, sources }: FileFacts, key: string): string | undefined {
  const value = data[key];
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return sources.get(key) ?? String(value);
  return undefined;
}

/** YAML 1.1 spellings count too. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|yes|on|1)$/iu.test(value.trim()));
}
