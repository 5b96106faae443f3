import {
  type CodeDefinition,
  type Diagnostic,
  type Finding,
  runRules,
  type Rule,
  type Severity,
} from '../../core/diagnostics.ts';
import type { YamlMap } from '../../core/frontmatter/yaml-value.ts';
import type { BundledFile } from '../bundle.ts';

/** Whose rules a skill is held against. */
export const PROFILES = ['spec', 'claude', 'codex', 'mcp'] as const;
export type Profile = (typeof PROFILES)[number];

/** What the rules look at: one skill, read whole. */
export interface CheckedSkill {
  file: string;
  folder: string;
  name: string;
  description: string;
  frontmatter: YamlMap;
  lines: ReadonlyMap<string, number>;
  /** The whole file as text, and the line where the body starts. */
  text: string;
  bodyLine: number;
  files: readonly BundledFile[];
}

export interface SkillRule extends CodeDefinition {
  /** The severity under each profile; a profile that is not named does not care. */
  profiles: Partial<Record<Profile, Severity>>;
  check(skill: CheckedSkill): Iterable<Omit<Finding, 'path'>>;
}

export function defineSkillRule(rule: SkillRule): SkillRule {
  return rule;
}

export function checkSkill(rules: readonly SkillRule[], skill: CheckedSkill, profile: Profile): Diagnostic[] {
  const active = rules.flatMap((rule): Rule<CheckedSkill>[] => {
    const severity = rule.profiles[profile];
    if (severity === undefined) return [];
    return [{ ...rule, severity, check: (subject) => withPath(rule.check(subject), subject.file) }];
  });
  return runRules(active, skill);
}

function* withPath(findings: Iterable<Omit<Finding, 'path'>>, path: string): Iterable<Finding> {
  for (const finding of findings) yield { ...finding, path };
}

export function everywhere(severity: Severity): Record<Profile, Severity> {
  return { spec: severity, claude: severity, codex: severity, mcp: severity };
}
