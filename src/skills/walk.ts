/**
 * Finds the SKILL.md files below one root. Cycle-safe and bounded; how a file is looked at is the caller's affair. A folder
 * is first asked for SKILL.md itself and listed only where there is none, because that halves the system calls of a large
 * catalog.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { compareText } from '../core/text.ts';
import { type Contents, type Entry, type FileTree, FileTrouble, reasonText } from '../core/disk/tree.ts';
import { asPrefix } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import * as codes from './codes.ts';
import { gitIgnoredBelow, type GitIgnored } from './gitignore.ts';
import type { Root } from './roots/plan.ts';
import { DISABLED_NAME, ENABLED_NAME } from './schema.ts';

/** Where a file stands that may be a skill's. */
export interface Place {
  /** The folder, in two parts: everything up to its name, and that. */
  parent: string;
  folder: string;
  dir: string;
  realDir: string;
  fileName: string;
  file: string;
  /** Nothing is looked for below it. */
  leaf: boolean;
}

/** Looks at a file and decides what is kept of it; undefined when nothing stands there. */
export interface Finder<Item> {
  find(place: Place, root: Root): Item | undefined;
}

export interface WalkLimits {
  depth: number;
  entries: number;
}

export interface Walk<Item> {
  found: Item[];
  /** Every folder that was listed; a skill's own folder is not, where nothing is looked for below it. */
  folders: string[];
  diagnostics: Diagnostic[];
  /** What stood at the root. */
  state: 'walked' | 'missing' | 'unreadable' | 'not-a-folder' | 'repeated';
  realRoot: string | undefined;
  /** Whether a link to a folder was followed. */
  linked: boolean;
}

const SEPARATOR = path.sep;
const ENABLED_PATH = SEPARATOR + ENABLED_NAME;

/** A folder in the middle of its visit. */
interface Frame {
  parent: string;
  folder: string;
  dir: string;
  /** The same, ready for a name. */
  prefix: string;
  realDir: string;
  /** Undefined where the real path is the same. */
  realPrefix: string | undefined;
  depth: number;
  /** The link that led here, if any. */
  link: FollowedLink | undefined;
  /** What is to be visited, in order, and how far the visit has come in each list. */
  folders: string[];
  links: string[];
  next: number;
  followed: number;
}

interface FollowedLink {
  path: string;
  /** Folders and entries looked at behind it since the last skill. */
  barren: number;
  entries: number;
  givenUp: boolean;
}

/** `seenRoots` holds the real paths of the roots walked before: the same folder is searched once, for its best root. */
export async function walkRoot<Item>(
  tree: FileTree,
  finder: Finder<Item>,
  root: Root,
  limits: WalkLimits,
  seenRoots: Set<string>,
  breathe: () => Promise<void> | undefined,
): Promise<Walk<Item>> {
  const walk: Walk<Item> = {
    found: [],
    folders: [],
    diagnostics: [],
    state: 'walked',
    realRoot: undefined,
    linked: false,
  };
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

  const ignored =
    root.gitRoot === undefined || root.explicit ? undefined : await gitIgnoredBelow(tree, root.gitRoot, root.dir);
  await new Walker(tree, finder, root, limits, walk, ignored).run(start.realPath, breathe);
  return walk;
}

function missingRoot<Item>(tree: FileTree, root: Root, walk: Walk<Item>): Walk<Item> {
  walk.state = 'missing';
  if (tree.look(root.dir)?.kind === 'link')
    walk.diagnostics.push(codes.linkDangling.at({ path: root.dir, message: 'the root is a link that leads nowhere' }));
  else if (root.explicit)
    walk.diagnostics.push(codes.rootMissing.at({ path: root.dir, message: 'there is no such folder' }));
  return walk;
}

class Walker<Item> {
  readonly #tree: FileTree;
  readonly #finder: Finder<Item>;
  readonly #root: Root;
  readonly #limits: WalkLimits;
  readonly #walk: Walk<Item>;
  readonly #ignored: GitIgnored | undefined;
  /** The real folders that were visited, each in two parts; only a link can lead to one of them again, so the set is made at the first link. */
  readonly #visited: string[] = [];
  #visitedSet: Set<string> | undefined;
  #entries = 0;
  #cut = false;
  #metBottom = false;

  constructor(
    tree: FileTree,
    finder: Finder<Item>,
    root: Root,
    limits: WalkLimits,
    walk: Walk<Item>,
    ignored: GitIgnored | undefined,
  ) {
    this.#tree = tree;
    this.#finder = finder;
    this.#root = root;
    this.#limits = limits;
    this.#walk = walk;
    this.#ignored = ignored;
  }

  /** Depth first with a stack of our own: a thousand nested folders must not use up the program's. */
  async run(realRoot: string, breathe: () => Promise<void> | undefined): Promise<void> {
    const stack: Frame[] = [];
    const { dir } = this.#root;
    const name = dir.lastIndexOf(SEPARATOR) + 1;
    let below = this.#visit(dir.slice(0, name), dir.slice(name), realRoot === dir ? undefined : realRoot, 0, undefined);
    if (below) stack.push(below);
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const pause = breathe();
      if (pause) await pause;
      if (frame.link?.givenUp || (frame.next === frame.folders.length && frame.followed === frame.links.length))
        stack.pop();
      else if ((below = this.#goOn(frame))) stack.push(below);
    }
  }

  /** Visits the next folder or link of a frame. */
  #goOn(frame: Frame): Frame | undefined {
    const folder = frame.folders[frame.next];
    const link = frame.links[frame.followed];
    if (folder !== undefined && (link === undefined || folder < link)) {
      frame.next += 1;
      if (this.#isPassedBy(frame, folder)) return undefined;
      return this.#visit(
        frame.prefix,
        folder,
        frame.realPrefix && frame.realPrefix + folder,
        frame.depth + 1,
        frame.link,
      );
    }
    frame.followed += 1;
    return link === undefined || this.#isPassedBy(frame, link) ? undefined : this.#followLink(frame, link);
  }

  #isPassedBy(frame: Frame, name: string): boolean {
    if (name === '.git' || name === 'node_modules' || name === ENABLED_NAME || name === DISABLED_NAME) return true;
    if (frame.depth >= LIMITS.walkPeekDepth.value) return this.#passBottom(frame.prefix + name);
    if (!this.#ignored) return false;
    const dir = frame.prefix + name;
    if (!this.#ignored(dir)) return false;
    this.#walk.diagnostics.push(codes.folderIgnored.at({ path: dir, message: '.gitignore excludes this folder' }));
    return true;
  }

  /** Said once for every root: where one folder goes so deep, others may. */
  #passBottom(dir: string): true {
    const max = LIMITS.walkPeekDepth.value;
    const message = `this folder lies more than ${max} levels below ${this.#root.dir}, where nothing is searched`;
    if (!this.#metBottom)
      this.#walk.diagnostics.push(
        codes.skillTooDeep.at({ path: dir, message, fix: 'Move up whatever skills lie below it.' }),
      );
    this.#metBottom = true;
    return true;
  }

  #isRepeated(parent: string, folder: string): boolean {
    if (!this.#visitedSet) {
      this.#visited.push(parent, folder);
      return false;
    }
    const realDir = parent + folder;
    if (this.#visitedSet.has(realDir)) return true;
    this.#visitedSet.add(realDir);
    return false;
  }

  /** Takes the skill of a folder; what is to be visited below it, if anything. The real path is left out where it is the same. */
  #visit(
    parent: string,
    folder: string,
    realPath: string | undefined,
    depth: number,
    link: FollowedLink | undefined,
  ): Frame | undefined {
    if (realPath === undefined ? this.#isRepeated(parent, folder) : this.#isRepeated('', realPath)) return undefined;
    const dir = parent + folder;
    const realDir = realPath ?? dir;
    try {
      const leaf = this.#endsAt(depth);
      const place: Place = {
        parent,
        folder,
        dir,
        realDir,
        fileName: ENABLED_NAME,
        file: folder === '' ? dir + ENABLED_NAME : dir + ENABLED_PATH,
        leaf,
      };
      const item = this.#finder.find(place, this.#root);
      if (item !== undefined) {
        this.#take(item, place, depth, link);
        if (leaf) return undefined;
      }
      const prefix = asPrefix(dir);
      const realPrefix = realPath === undefined ? undefined : asPrefix(realPath);
      const frame = {
        parent,
        folder,
        dir,
        prefix,
        realDir,
        realPrefix,
        depth,
        link,
        folders: [],
        links: [],
        next: 0,
        followed: 0,
      };
      return this.#open(frame, item !== undefined);
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
      const isGone = error.reason === 'missing';
      if (depth === 0) this.#walk.state = isGone ? 'missing' : 'unreadable';
      if (!isGone) this.#walk.diagnostics.push(unreadable(error, dir));
      else if (dir.includes(REPLACEMENT)) this.#walk.diagnostics.push(nameNotUtf8(dir));
      return undefined;
    }
  }

  /** Below a skill there are no more skills, except in roots given by hand; a stray SKILL.md in a root hides nothing. */
  #endsAt(depth: number): boolean {
    return !this.#root.explicit && (depth > 0 || this.#root.location === 'plugin');
  }

  #open(frame: Frame, hasSkill: boolean): Frame | undefined {
    const { dir, link, depth } = frame;
    this.#walk.folders.push(dir);
    if (link && !hasSkill && ++link.barren > LIMITS.linkFolders.value) return this.#giveUp(link);
    const contents = this.#tree.contents(dir);
    const other = hasSkill ? undefined : skillEntry(contents);
    if (other) {
      this.#takeOther(frame, other);
      if (this.#endsAt(depth)) return undefined;
    }
    this.#fill(frame, contents);
    return frame;
  }

  #takeOther({ parent, folder, dir, realDir, depth, link }: Frame, { name: fileName }: Entry): void {
    const file = asPrefix(dir) + fileName;
    const place: Place = { parent, folder, dir, realDir, fileName, file, leaf: false };
    const item = this.#finder.find(place, this.#root);
    if (item === undefined) return;
    this.#take(item, place, depth, link);
    if (fileName !== ENABLED_NAME && fileName !== DISABLED_NAME) {
      this.#walk.diagnostics.push(codes.fileNameCase.at({ path: file, message: `the file is called ${fileName}` }));
    }
  }

  #take(item: Item, place: Place, depth: number, link: FollowedLink | undefined): void {
    if (link) {
      link.barren = 0;
      link.entries = 0;
    }
    if (depth > this.#limits.depth && !this.#root.explicit) {
      if (place.leaf) this.#walk.folders.push(place.dir);
      this.#walk.diagnostics.push(
        codes.skillTooDeep.at({
          path: place.file,
          message: `this skill lies ${depth} levels below ${this.#root.dir}; the limit is ${this.#limits.depth}`,
        }),
      );
      return;
    }
    this.#walk.found.push(item);
  }

  /** The folders and links to go on with, in order, as far as the limit allows. */
  #fill(frame: Frame, contents: Contents): void {
    const room = this.#limits.entries - this.#entries;
    const total = contents.folders.length + contents.others.length;
    const { folders, others } = total > room ? this.#firstOf(contents, room, frame.dir) : contents;
    const taken = Math.min(total, Math.max(0, room));
    this.#entries += taken;
    if (frame.link) frame.link.entries += taken;
    frame.folders = folders.sort();
    if (others.length > 0) {
      frame.links = others
        .filter(({ kind }) => kind === 'link')
        .map(({ name }) => name)
        .sort();
    }
  }

  #firstOf({ folders, others }: Contents, room: number, dir: string): Contents {
    const entries = [...folders.map((name): Entry => ({ name, kind: 'directory' })), ...others].sort((a, b) =>
      compareText(a.name, b.name),
    );
    const cut = entries.splice(Math.max(0, room))[0];
    if (cut) this.#reportLimit(path.join(dir, cut.name));
    return {
      folders: entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name),
      others: entries.filter(({ kind }) => kind !== 'directory'),
    };
  }

  /** What was looked at in vain is not held against the skills beside the link. */
  #giveUp(link: FollowedLink): undefined {
    link.givenUp = true;
    this.#entries -= link.entries;
    const message = `no skill in the first ${LIMITS.linkFolders.value} folders behind this link`;
    this.#walk.diagnostics.push(codes.linkWithoutSkills.at({ path: link.path, message }));
  }

  #reportLimit(place: string): void {
    if (this.#cut) return;
    this.#cut = true;
    const message = `the search stopped after ${this.#limits.entries} entries, at ${place}`;
    this.#walk.diagnostics.push(codes.rootEntryLimit.at({ path: this.#root.dir, message }));
  }

  /** A link behind a link shares its patience: a tree of links is one tree. */
  #followLink({ prefix, depth, link: before }: Frame, name: string): Frame | undefined {
    const link = prefix + name;
    let target;
    try {
      target = this.#tree.follow(link);
      if (!target)
        this.#walk.diagnostics.push(codes.linkDangling.at({ path: link, message: 'the link leads nowhere' }));
    } catch (error) {
      const loops = error instanceof FileTrouble && error.reason === 'too-many-links';
      this.#walk.diagnostics.push(
        loops ? codes.linkDangling.at({ path: link, message: 'the link leads to itself' }) : unreadable(error, link),
      );
    }
    if (target?.kind !== 'directory') return undefined;
    this.#walk.linked = true;
    this.#visitedSet ??= new Set(
      this.#visited.flatMap((part, index) => (index % 2 === 0 ? [part + (this.#visited[index + 1] ?? '')] : [])),
    );
    return this.#visit(
      prefix,
      name,
      target.realPath,
      depth + 1,
      before ?? { path: link, barren: 0, entries: 0, givenUp: false },
    );
  }
}

/** SKILL.md in any case, enabled before disabled. */
function skillEntry({ folders, others }: Contents): Entry | undefined {
  const candidates = [
    ...others.filter(({ name }) => isSkillName(name)),
    ...folders.filter((name) => isSkillName(name)).map((name): Entry => ({ name, kind: 'directory' })),
  ].sort((a, b) => compareText(a.name, b.name));
  return (
    candidates.find(({ name }) => !name.startsWith('.')) ??
    candidates.find(({ name }) => name === DISABLED_NAME) ??
    candidates[0]
  );
}

function isSkillName(name: string): boolean {
  return (name.length === ENABLED_NAME.length || name.length === DISABLED_NAME.length) && /^\.?skill\.md$/iu.test(name);
}

/** Node.js shows what is not UTF-8 in a name as this, and then finds nothing of that name. */
const REPLACEMENT = '\ufffd';

function nameNotUtf8(dir: string): Diagnostic {
  return codes.fileUnreadable.at({ path: dir, message: 'its name is not UTF-8', fix: 'Rename the folder.' });
}

function unreadable(error: unknown, place: string): Diagnostic {
  if (!(error instanceof FileTrouble)) throw error;
  if (error.reason === 'too-many-links')
    return codes.linkDangling.at({ path: place, message: 'the link leads to itself' });
  return codes.fileUnreadable.at({ path: place, message: reasonText(error) });
}
