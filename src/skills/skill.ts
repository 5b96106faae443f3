import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import type { Stamp } from '../core/disk/tree.ts';
import type { YamlMap } from '../core/frontmatter/yaml-value.ts';

/** What a skill's file is called, and how a disabled one is. */
export const ENABLED_NAME = 'SKILL.md';
export const DISABLED_NAME = '.SKILL.md';

export const LOCATIONS = ['custom', 'project', 'user', 'plugin'] as const;
export type Location = (typeof LOCATIONS)[number];

/** Another root that reaches the same real file. */
export interface Sighting {
  provider: string;
  location: Location;
  file: string;
}

/** One skill as it was found: what the header of its SKILL.md says and where it stands. Immutable. */
export interface Skill {
  /** From the frontmatter, on one line. */
  name: string;
  /** The same, folded: skills compete for a name when their keys are equal. */
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
  dir: string;
  file: string;
  /** The same file with every link resolved: the identity of the skill. */
  realFile: string;
  disabled: boolean;
  /** The position in the order of discovery; the lowest wins. */
  rank: number;
  /** All keys of the frontmatter, as data. */
  frontmatter: YamlMap;
  /** Where the body starts, in UTF-16 units of the decoded file, and its line. */
  bodyLine: number;
  stamp: Stamp;
  /** What was wrong while it was read. */
  diagnostics: readonly Diagnostic[];
  alsoAt: readonly Sighting[];
}

/** What its file is called, behind any link: SKILL.md, unless it is disabled or spelled otherwise. */
export function fileNameOf({ realFile }: Pick<Skill, 'realFile'>): string {
  return path.basename(realFile);
}

/** `provider:name`, `provider:plugin:name`, `scope:name`. */
export function fullNameOf(skill: Pick<Skill, 'name' | 'provider' | 'plugin' | 'scope'>): string {
  if (skill.plugin !== undefined) return `${skill.provider}:${skill.plugin}:${skill.name}`;
  return `${skill.scope ?? skill.provider}:${skill.name}`;
}
