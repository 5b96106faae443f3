/** Reads a YAML file with the line of every value, and changes an item of a list without touching the comments around it. */
import { Document, isCollection, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { firstSentence, parseYaml, tooDeepAt } from './full-yaml.ts';

/** A value with its place. Aliases and tagged values have no value. */
export interface YamlNode {
  /** 1-based. */
  line: number;
  scalar?: string | number | boolean | null;
  items?: YamlNode[];
  entries?: { key: string; line: number; value: YamlNode }[];
}

export interface YamlProblemAt {
  line: number;
  message: string;
}

/** Values beyond this number are not read: a file of saved requests has far fewer. */
const MAX_NODES = 20_000;

/** The caller limits the size. Never throws. */
export function readYamlNodes(yaml: string): YamlNode | YamlProblemAt {
  const deep = tooDeepAt(yaml);
  if (deep !== undefined) return { line: deep + 1, message: 'is nested too deeply' };
  const lines = new LineCounter();
  const document = parseYaml(yaml, lines);
  if (!('errors' in document)) return { line: document.line + 1, message: document.message };
  const [error] = document.errors;
  if (error) return { line: lines.linePos(error.pos[0]).line, message: firstSentence(error) };
  const end = document.range?.[2] ?? yaml.length;
  if (yaml.slice(end).trim() !== '') return { line: lines.linePos(end).line, message: 'has a second document' };
  const left = { nodes: MAX_NODES };
  const read = (node: unknown, above: number): YamlNode => {
    left.nodes -= 1;
    const line = isNode(node) && node.range ? lines.linePos(node.range[0]).line : above;
    if (left.nodes < 0) return { line };
    if (isScalar(node)) return { line, ...scalarIn(node.value) };
    if (isSeq(node)) return { line, items: node.items.map((item) => read(item, line)) };
    if (!isMap(node)) return { line };
    return {
      line,
      entries: node.items.map(({ key, value }) => {
        const at = read(key, line);
        return { key: String(at.scalar ?? ''), line: at.line, value: read(value, at.line) };
      }),
    };
  };
  return read(document.contents, 1);
}

function scalarIn(value: unknown): Pick<YamlNode, 'scalar'> {
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain ? { scalar: value as string | number | boolean | null } : {};
}

/**
 * Returns the text with these items in the list of a top-level key: each gives the item at its index new values, or is appended. The
 * file keeps its comments, its order and its line breaks. The text must be valid.
 */
export function withYamlItems(
  yaml: string,
  key: string,
  changes: readonly { at: number | undefined; item: Readonly<Record<string, unknown>> }[],
): string {
  const document = yaml.trim() === '' ? new Document({}) : parseDocument(yaml, { version: '1.2', schema: 'core' });
  if (!isSeq(document.get(key, true))) document.set(key, document.createNode([]));
  for (const { at, item } of changes) {
    const old = at === undefined ? undefined : document.getIn([key, at], true);
    if (isMap(old)) replaceValues(document, old, item);
    else if (at === undefined) document.addIn([key], document.createNode(item));
    else document.setIn([key, at], document.createNode(item));
  }
  const list = document.get(key, true);
  // A list in brackets would put every request on one line.
  if (isCollection(list)) list.flow = false;
  const text = document.toString({ lineWidth: 0 });
  return yaml.includes('\r\n') ? text.replaceAll(/\r?\n/gu, '\r\n') : text;
}

/** Gives a map these values, and removes those that are undefined. Comments and other keys stay. */
function replaceValues(document: Document, map: YAMLMap, item: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(item)) {
    const old: unknown = map.get(key, true);
    if (value === undefined) map.delete(key);
    else if (isScalar(old)) old.value = value;
    else {
      const node = document.createNode(value);
      if (isCollection(old)) {
        node.comment = old.comment ?? null;
        if (isCollection(node)) node.flow = old.flow ?? false;
      }
      map.set(key, node);
    }
  }
}
