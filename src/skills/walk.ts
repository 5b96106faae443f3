/**
 * Finds the SKILL.md files below one root. Cycle-safe and bounded; how a file is looked at is the caller's affair. A folder
 * is first asked for SKILL.md itself and listed only where there is none, because that halves the system calls of a large
 * catalogue.
 */
import path from 'node:path';
import { compareText, type Diagnostic } from '../core/diagnostics.js';
import { type Entry, type FileTree, FileTrouble, type Look } from '../core/files.js';
import { LIMITS } from '../core/limits.js';
import * as codes from './codes.js';
import { gitIgnoredBelow, type GitIgnored } from './gitignore.js';
import type { Root } from './roots/plan.js';

export interface Found<Seen extends Look = Look> {
  dir: string;
  file: string;
  realDir: string;
  fileName: string;
  disabled: boolean;
  look: Seen;
}

export interface WalkLimits {
  depth: number;
  entries: number;
}

/** A folder whose entries decide what a walk finds. */
export interface VisitedFolder {
  dir: string;
  /** Only its SKILL.md counts: the walk does not go below. */
  leaf: boolean;
}

export interface Walk<Seen extends Look = Look> {
  found: Found<Seen>[];
  /** Every folder that was looked at: whoever wants to know of changes watches these. */
  folders: VisitedFolder[];
  diagnostics: Diagnostic[];
  /** What stood at the root. */
  state: 'walked' | 'missing' | 'unreadable' | 'not-a-folder' | 'repeated';
  realRoot: string | undefined;
}

const ENABLED_NAME = 'SKILL.md';
const DISABLED_NAME = '.SKILL.md';
const SKIPPED_FOLDERS = new Set(['.git', 'node_modules']);

interface Step {
  dir: string;
  realDir: string;
  depth: number;
  /** The link that led here, if any. */
  link: FollowedLink | undefined;
}

interface FollowedLink {
  path: string;
  /** Folders and entries looked at behind it since the last skill. */
  barren: number;
  entries: number;
  givenUp: boolean;
}

/** What stands at a path that may be a skill's file; undefined when nothing does. */
export type LookAt<Seen extends Look> = (file: string) => Seen | undefined;

/** `seenRoots` holds the real paths of the roots walked before: the same folder is searched once, for its best root. */
export async function walkRoot<Seen extends Look>(
  tree: FileTree,
  look: LookAt<Seen>,
  root: Root,
  limits: WalkLimits,
  seenRoots: Set<string>,
  breathe: () => Promise<void> | undefined,
): Promise<Walk<Seen>> {
  const walk: Walk<Seen> = { found: [], folders: [], diagnostics: [], state: 'walked', realRoot: undefined };
  let start;
  try {
    start = tree.follow(root.dir);
  } catch (error) {
    walk.state = 'unreadable';
    walk.diagnostics.push(unreadable(error, root.dir));
    return walk;
  }
  if (!start) return missingRoot(tree, root, walk);
  if (start.kind !== 'directory') {
    walk.state = 'not-a-folder';
    walk.diagnostics.push(codes.rootNotAFolder.at({ path: root.dir, message: 'a folder of skills is expected here' }));
    return walk;
  }
  walk.realRoot = start.realPath;
  if (seenRoots.has(start.realPath)) return { ...walk, state: 'repeated' };
  seenRoots.add(start.realPath);

  const ignored = root.gitRoot === undefined || root.explicit ? undefined : await gitIgnoredBelow(tree, root.gitRoot, root.dir);
  await new Walker(tree, look, root, limits, walk, ignored).run({ dir: root.dir, realDir: start.realPath, depth: 0, link: undefined }, breathe);
  return walk;
}

function missingRoot<Seen extends Look>(tree: FileTree, root: Root, walk: Walk<Seen>): Walk<Seen> {
  walk.state = 'missing';
  if (tree.look(root.dir)?.kind === 'link')
    walk.diagnostics.push(codes.linkDangling.at({ path: root.dir, message: 'the root is a link that leads nowhere' }));
  else if (root.explicit) walk.diagnostics.push(codes.rootMissing.at({ path: root.dir, message: 'there is no such folder' }));
  return walk;
}

class Walker<Seen extends Look> {
  readonly #tree: FileTree;
  readonly #look: LookAt<Seen>;
  readonly #root: Root;
  readonly #limits: WalkLimits;
  readonly #walk: Walk<Seen>;
  readonly #ignored: GitIgnored | undefined;
  /** The real folders that were visited; only a link can lead to one of them again, so the set is made at the first link. */
  readonly #visited: string[] = [];
  #visitedSet: Set<string> | undefined;
  #entries = 0;
  #cut = false;

  constructor(tree: FileTree, look: LookAt<Seen>, root: Root, limits: WalkLimits, walk: Walk<Seen>, ignored: GitIgnored | undefined) {
    this.#tree = tree;
    this.#look = look;
    this.#root = root;
    this.#limits = limits;
    this.#walk = walk;
    this.#ignored = ignored;
  }

  /** Depth first with a stack of our own: a thousand nested folders must not use up the program's. */
  async run(start: Step, breathe: () => Promise<void> | undefined): Promise<void> {
    const stack: Step[] = [start];
    for (let step = stack.pop(); step; step = stack.pop()) {
      const pause = breathe();
      if (pause) await pause;
      if (step.link?.givenUp || this.#isRepeated(step)) continue;
      const below = this.#visit(step);
      for (let index = below.length - 1; index >= 0; index--) {
        const next = below[index];
        if (next) stack.push(next);
      }
    }
  }

  #isRepeated({ realDir }: Step): boolean {
    if (!this.#visitedSet) {
      this.#visited.push(realDir);
      return false;
    }
    if (this.#visitedSet.has(realDir)) return true;
    this.#visitedSet.add(realDir);
    return false;
  }

  /** The folders to go on with, in order. */
  #visit(step: Step): Step[] {
    try {
      const file = step.dir + path.sep + ENABLED_NAME;
      const direct = this.#look(file);
      if (direct) this.#take(step, ENABLED_NAME, file, direct, false);
      const leaf = direct !== undefined && this.#endsAt(step);
      this.#walk.folders.push({ dir: step.dir, leaf });
      if (leaf) return [];
      if (step.link && !direct && ++step.link.barren > LIMITS.linkFolders.value) return this.#giveUp(step.link);
      const entries = this.#tree.list(step.dir).sort((a, b) => compareText(a.name, b.name));
      const other = direct ? undefined : skillEntry(entries);
      if (other) this.#takeOther(step, other);
      if (other && this.#endsAt(step)) return [];
      return this.#descend(step, entries);
    } catch (error) {
      if (step.depth === 0) this.#walk.state = 'unreadable';
      this.#walk.diagnostics.push(unreadable(error, step.dir));
      return [];
    }
  }

  /** Below a skill there are no more skills, except in roots given by hand; a stray SKILL.md in a root hides nothing. */
  #endsAt(step: Step): boolean {
    return !this.#root.explicit && (step.depth > 0 || this.#root.location === 'plugin');
  }

  #takeOther(step: Step, entry: Entry): void {
    const file = step.dir + path.sep + entry.name;
    const look = this.#look(file);
    if (!look) return;
    const disabled = entry.name.startsWith('.');
    this.#take(step, entry.name, file, look, disabled);
    if (entry.name !== ENABLED_NAME && entry.name !== DISABLED_NAME) {
      this.#walk.diagnostics.push(codes.fileNameCase.at({ path: file, message: `the file is called ${entry.name}` }));
    }
  }

  #take(step: Step, fileName: string, file: string, look: Seen, disabled: boolean): void {
    if (step.link) {
      step.link.barren = 0;
      step.link.entries = 0;
    }
    if (step.depth > this.#limits.depth && !this.#root.explicit) {
      this.#walk.diagnostics.push(
        codes.skillTooDeep.at({
          path: file,
          message: `this skill lies ${step.depth} levels below ${this.#root.dir}; the limit is ${this.#limits.depth}`,
        }),
      );
      return;
    }
    this.#walk.found.push({ dir: step.dir, file, realDir: step.realDir, fileName, disabled, look });
  }

  #descend(step: Step, entries: readonly Entry[]): Step[] {
    const below: Step[] = [];
    for (const entry of entries) {
      if (this.#entries >= this.#limits.entries) {
        this.#reportLimit(path.join(step.dir, entry.name));
        return below;
      }
      this.#entries += 1;
      if (step.link) step.link.entries += 1;
      const next = this.#stepInto(step, entry);
      if (next) below.push(next);
    }
    return below;
  }

  /** What was looked at in vain is not held against the skills beside the link. */
  #giveUp(link: FollowedLink): Step[] {
    link.givenUp = true;
    this.#entries -= link.entries;
    const message = `no skill in the first ${LIMITS.linkFolders.value} folders behind this link`;
    this.#walk.diagnostics.push(codes.linkWithoutSkills.at({ path: link.path, message }));
    return [];
  }

  #reportLimit(place: string): void {
    if (this.#cut) return;
    this.#cut = true;
    const message = `the search stopped after ${this.#limits.entries} entries, at ${place}`;
    this.#walk.diagnostics.push(codes.rootEntryLimit.at({ path: this.#root.dir, message }));
  }

  #stepInto(step: Step, entry: Entry): Step | undefined {
    if ((entry.kind !== 'directory' && entry.kind !== 'link') || SKIPPED_FOLDERS.has(entry.name)) return undefined;
    if (entry.name === ENABLED_NAME || entry.name === DISABLED_NAME) return undefined;
    const dir = step.dir + path.sep + entry.name;
    if (step.depth + 1 > LIMITS.walkPeekDepth.value) return undefined;
    if (this.#ignored?.(dir)) {
      this.#walk.diagnostics.push(codes.folderIgnored.at({ path: dir, message: '.gitignore excludes this folder' }));
      return undefined;
    }
    // Where no link led here, both paths are one and the same text: in a large catalogue that is a third of all memory.
    if (entry.kind === 'directory') {
      const realDir = step.realDir === step.dir ? dir : step.realDir + path.sep + entry.name;
      return { dir, realDir, depth: step.depth + 1, link: step.link };
    }
    return this.#followLink(dir, step);
  }

  /** A link behind a link shares its patience: a tree of links is one tree. */
  #followLink(link: string, { depth, link: before }: Step): Step | undefined {
    try {
      const target = this.#tree.follow(link);
      if (target?.kind === 'directory') {
        this.#visitedSet ??= new Set(this.#visited);
        return { dir: link, realDir: target.realPath, depth: depth + 1, link: before ?? { path: link, barren: 0, entries: 0, givenUp: false } };
      }
      if (!target) this.#walk.diagnostics.push(codes.linkDangling.at({ path: link, message: 'the link leads nowhere' }));
    } catch (error) {
      const loops = error instanceof FileTrouble && error.reason === 'too-many-links';
      this.#walk.diagnostics.push(loops ? codes.linkDangling.at({ path: link, message: 'the link leads to itself' }) : unreadable(error, link));
    }
    return undefined;
  }
}

/** SKILL.md in any case, enabled before disabled. */
function skillEntry(entries: readonly Entry[]): Entry | undefined {
  const named = (name: string): Entry | undefined => entries.find((entry) => entry.name.toLowerCase() === name.toLowerCase());
  return named(ENABLED_NAME) ?? entries.find(({ name }) => name === DISABLED_NAME) ?? named(DISABLED_NAME);
}

function unreadable(error: unknown, place: string): Diagnostic {
  if (!(error instanceof FileTrouble)) throw error;
  if (error.reason === 'too-many-links') return codes.linkDangling.at({ path: place, message: 'the link leads to itself' });
  return codes.fileUnreadable.at({ path: place, message: error.reason === 'not-permitted' ? 'permission denied' : error.reason });
}
