/** Finds every `SKILL.md` that any agent may list, with the properties that their rules depend on. No file is opened. */
import { findEntry, findTarget, orTrouble } from '../core/disk/answers.ts';
import { type Entry, type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { asPrefix } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText } from '../core/text.ts';
import { DISABLED_NAME, ENABLED_NAME, isSkillPath } from '../skills/skill.ts';
import type { WalkRules } from './profile.ts';

export interface Found {
  file: string;
  /** Folder of the skill. */
  dir: string;
  realFile: string;
  /** Levels below the skill folder. 0 is directly in it. */
  level: number;
  hidden: boolean;
  nodeModules: boolean;
  insideSkill: boolean;
  linkedFile: boolean;
  exactName: boolean;
  /** True for `.SKILL.md`, with which Lectern disables a skill. */
  disabled: boolean;
  /** Whether the skill has a folder `agents`. Undefined if not checked. */
  hasAgents?: boolean;
}

interface Place extends Pick<Found, 'dir' | 'level' | 'hidden' | 'nodeModules' | 'insideSkill'> {
  realDir: string;
}

export function counts(found: Found, rules: WalkRules): boolean {
  return (
    found.level >= rules.shallowest &&
    found.level <= rules.deepest &&
    (rules.hidden || !found.hidden) &&
    (rules.nodeModules || !found.nodeModules) &&
    (rules.insideSkills || !found.insideSkill) &&
    (rules.linkedFiles || !found.linkedFile) &&
    (rules.anyCase || found.exactName)
  );
}

/** Combines rules to include everything that at least one agent finds. */
export function widest(all: readonly WalkRules[]): WalkRules {
  return {
    deepest: Math.max(...all.map(({ deepest }) => deepest)),
    shallowest: 0,
    hidden: all.some(({ hidden }) => hidden),
    nodeModules: all.some(({ nodeModules }) => nodeModules),
    insideSkills: all.some(({ insideSkills }) => insideSkills),
    linkedFiles: true,
    anyCase: true,
  };
}

/** Returns undefined if the folder does not exist. Links are followed, and each real folder is visited once. */
export function walkPlace(
  tree: FileTree,
  dir: string,
  rules: WalkRules,
): { found: Found[]; isCut: boolean } | undefined {
  const root = findTarget(tree, dir);
  if (root?.kind !== 'directory') return undefined;
  const found: Found[] = [];
  const visited = new Set<string>();
  const stack: Place[] = [
    { dir, realDir: root.realPath, level: 0, hidden: false, nodeModules: false, insideSkill: false },
  ];
  for (let place = stack.pop(); place; place = stack.pop()) {
    if (visited.has(place.realDir)) continue;
    if (visited.size >= LIMITS.surveyFolders.value) return { found, isCut: true };
    visited.add(place.realDir);
    const quick = rules.insideSkills || place.level === 0 ? undefined : takeKnown(tree, place);
    if (quick) {
      found.push(quick);
      continue;
    }
    const entries = orTrouble(() => tree.list(place.dir));
    if (entries instanceof FileTrouble) continue;
    const skill = takeSkill(tree, place, entries);
    if (skill) found.push({ ...skill, hasAgents: entries.some(({ name }) => name === 'agents') });
    const isSkill = skill !== undefined && !skill.disabled && place.level > 0;
    if (place.level >= rules.deepest || (isSkill && !rules.insideSkills)) continue;
    const below = entries.filter(
      ({ name, kind }) =>
        (kind === 'directory' || kind === 'link') &&
        name !== '.git' &&
        (rules.hidden || !name.startsWith('.')) &&
        (rules.nodeModules || name !== 'node_modules'),
    );
    // The stack reverses the order.
    for (const { name, kind } of below.sort((a, b) => compareText(b.name, a.name))) {
      const next = { ...place, dir: asPrefix(place.dir) + name, realDir: asPrefix(place.realDir) + name };
      const target = kind === 'link' ? findTarget(tree, next.dir) : undefined;
      if (kind === 'link' && target?.kind !== 'directory') continue;
      stack.push({
        dir: next.dir,
        realDir: target?.realPath ?? next.realDir,
        level: place.level + 1,
        hidden: place.hidden || name.startsWith('.'),
        nodeModules: place.nodeModules || name === 'node_modules',
        insideSkill: place.insideSkill || isSkill,
      });
    }
  }
  return { found, isCut: false };
}

/** Checks for the file directly, which avoids listing the folder if nothing below a skill counts. */
function takeKnown(tree: FileTree, place: Place): Found | undefined {
  const look = findEntry(tree, asPrefix(place.dir) + ENABLED_NAME);
  return look && takeSkill(tree, place, [{ name: ENABLED_NAME, kind: look.kind }]);
}

function takeSkill(tree: FileTree, place: Place, entries: readonly Entry[]): Found | undefined {
  const named = entries.filter(({ name }) => name.length <= 9 && isSkillPath(name));
  const entry = [ENABLED_NAME, undefined, DISABLED_NAME]
    .map((wanted) => named.find(({ name }) => name === wanted || (wanted === undefined && !name.startsWith('.'))))
    .find((each) => each !== undefined);
  if (!entry || (entry.kind !== 'file' && entry.kind !== 'link')) return undefined;
  const file = asPrefix(place.dir) + entry.name;
  const target = entry.kind === 'link' ? findTarget(tree, file) : undefined;
  if (entry.kind === 'link' && target?.kind !== 'file') return undefined;
  const { dir, level, hidden, nodeModules, insideSkill } = place;
  return {
    file,
    dir,
    realFile: target?.realPath ?? asPrefix(place.realDir) + entry.name,
    level,
    hidden,
    nodeModules,
    insideSkill,
    linkedFile: entry.kind === 'link',
    exactName: entry.name === ENABLED_NAME,
    disabled: entry.name === DISABLED_NAME,
  };
}
