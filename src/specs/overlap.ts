/** Finds the changes that touch the same requirement, so that the author of the second one knows before archiving it. */
import { compareText } from '../core/text.ts';
import type { ChangeFolder } from './change-folder.ts';
import { foldRequirement, type Operation } from './words.ts';

export interface OverlapClaim {
  change: string;
  operation: Operation;
  file: string;
  /** 1-based. */
  line: number;
}

export interface Overlap {
  capability: string;
  requirement: string;
  claims: OverlapClaim[];
}

export function findOverlaps(changes: readonly ChangeFolder[]): Overlap[] {
  const touched = new Map<string, Overlap>();
  for (const change of changes) {
    for (const { capability, file, parsed } of change.deltas) {
      const claim = (requirement: string, operation: Operation, line: number): void => {
        const key = `${change.root.specsDir}\0${capability}\0${foldRequirement(requirement)}`;
        const overlap = touched.get(key) ?? { capability, requirement, claims: [] };
        touched.set(key, overlap);
        // A requirement that one change both renames and modifies is a single claim.
        if (!overlap.claims.some((other) => other.change === change.id))
          overlap.claims.push({ change: change.id, operation, file: file.path, line: line + 1 });
      };
      for (const { name, operation, line } of parsed.blocks) claim(name, operation, line);
      for (const { name, line } of parsed.removed) claim(name, 'removed', line);
      for (const { from, to, line } of parsed.renamed) {
        claim(from, 'renamed', line);
        claim(to, 'renamed', line);
      }
    }
  }
  return [...touched.values()]
    .filter(({ claims }) => claims.length > 1)
    .sort((a, b) => compareText(a.capability, b.capability) || compareText(a.requirement, b.requirement));
}
