/** Removes an entry from a client's file. Everything else in the file stays unchanged. */
import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { applyEdits, type Edit, valueAt } from '../core/config-text/edits.ts';
import { removeMember } from '../core/config-text/json-insert.ts';
import { removeStatements } from '../core/config-text/toml-edit.ts';
import { tomlStatements } from '../core/config-text/toml-statements.ts';
import { Failure } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import type { Disk } from '../core/disk/writes.ts';
import type { Client } from './client.ts';
import { mergeEntry, readClientFile } from './config-file.ts';
import type { Place } from './merge.ts';
import { isOwnEntry } from './own-entry.ts';

interface Removal {
  client: Client;
  file: string;
  name: string;
  place: Place;
  dryRun: boolean;
  /** Remove the entry even if it does not belong to Lectern. */
  force: boolean;
}

/** Returns the text before and after, which is the same if there is no such entry. Undefined if there is no file. */
export function removeFromFile(
  disk: Disk,
  { client, file, name, place, dryRun, force }: Removal,
): { before: string; after: string } | undefined {
  const read = readClientFile(disk, client, file);
  if (!read) return undefined;
  const refuse = (reason: string): Failure =>
    new Failure('INVALID_CONFIG', `${file} was not changed: ${reason}.`, {
      path: file,
      hint: `Remove the entry "${name}" by hand.`,
    });
  const { text } = read;
  const mark = /^\uFEFF/u.exec(text)?.[0] ?? '';
  const body = text.slice(mark.length);
  const merge = mergeEntry(client, body, place);
  if (merge.kind === 'broken') throw refuse(merge.reason);
  if (merge.kind === 'added') return { before: text, after: text };
  const isToml = client.format === 'toml';
  const document = isToml ? parseToml(body) : valueOf(body);
  const { keys, entry } = place(document);
  if (!force && !isOwnEntry(valueAt(document, keys), typeof entry['url'] === 'string' ? entry['url'] : undefined)) {
    throw new Failure('REFUSED', `${file} was not changed: its entry "${name}" does not belong to Lectern.`, {
      path: file,
      hint: 'Use --force to remove it anyway, or pass the URL it calls with --url.',
    });
  }
  const edits = isToml ? tomlEdits(body, keys) : jsonEdits(body, keys);
  const after = applyEdits(body, edits);
  const left = plain(isToml ? parseToml(after) : valueOf(after));
  const isSafe = [false, ...(isToml ? [true] : [])].some((prune) =>
    isDeepStrictEqual(left, without(plain(document), keys, prune)),
  );
  if (!isSafe) throw refuse('the entry is written in a form that cannot be removed safely');
  if (!dryRun) disk.replace(read.realPath, mark + after, read.stamp);
  return { before: text, after: mark + after };
}

function valueOf(text: string): unknown {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && getNodeValue(root);
}

/** The parser's tables have no prototype, and dates are not JSON. Neither matters for the comparison. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item)));
}

/** In TOML, removing the last entry also removes the parent (`prune`), unless the parent has a header. */
function without(value: unknown, [key = '', ...rest]: readonly string[], prune: boolean): unknown {
  if (!isRecord(value)) return value;
  const { [key]: inner, ...others } = value;
  if (rest.length === 0) return others;
  const left = without(inner, rest, prune);
  return prune && isRecord(left) && Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

function jsonEdits(text: string, keys: readonly string[]): Edit[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const parent = root && keys.slice(0, -1).reduce<Node | undefined>((node, key) => node && childOf(node, key), root);
  const index = parent?.children?.findIndex(({ children }) => children?.[0]?.value === keys.at(-1)) ?? -1;
  return parent ? removeMember(text, parent, index) : [];
}

function childOf(node: Node, key: string): Node | undefined {
  return node.children?.find(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

/** Removes every statement of the entry's tables, and the blank line above. */
function tomlEdits(text: string, keys: readonly string[]): Edit[] {
  return removeStatements(
    text,
    tomlStatements(text).filter(({ path }) => keys.every((key, index) => path[index] === key)),
  );
}
