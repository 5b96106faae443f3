import type { YamlMap } from '../../core/frontmatter/yaml-value.ts';
import type { BundledFile } from '../bundle.ts';

/** Validation profiles. */
export const PROFILES = [
  'spec',
  'claude',
  'codex',
  'mcp',
  'gemini',
  'opencode',
  'copilot',
  'qwen',
  'pi',
  'kilo',
  'kimi',
  'cline',
  'continue',
] as const;
export type Profile = (typeof PROFILES)[number];

/** Input of the rules: one completely read skill. */
export interface CheckedSkill {
  folder: string;
  name: string;
  description: string;
  frontmatter: YamlMap;
  /** Line of each key. */
  lines: ReadonlyMap<string, number>;
  /** Full text of the file, and the line where the body starts. */
  text: string;
  bodyLine: number;
  files: readonly BundledFile[];
}
