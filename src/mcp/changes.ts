/** What a client would see differently after a scan. */
import { compareListings } from '../workspace/listing-change.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import { manifestUri, rootUri } from './skill-uris.ts';
import { compareTexts } from './spec-uris.ts';

export type ListName = 'tools' | 'resources' | 'prompts';

export interface VisibleChange {
  /** The lists whose content changed. */
  lists: readonly ListName[];
  /** A short description for people, such as "2 skills added". */
  reason: string;
  /** URIs of resources whose text changed. */
  updated: readonly string[];
}

/** Specs count only if a client has requested them before. */
export function compareSnapshots(before: Snapshot, after: Snapshot): VisibleChange | undefined {
  const skills = compareListings(before, after);
  const specs = before.openedSpecs && after.openedSpecs && compareTexts(before.openedSpecs, after.openedSpecs);
  if (!skills && !specs) return undefined;
  return {
    lists: skills?.listed === true ? ['tools', 'resources', 'prompts'] : specs ? ['resources'] : [],
    reason: [skills?.reason, specs?.reason].filter((part) => part !== undefined).join(', '),
    updated: [...(skills?.updated ?? []).map((skill) => manifestUri(rootUri(skill), skill)), ...(specs?.updated ?? [])],
  };
}
