import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import type { Stamp } from '../core/disk/tree.ts';
import type { YamlMap } from '../core/frontmatter/yaml-value.ts';

/** File names of enabled and disabled skills. */
export const ENABLED_NAME = 'SKILL.md';
export const DISABLED_NAME = '.SKILL.md';

/**
 * Whether a file name is SKILL.md, ignoring the case of ASCII letters. Unicode case folding would also match `ſKILL.md`,
 * `SKıLL.md` and names with a Kelvin sign, which no agent reads.
 */
export function isSkillFile(name: string): boolean {
  return /^[Ss][Kk][Ii][Ll][Ll]\.[Mm][Dd]$/u.test(name);
}

/** Whether the last part of a path is SKILL.md, or `.SKILL.md` for a disabled skill. */
export function isSkillPath(file: string): boolean {
  const name = path.basename(file);
  return isSkillFile(name.startsWith('.') ? name.slice(1) : name);
}

export const LOCATIONS = ['custom', 'project', 'user', 'plugin', 'collection'] as const;
export type Location = (typeof LOCATIONS)[number];

/** Another root with the same real file. */
export interface Sighting {
  provider: string;
  location: Location;
  file: string;
}

/** One skill as found by the scan: the header of its SKILL.md, and its location. Immutable. */
export interface Skill {
  /** Name from the frontmatter, on one line. */
  name: string;
  /** Case-folded name. Skills with equal keys compete for the name. */
  key: string;
  /** Name of the skill folder. */
  folder: string;
  /** Description from the frontmatter, on one line. */
  description: string;
  provider: string;
  location: Location;
  /** Scope of roots given as --skill-dir DIR?scope=NAME. */
  scope: string | undefined;
  plugin: string | undefined;
  marketplace: string | undefined;
  /** Package folder relative to the project, such as apps/web. */
  package: string | undefined;
  dir: string;
  file: string;
  /** The same file with all links resolved, which identifies the skill. */
  realFile: string;
  disabled: boolean;
  /** Description of the setting that disables the skill, if it is not disabled by its file name. */
  disabledBy: string | undefined;
  /** Position in the order of discovery. The lowest wins. */
  rank: number;
  /** All keys of the frontmatter, as data. */
  frontmatter: YamlMap;
  /** Line where the body starts. */
  bodyLine: number;
  stamp: Stamp;
  /** Problems found while reading the header. */
  diagnostics: readonly Diagnostic[];
  alsoAt: readonly Sighting[];
  /** The first skill with the same name and identical files, unless it is this one. */
  copyOf: Skill | undefined;
  /** Source of a skill in a shared catalog. */
  source: string | undefined;
}

/** Returns the real name of the file: SKILL.md, unless it is disabled or spelled differently. */
export function fileNameOf({ realFile }: Pick<Skill, 'realFile'>): string {
  return path.basename(realFile);
}

/** Returns `provider:name`, `provider:plugin:name` or `scope:name`. */
export function fullNameOf(skill: Pick<Skill, 'name' | 'provider' | 'plugin' | 'scope'>): string {
  if (skill.plugin !== undefined) return `${skill.provider}:${skill.plugin}:${skill.name}`;
  return `${skill.scope ?? skill.provider}:${skill.name}`;
}
