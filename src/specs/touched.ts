import type { SpecCatalog } from './catalog.ts';
import type { SpecFile } from './spec-file.ts';
import { foldRequirement, type Operation } from './words.ts';

export interface Touch {
  change: string;
  operation: Operation;
}

/** Returns a lookup of the active changes that touch each requirement of a spec. */
export function changesTouching(catalog: SpecCatalog): (spec: SpecFile) => (requirement: string) => Touch[] {
  const touches = new Map<string, Touch[]>();
  for (const change of catalog.changes) {
    for (const { capability, parsed } of change.deltas) {
      const touch = (requirement: string, operation: Operation): void => {
        const key = keyOf(change.root.specsDir, capability, requirement);
        const known = touches.get(key) ?? [];
        if (!known.some((each) => each.change === change.id)) known.push({ change: change.id, operation });
        touches.set(key, known);
      };
      for (const { name, operation } of parsed.blocks) touch(name, operation);
      for (const { name } of parsed.removed) touch(name, 'removed');
      for (const { from } of parsed.renamed) touch(from, 'renamed');
    }
  }
  return ({ root, capability }) =>
    (requirement) =>
      touches.get(keyOf(root.specsDir, capability, requirement)) ?? [];
}

function keyOf(specsDir: string, capability: string, requirement: string): string {
  return `${specsDir}\0${capability}\0${foldRequirement(requirement)}`;
}
