/** Computes the changes of a scan that are visible to clients. */
import { compareListings, countChangedFiles } from '../workspace/listing-change.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import { manifestUri, rootUri } from './skill-uris.ts';
import { compareTexts } from './spec-uris.ts';

export type ListName = 'tools' | 'resources' | 'prompts';

export interface VisibleChange {
  /** Lists with changed content. */
  lists: readonly ListName[];
  /** Short description for the operator, such as "2 skills added". */
  reason: string;
  /** URIs of resources whose text changed. */
  updated: readonly string[];
}

/**
 * Specs count only if a client has requested them before. With `announcesTexts`, every changed SKILL.md counts as a change of the
 * tools, because clients of such a server reload after that notification.
 */
export function compareSnapshots(
  before: Snapshot,
  after: Snapshot,
  { announcesTexts = false }: { announcesTexts?: boolean } = {},
): VisibleChange | undefined {
  const skills = compareListings(before, after);
  const specs = before.openedSpecs && after.openedSpecs && compareTexts(before.openedSpecs, after.openedSpecs);
  const files = announcesTexts && !skills?.listed ? countChangedFiles(before, after) : 0;
  if (!skills && !specs && files === 0) return undefined;
  const lists: ListName[] = skills?.listed === true ? ['tools', 'resources', 'prompts'] : specs ? ['resources'] : [];
  const reasons = [files > 0 ? `${files} SKILL.md changed` : skills?.reason, specs?.reason];
  return {
    lists: files > 0 ? ['tools', ...lists] : lists,
    reason: reasons.filter((part) => part !== undefined).join(', '),
    updated: [...(skills?.updated ?? []).map((skill) => manifestUri(rootUri(skill), skill)), ...(specs?.updated ?? [])],
  };
}
