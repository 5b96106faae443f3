import type { YamlMap } from '../../core/frontmatter/yaml-value.ts';
import type { BundledFile } from '../bundle.ts';

/** Whose rules a skill is validated against. */
export const PROFILES = ['spec', 'claude', 'codex', 'mcp', 'gemini', 'opencode'] as const;
export type Profile = (typeof PROFILES)[number];

/** What the rules look at: one skill, read completely. */
export interface CheckedSkill {
  folder: string;
  name: string;
  description: string;
  frontmatter: YamlMap;
  /** The line of each key. */
  lines: ReadonlyMap<string, number>;
  /** The whole file as text, and the line where the body starts. */
  text: string;
  bodyLine: number;
  files: readonly BundledFile[];
}
