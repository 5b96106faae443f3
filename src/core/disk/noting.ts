import { orTrouble } from './answers.ts';
import { type FileTree, FileTrouble, type Look, sameStamp, type Stamp } from './tree.ts';
import type { Disk } from './writes.ts';

/**
 * Wraps a tree and collects every machine error (see `isOfMachine`) by path, even if the caller then treats the file as missing.
 * A scan with such an error is incomplete.
 */
export function notingTrouble(tree: FileTree): { files: FileTree; troubled: ReadonlyMap<string, FileTrouble> } {
  const troubled = new Map<string, FileTrouble>();
  const files = watched(tree, (trouble) => {
    if (trouble.isOfMachine) troubled.set(trouble.path, trouble);
  });
  return { files, troubled };
}

/** Wraps a disk and reports every failed read, even if the caller treats the file as missing. */
export function reportingReads(disk: Disk, report: (trouble: FileTrouble) => void): Disk {
  const files = watched(disk, (trouble) => {
    if (trouble.isFailedRead) report(trouble);
  });
  return { ...disk, ...files };
}

function watched(tree: FileTree, report: (trouble: FileTrouble) => void): FileTree {
  const noted =
    <Args extends unknown[], Result>(use: (...args: Args) => Result) =>
    (...args: Args): Result => {
      try {
        return use(...args);
      } catch (error) {
        if (error instanceof FileTrouble) report(error);
        throw error;
      }
    };
  return {
    list: noted(tree.list),
    look: noted(tree.look),
    follow: noted(tree.follow),
    readLink: noted(tree.readLink),
    readStart: noted(tree.readStart),
    read: noted(tree.read),
    readTarget: noted(tree.readTarget),
    readWithin: noted(tree.readWithin),
  };
}

/** The state of a path: its stamp, or the reason why it has none. */
export type PathState = Stamp | 'missing' | 'unreadable';

/** The states that paths had when they were first used. */
export interface PathStates {
  /** Paths whose own entry mattered, without following a link at the end. */
  own: ReadonlyMap<string, PathState>;
  /** Paths whose target mattered, with all links followed. */
  targets: ReadonlyMap<string, PathState>;
}

export function stateOf(look: () => Look | undefined): PathState {
  return stateIn(orTrouble(look));
}

/** Whether every path still has its recorded state. */
export function areUnchanged(tree: FileTree, { own, targets }: PathStates): boolean {
  for (const [path, state] of own)
    if (
      !isSameState(
        state,
        stateOf(() => tree.look(path)),
      )
    )
      return false;
  for (const [path, state] of targets)
    if (
      !isSameState(
        state,
        stateOf(() => tree.follow(path)),
      )
    )
      return false;
  return true;
}

/** File timestamps have a resolution of a few milliseconds. A file read this soon after a change is reread next time. */
const RACY_MS = 100;

/** Whether a file read at that time could change again without another stamp. */
export function isRacy({ mtimeMs, ctimeMs }: Stamp, startedAt: number): boolean {
  const changedAt = Math.max(mtimeMs, ctimeMs);
  return changedAt > startedAt - RACY_MS && changedAt < Date.now() + RACY_MS;
}

/** Whether every later change of these paths leaves another state than the recorded one. */
export function areSettled({ own, targets }: PathStates, startedAt: number): boolean {
  for (const states of [own, targets])
    for (const state of states.values()) if (typeof state !== 'string' && isRacy(state, startedAt)) return false;
  return true;
}

function isSameState(a: PathState, b: PathState): boolean {
  return typeof a === 'string' || typeof b === 'string' ? a === b : sameStamp(a, b);
}

function stateIn(found: Look | FileTrouble | undefined): PathState {
  if (found instanceof FileTrouble) return found.isMissing ? 'missing' : 'unreadable';
  return found?.stamp ?? 'missing';
}

/**
 * Wraps a tree and collects the state of every path that is used. The state is taken before the content is read, so content that
 * changes in between is never recorded with the later state.
 */
export function notingStates(tree: FileTree): { files: FileTree; states: PathStates } {
  const own = new Map<string, PathState>();
  const targets = new Map<string, PathState>();
  const noted = <Found extends Look>(
    states: Map<string, PathState>,
    path: string,
    look: (path: string) => Found | undefined,
  ): Found | FileTrouble | undefined => {
    const found = orTrouble(() => look(path));
    if (!states.has(path)) states.set(path, stateIn(found));
    return found;
  };
  const orThrow = <T>(found: T | FileTrouble): T => {
    if (found instanceof FileTrouble) throw found;
    return found;
  };
  const noteOwn = (path: string): void => {
    if (!own.has(path)) noted(own, path, tree.look);
  };
  const files: FileTree = {
    look: (path) => orThrow(noted(own, path, tree.look)),
    follow: (path) => orThrow(noted(targets, path, tree.follow)),
    list(dir) {
      const found = noted(own, dir, tree.look);
      if (found && !(found instanceof FileTrouble) && found.kind === 'link') noted(targets, dir, tree.follow);
      return tree.list(dir);
    },
    readLink(path) {
      noteOwn(path);
      return tree.readLink(path);
    },
    readStart(path, ...rest) {
      noteOwn(path);
      return tree.readStart(path, ...rest);
    },
    read(path, ...rest) {
      noteOwn(path);
      return tree.read(path, ...rest);
    },
    readTarget(path, ...rest) {
      if (!targets.has(path)) noted(targets, path, tree.follow);
      return tree.readTarget(path, ...rest);
    },
    readWithin(realRoot, path, ...rest) {
      noteOwn(path);
      return tree.readWithin(realRoot, path, ...rest);
    },
  };
  return { files, states: { own, targets } };
}
