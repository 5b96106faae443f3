/**
 * Caches the findings of each skill until a file or folder that they depend on changes. All validations of a process share it, so
 * that only changed skills are validated again.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { areSettled, areUnchanged, type PathState, type PathStates, stateOf } from '../core/disk/noting.ts';
import type { FileTree } from '../core/disk/tree.ts';
import type { Bundle } from '../skills/bundle.ts';
import type { Skill } from '../skills/skill.ts';

interface Kept {
  states: PathStates;
  findings: readonly Diagnostic[];
}

export interface Found {
  findings: readonly Diagnostic[];
  /** The files that were listed. Undefined if the skill could not be read. */
  bundle: Bundle | undefined;
}

/** Covers the largest catalogs. A skill without findings needs about a kilobyte. */
const SKILLS_MAX = 20_000;

const kept = new WeakMap<FileTree, Map<string, Kept>>();

/** `check` is called unless the findings of the skill are known under that profile. */
export async function keepingFindings(
  tree: FileTree,
  skill: Skill,
  profile: string,
  check: () => Promise<Found>,
): Promise<Pick<Found, 'findings'>> {
  const ofTree = kept.get(tree) ?? new Map<string, Kept>();
  kept.set(tree, ofTree);
  const key = JSON.stringify([profile, skill.file, skill.realFile]);
  const known = ofTree.get(key);
  if (known && areUnchanged(tree, known.states)) return known;
  ofTree.delete(key);
  const startedAt = Date.now();
  const { findings, bundle } = await check();
  const states = bundle && statesOf(tree, skill, bundle);
  // The states are recorded after the reading, so a change in between counts as one that is not settled.
  if (states && areSettled(states, startedAt)) {
    if (ofTree.size >= SKILLS_MAX) ofTree.clear();
    ofTree.set(key, { states, findings });
  }
  return { findings };
}

/**
 * Findings depend on the content of SKILL.md and on the names of the other files, which are in the states of their folders.
 * Returns undefined if they also depend on the target of a link, or on an entry that could not be read.
 */
function statesOf(
  tree: FileTree,
  { dir, file, realFile }: Skill,
  { realDir, files, folders, diagnostics, cut }: Bundle,
): PathStates | undefined {
  const isPlain = files.every(({ path: below, realPath }) => realPath === path.join(realDir, below));
  if (!folders || !isPlain || diagnostics.length > 0 || cut) return undefined;
  const states = (places: readonly string[], look: FileTree['look']): Map<string, PathState> =>
    new Map(places.map((place) => [place, stateOf(() => look(place))]));
  const isLinked = dir !== realDir || file !== realFile;
  return { own: states([realFile, ...folders], tree.look), targets: states(isLinked ? [dir, file] : [], tree.follow) };
}
