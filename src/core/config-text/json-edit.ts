/** Sets and removes single values in JSON with or without comments. The rest of the text stays unchanged, byte for byte. */
import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import { isRecord } from '../json-file.ts';
import { applyEdits, type Broken, type Edit, type Edited, nested, valueAt } from './edits.ts';
import { notA, parseJson, plainValue, styleOf, walkJson } from './json-document.ts';
import type { JsonDialect } from './json-dialect.ts';
import { insertMembers, removeMember } from './json-insert.ts';
import { newDocument } from './json-text.ts';

type Plain = string | number | boolean;

/** Returns the value of a document. It is undefined for a text with only white space and comments. */
export function readJson(text: string, dialect: JsonDialect): Broken | { value: unknown } {
  const parsed = parseJson(text, dialect);
  if ('kind' in parsed) return parsed;
  return { value: parsed.root && plainValue(parsed.root) };
}

/** Sets properties of the object at `keys`, which is created if it is missing. */
export function setInJson(
  text: string,
  dialect: JsonDialect,
  keys: readonly string[],
  values: Readonly<Record<string, Plain>>,
): Edited {
  return change(text, dialect, keys, {
    created: values,
    edit: (node) => {
      if (node.type !== 'object') return notA('object', text, node, keys);
      const edits: Edit[] = [];
      const added: { key: string; value: Plain }[] = [];
      for (const [key, value] of Object.entries(values)) {
        const found = walkJson(text, node, [key]);
        if ('kind' in found) return found;
        if (found.missing.length > 0) added.push({ key, value });
        else if (plainValue(found.node) !== value)
          edits.push({ offset: found.node.offset, length: found.node.length, text: JSON.stringify(value) });
      }
      return {
        edits: [...edits, ...insertMembers(text, node, added, styleOf(text))],
        value: { ...recordOf(node), ...values },
      };
    },
  });
}

/** Adds items to the list at `keys`, which is created if it is missing. */
export function addToJsonList(
  text: string,
  dialect: JsonDialect,
  keys: readonly string[],
  items: readonly string[],
): Edited {
  return change(text, dialect, keys, {
    created: items,
    edit: (node) => {
      if (node.type !== 'array') return notA('list', text, node, keys);
      const old = listOf(node);
      const added = items.filter((item) => !old.includes(item));
      return {
        edits: insertMembers(
          text,
          node,
          added.map((value) => ({ value })),
          styleOf(text),
        ),
        value: [...old, ...added],
      };
    },
  });
}

/** Removes a property, and each object around it that would be empty, unless it contains a comment. */
export function removeFromJson(text: string, dialect: JsonDialect, keys: readonly string[]): Edited {
  const parsed = parseJson(text, dialect);
  if ('kind' in parsed) return parsed;
  if (!parsed.root) return { kind: 'same' };
  const found = walkJson(text, parsed.root, keys);
  if ('kind' in found) return found;
  if (found.missing.length > 0) return { kind: 'same' };
  return removed(text, dialect, parsed.root, keys);
}

/** Removes items from a list, and the list and each object around it that would be empty, unless it contains a comment. */
export function removeFromJsonList(
  text: string,
  dialect: JsonDialect,
  keys: readonly string[],
  items: readonly string[],
): Edited {
  let current = text;
  for (;;) {
    const parsed = parseJson(current, dialect);
    if ('kind' in parsed) return parsed;
    const found = parsed.root && walkJson(current, parsed.root, keys);
    if (!parsed.root || !found) break;
    if ('kind' in found) return found;
    if (found.missing.length > 0) break;
    const { node } = found;
    if (node.type !== 'array') return notA('list', current, node, keys);
    const old = listOf(node);
    const index = old.findIndex((item) => typeof item === 'string' && items.includes(item));
    if (index === -1) break;
    const edited =
      old.length === 1 && !hasComment(current, node, 0)
        ? removed(current, dialect, parsed.root, keys)
        : checked(
            applyEdits(current, removeMember(current, node, index)),
            dialect,
            withValue(plainValue(parsed.root), keys, old.toSpliced(index, 1)),
          );
    if (edited.kind !== 'changed') return edited;
    current = edited.text;
  }
  return current === text ? { kind: 'same' } : { kind: 'changed', text: current };
}

/** Creates the container at `keys` with `created`, or edits the existing one. */
function change(
  text: string,
  dialect: JsonDialect,
  keys: readonly string[],
  { created, edit }: { created: unknown; edit: (node: Node) => Broken | { edits: Edit[]; value: unknown } },
): Edited {
  const parsed = parseJson(text, dialect);
  if ('kind' in parsed) return parsed;
  const { root } = parsed;
  const whole = nested(keys, created);
  if (!root) return checked(newDocument(text, whole, styleOf(text)), dialect, whole);
  const found = walkJson(text, root, keys);
  if ('kind' in found) return found;
  const { node, missing } = found;
  const [next, ...rest] = missing;
  if (next !== undefined) {
    const edits = insertMembers(text, node, [{ key: next, value: nested(rest, created) }], styleOf(text));
    return checked(applyEdits(text, edits), dialect, withValue(plainValue(root), keys, created));
  }
  const edited = edit(node);
  if ('kind' in edited) return edited;
  if (edited.edits.length === 0) return { kind: 'same' };
  return checked(applyEdits(text, edited.edits), dialect, withValue(plainValue(root), keys, edited.value));
}

function removed(text: string, dialect: JsonDialect, root: Node, keys: readonly string[]): Edited {
  let depth = keys.length;
  const parentAt = (at: number): { node: Node; index: number } | undefined => {
    const found = walkJson(text, root, keys.slice(0, at - 1));
    if ('kind' in found || found.missing.length > 0) return undefined;
    const index = found.node.children?.findIndex(({ children }) => children?.[0]?.value === keys[at - 1]) ?? -1;
    return { node: found.node, index };
  };
  let parent = parentAt(depth);
  while (depth > 1 && parent?.node.children?.length === 1 && !hasComment(text, parent.node, parent.index)) {
    depth -= 1;
    parent = parentAt(depth);
  }
  if (!parent) return { kind: 'same' };
  const { node } = parent;
  const isEmptied = depth === 1 && node.children?.length === 1 && !hasComment(text, node, parent.index);
  const edits = isEmptied
    ? [{ offset: node.offset + 1, length: node.length - 2, text: '' }]
    : removeMember(text, node, parent.index);
  return checked(applyEdits(text, edits), dialect, withValue(plainValue(root), keys.slice(0, depth), undefined));
}

/** Whether there is a comment in an object or a list, outside the member with this index. */
function hasComment(text: string, parent: Node, index: number): boolean {
  const member = parent.children?.[index];
  const end = parent.offset + parent.length;
  if (!member) return false;
  return /\/[/*]/u.test(text.slice(parent.offset, member.offset) + text.slice(member.offset + member.length, end));
}

/** Reads the result back: exactly the wanted value may have changed. */
function checked(text: string, dialect: JsonDialect, wanted: unknown): Edited {
  const read = readJson(text, dialect);
  if ('value' in read && isDeepStrictEqual(read.value, JSON.parse(JSON.stringify(wanted))))
    return { kind: 'changed', text };
  return { kind: 'broken', reason: 'it is written in a form that cannot be changed safely' };
}

/** Returns a copy with another value at `keys`, or without it if the value is undefined. */
function withValue(document: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const record = isRecord(document) ? document : {};
  return { ...record, [key]: withValue(valueAt(record, [key]), rest, value) };
}

function recordOf(node: Node): Record<string, unknown> {
  const value = plainValue(node);
  return isRecord(value) ? value : {};
}

function listOf(node: Node): unknown[] {
  const value = plainValue(node);
  return Array.isArray(value) ? value : [];
}
