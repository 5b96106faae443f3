/**
 * Finds the skills with one name without a scan, in the list that an earlier scan has kept. Every folder and file that the list
 * depends on is checked, and only the files of these skills are read. If anything changed, the caller scans.
 */
import path from 'node:path';
import { FileTrouble, NO_STAMP } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { foldName } from '../core/text.ts';
import type { Discovery } from '../skills/discover.ts';
import { skillsNamed } from '../skills/name-lookup.ts';
import type { Header } from '../skills/parse.ts';
import { readHeader } from '../skills/read-headers.ts';
import type { Skill } from '../skills/skill.ts';
import { CachedListing, type FoundSkill } from './cached-listing.ts';
import type { OpenOptions } from './settings.ts';
import type { Settings } from './settings-table.ts';
import type { Snapshot } from './workspace.ts';

/** A scan of fewer skills costs less than checking their list. */
const KEPT_MIN = 300;

/** Returns the skills that a name could refer to, or undefined if a scan is needed. */
export async function findNamed(
  name: string,
  disk: Disk,
  options: OpenOptions,
  settings: Settings,
): Promise<Discovery | undefined> {
  const kept = CachedListing.findFound(disk, options, settings);
  const listing = kept?.read();
  if (!kept || !listing) return undefined;
  const ranks = new Map(listing.skills.map((found, rank) => [found, rank]));
  const named = skillsNamed(listing.skills, name);
  if (named.length === 0 || !(await kept.isUnchanged(listing, () => false))) return undefined;
  const skills = new Map<number, Skill>();
  for (const found of named) {
    const rank = ranks.get(found) ?? 0;
    const header = await headerOf(disk, found);
    if (header?.name !== found.name || header.description === undefined) return undefined;
    const first = found.copyOf === undefined ? undefined : skills.get(found.copyOf);
    skills.set(rank, skillOf(found, rank, { ...header, name: found.name, description: header.description }, first));
  }
  return {
    skills: [...skills.values()],
    diagnostics: [],
    roots: [],
    headers: new Map(),
    contents: new Map(),
    filesRead: named.length,
    unsettled: false,
    folders: () => [],
  };
}

/** Keeps the skills of a scan for later calls of `findNamed`. */
export function keepFound(disk: Disk, options: OpenOptions, snapshot: Snapshot): void {
  const { discovery, settings, states, troubled } = snapshot;
  if (discovery.skills.length < KEPT_MIN || discovery.unsettled || troubled.size > 0) return;
  const isInOrder = discovery.skills.every(({ rank }, index) => rank === index);
  if (isInOrder) CachedListing.findFound(disk, options, settings)?.write(discovery.skills.map(foundOf), states);
}

async function headerOf(disk: Disk, { file, realFile = file }: FoundSkill): Promise<Header | undefined> {
  try {
    return await readHeader(disk, { file, realFile });
  } catch (error) {
    if (error instanceof FileTrouble) return undefined;
    throw error;
  }
}

function foundOf(skill: Skill): FoundSkill {
  const { name, file, realFile, provider, location, scope, plugin, marketplace, disabledBy, alsoAt, copyOf } = skill;
  return {
    name,
    file,
    ...(realFile === file ? {} : { realFile }),
    provider,
    location,
    ...(scope === undefined ? {} : { scope }),
    ...(plugin === undefined ? {} : { plugin }),
    ...(marketplace === undefined ? {} : { marketplace }),
    ...(skill.package === undefined ? {} : { package: skill.package }),
    ...(disabledBy === undefined ? {} : { disabledBy }),
    ...(alsoAt.length === 0 ? {} : { alsoAt }),
    ...(copyOf === undefined ? {} : { copyOf: copyOf.rank }),
  };
}

function skillOf(
  found: FoundSkill,
  rank: number,
  { name, description, frontmatter, bodyLine, diagnostics }: Header & { name: string; description: string },
  copyOf: Skill | undefined,
): Skill {
  const { file, realFile = file, provider, location, scope, plugin, marketplace, disabledBy, alsoAt = [] } = found;
  const dir = path.dirname(file);
  return {
    name,
    key: foldName(name),
    folder: path.basename(dir),
    description,
    provider,
    location,
    scope,
    plugin,
    marketplace,
    package: found.package,
    dir,
    file,
    realFile,
    disabled: disabledBy !== undefined || path.basename(file).startsWith('.'),
    disabledBy,
    rank,
    frontmatter,
    bodyLine,
    stamp: NO_STAMP,
    diagnostics,
    alsoAt,
    copyOf,
    source: undefined,
  };
}
