import type { Node } from 'jsonc-parser';
import { applyEdits, type Edit, nested, positionOf } from '../core/config-text/edits.ts';
import type { JsonDialect } from '../core/config-text/json-dialect.ts';
import { parseJson, plainValue, styleOf, walkJson } from '../core/config-text/json-document.ts';
import { indentAt, insertMembers } from '../core/config-text/json-insert.ts';
import { type JsonStyle, newDocument, printJson, printOnOneLine } from '../core/config-text/json-text.ts';
import { isRecord } from '../core/json-file.ts';
import { isSameEntry, replacedEntry } from './entry.ts';
import type { Merge, Place } from './merge.ts';

/** Puts an entry into JSON, with or without comments. Everything outside the entry stays unchanged, byte for byte. */
export function mergeIntoJson(text: string, dialect: JsonDialect, place: Place): Merge {
  const parsed = parseJson(text, dialect);
  if ('kind' in parsed) return parsed;
  const style = styleOf(text);
  const { root } = parsed;
  if (!root) {
    const { keys, entry } = place(undefined);
    return { kind: 'added', text: newDocument(text, nested(keys, entry), style) };
  }
  const { keys, entry } = place(plainValue(root));
  const found = walkJson(text, root, keys);
  if ('kind' in found) return found;
  const { node, missing } = found;
  const [next, ...rest] = missing;
  if (next !== undefined) {
    const edits = insertMembers(text, node, [{ key: next, value: nested(rest, entry) }], style);
    return { kind: 'added', text: checked(applyEdits(text, edits), dialect, keys) };
  }
  const existing = plainValue(node);
  const { line } = positionOf(text, node.offset);
  if (isSameEntry(existing, entry)) return { kind: 'same', line };
  const edit = replacement(text, node, replacedEntry(existing, entry), style);
  return {
    kind: 'different',
    existing,
    wanted: entry,
    line,
    text: checked(applyEdits(text, [edit]), dialect, keys),
  };
}

function replacement(text: string, node: Node, value: Record<string, unknown>, style: JsonStyle): Edit {
  const before = text.slice(node.offset, node.offset + node.length);
  const isOneLine = node.type === 'object' && (node.children?.length ?? 0) > 0 && !/[\r\n]/u.test(before);
  return {
    offset: node.offset,
    length: node.length,
    text: isOneLine ? printOnOneLine(value) : printJson(value, indentAt(text, node.offset), style),
  };
}

/** Reads the result back, because an unreadable document must never reach the disk. */
function checked(text: string, dialect: JsonDialect, keys: readonly string[]): string {
  const parsed = parseJson(text, dialect);
  if ('kind' in parsed || !parsed.root) throw new Error('The merged document cannot be read back.');
  const found = walkJson(text, parsed.root, keys);
  if ('kind' in found || found.missing.length > 0 || !isRecord(plainValue(found.node)))
    throw new Error('The merged entry cannot be read back.');
  return text;
}
