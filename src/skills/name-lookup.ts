/** Finds skills by name. A project has its own lookup; a shared catalog has one that is computed once for all callers. */
import path from 'node:path';
import { compareText, foldName } from '../core/text.ts';
import { fullNameOf, isSkillFile, type Sighting, type Skill } from './skill.ts';

/** How a name refers to a skill: by its full name, by a spelling of its name, or by its folder. */
export type Spelling = 'byFullName' | 'byKey' | 'byFolder';

/** Skills by every spelling that resolves to them. */
export type NameIndex = Readonly<Record<Spelling, ReadonlyMap<string, readonly Skill[]>>>;

export interface NameLookup {
  /** Copies with this name, in the order of the catalog. */
  find(spelling: Spelling, key: string): readonly Skill[];
  /** All copies, sorted by name, then by path. */
  inOrder(): readonly Skill[];
  /** Groups of copies with the same name, each in order of discovery. */
  sameName(): readonly (readonly Skill[])[];
  /** The lookup of the copies that pass. */
  only(isWanted: (skill: Skill) => boolean): NameLookup;
}

/** The default: indexes the copies of one catalog on the first lookup. Listing ten thousand skills does not need it. */
export class OwnNames implements NameLookup {
  readonly #copies: readonly Skill[];
  #index: NameIndex | undefined;

  constructor(copies: readonly Skill[]) {
    this.#copies = copies;
  }

  find(spelling: Spelling, key: string): readonly Skill[] {
    return (this.#index ??= indexNames(this.#copies))[spelling].get(key) ?? [];
  }

  inOrder(): readonly Skill[] {
    return byName(this.#copies);
  }

  sameName(): readonly (readonly Skill[])[] {
    return groupByName(this.#copies);
  }

  only(isWanted: (skill: Skill) => boolean): NameLookup {
    return new OwnNames(this.#copies.filter(isWanted));
  }
}

export function indexNames(skills: readonly Skill[]): NameIndex {
  const byFullName = new Map<string, Skill[]>();
  const byKey = new Map<string, Skill[]>();
  const byFolder = new Map<string, Skill[]>();
  for (const skill of skills) {
    add(byFullName, foldName(fullNameOf(skill)), skill);
    for (const key of keysOf(skill, skill.name)) add(byKey, key, skill);
    if (foldName(skill.folder) !== foldName(skill.name))
      for (const key of keysOf(skill, skill.folder)) add(byFolder, key, skill);
  }
  return { byFullName, byKey, byFolder };
}

/** Returns every spelling of a name or folder name that resolves to the skill. */
export function keysOf(
  skill: Pick<Skill, 'provider' | 'scope' | 'plugin' | 'alsoAt'>,
  name: string,
  alsoAt: readonly Pick<Sighting, 'provider'>[] = skill.alsoAt,
): Set<string> {
  const keys = new Set([name]);
  const providers = new Set([skill.provider, ...alsoAt.map(({ provider }) => provider)]);
  for (const provider of providers) keys.add(`${provider}:${name}`);
  if (skill.scope !== undefined) keys.add(`${skill.scope}:${name}`);
  if (skill.plugin !== undefined) {
    for (const plugin of [skill.plugin, `@${skill.plugin}`]) {
      keys.add(`${plugin}:${name}`);
      keys.add(`${skill.provider}:${plugin}:${name}`);
    }
  }
  return new Set([...keys].map(foldName));
}

/** A skill whose header need not be known. */
type Located = Pick<Skill, 'name' | 'file' | 'provider'> & Partial<Pick<Skill, 'scope' | 'plugin' | 'alsoAt'>>;

/**
 * Returns the skills that a name could refer to, and all skills that compete with one of them. Their catalog finds the name as the
 * catalog of all skills does. An index would cost more for a single name.
 */
export function skillsNamed<S extends Located>(skills: readonly S[], name: string): S[] {
  const wanted = spellingsOf(name.trim()).map(foldName);
  const isNamed = (skill: S, own: string): boolean => {
    const end = foldName(own);
    if (!wanted.some((spelling) => spelling.endsWith(end))) return false;
    const { provider, scope, plugin, alsoAt = [] } = skill;
    const keys = keysOf({ provider, scope, plugin, alsoAt }, own);
    keys.add(foldName(fullNameOf({ name: skill.name, provider, scope, plugin })));
    return wanted.some((spelling) => keys.has(spelling));
  };
  const named = skills.filter((skill) => isNamed(skill, skill.name) || isNamed(skill, folderOf(skill)));
  if (named.length === 0) return [];
  const keys = new Set(named.map((skill) => foldName(skill.name)));
  return skills.filter((skill) => keys.has(foldName(skill.name)));
}

/** Like `path.basename(path.dirname(file))`, but several times as fast. */
function folderOf({ file }: Pick<Skill, 'file'>): string {
  const end = file.lastIndexOf(path.sep);
  return file.slice(file.lastIndexOf(path.sep, end - 1) + 1, end);
}

/**
 * Returns the name as written, then fallbacks in case no skill has that exact name: a slash command, the path of the file, or
 * spaces in place of hyphens. All of them are used as keys, never as paths.
 */
export function spellingsOf(name: string): string[] {
  const command = name.replace(/^\//u, '');
  const slash = command.lastIndexOf('/');
  const bare = slash !== -1 && isSkillFile(command.slice(slash + 1)) ? command.slice(0, slash) : command;
  if (bare === '' || /[/\\]|\.\./u.test(bare)) return [name];
  return [...new Set([name, bare, bare.replaceAll(/\s+/gu, '-')])];
}

/** Sort key of `byName`. */
export function placeInOrder({ key, file }: Skill): string {
  return `${key}\n${file}`;
}

export function byName(skills: readonly Skill[]): Skill[] {
  return skills
    .map((skill) => ({ skill, place: placeInOrder(skill) }))
    .sort((a, b) => compareText(a.place, b.place))
    .map(({ skill }) => skill);
}

/** Groups skills that share a name, each group in order of discovery. */
export function groupByName<S extends Skill>(skills: readonly S[]): S[][] {
  // Fast path: usually no two skills share a name.
  if (new Set(skills.map(({ key }) => key)).size === skills.length) return [];
  const groups = new Map<string, S[]>();
  for (const skill of skills) add(groups, skill.key, skill);
  return [...groups.values()].filter(({ length }) => length > 1).map((group) => group.sort((a, b) => a.rank - b.rank));
}

function add<S extends Skill>(map: Map<string, S[]>, key: string, skill: S): void {
  const list = map.get(key);
  if (list) list.push(skill);
  else map.set(key, [skill]);
}
