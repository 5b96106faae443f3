import path from 'node:path';
import { isInside } from '../core/inside.ts';
import type { SpecCatalog } from './catalog.ts';

/** Returns the commands for a target of `validate` that is a spec or a change instead of a skill, given by its ID or path. */
export function validatorsFor(catalog: SpecCatalog, target: string, place: string): string[] {
  const spec =
    catalog.specs.find((each) => place === each.file.path || place === path.dirname(each.file.path)) ??
    itemOf(catalog.findSpec(target));
  const change =
    [...catalog.changes, ...catalog.archived].find(({ dir }) => isInside(dir, place)) ??
    itemOf(catalog.findChange(target));
  const commands = [
    ...(spec ? [`lectern spec validate ${spec.id}`] : []),
    ...(change ? [`lectern change validate ${change.id}`] : []),
  ];
  if (commands.length > 0) return commands;
  if (catalog.roots.some(({ changesDir }) => place === changesDir)) return ['lectern change validate'];
  return catalog.roots.some(({ specsDir }) => isInside(specsDir, place)) ? ['lectern spec validate'] : [];
}

function itemOf<Item>(found: { kind: 'found'; item: Item } | { kind: string }): Item | undefined {
  return 'item' in found ? found.item : undefined;
}
