/** One version of a published source: a small workspace that is read once and never changes. */
import path from 'node:path/posix';
import type { Disk } from '../core/disk/writes.ts';
import type { StoredFile, StoredSource } from '../store/catalog-store.ts';
import { Workspace } from '../workspace/workspace.ts';
import type { Skill } from '../skills/skill.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import { publishedTree } from './published-tree.ts';

export interface SharedSource {
  stored: StoredSource;
  /** `team/name`. */
  name: string;
  /** Absolute path under which its files appear. */
  root: string;
  files: readonly StoredFile[];
  disk: Disk;
  /** Returns the published file at an absolute path. */
  findFile: (place: string) => StoredFile | undefined;
  workspace: Workspace;
  /** Skills whose full names begin with the source. */
  skills: readonly Skill[];
  specs: SpecCatalog;
}

export async function openPublished(
  stored: StoredSource,
  files: readonly StoredFile[],
  contentOf: (file: StoredFile) => Uint8Array | undefined,
): Promise<SharedSource> {
  const name = `${stored.team}/${stored.name}`;
  const root = `/${name}`;
  const { disk, findFile } = publishedTree(root, files, contentOf);
  // Without home and configuration: a source consists of its files only.
  const workspace = await Workspace.open(
    { projectDir: root, readConfig: false, skipPlugins: true, collections: true, isImmutable: true },
    disk,
  );
  const { snapshot } = workspace;
  const specs = await (await snapshot.specs()).readAll();
  // Missing content is a problem of this machine: the source must not appear to have fewer skills.
  for (const trouble of snapshot.troubled.values()) throw trouble;
  // Needed only for rediscovery and watching, which never happen here. They take a quarter of the memory of a source.
  snapshot.discovery.headers = new Map();
  snapshot.discovery.folders = () => [];
  const { all } = snapshot;
  const byOriginal = new Map<Skill, Skill>();
  const taken = new Set<string>();
  // Winners come first, so that they get the shorter full name.
  const inOrder = [...all.copies].sort((a, b) => Number(all.isWinner(b)) - Number(all.isWinner(a)) || a.rank - b.rank);
  for (const skill of inOrder) {
    const short = all.isAmbiguous(skill) ? `${name}:${skill.provider}` : name;
    const isTaken = taken.has(`${short}:${skill.key}`) && !skill.copyOf;
    taken.add(`${short}:${skill.key}`);
    // Paths cannot be used as names here, so the folder becomes part of the name.
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
