/** Finds a spec, requirement, scenario or change by its name, or fails and suggests similar names. */
import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { nearest } from '../core/near.ts';
import { echo, foldName } from '../core/text.ts';
import { unreadable, unreadablePlaces } from '../core/unreadable.ts';
import type { Found, SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import type { ItemType } from './roots.ts';
import type { Requirement, Scenario } from './parse-spec.ts';
import type { SpecFile } from './spec-file.ts';

export function getSpec(catalog: SpecCatalog, id: string): SpecFile {
  const names = (): string[] => catalog.specs.map((spec) => spec.id);
  return orFail(catalog.findSpec(id), { catalog, noun: 'spec', id, names });
}

export function getChange(catalog: SpecCatalog, id: string): ChangeFolder {
  const names = (): string[] => catalog.changes.map((change) => change.id);
  return orFail(catalog.findChange(id), { catalog, noun: 'change', id, names });
}

/** The items, which must not be empty only because a folder cannot be read. */
export function orUnreadable<Item>(catalog: SpecCatalog, items: readonly Item[], type: ItemType): readonly Item[] {
  const [closed] = items.length === 0 ? catalog.unreadable(type) : [];
  if (closed) throw unreadable(`The ${type}s`, closed);
  return items;
}

/** Fails if one of these files or folders of a change cannot be read: its text would seem to be empty. */
export function requireReadable(change: ChangeFolder, parts: readonly string[]): void {
  const closed = change.findUnreadable(parts);
  if (closed) throw unreadable(`Change '${echo(change.id)}'`, closed);
}

interface Lookup {
  catalog: SpecCatalog;
  noun: ItemType;
  /** The name that the caller gave. */
  id: string;
  /** Returns the IDs of all items of this type. */
  names(this: void): readonly string[];
}

function orFail<Item>(found: Found<Item>, { catalog, noun, id, names }: Lookup): Item {
  if (found.kind === 'found') return found.item;
  const named = `${noun === 'spec' ? 'Spec' : 'Change'} '${echo(id)}'`;
  if (found.kind === 'ambiguous') {
    throw new Failure('AMBIGUOUS', `${named} is ambiguous: ${found.ids.join(', ')}.`, {
      suggestions: found.ids,
      hint: `Use one of the full ids: ${found.ids.join(' or ')}.`,
    });
  }
  const available = { noun: `${noun}s`, names };
  const closed = catalog.unreadable(noun);
  const below = `/${foldName(id.trim())}/`;
  const locked = closed.find(({ path: place }) => `${foldName(place.split(path.sep).join('/'))}/`.includes(below));
  const inItsPlace = locked ?? (available.names().length === 0 ? closed[0] : undefined);
  if (inItsPlace) throw unreadable(named, inItsPlace, available);
  const places = unreadablePlaces(closed);
  const near = found.near.length > 0 ? `Did you mean: ${found.near.join(', ')}?` : undefined;
  const folders = available.names().length === 0 ? catalog.foldersOf(noun) : [];
  const empty = folders.length === 0 ? undefined : `There are no ${noun}s in ${folders.map(echo).join(' or ')}.`;
  const hint = (all: string): string => [near ?? empty ?? all, places].filter((part) => part !== undefined).join(' ');
  throw new Failure('NOT_FOUND', `${named} not found.`, {
    suggestions: found.near,
    available,
    hint: hint(`To see all ${noun}s, run \`lectern ${noun} list\`.`),
    hintForModels: hint(`list_${noun}s returns all ${noun}s.`),
  });
}

export function getRequirement(spec: SpecFile, name: string): Requirement {
  return getNamed(spec.parsed.requirements, name, 'Requirement', `spec '${spec.id}'`);
}

export function getScenarioOf(requirement: Requirement, name: string): Scenario {
  return getNamed(requirement.scenarios, name, 'Scenario', `requirement '${requirement.name}'`);
}

interface Named {
  name: string;
  /** Line index of the heading. */
  line: number;
}

const HEADING = { Requirement: /^Requirement:\s*/iu, Scenario: /^Scenario:\s*/iu };

/** Finds an item by name. Items with the same name are distinguished by line: `Name (line 12)`. */
function getNamed<Item extends Named>(
  items: readonly Item[],
  asked: string,
  noun: 'Requirement' | 'Scenario',
  where: string,
): Item {
  const wanted = asked.trim();
  const folded = foldName(wanted);
  // Callers often pass the whole heading instead of the name.
  const bare = foldName(wanted.replace(HEADING[noun], ''));
  const what = `${noun} '${echo(asked)}'`;
  const withLine = (item: Item): string => `${item.name} (line ${item.line + 1})`;
  for (const fits of [
    (item: Item) => item.name === wanted,
    (item: Item) => foldName(item.name) === folded,
    (item: Item) => foldName(withLine(item)) === folded,
    (item: Item) => foldName(item.name) === bare,
  ]) {
    const hits = items.filter(fits);
    const [item] = hits;
    if (item && hits.length === 1) return item;
    if (item) {
      const suggestions = hits.map(withLine);
      throw new Failure('AMBIGUOUS', `${what} occurs ${hits.length} times in ${where}.`, {
        suggestions,
        hint: `Use one of: ${suggestions.join(', ')}.`,
      });
    }
  }
  const near = nearest(
    wanted,
    items.map(({ name }) => name),
  );
  const all = items.slice(0, 20).map(({ name }) => name);
  throw new Failure('NOT_FOUND', `${what} not found in ${where}.`, {
    suggestions: near,
    available: { noun: `${noun.toLowerCase()}s`, names: () => items.map(({ name }) => name) },
    ...(near.length > 0
      ? { hint: `Did you mean: ${near.join(', ')}?` }
      : all.length > 0
        ? { hint: `Available: ${all.join(', ')}.`, hintForModels: '' }
        : { hint: 'There are none.' }),
  });
}
