/** Reads YAML with the library. Data only: no tag runs code, and length, aliases and depth are bounded. */
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { LIMITS } from '../limits.ts';
import type { YamlMap, YamlValue } from './yaml-value.ts';

export interface YamlProblem {
  kind: 'syntax' | 'too-deep' | 'too-big' | 'duplicate-key' | 'tag' | 'alias' | 'not-a-map';
  /** 0-based line within the YAML. */
  line: number;
  message: string;
}

export interface FullYaml {
  data: YamlMap;
  lines: Map<string, number>;
  sources: Map<string, string>;
  problems: YamlProblem[];
}

/** Never throws. With a problem of kind `syntax`, `too-deep` or `too-big`, the data is empty. */
export function readFullYaml(yaml: string): FullYaml {
  const { value: max } = LIMITS.yamlBytes;
  if (yaml.length > max || Buffer.byteLength(yaml) > max)
    return empty({ kind: 'too-big', line: 0, message: `is longer than ${max} bytes` });
  const deep = tooDeepAt(yaml);
  if (deep !== undefined)
    return empty({
      kind: 'too-deep',
      line: deep,
      message: `nested deeper than ${LIMITS.frontmatterDepth.value} levels`,
    });

  const lineCounter = new LineCounter();
  const document = parseYaml(yaml, lineCounter);
  if (!('errors' in document)) return empty(document);
  const lineAt: LineAt = (offset) => Math.max(0, lineCounter.linePos(offset ?? 0).line - 1);
  const [error] = document.errors;
  if (error) return empty({ kind: 'syntax', line: lineAt(error.pos[0]), message: firstSentence(error) });

  const problems: YamlProblem[] = document.warnings.map((warning) => ({
    kind: 'tag',
    line: lineAt(warning.pos[0]),
    message: firstSentence(warning),
  }));
  const { contents } = document;
  if (contents === null) return emptyWith(problems);
  if (!isMap(contents))
    return empty({
      kind: 'not-a-map',
      line: lineAt(contents.range?.[0]),
      message: 'is not a list of "key: value" lines',
    });
  try {
    return readMap(contents, problems, lineAt);
  } catch (trouble) {
    if (!(trouble instanceof TooBig)) throw trouble;
    return empty({ kind: trouble.kind, line: 0, message: trouble.message });
  }
}

/** Returns the line of an offset, or of the beginning. */
type LineAt = (offset: number | undefined) => number;

function empty(problem: YamlProblem): FullYaml {
  return emptyWith([problem]);
}

function emptyWith(problems: YamlProblem[]): FullYaml {
  return { data: Object.create(null) as YamlMap, lines: new Map(), sources: new Map(), problems };
}

/** Never throws. The caller checks the size and the depth first. */
export function parseYaml(yaml: string, lineCounter: LineCounter): ReturnType<typeof parseDocument> | YamlProblem {
  const { stackTraceLimit } = Error;
  try {
    // The library collects every error of the text. Thousands of unused stack traces would take seconds.
    Error.stackTraceLimit = 0;
    return parseDocument(yaml, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      strict: true,
      logLevel: 'silent',
      lineCounter,
      stringKeys: false,
    });
  } catch (error) {
    // A stack overflow, or a bug in the library. It must not affect other skills.
    return { kind: 'syntax', line: 0, message: error instanceof Error ? error.message : 'cannot be parsed' };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Adds to `problems`. Throws `TooBig`. */
function readMap({ items }: YAMLMap, problems: YamlProblem[], lineAt: LineAt): FullYaml {
  const data: YamlMap = Object.create(null) as YamlMap;
  const lines = new Map<string, number>();
  const sources = new Map<string, string>();
  const reading: Reading = { anchors: new Map(), nodesLeft: LIMITS.frontmatterNodes.value, strayAlias: undefined };
  for (const pair of items) {
    const key = keyText(pair.key);
    const line = lineAt(isNodeWithRange(pair.key) ? pair.key.range?.[0] : undefined);
    if (lines.has(key))
      problems.push({ kind: 'duplicate-key', line, message: `"${key}" occurs twice; the last one counts` });
    lines.set(key, line);
    sources.delete(key);
    data[key] = plainValue(pair.value, reading, 0);
    if (isScalar(pair.value) && typeof pair.value.value !== 'string') sources.set(key, pair.value.source ?? '');
  }
  const { strayAlias } = reading;
  if (strayAlias) {
    problems.push({
      kind: 'alias',
      line: lineAt(strayAlias.range?.[0]),
      message: `uses *${strayAlias.source}, which is not defined; it was read as text`,
    });
  }
  return { data, lines, sources, problems };
}

interface Reading {
  anchors: Map<string, Node>;
  nodesLeft: number;
  /** The first undefined alias. Usually it is a pattern, such as `*.ts` in a list. */
  strayAlias: Alias | undefined;
}

class TooBig extends Error {
  readonly kind: 'too-big' | 'too-deep';
  constructor(kind: 'too-big' | 'too-deep', message: string) {
    super(message);
    this.kind = kind;
  }
}

function plainValue(node: unknown, reading: Reading, depth: number): YamlValue {
  reading.nodesLeft -= 1;
  if (reading.nodesLeft < 0)
    throw new TooBig('too-big', `has more than ${LIMITS.frontmatterNodes.value} values after its aliases are expanded`);
  if (depth > LIMITS.frontmatterDepth.value)
    throw new TooBig('too-deep', `nested deeper than ${LIMITS.frontmatterDepth.value} levels`);
  if (isAlias(node)) {
    const target = reading.anchors.get(node.source);
    if (target) return plainValue(target, reading, depth + 1);
    reading.strayAlias ??= node;
    return `*${node.source}`;
  }
  if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined)
    reading.anchors.set(node.anchor, node);
  if (isScalar(node)) return scalarValue(node.value, node.source);
  if (isSeq(node)) return node.items.map((item) => plainValue(item, reading, depth + 1));
  if (isMap(node)) {
    const map: YamlMap = Object.create(null) as YamlMap;
    for (const pair of node.items) map[keyText(pair.key)] = plainValue(pair.value, reading, depth + 1);
    return map;
  }
  return null;
}

function scalarValue(value: unknown, source: string | undefined): YamlValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  // JSON has no infinities, so the source text is kept.
  if (typeof value === 'number') return Number.isFinite(value) ? value : (source ?? null);
  return source ?? null;
}

function keyText(key: unknown): string {
  if (isScalar(key)) return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
  return '?';
}

function isNodeWithRange(node: unknown): node is { range?: [number, number, number] | null } {
  return typeof node === 'object' && node !== null && 'range' in node;
}

export function firstSentence(error: YAMLError): string {
  return error.message.split('\n', 1)[0] ?? error.message;
}

/**
 * A cheap check before the recursive parser runs. Returns the line where brackets, or the dashes, question marks and colons of
 * one entry, are nested too deeply. Text quoted on one line does not count, and a comma between brackets starts a new entry.
 */
export function tooDeepAt(yaml: string): number | undefined {
  const max = LIMITS.frontmatterDepth.value;
  let open = 0;
  let line = 0;
  let starters = 0;
  for (let index = 0; index < yaml.length; index++) {
    const character = yaml[index];
    if (character === '\n') {
      line += 1;
      starters = 0;
    } else if (character === '[' || character === '{') {
      open += 1;
    } else if (character === ']' || character === '}') {
      open = Math.max(0, open - 1);
    } else if (character === ',' && open > 0) {
      starters = 0;
    } else if ((character === '"' || character === "'") && startsValue(yaml[index - 1])) {
      index = endOfQuote(yaml, index, character);
    } else if (
      (character === '-' || character === '?' || character === ':') &&
      (yaml[index + 1] === ' ' || yaml[index + 1] === '\t')
    ) {
      starters += 1;
    }
    if (open > max || starters > 4 * max) return line;
  }
  return undefined;
}

function startsValue(before: string | undefined): boolean {
  return before === undefined || ' \t\n[{,:'.includes(before);
}

/** Returns the end of a quoted text. Text that does not end on its line is not treated as quoted. */
function endOfQuote(yaml: string, start: number, quote: string): number {
  for (let index = start + 1; index < yaml.length && yaml[index] !== '\n'; index++) {
    if (yaml[index] === quote) return index;
    if (yaml[index] === '\\' && quote === '"') index += 1;
  }
  return start;
}
