/** One source at one version: a small workspace of its own, read once and never changed. */
import path from 'node:path/posix';
import type { Disk } from '../core/disk/writes.ts';
import type { StoredFile, StoredSource } from '../store/catalog-store.ts';
import { Workspace } from '../workspace/workspace.ts';
import type { Skill } from '../skills/skill.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import { sourceTree } from './source-tree.ts';

export interface SharedSource {
  stored: StoredSource;
  /** `team/name`. */
  name: string;
  /** Where its files appear, as an absolute path. */
  root: string;
  files: readonly StoredFile[];
  disk: Disk;
  /** What was published as the file at an absolute path. */
  findFile: (place: string) => StoredFile | undefined;
  workspace: Workspace;
  /** Its skills, each with the source as the first part of its full name. */
  skills: readonly Skill[];
  specs: SpecCatalog;
}

export async function openSource(
  stored: StoredSource,
  files: readonly StoredFile[],
  contentOf: (file: StoredFile) => Uint8Array | undefined,
): Promise<SharedSource> {
  const name = `${stored.team}/${stored.name}`;
  const root = `/${name}`;
  const { disk, findFile } = sourceTree(root, files, contentOf);
  // No home and no configuration: what a source says of itself is its files.
  const workspace = await Workspace.open(
    { projectDir: root, readConfig: false, skipPlugins: true, collections: true, isImmutable: true },
    disk,
  );
  const { snapshot } = workspace;
  const specs = await (await snapshot.specs()).readAll();
  // A missing content is trouble of this machine, not of the source: it must not look like a source with fewer skills.
  for (const trouble of snapshot.troubled.values()) throw trouble;
  // Only the next discovery and a watcher would use them, and there is neither. They take a quarter of a source.
  snapshot.discovery.headers = new Map();
  snapshot.discovery.folders = () => [];
  const { all } = snapshot;
  const byOriginal = new Map<Skill, Skill>();
  const taken = new Set<string>();
  // Those that win come first: of several with one name, they have the shorter full name.
  const inOrder = [...all.copies].sort((a, b) => Number(all.isWinner(b)) - Number(all.isWinner(a)) || a.rank - b.rank);
  for (const skill of inOrder) {
    const short = all.isAmbiguous(skill) ? `${name}:${skill.provider}` : name;
    const isTaken = taken.has(`${short}:${skill.key}`) && !skill.copyOf;
    taken.add(`${short}:${skill.key}`);
    // Nothing else would lead to it: nobody names a path here.
    const scope = isTaken ? `${name}:${path.relative(root, path.dirname(skill.dir)) || '.'}` : short;
    byOriginal.set(skill, { ...skill, scope, source: name });
  }
  for (const [original, skill] of byOriginal)
    if (original.copyOf) skill.copyOf = byOriginal.get(original.copyOf) ?? original.copyOf;
  return {
    stored,
    name,
    root,
    files,
    disk,
    findFile,
    workspace,
    skills: all.copies.map((skill) => byOriginal.get(skill) ?? skill),
    specs,
  };
}
