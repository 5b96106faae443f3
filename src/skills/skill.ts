import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import type { Stamp } from '../core/disk/tree.ts';
import type { YamlMap } from '../core/frontmatter/yaml-value.ts';

/** The file names of enabled and disabled skills. */
export const ENABLED_NAME = 'SKILL.md';
export const DISABLED_NAME = '.SKILL.md';

/**
 * Whether a file name is SKILL.md in any case. Only ASCII letters count: Unicode rules would also match `ſKILL.md`, `SKıLL.md`
 * and names with a Kelvin sign, which no agent reads.
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

/** Another root that reaches the same real file. */
export interface Sighting {
  provider: string;
  location: Location;
  file: string;
}

/** One skill as the scan found it: the header of its SKILL.md, and its place. Immutable. */
export interface Skill {
  /** From the frontmatter, on one line. */
  name: string;
  /** The folded name: skills compete for a name if their keys are equal. */
  key: string;
  /** The name of the skill's directory. */
  folder: string;
  /** From the frontmatter, on one line. */
  description: string;
  provider: string;
  location: Location;
  /** For roots given by --skill-dir DIR?scope=NAME. */
  scope: string | undefined;
  plugin: string | undefined;
  marketplace: string | undefined;
  /** The folder of the package that it belongs to, relative to the project, such as apps/web. */
  package: string | undefined;
  dir: string;
  file: string;
  /** The same file with every link resolved: the identity of the skill. */
  realFile: string;
  disabled: boolean;
  /** The setting that disables it, in words, if it is not the name of its file. */
  disabledBy: string | undefined;
  /** The position in the order of discovery; the lowest wins. */
  rank: number;
  /** All keys of the frontmatter, as data. */
  frontmatter: YamlMap;
  /** The line at which the body starts. */
  bodyLine: number;
  stamp: Stamp;
  /** Problems found while reading the header. */
  diagnostics: readonly Diagnostic[];
  alsoAt: readonly Sighting[];
  /** The first skill of this name with the same bytes in every file, if this is not it. */
  copyOf: Skill | undefined;
  /** The source that it was published in, for a skill of a shared catalog. */
  source: string | undefined;
}

/** The real name of the file: SKILL.md, unless it is disabled or spelled differently. */
export function fileNameOf({ realFile }: Pick<Skill, 'realFile'>): string {
  return path.basename(realFile);
}

/** `provider:name`, `provider:plugin:name`, `scope:name`. */
export function fullNameOf(skill: Pick<Skill, 'name' | 'provider' | 'plugin' | 'scope'>): string {
  if (skill.plugin !== undefined) return `${skill.provider}:${skill.plugin}:${skill.name}`;
  return `${skill.scope ?? skill.provider}:${skill.name}`;
}
