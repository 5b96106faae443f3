import path from 'node:path';
import { type Available, Failure } from '../core/failure.ts';
import { expandHome } from '../core/home-path.ts';
import { memo } from '../core/memo.ts';
import { echo, foldName } from '../core/text.ts';
import { unreadable, unreadablePlaces } from '../core/unreadable.ts';
import { fileUnreadable } from '../skills/codes.ts';
import { isCopy, type SkillCatalog } from '../skills/catalog.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import { choice, flag, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LOCATIONS } from '../skills/skill.ts';
import type { Reader } from './reader.ts';

export const SKILL_SUMMARY = {
  name: text('The name from the frontmatter'),
  fullName: text('provider:name, provider:plugin:name or scope:name'),
  description: text(),
  provider: text(),
  location: choice(LOCATIONS),
  plugin: optional(text()),
  package: optional(text('The folder of the package in a monorepo that it belongs to')),
  path: text('The skill’s folder'),
  file: text('Its SKILL.md'),
  disabled: flag(),
  disabledBy: optional(text('The setting that disables it; otherwise its file is called .SKILL.md')),
  shadowedBy: optional(text('The file of the skill that the short name loads instead')),
  ambiguous: optional(flag('The short name matches several skills; use fullName')),
  places: optional(
    list(
      object({ fullName: text(), path: text('The folder'), provider: text(), location: choice(LOCATIONS) }),
      'Every place of the skill, this one first, if there are several: copies with the same bytes in every file, and links',
    ),
  ),
} as const;
export type SkillSummary = ObjectOf<typeof SKILL_SUMMARY>;

export function summarize(skill: Skill, catalog: SkillCatalog): SkillSummary {
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
  if (skill.disabledBy !== undefined) summary.disabledBy = skill.disabledBy;
  if (skill.plugin !== undefined) summary.plugin = skill.plugin;
  if (skill.package !== undefined) summary.package = skill.package;
  const shadow = catalog.shadowOf(skill);
  if (shadow) summary.shadowedBy = shadow.file;
  else if (catalog.isAmbiguous(skill)) summary.ambiguous = true;
  if (skill.alsoAt.length > 0 || catalog.copiesOf(skill).length > 1) summary.places = placesOf(skill, catalog);
  return summary;
}

type Place = NonNullable<SkillSummary['places']>[number];

function placesOf(skill: Skill, catalog: SkillCatalog): Place[] {
  const copies = catalog.copiesOf(skill).filter((copy) => copy !== skill);
  return [skill, ...copies].flatMap((copy) => [
    { fullName: fullNameOf(copy), path: copy.dir, provider: copy.provider, location: copy.location },
    ...copy.alsoAt.map(({ provider, location, file }) => ({
      fullName: fullNameOf({ name: copy.name, provider, plugin: undefined, scope: undefined }),
      path: path.dirname(file),
      provider,
      location,
    })),
  ]);
}

/** Counts the copies in addition to the listed skills. */
export function countCopies(catalog: SkillCatalog): number {
  return catalog.copies.length - catalog.skills.length;
}

/** Counts the names that several different skills have. Identical copies are one version. */
export function countVersions(catalog: SkillCatalog): number {
  return catalog.sameName.filter(areVersions).length;
}

/** Whether another skill in the catalog has the same name and other content. */
export function hasVersions(catalog: SkillCatalog, skill: Skill): boolean {
  return versionedIn(catalog).has(skill);
}

const versionedIn = memo((catalog: SkillCatalog) => new Set(catalog.sameName.filter(areVersions).flat()));

function areVersions([first, ...others]: readonly Skill[]): boolean {
  return first !== undefined && others.some((skill) => !isCopy(skill, first));
}

/** Counts short names that load nothing because several enabled skills win, and counts these skills. */
export function countAmbiguous(catalog: SkillCatalog): { ambiguous: number; ambiguousSkills: number } {
  // In nearly all catalogs, no two skills share a name.
  const skills =
    catalog.sameName.length === 0
      ? []
      : catalog.skills.filter((skill) => !skill.disabled && catalog.isAmbiguous(skill) && catalog.isWinner(skill));
  return { ambiguous: new Set(skills.map(({ key }) => key)).size, ambiguousSkills: skills.length };
}

/** Resolves a path that starts at the project, or at the home if it starts with `~/`. */
export function absolutePlace({ options }: Pick<Reader, 'options'>, given: string): string {
  return path.resolve(options.projectDir, expandHome(given, options.userDir));
}

/**
 * Returns the copy in a folder, or with that SKILL.md. The path is only compared with the paths of the scan. Nothing is opened.
 */
function findSkillAt(reader: Reader, given: string): Skill | undefined {
  if (!/[/\\]/u.test(given) && !/^[.~]/u.test(given)) return undefined;
  const place = absolutePlace(reader, given);
  const { snapshot } = reader;
  const isThere = (file: string): boolean => file === place || path.dirname(file) === path.resolve(place);
  const { copies } = snapshot.view('all');
  return (
    copies.find(({ file }) => isThere(file)) ??
    copies.find(({ realFile, alsoAt }) => isThere(realFile) || alsoAt.some(({ file }) => isThere(file)))
  );
}

interface Wanted {
  disabledToo?: boolean;
  /** Also accept the path of a skill. People may name a path, but models may not. */
  paths?: boolean;
}

/** Returns the skill with that name among those that match the filters. Fails if there is none or if the name is ambiguous. */
export function getSkill(workspace: Reader, name: string, { disabledToo = false, paths = false }: Wanted = {}): Skill {
  const catalog = workspace.snapshot.view(disabledToo ? 'all' : undefined);
  const found = catalog.find(name);
  if (found.kind === 'found') return found.skill;
  const atPath = paths && found.kind === 'missing' ? findSkillAt(workspace, name) : undefined;
  if (atPath) return atPath;
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
  const available: Available = {
    noun: 'skills',
    names: () => workspace.snapshot.forAgents.map((listed) => listed.name),
  };
  const { diagnostics } = workspace.snapshot.discovery;
  const asked = foldName(name.trim());
  // A file that cannot be read has no name, so its folder stands for it, also below a provider.
  const wanted = asked.slice(asked.lastIndexOf(':') + 1);
  const closed = diagnostics.filter(({ code }) => code === fileUnreadable.code);
  const locked = closed.find(({ path: place }) =>
    [place, path.dirname(place)].some((each) => foldName(path.basename(each)) === wanted),
  );
  if (locked) throw unreadable(`Skill '${echo(name)}'`, locked, available);
  const skipped = diagnostics.find(
    ({ severity, path: file }) => severity === 'error' && foldName(path.basename(path.dirname(file))) === wanted,
  );
  if (skipped) {
    throw new Failure(
      'NOT_FOUND',
      `Skill '${echo(name)}' not found: its file was skipped (${skipped.code}: ${skipped.message}).`,
      {
        available,
        path: skipped.path,
        ...(skipped.line === undefined ? {} : { line: skipped.line }),
        suggestions: found.near,
        hint: skipped.fix,
      },
    );
  }
  const near = found.near.length > 0 ? `Did you mean: ${found.near.join(', ')}?` : undefined;
  const places = unreadablePlaces(closed);
  throw new Failure('NOT_FOUND', `Skill '${echo(name)}' not found.`, {
    available,
    suggestions: found.near,
    hint: [near ?? 'Run lectern list to see every skill.', places].filter((part) => part !== undefined).join(' '),
    hintForModels: places ?? near ?? '',
  });
}

/**
 * Returns the copy in a folder. If there is none, as in a link from another machine, returns the skill with the name, and
 * `isElsewhere` is set.
 */
export function getCopy(
  workspace: Reader,
  name: string,
  folder: string | undefined,
): { skill: Skill; isElsewhere: boolean } {
  const copy = folder === undefined ? undefined : findSkillAt(workspace, folder);
  return {
    skill: copy ?? getSkill(workspace, name, { disabledToo: true, paths: true }),
    isElsewhere: folder !== undefined && copy === undefined,
  };
}

function fullNames(skills: readonly Skill[]): string[] {
  return [...new Set(skills.map(fullNameOf))].sort();
}
