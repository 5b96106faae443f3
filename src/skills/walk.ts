/**
 * Finds the SKILL.md files below one root without opening them. Cycle-safe and bounded. Checks for SKILL.md first
 * and lists the folder only if there is none, which halves the system calls for a large catalog.
 */
import path from 'node:path';
import { orTrouble } from '../core/disk/answers.ts';
import { IGNORED_FOLDERS } from '../core/disk/ignored-folders.ts';
import {
  type Entry,
  type FileTree,
  FileTrouble,
  isNameNotUtf8,
  type Look,
  NAME_NOT_UTF8,
  NO_STAMP,
  reasonText,
} from '../core/disk/tree.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { asPrefix } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText } from '../core/text.ts';
import * as codes from './codes.ts';
import { gitIgnoredBelow, type GitIgnored } from './gitignore.ts';
import type { Header } from './parse.ts';
import type { Root } from './roots/plan.ts';
import { DISABLED_NAME, ENABLED_NAME, isSkillPath } from './skill.ts';

/** An entry named SKILL.md. It may be a link, a folder or anything else. */
export interface FoundFile extends Omit<Look, 'mode'> {
  file: string;
  /** File path with the links to its folder resolved. */
  realFile: string;
  dir: string;
  /** True if nothing below its folder is searched. */
  leaf: boolean;
  /** Set if the header was read ahead. */
  header: Header | undefined;
  /** The file was here a moment ago, and its folder still is: an editor is replacing it. */
  isReplaced?: true;
}

/** Reads headers without checking the files first. Undefined for files that the general reader must read. */
export type ReadAhead = (files: readonly string[]) => (Header | undefined)[];

export interface WalkLimits {
  depth: number;
  entries: number;
}

export interface Walk {
  found: FoundFile[];
  /** All listed folders. A skill folder is not listed if nothing below it is searched. */
  folders: string[];
  diagnostics: Diagnostic[];
  state: 'walked' | 'missing' | 'unreadable' | 'not-a-folder' | 'repeated';
  realRoot: string | undefined;
}

/** A folder to visit. */
interface Place {
  dir: string;
  /** Folder path with all links resolved. */
  realDir: string;
  depth: number;
  /** Link that led here, if any. */
  link: FollowedLink | undefined;
  /** Header of its SKILL.md, if it was read ahead. */
  header: Header | undefined;
}

/** The folders and links below a place in order, the headers that were read ahead, and the index of the next one. */
interface Below {
  place: Place;
  entries: readonly Entry[];
  headers: readonly (Header | undefined)[];
  next: number;
}

interface FollowedLink {
  path: string;
  /** Folders and entries visited through the link since the last skill. */
  barren: number;
  entries: number;
  givenUp: boolean;
}

/** `seenRoots` contains the real paths of earlier roots. A folder is searched once, for the first root that reaches it. */
export async function walkRoot(
  tree: FileTree,
  root: Root,
  limits: WalkLimits,
  seenRoots: Set<string>,
  readAhead: ReadAhead | undefined,
  breathe: () => Promise<void> | undefined,
): Promise<Walk> {
  const walk: Walk = { found: [], folders: [], diagnostics: [], state: 'walked', realRoot: undefined };
  let start;
  try {
    start = tree.follow(root.dir);
  } catch (error) {
    walk.state = 'unreadable';
    walk.diagnostics.push(unreachable(tree, root, error));
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
    root.gitRoot === undefined || root.explicit ? undefined : gitIgnoredBelow(tree, root.gitRoot, root.dir);
  await new Walker(tree, root, limits, walk, ignored, readAhead).run(start.realPath, breathe);
  return walk;
}

/**
 * An inaccessible home, as in many containers, is reported as one warning about the home, not as an error for every root below it.
 */
function unreachable(tree: FileTree, { dir, location }: Root, error: unknown): Diagnostic {
  const found = unreadable(error, dir);
  if (location !== 'user' || !(error instanceof FileTrouble) || error.reason !== 'not-permitted') return found;
  let closed = dir;
  while (orTrouble(() => tree.look(closed)) instanceof FileTrouble && path.dirname(closed) !== closed)
    closed = path.dirname(closed);
  return codes.fileUnreadable.at({
    path: closed,
    message: 'permission denied; skills in it are not found',
    severity: 'warning',
  });
}

function missingRoot(tree: FileTree, root: Root, walk: Walk): Walk {
  walk.state = 'missing';
  if (tree.look(root.dir)?.kind === 'link')
    walk.diagnostics.push(codes.linkDangling.at({ path: root.dir, message: 'the root is a link that leads nowhere' }));
  else if (root.explicit)
    walk.diagnostics.push(codes.rootMissing.at({ path: root.dir, message: 'there is no such folder' }));
  return walk;
}

class Walker {
  readonly #tree: FileTree;
  readonly #root: Root;
  readonly #limits: WalkLimits;
  readonly #walk: Walk;
  readonly #ignored: GitIgnored | undefined;
  readonly #readAhead: ReadAhead | undefined;
  /** Real paths of visited folders, because links may lead to the same folder. */
  readonly #visited = new Set<string>();
  #entries = 0;
  #reportedLimit = false;
  #reportedDepth = false;

  constructor(
    tree: FileTree,
    root: Root,
    limits: WalkLimits,
    walk: Walk,
    ignored: GitIgnored | undefined,
    readAhead: ReadAhead | undefined,
  ) {
    this.#tree = tree;
    this.#root = root;
    this.#limits = limits;
    this.#walk = walk;
    this.#ignored = ignored;
    this.#readAhead = readAhead;
  }

  /** Walks depth first with an explicit stack, so that a thousand nested folders do not overflow the call stack. */
  async run(realDir: string, breathe: () => Promise<void> | undefined): Promise<void> {
    const root = this.#visit({ dir: this.#root.dir, realDir, depth: 0, link: undefined, header: undefined });
    const stack: Below[] = root ? [root] : [];
    for (let below = stack.at(-1); below; below = stack.at(-1)) {
      const pause = breathe();
      if (pause) await pause;
      if (below.place.link?.givenUp || below.next === below.entries.length) {
        stack.pop();
        continue;
      }
      const deeper = this.#enterNext(below);
      if (deeper) stack.push(deeper);
    }
  }

  #enterNext(below: Below): Below | undefined {
    const { name = '', kind } = below.entries[below.next] ?? {};
    const header = below.headers[below.next];
    below.next += 1;
    if (IGNORED_FOLDERS.has(name) || name === ENABLED_NAME || name === DISABLED_NAME) return undefined;
    const { dir: parent, realDir: realParent, depth, link } = below.place;
    const dir = asPrefix(parent) + name;
    if (depth >= LIMITS.walkPeekDepth.value) return this.#reportDepth(dir);
    if (this.#ignored?.(dir)) {
      this.#walk.diagnostics.push(codes.folderIgnored.at({ path: dir, message: '.gitignore excludes this folder' }));
      return undefined;
    }
    const realDir = parent === realParent ? dir : asPrefix(realParent) + name;
    const place: Place = { dir, realDir, depth: depth + 1, link, header };
    return kind === 'link' ? this.#followLink(place) : this.#visit(place);
  }

  /** Nested links share the budget of the outer link. */
  #followLink(place: Place): Below | undefined {
    const { dir, link = { path: dir, barren: 0, entries: 0, givenUp: false } } = place;
    let target;
    try {
      target = this.#tree.follow(dir);
      if (!target) this.#walk.diagnostics.push(codes.linkDangling.at({ path: dir, message: 'the link leads nowhere' }));
    } catch (error) {
      this.#walk.diagnostics.push(unreadable(error, dir));
    }
    return target?.kind === 'directory' ? this.#visit({ ...place, realDir: target.realPath, link }) : undefined;
  }

  /** Records the skill of a folder. Returns the entries to visit below it. */
  #visit(place: Place): Below | undefined {
    const { dir, realDir, depth } = place;
    if (this.#visited.has(realDir)) return undefined;
    this.#visited.add(realDir);
    try {
      const isSkill = this.#takeSkill(place, ENABLED_NAME, this.#endsAt(depth), place.header);
      return isSkill && this.#endsAt(depth) ? undefined : this.#list(place, isSkill);
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
      const isGone = error.reason === 'missing';
      if (depth === 0) this.#walk.state = isGone ? 'missing' : 'unreadable';
      if (!isGone) this.#walk.diagnostics.push(unreadable(error, dir));
      else if (isNameNotUtf8(dir, undefined)) this.#walk.diagnostics.push(nameNotUtf8(dir));
      return undefined;
    }
  }

  /** Skills inside skills count only in explicit roots. A stray SKILL.md in the root itself does not end the search. */
  #endsAt(depth: number): boolean {
    return !this.#root.explicit && (depth > 0 || this.#root.location === 'plugin');
  }

  #takeSkill({ dir, realDir, depth, link }: Place, fileName: string, leaf: boolean, header?: Header): boolean {
    const file = asPrefix(dir) + fileName;
    const look = header ? READ_AHEAD : this.#tree.look(file);
    if (!look) return false;
    if (link) {
      link.barren = 0;
      link.entries = 0;
    }
    if (depth <= this.#limits.depth || this.#root.explicit) {
      const realFile = realDir === dir ? file : asPrefix(realDir) + fileName;
      this.#walk.found.push({ file, realFile, dir, leaf, kind: look.kind, stamp: look.stamp, header });
      return true;
    }
    if (leaf) this.#walk.folders.push(dir);
    const message = `this skill is ${depth} levels below ${this.#root.dir}; the limit is ${this.#limits.depth}`;
    this.#walk.diagnostics.push(codes.skillTooDeep.at({ path: file, message }));
    return true;
  }

  #list(place: Place, isSkill: boolean): Below | undefined {
    const { dir, link, depth } = place;
    this.#walk.folders.push(dir);
    if (link && !isSkill && ++link.barren > LIMITS.linkFolders.value) return this.#giveUp(link);
    const entries = this.#tree.list(dir).sort((a, b) => compareText(a.name, b.name));
    const other = isSkill ? undefined : skillNameAmong(entries);
    if (other !== undefined && this.#takeSkill(place, other, false)) {
      if (other !== ENABLED_NAME && other !== DISABLED_NAME) {
        const message = `the file is called ${other}`;
        this.#walk.diagnostics.push(codes.fileNameCase.at({ path: asPrefix(dir) + other, message }));
      }
      if (this.#endsAt(depth)) return undefined;
    }
    const below = this.#withinLimit(entries, place).filter(({ kind }) => kind === 'directory' || kind === 'link');
    const prefix = asPrefix(dir);
    const headers = this.#readAhead?.(below.map(({ name }) => prefix + name + ENABLED_PATH)) ?? [];
    return { place, entries: below, headers, next: 0 };
  }

  #withinLimit(entries: readonly Entry[], { dir, link }: Place): readonly Entry[] {
    const left = Math.max(0, this.#limits.entries - this.#entries);
    const allowed = entries.slice(0, left);
    this.#entries += allowed.length;
    if (link) link.entries += allowed.length;
    const cut = entries[left];
    if (cut && !this.#reportedLimit) {
      this.#reportedLimit = true;
      const message = `the search stopped after ${this.#limits.entries} entries, at ${path.join(dir, cut.name)}`;
      this.#walk.diagnostics.push(codes.rootEntryLimit.at({ path: this.#root.dir, message }));
    }
    return allowed;
  }

  /** Stops counting the entries behind the link, so that the skills next to it stay within the limit. */
  #giveUp(link: FollowedLink): undefined {
    link.givenUp = true;
    this.#entries -= link.entries;
    const message = `no skill in the first ${LIMITS.linkFolders.value} folders behind this link`;
    this.#walk.diagnostics.push(codes.linkWithoutSkills.at({ path: link.path, message }));
  }

  /** Reported once per root, because other folders are probably as deep. */
  #reportDepth(dir: string): undefined {
    if (this.#reportedDepth) return;
    this.#reportedDepth = true;
    const max = LIMITS.walkPeekDepth.value;
    const message = `this folder is more than ${max} levels below ${this.#root.dir}, so it is not searched`;
    const fix = 'Move the skills in it further up.';
    this.#walk.diagnostics.push(codes.skillTooDeep.at({ path: dir, message, fix }));
  }
}

const ENABLED_PATH = path.sep + ENABLED_NAME;
const READ_AHEAD: Look = { kind: 'file', stamp: NO_STAMP, mode: 0 };

/** Finds SKILL.md in any case, enabled before disabled. */
function skillNameAmong(entries: readonly Entry[]): string | undefined {
  const names = entries.map(({ name }) => name).filter(isSkillPath);
  return names.find((name) => !name.startsWith('.')) ?? names.find((name) => name === DISABLED_NAME) ?? names[0];
}

function nameNotUtf8(dir: string): Diagnostic {
  return codes.fileUnreadable.at({ path: dir, message: NAME_NOT_UTF8, fix: 'Rename the folder.' });
}

function unreadable(error: unknown, place: string): Diagnostic {
  if (!(error instanceof FileTrouble)) throw error;
  if (error.reason === 'too-many-links')
    return codes.linkDangling.at({ path: place, message: 'the link leads to itself' });
  return codes.fileUnreadable.at({ path: place, message: reasonText(error) });
}
