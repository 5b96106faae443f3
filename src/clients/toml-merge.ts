import { applyEdits, positionOf, valueAt } from '../core/config-text/edits.ts';
import { appendTable, changesOnly, readToml, startsWith, tableEdits } from '../core/config-text/toml-edit.ts';
import { tomlStatements } from '../core/config-text/toml-statements.ts';
import type { EntryPlace } from './client.ts';
import { isConnectionKey, isSameEntry, replacedEntry } from './entry.ts';
import type { Merge, Place } from './merge.ts';

/**
 * Puts an entry into TOML by changing only its lines. The document is parsed before and after to prove that nothing
 * else changed.
 */
export function mergeIntoToml(text: string, placeIn: Place): Merge {
  const before = readToml(text);
  if ('kind' in before) return before;
  const place = placeIn(before.value);
  const existing = valueAt(before.value, place.keys);
  if (existing === undefined) return append(text, before.value, place);
  const statements = tomlStatements(text);
  const { line } = positionOf(text, statements.find(({ path }) => startsWith(path, place.keys))?.start ?? 0);
  if (isSameEntry(existing, place.entry)) return { kind: 'same', line };
  const wanted = replacedEntry(existing, place.entry);
  const isObsolete = (key: string): boolean => isConnectionKey(key, place.entry);
  const replaced = applyEdits(text, tableEdits(text, statements, place, { wanted, isObsolete }));
  if (!changesOnly(place.keys, before.value, replaced, wanted))
    return {
      kind: 'broken',
      reason: `"${place.keys.join('.')}" is written in a form that cannot be changed safely; change it by hand`,
      line,
    };
  return { kind: 'different', existing, wanted: place.entry, line, text: replaced };
}

/** A new table at the end is valid unless the parent is an inline table. */
function append(text: string, before: Record<string, unknown>, place: EntryPlace): Merge {
  const merged = appendTable(text, place);
  if (changesOnly(place.keys, before, merged, place.entry)) return { kind: 'added', text: merged };
  const parent = place.keys.slice(0, -1);
  const statement = tomlStatements(text).find(({ path }) => startsWith(parent, path) || startsWith(path, parent));
  const reason = `"${parent.join('.')}" is written in a form that does not allow adding tables; write it as [${parent.join('.')}.name] tables`;
  return { kind: 'broken', reason, ...(statement ? positionOf(text, statement.start) : {}) };
}
