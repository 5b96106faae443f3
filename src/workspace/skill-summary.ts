import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { echo, foldName } from '../core/text.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import { choice, flag, list, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LOCATIONS } from '../skills/skill.ts';
import type { Workspace } from './workspace.ts';

export const SKILL_SUMMARY = {
  name: text('The name from the frontmatter'),
  fullName: text('provider:name, provider:plugin:name or scope:name'),
  description: text(),
  provider: text(),
  location: choice(LOCATIONS),
  plugin: optional(text()),
  path: text('The skill’s folder'),
  file: text('Its SKILL.md'),
  disabled: flag(),
  shadowedBy: optional(text('The file of the skill that the short name loads instead')),
  ambiguous: optional(flag('The short name matches several skills; use fullName')),
  duplicateOf: optional(text('A file with the same content')),
  alsoAt: optional(list(text(), 'Other paths that lead to the same file')),
} as const;
export type SkillSummary = ObjectOf<typeof SKILL_SUMMARY>;

export function summarize(skill: Skill, catalog: SkillCatalog, duplicateOf?: string): SkillSummary {
  const summary: SkillSummary = {
    name: skill.name,
    fullName: fullNameOf(skill),
    description: skill.description,
    provider: skill.provider,
    location: skill.location,
    path: skill.dir,
    file: skill.file,
    disabled: skill.disabled,
  };
  if (skill.plugin !== undefined) summary.plugin = skill.plugin;
  const shadow = catalog.shadowOf(skill);
  if (shadow) summary.shadowedBy = shadow.file;
  else if (catalog.isAmbiguous(skill)) summary.ambiguous = true;
  if (duplicateOf !== undefined) summary.duplicateOf = duplicateOf;
  if (skill.alsoAt.length > 0) summary.alsoAt = skill.alsoAt.map(({ file }) => file);
  return summary;
}

/** Counts short names that load nothing because several enabled skills win, and these skills. */
export function countAmbiguous(catalog: SkillCatalog): { ambiguous: number; ambiguousSkills: number } {
  const skills = catalog.sameName
    .flat()
    .filter((skill) => !skill.disabled && catalog.isAmbiguous(skill) && catalog.isWinner(skill));
  return { ambiguous: new Set(skills.map(({ key }) => key)).size, ambiguousSkills: skills.length };
}

/** Skills with the same name and the same bytes: each later one, with the file it repeats. Reads only files of equal size. */
export async function findDuplicates(catalog: SkillCatalog, workspace: Workspace): Promise<Map<Skill, string>> {
  const duplicates = new Map<Skill, string>();
  for (const sameName of catalog.sameName) {
    const sizes = await Promise.all(sameName.map((skill) => workspace.contentOf(skill).size()));
    const firstByHash = new Map<string, Skill>();
    for (const [index, skill] of sameName.entries()) {
      const size = sizes[index];
      const hasTwin = size !== undefined && sizes.indexOf(size) !== sizes.lastIndexOf(size);
      const hash = hasTwin ? await hashOf(skill, workspace) : undefined;
      if (hash === undefined) continue;
      const first = firstByHash.get(hash);
      if (first) duplicates.set(skill, first.file);
      else firstByHash.set(hash, skill);
    }
  }
  return duplicates;
}

/** Undefined if the file cannot be read. */
async function hashOf(skill: Skill, workspace: Workspace): Promise<string | undefined> {
  // Loaded lazily: loading the hash functions takes long, and few catalogs have copies.
  const { createHash } = await import('node:crypto');
  try {
    return createHash('sha256')
      .update(await workspace.contentOf(skill).bytes())
      .digest('base64');
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The skill with that name among those that match the filters. Fails if there is none or if the name is ambiguous. */
export function getSkill(
  workspace: Workspace,
  name: string,
  { disabledToo = false }: { disabledToo?: boolean } = {},
): Skill {
  const catalog = workspace.snapshot.view(disabledToo ? 'all' : 'enabled');
  const found = catalog.find(name);
  if (found.kind === 'found') return found.skill;
  if (found.kind === 'ambiguous') {
    const names = fullNames(found.skills);
    throw new Failure(
      'AMBIGUOUS',
      `Skill name '${echo(name)}' is ambiguous. Multiple skills found: ${names.join(', ')}.`,
      {
        suggestions: names,
        hint: `Specify the full name: ${names.join(' or ')}.`,
      },
    );
  }
  const skipped = workspace.snapshot.discovery.diagnostics.find(
    ({ severity, path: file }) =>
      severity === 'error' && foldName(path.basename(path.dirname(file))) === foldName(name.trim()),
  );
  if (skipped) {
    throw new Failure(
      'NOT_FOUND',
      `Skill '${echo(name)}' not found: its file was skipped (${skipped.code}: ${skipped.message}).`,
      {
        path: skipped.path,
        ...(skipped.line === undefined ? {} : { line: skipped.line }),
        suggestions: found.near,
        hint: skipped.fix,
      },
    );
  }
  throw new Failure('NOT_FOUND', `Skill '${echo(name)}' not found.`, {
    suggestions: found.near,
    hint: found.near.length > 0 ? `Did you mean: ${found.near.join(', ')}?` : 'Run lectern list to see every skill.',
  });
}

function fullNames(skills: readonly Skill[]): string[] {
  return [...new Set(skills.map(fullNameOf))].sort();
}
