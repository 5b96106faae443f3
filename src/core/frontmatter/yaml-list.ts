/** Reads a YAML file with the line of every value, and changes an item of a list without touching the comments around it. */
import { Document, isCollection, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
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
 * Returns the text with these items in the list of a top-level key: each replaces the item at its index, or is appended. The rest
 * of the file keeps its comments and its order. The text must be valid.
 */
export function withYamlItems(
  yaml: string,
  key: string,
  changes: readonly { at: number | undefined; item: object }[],
): string {
  const document = yaml.trim() === '' ? new Document({}) : parseDocument(yaml, { version: '1.2', schema: 'core' });
  if (!isSeq(document.get(key, true))) document.set(key, document.createNode([]));
  for (const { at, item } of changes) {
    const node = document.createNode(item);
    if (at === undefined) {
      document.addIn([key], node);
      continue;
    }
    const old = document.getIn([key, at], true);
    if (isCollection(old)) {
      node.commentBefore = old.commentBefore ?? null;
      node.spaceBefore = old.spaceBefore ?? false;
      node.comment = old.comment ?? null;
    }
    document.setIn([key, at], node);
  }
  const list = document.get(key, true);
  // A list in brackets would put every request on one line.
  if (isCollection(list)) list.flow = false;
  return document.toString({ lineWidth: 0 });
}
