/**
 * Finds the SKILL.md files below one folder without opening them, with the facts that the rules of the catalog and of each agent
 * depend on. Cycle-safe and bounded. If nothing below a skill counts, checks for SKILL.md first and lists the folder only if there
 * is none, which halves the system calls for a large catalog.
 */
import path from 'node:path';
import { findTarget, orTrouble } from '../core/disk/answers.ts';
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
import { catalogRules, type Position, type WalkLimits, type WalkRules } from './walk-rules.ts';

/** An entry named SKILL.md. It may be a link, a folder or anything else. */
export interface FoundFile extends Omit<Look, 'mode'>, Position {
  file: string;
  /** File path with the links to its folder resolved. */
  realFile: string;
  dir: string;
  /** True for a name that begins with a dot, with which Lectern disables a skill. */
  disabled: boolean;
  /** True if nothing below its folder is searched. */
  leaf: boolean;
  /** Whether its folder contains `agents`. Undefined if the folder was not listed. */
  hasAgents: boolean | undefined;
  /** Set if the header was read ahead. */
  header: Header | undefined;
  /** The file was here a moment ago, and its folder still is: an editor is replacing it. */
  isReplaced?: true;
}

/** Reads headers by real path. Undefined for files that the general reader must read. */
interface ReadAhead {
  read(files: readonly string[]): readonly (Header | undefined)[];
  /** For the target of a link, which may have been read already. */
  readTarget(file: string): Header | undefined;
}

type Breathe = () => Promise<void> | undefined;

export interface Walk {
  found: FoundFile[];
  /** All listed folders. A skill folder is not listed if nothing below it is searched. */
  folders: string[];
  diagnostics: Diagnostic[];
  state: 'walked' | 'missing' | 'unreadable' | 'not-a-folder' | 'repeated';
  realRoot: string | undefined;
  /** True if a limit was reached or a folder is ignored by git, so that there may be more. */
  isPartial: boolean;
}

/** Extent of a walk. */
interface WalkPolicy {
  rules: WalkRules;
  /** Searches deeper than the rules allow, to report the skills there. */
  peeks: boolean;
  /** A skill in the folder itself ends the search. */
  endsAtRoot: boolean;
  maxEntries: number;
  maxFolders: number;
  /** Maximum number of folders behind a link without a skill. */
  maxBarren: number;
  ignored: GitIgnored | undefined;
  /** Reads headers without checking the files first. */
  readAhead: ReadAhead | undefined;
}

/** A folder to visit. */
interface Place extends Pick<Position, 'level' | 'hidden' | 'nodeModules' | 'insideSkill'> {
  dir: string;
  /** Folder path with all links resolved. */
  realDir: string;
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
  /** The place is a skill, so everything below it is inside a skill. */
  isInsideSkill: boolean;
}

interface FollowedLink {
  path: string;
  /** Folders and entries visited through the link since the last skill. */
  barren: number;
  entries: number;
  givenUp: boolean;
}

function newWalk(): Walk {
  return { found: [], folders: [], diagnostics: [], state: 'walked', realRoot: undefined, isPartial: false };
}

export interface RootWalkOptions {
  limits: WalkLimits;
  /** Real paths of earlier roots. A folder is searched once, for the first root that reaches it. */
  seenRoots: Set<string>;
  readAhead?: ReadAhead | undefined;
  breathe: Breathe;
}

/** Walks a root by the rules of the catalog, and reports problems. */
export async function walkRoot(
  tree: FileTree,
  root: Root,
  { limits, seenRoots, readAhead, breathe }: RootWalkOptions,
): Promise<Walk> {
  const walk = newWalk();
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
  const policy: WalkPolicy = {
    rules: catalogRules(root, limits),
    peeks: true,
    endsAtRoot: root.location === 'plugin',
    maxEntries: limits.entries,
    maxFolders: Infinity,
    maxBarren: LIMITS.linkFolders.value,
    ignored,
    readAhead,
  };
  await new Walker(tree, root.dir, policy, walk).run(start.realPath, breathe);
  return walk;
}

/**
 * Walks a folder by the rules of agents, which depend neither on the limits in the settings nor on `.gitignore`. Returns undefined
 * if the folder does not exist.
 */
export async function walkForAgents(
  tree: FileTree,
  { dir, location }: Pick<Root, 'dir' | 'location'>,
  rules: WalkRules,
  breathe: Breathe,
): Promise<Walk | undefined> {
  const start = findTarget(tree, dir);
  if (start?.kind !== 'directory') return undefined;
  const walk = newWalk();
  const policy: WalkPolicy = {
    rules,
    peeks: false,
    endsAtRoot: location === 'plugin',
    maxEntries: Infinity,
    maxFolders: LIMITS.surveyFolders.value,
    maxBarren: Infinity,
    ignored: undefined,
    readAhead: undefined,
  };
  await new Walker(tree, dir, policy, walk).run(start.realPath, breathe);
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
  readonly #root: string;
  readonly #policy: WalkPolicy;
  readonly #walk: Walk;
  readonly #deepest: number;
  /** Real paths of visited folders, because links may lead to the same folder. */
  readonly #visited = new Set<string>();
  #entries = 0;
  #reportedLimit = false;
  #reportedDepth = false;

  constructor(tree: FileTree, root: string, policy: WalkPolicy, walk: Walk) {
    this.#tree = tree;
    this.#root = root;
    this.#policy = policy;
    this.#walk = walk;
    const { value: deepest } = LIMITS.walkPeekDepth;
    this.#deepest = policy.peeks ? deepest : Math.min(deepest, policy.rules.deepest);
  }

  /** Walks depth first with an explicit stack, so that a thousand nested folders do not overflow the call stack. */
  async run(realDir: string, breathe: Breathe): Promise<void> {
    const root = this.#visit({
      dir: this.#root,
      realDir,
      level: 0,
      hidden: false,
      nodeModules: false,
      insideSkill: false,
      link: undefined,
      header: undefined,
    });
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
    const { rules, ignored } = this.#policy;
    const isHidden = name.startsWith('.');
    const isModules = name === 'node_modules';
    if (isModules ? !rules.nodeModules : IGNORED_FOLDERS.has(name)) return undefined;
    if (name === ENABLED_NAME || name === DISABLED_NAME || (isHidden && !rules.hidden)) return undefined;
    const { dir: parent, realDir: realParent, level, hidden, nodeModules, link } = below.place;
    const dir = asPrefix(parent) + name;
    if (level >= this.#deepest) return this.#reportDepth(dir);
    if (ignored?.(dir)) {
      this.#walk.isPartial = true;
      this.#walk.diagnostics.push(codes.folderIgnored.at({ path: dir, message: '.gitignore excludes this folder' }));
      return undefined;
    }
    const place: Place = {
      dir,
      realDir: parent === realParent ? dir : asPrefix(realParent) + name,
      level: level + 1,
      hidden: hidden || isHidden,
      nodeModules: nodeModules || isModules,
      insideSkill: below.isInsideSkill,
      link,
      header,
    };
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
    if (target?.kind !== 'directory') return undefined;
    const { realPath: realDir } = target;
    if (this.#visited.has(realDir)) return undefined;
    const header = this.#policy.readAhead?.readTarget(asPrefix(realDir) + ENABLED_NAME);
    return this.#visit({ ...place, realDir, link, header });
  }

  /** Records the skill of a folder. Returns the entries to visit below it. */
  #visit(place: Place): Below | undefined {
    const { dir, realDir, level } = place;
    if (this.#visited.has(realDir)) return undefined;
    if (this.#visited.size >= this.#policy.maxFolders) {
      this.#walk.isPartial = true;
      return undefined;
    }
    this.#visited.add(realDir);
    const isLeaf = this.#endsAt(level);
    try {
      // The catalog also finds a skill in a folder that cannot be listed. Agents list every folder.
      const looksFirst = isLeaf || this.#policy.peeks;
      const skill = looksFirst ? this.#takeSkill(place, ENABLED_NAME, isLeaf) : undefined;
      return skill && isLeaf ? undefined : this.#list(place, skill);
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
      const isGone = error.reason === 'missing';
      if (level === 0) this.#walk.state = isGone ? 'missing' : 'unreadable';
      if (!isGone) this.#walk.diagnostics.push(unreadable(error, dir));
      else if (isNameNotUtf8(dir, undefined)) this.#walk.diagnostics.push(nameNotUtf8(dir));
      return undefined;
    }
  }

  /** Whether a skill at this level ends the search. A stray SKILL.md in the root itself does not. */
  #endsAt(level: number): boolean {
    return !this.#policy.rules.insideSkills && (level > 0 || this.#policy.endsAtRoot);
  }

  #takeSkill(place: Place, fileName: string, leaf: boolean): FoundFile | 'too-deep' | undefined {
    const { dir, realDir, level, link } = place;
    const header = fileName === ENABLED_NAME ? place.header : undefined;
    const file = asPrefix(dir) + fileName;
    const look = header ? READ_AHEAD : this.#tree.look(file);
    if (!look) return undefined;
    if (link) {
      link.barren = 0;
      link.entries = 0;
    }
    const { deepest } = this.#policy.rules;
    if (level <= deepest) {
      const found: FoundFile = {
        file,
        realFile: realDir === dir ? file : asPrefix(realDir) + fileName,
        dir,
        kind: look.kind,
        stamp: look.stamp,
        level,
        hidden: place.hidden,
        nodeModules: place.nodeModules,
        insideSkill: place.insideSkill,
        linkedFile: look.kind === 'link',
        linkedFolder: link !== undefined,
        exactName: fileName === ENABLED_NAME,
        disabled: fileName.startsWith('.'),
        leaf,
        hasAgents: undefined,
        header,
      };
      this.#walk.found.push(found);
      return found;
    }
    if (leaf) this.#walk.folders.push(dir);
    const message = `this skill is ${level} levels below ${this.#root}; the limit is ${deepest}`;
    this.#walk.diagnostics.push(codes.skillTooDeep.at({ path: file, message }));
    return 'too-deep';
  }

  /** Lists a folder. `known` is its SKILL.md, if that was found without listing the folder. */
  #list(place: Place, known: FoundFile | 'too-deep' | undefined): Below | undefined {
    const { dir, link, level } = place;
    this.#walk.folders.push(dir);
    if (link && !known && ++link.barren > this.#policy.maxBarren) return this.#giveUp(link);
    const entries = this.#tree.list(dir).sort((a, b) => compareText(a.name, b.name));
    const other = known ? undefined : skillNameAmong(entries);
    const skill = other === undefined ? known : this.#takeSkill(place, other, false);
    if (other !== undefined && skill) {
      if (other !== ENABLED_NAME && other !== DISABLED_NAME) {
        const message = `the file is called ${other}`;
        this.#walk.diagnostics.push(codes.fileNameCase.at({ path: asPrefix(dir) + other, message }));
      }
      if (this.#endsAt(level)) return undefined;
    }
    if (typeof skill === 'object') skill.hasAgents = entries.some(({ name }) => name === 'agents');
    const below = this.#withinLimit(entries, place).filter(({ kind }) => kind === 'directory' || kind === 'link');
    const isInsideSkill = place.insideSkill || (typeof skill === 'object' && !skill.disabled && level > 0);
    return { place, entries: below, headers: this.#readHeaders(place, below), next: 0, isInsideSkill };
  }

  /** Reads the headers of all folders together. The target of a link is not known yet. */
  #readHeaders({ realDir }: Place, below: readonly Entry[]): readonly (Header | undefined)[] {
    const { readAhead } = this.#policy;
    if (!readAhead) return [];
    const prefix = asPrefix(realDir);
    const folders = below.filter(({ kind }) => kind === 'directory');
    const headers = readAhead.read(folders.map(({ name }) => prefix + name + ENABLED_PATH));
    if (folders.length === below.length) return headers;
    let next = 0;
    return below.map(({ kind }) => (kind === 'directory' ? headers[next++] : undefined));
  }

  #withinLimit(entries: readonly Entry[], { dir, link }: Place): readonly Entry[] {
    const { maxEntries } = this.#policy;
    const left = Math.max(0, maxEntries - this.#entries);
    const allowed = entries.slice(0, left);
    this.#entries += allowed.length;
    if (link) link.entries += allowed.length;
    const cut = entries[left];
    if (cut && !this.#reportedLimit) {
      this.#reportedLimit = true;
      this.#walk.isPartial = true;
      const message = `the search stopped after ${maxEntries} entries, at ${path.join(dir, cut.name)}`;
      this.#walk.diagnostics.push(codes.rootEntryLimit.at({ path: this.#root, message }));
    }
    return allowed;
  }

  /** Stops counting the entries behind the link, so that the skills next to it stay within the limit. */
  #giveUp(link: FollowedLink): undefined {
    link.givenUp = true;
    this.#walk.isPartial = true;
    this.#entries -= link.entries;
    const message = `no skill in the first ${this.#policy.maxBarren} folders behind this link`;
    this.#walk.diagnostics.push(codes.linkWithoutSkills.at({ path: link.path, message }));
  }

  /** Reported once per root, because other folders are probably as deep. */
  #reportDepth(dir: string): undefined {
    if (this.#reportedDepth || !this.#policy.peeks) return;
    this.#reportedDepth = true;
    const message = `this folder is more than ${this.#deepest} levels below ${this.#root}, so it is not searched`;
    const fix = 'Move the skills in it further up.';
    this.#walk.diagnostics.push(codes.skillTooDeep.at({ path: dir, message, fix }));
  }
}

const ENABLED_PATH = path.sep + ENABLED_NAME;
const READ_AHEAD: Look = { kind: 'file', stamp: NO_STAMP, mode: 0 };

/** Finds SKILL.md in any case: the exact name before others, enabled before disabled. */
function skillNameAmong(entries: readonly Entry[]): string | undefined {
  const names = entries
    .map(({ name }) => name)
    .filter((name) => name.length <= DISABLED_NAME.length && isSkillPath(name));
  return (
    names.find((name) => name === ENABLED_NAME) ??
    names.find((name) => !name.startsWith('.')) ??
    names.find((name) => name === DISABLED_NAME) ??
    names[0]
  );
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
