/** Finds changes that touch the same requirement, so that conflicts are visible before archiving. */
import { LIMITS } from '../core/limits.ts';
import { compareText, grouped } from '../core/text.ts';
import type { ChangeFolder } from './change-folder.ts';
import { foldRequirement, type Operation } from './words.ts';

export interface OverlapClaim {
  change: string;
  operation: Operation;
  file: string;
  /** 1-based line number. */
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
        // Renaming and modifying a requirement in one change is a single claim. The claims of a change are adjacent.
        if (overlap.claims.at(-1)?.change !== change.id)
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

/** A requirement that a change shares with others, and its own claim. */
export interface OwnOverlap {
  overlap: Overlap;
  own: OverlapClaim;
}

/** Groups overlaps by change ID. */
export function overlapsByChange(overlaps: readonly Overlap[]): ReadonlyMap<string, readonly OwnOverlap[]> {
  const found = new Map<string, OwnOverlap[]>();
  for (const overlap of overlaps) {
    for (const own of overlap.claims) {
      const list = found.get(own.change);
      if (list) list.push({ overlap, own });
      else found.set(own.change, [{ overlap, own }]);
    }
  }
  return found;
}

export interface NamedChanges {
  named: string[];
  /** Number of the remaining changes. */
  more: number;
}

/**
 * Returns the first other changes of some overlaps, and the number of the rest. If each of many changes named all the others, the
 * output would grow quadratically. Across several overlaps, at most `COUNTED_MAX` claims are counted.
 */
export function otherChanges(id: string, overlaps: readonly Overlap[]): NamedChanges {
  const [first, ...further] = overlaps;
  if (first && further.length === 0) {
    const named = first.claims
      .slice(0, LIMITS.overlapChanges.value + 1)
      .flatMap(({ change }) => (change === id ? [] : [change]));
    named.length = Math.min(named.length, LIMITS.overlapChanges.value);
    return { named, more: first.claims.length - 1 - named.length };
  }
  const others = new Set<string>();
  let left = COUNTED_MAX;
  for (const { claims } of overlaps) {
    if (left <= 0) break;
    for (const { change } of claims.slice(0, left)) if (change !== id) others.add(change);
    left -= claims.length;
  }
  const named = [...others].slice(0, LIMITS.overlapChanges.value);
  return { named, more: others.size - named.length };
}

const COUNTED_MAX = 1_000;

/** `a, b and 3 more` */
export function listChanges({ named, more }: NamedChanges): string {
  return `${named.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
}
