/** Finds the skills that a source offers. */
import { createHash } from 'node:crypto';
import path from 'node:path/posix';
import { readFrontmatter } from '../core/frontmatter/read.ts';
import { LIMITS } from '../core/limits.ts';
import { grouped } from '../core/text.ts';
import { parseHeader } from '../skills/parse.ts';
import { isSkillFile } from '../skills/skill.ts';
import { offeredBy } from './marketplace.ts';
import type { SourceTree } from './source-tree.ts';
import { TreeIndex } from './tree-index.ts';

export interface OfferedSkill {
  name: string;
  description: string;
  /** Folder in the source. Empty for the root. */
  path: string;
  /** Reason why no agent can use it. */
  problem?: string;
}

export interface Offer {
  skills: OfferedSkill[];
  /** Notes about skills omitted because of a limit. */
  leftOut: string[];
  notes: string[];
}

/** Finds the folders with a SKILL.md below a folder, excluding those inside another skill. */
export function skillFolders(tree: SourceTree, below: string): string[] {
  return TreeIndex.of(tree).skillFolders(below);
}

export interface OfferQuestion {
  /** Requested folder, or its SKILL.md. Empty for the whole source. */
  path: string;
  /** Name of an unnamed skill at the root. */
  sourceName: string;
  /** Requested skills. They come first if there are too many to offer. */
  wanted?: readonly string[];
}

export async function discoverOffer(
  tree: SourceTree,
  { path: asked, sourceName, wanted = [] }: OfferQuestion,
): Promise<Offer> {
  const index = TreeIndex.of(tree);
  const isFile = isSkillFile(path.basename(asked)) && tree.entries.has(asked);
  const below = isFile ? path.dirname(asked).replace(/^\.$/u, '') : asked;
  const market = below === '' ? await offeredBy(tree) : undefined;
  const all = market?.folders ?? index.skillFolders(below);
  const folders = firstOf(all, new Set(wanted));
  const files = folders.flatMap((folder) => index.skillFileIn(folder) ?? []);
  const plain = files.filter((file) => tree.entries.get(file)?.kind === 'file');
  const texts = await tree.read(plain, Math.max(LIMITS.installedBytes.value, plain.length * 1024));
  const skills = folders.map((folder): OfferedSkill => {
    const file = index.skillFileIn(folder);
    const bytes = file === undefined ? undefined : texts.get(file);
    const header =
      bytes && bytes.length <= LIMITS.skillFileBytes.value
        ? parseHeader(file ?? '', bytes, { complete: true, read: readFrontmatter })
        : undefined;
    return {
      name: header?.name ?? (folder === '' ? sourceName : path.basename(folder)),
      description: header?.description ?? '',
      path: folder,
      ...problemOf(bytes, header),
    };
  });
  const more = all.length - folders.length;
  const leftOut = [...(market?.leftOut ?? []), ...(more > 0 ? [leftOutNote(folders.length, more)] : [])];
  return { skills: withoutCopies(tree, skills), leftOut, notes: [...(market?.notes ?? []), ...leftOut] };
}

/** Limits the folders to the maximum offered, in their order. Folders named like a requested skill come first. */
function firstOf(folders: readonly string[], wanted: ReadonlySet<string>): readonly string[] {
  const max = LIMITS.offeredSkills.value;
  if (folders.length <= max) return folders;
  const isWanted = (folder: string): boolean => wanted.has(folder) || wanted.has(path.basename(folder));
  const named = folders.filter(isWanted);
  return [...named, ...folders.filter((folder) => !isWanted(folder))].slice(0, max);
}

function leftOutNote(offered: number, more: number): string {
  return `only ${grouped(offered)} skills are offered, and ${grouped(more)} more are left out; use --path to choose a folder`;
}

function problemOf(bytes: Uint8Array | undefined, header: ReturnType<typeof parseHeader>): { problem?: string } {
  if (!bytes) return {};
  if (!header) return { problem: 'its SKILL.md is too large' };
  const error = header.diagnostics.find(({ severity }) => severity === 'error');
  return error ? { problem: error.message } : {};
}

/** Removes duplicates: many repositories contain the same skill once per agent. Copies with identical files count as one skill. */
function withoutCopies(tree: SourceTree, skills: readonly OfferedSkill[]): OfferedSkill[] {
  const seen = new Map<string, number>();
  for (const { name } of skills) seen.set(name, (seen.get(name) ?? 0) + 1);
  const known = new Set<string>();
  return skills.filter(({ name, path: folder }) => {
    // Most names are unique, and reading all files of a folder is slow.
    if (seen.get(name) === 1) return true;
    const id = `${name}\n${contentIdOf(tree, folder)}`;
    if (known.has(id)) return false;
    known.add(id);
    return true;
  });
}

/** Returns equal IDs for folders with the same files. Folders with links or submodules are not compared and get a unique ID. */
function contentIdOf(tree: SourceTree, folder: string): string {
  const hash = createHash('sha256');
  for (const place of TreeIndex.of(tree).pathsBelow(folder)) {
    const entry = tree.entries.get(place);
    if (entry?.kind !== 'file') return `folder ${folder}`;
    const below = folder === '' ? place : place.slice(folder.length + 1);
    hash.update(JSON.stringify([below, entry.executable, tree.contentId(place)]));
  }
  return hash.digest('hex');
}
