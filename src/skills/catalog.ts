/** Immutable catalog of the skills of a scan, looked up by name. Names are keys into this catalog, never parts of a path. */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { nearest } from '../core/near.ts';
import { compareText, foldName } from '../core/text.ts';
import { nameAmbiguous, nameCollision, nameShadowed } from './codes.ts';
import { NEUTRAL_PROVIDERS } from './roots/agents.ts';
import { fullNameOf, isSkillFile, type Skill } from './skill.ts';

export type Resolution =
  | { kind: 'found'; skill: Skill }
  | { kind: 'ambiguous'; skills: Skill[] }
  | { kind: 'missing'; near: string[] };

/** Skills that compete for one name, and the winners among them: one of each set of copies. */
interface Rivals {
  skills: readonly Skill[];
  winners: readonly Skill[];
}

/** Skills by every spelling that resolves to them. */
export interface NameIndex {
  /** Common prefix of all full names in the index, up to the first colon. Optional only if the catalog has a single index. */
  prefix?: string;
  byFullName: ReadonlyMap<string, readonly Skill[]>;
  byKey: ReadonlyMap<string, readonly Skill[]>;
  byFolder: ReadonlyMap<string, readonly Skill[]>;
}

/** Name order and name groups of a superset of several catalogs, computed once for all of them. */
export class AllNames {
  readonly skills: readonly Skill[];
  #inOrder: readonly Skill[] | undefined;
  #sameName: readonly (readonly Skill[])[] | undefined;

  constructor(skills: readonly Skill[]) {
    this.skills = skills;
  }

  get inOrder(): readonly Skill[] {
    return (this.#inOrder ??= byName(this.skills));
  }

  get sameName(): readonly (readonly Skill[])[] {
    return (this.#sameName ??= groupByName(this.skills));
  }
}

/** Precomputed data for a catalog. */
export interface Known {
  /** Sources of the caller's team, in a shared catalog. */
  own?: ReadonlySet<string> | undefined;
  /** Indexes that together contain all copies of the catalog, in its order. They may contain others, which `has` filters out. */
  names?: { indexes: readonly NameIndex[]; has(skill: Skill): boolean } | undefined;
  /** Called when needed. The result is not cached, because it may soon belong to other skills. */
  all?: (() => AmongAll | undefined) | undefined;
}

/**
 * Names of a superset of the catalog, filtered with `has`. Copies of equal rank are in catalog order, except those of the caller's
 * team.
 */
export interface AmongAll {
  names: AllNames;
  has(skill: Skill): boolean;
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

export class SkillCatalog {
  /** All copies of all skills, in the order of discovery or of the include filters. */
  readonly copies: readonly Skill[];
  #skills: readonly Skill[] | undefined;
  #names: Known['names'];
  #byPrefix: Map<string | undefined, NameIndex> | undefined;
  #sameName: Skill[][] | undefined;
  #inGroups: ReadonlySet<Skill> | undefined;
  #rivals: Map<Skill, Rivals> | undefined;
  readonly #own: ReadonlySet<string>;
  readonly #all: Known['all'];

  constructor(copies: readonly Skill[], { own = new Set(), names, all }: Known = {}) {
    this.copies = copies;
    this.#own = own;
    this.#names = names;
    this.#all = all;
  }

  /** Whether the skill belongs to the caller's team, in a shared catalog. */
  isOwn({ source }: Skill): boolean {
    return source !== undefined && this.#own.has(source);
  }

  /** Each skill once, in the same order. Of several copies, the one that the short name loads. */
  get skills(): readonly Skill[] {
    return (this.#skills ??= this.copies.some(({ copyOf }) => copyOf)
      ? this.copies.filter((skill) => this.#leader(skill) === skill)
      : this.copies);
  }

  /** Returns the same skills sorted by name, then by path. */
  inNameOrder(): readonly Skill[] {
    const all = this.#all?.();
    if (!all) return byName(this.skills);
    const copies = all.names.inOrder.filter(all.has);
    return this.skills === this.copies ? copies : copies.filter((skill) => this.#leader(skill) === skill);
  }

  /** Returns all copies of a skill in the catalog, including the given one, in order of precedence. */
  copiesOf(skill: Skill): readonly Skill[] {
    return this.#rivalsOf(skill)?.skills.filter((other) => isCopy(other, skill)) ?? [skill];
  }

  #leader(skill: Skill): Skill {
    const rivals = this.#rivalsOf(skill);
    const isSame = (other: Skill): boolean => isCopy(other, skill);
    return rivals?.winners.find(isSame) ?? rivals?.skills.find(isSame) ?? skill;
  }

  /** Builds the index on the first lookup. Listing ten thousand skills does not need it. */
  #lookUp(kind: 'byFullName' | 'byKey' | 'byFolder', key: string): readonly Skill[] | undefined {
    const { indexes, has } = (this.#names ??= { indexes: [indexNames(this.copies)], has: () => true });
    const found: Skill[] = [];
    for (const index of kind === 'byFullName' ? this.#withFullName(indexes, key) : indexes)
      for (const skill of index[kind].get(key) ?? []) if (has(skill)) found.push(skill);
    return found.length === 0 ? undefined : found;
  }

  /** Every full name has a colon, and most requested names have none. */
  #withFullName(indexes: readonly NameIndex[], key: string): readonly NameIndex[] {
    const end = key.indexOf(':') + 1;
    if (end === 0 || indexes.length === 1) return end === 0 ? [] : indexes;
    this.#byPrefix ??= new Map(indexes.map((index) => [index.prefix, index]));
    const found = this.#byPrefix.get(key.slice(0, end));
    return found ? [found] : [];
  }

  /**
   * Finds the skill with that name, preferring enabled ones. A full name takes precedence over any other match, such as a skill
   * named `codex:pdf` or a plugin named codex. A name takes precedence over a folder name.
   */
  find(name: string): Resolution {
    for (const spelling of spellingsOf(name.trim())) {
      const found = this.#findAs(spelling);
      if (found) return found;
    }
    return { kind: 'missing', near: this.near(name) };
  }

  #findAs(name: string): Resolution | undefined {
    const key = foldName(name);
    const candidates =
      this.#candidates(this.#lookUp('byFullName', key)) ??
      this.#candidates(this.#lookUp('byKey', key)) ??
      this.#candidates(this.#lookUp('byFolder', key)) ??
      [];
    const [skill, ...others] = distinct(candidates);
    if (!skill) return undefined;
    return others.length === 0 ? { kind: 'found', skill } : { kind: 'ambiguous', skills: [skill, ...others] };
  }

  #candidates(skills: readonly Skill[] | undefined): Skill[] | undefined {
    if (!skills) return undefined;
    const enabled = skills.filter(({ disabled }) => !disabled);
    return unbeaten(enabled.length > 0 ? enabled : skills, this.#own);
  }

  near(name: string): string[] {
    return nearest(
      name,
      this.skills.map((skill) => this.displayName(skill)),
    );
  }

  /** Whether the short name loads this skill, or could load it if the name were not ambiguous. */
  isWinner(skill: Skill): boolean {
    return this.#rivalsOf(skill)?.winners.some((winner) => isCopy(winner, skill)) ?? true;
  }

  /** Whether several skills share the short name and none takes precedence. */
  isAmbiguous(skill: Skill): boolean {
    return (this.#rivalsOf(skill)?.winners.length ?? 1) > 1;
  }

  /** Whether no other skill, enabled or disabled, has the same name. Copies count as other skills. */
  isAlone(skill: Skill): boolean {
    return !(this.#inGroups ??= new Set(this.sameName.flat())).has(skill);
  }

  /** Returns the short name, prefixed with the plugin if any, or the full name if the short one is ambiguous. */
  displayName(skill: Skill): string {
    if (this.isAmbiguous(skill)) return fullNameOf(skill);
    return skill.plugin === undefined ? skill.name : `${skill.plugin}:${skill.name}`;
  }

  /** Returns the skill that hides this one, if any. */
  shadowOf(skill: Skill): Skill | undefined {
    const rivals = this.#rivalsOf(skill);
    if (!rivals || this.isWinner(skill)) return undefined;
    return rivals.skills.find((other) => !isCopy(other, skill) && beats(other, skill, this.#own)) ?? rivals.winners[0];
  }

  /** Groups of copies with the same name, enabled or disabled, each in order of discovery. */
  get sameName(): readonly (readonly Skill[])[] {
    return (this.#sameName ??= this.#groups());
  }

  #groups(): Skill[][] {
    const all = this.#all?.();
    if (!all) return groupByName(this.copies);
    return all.names.sameName
      .map((group) => group.filter(all.has))
      .filter(({ length }) => length > 1)
      .map((group) => group.sort((a, b) => a.rank - b.rank || Number(this.isOwn(b)) - Number(this.isOwn(a))));
  }

  /** Enabled and disabled skills do not compete. Undefined for a skill without rivals, which is the usual case. */
  #rivalsOf(skill: Skill): Rivals | undefined {
    if (!this.#rivals) {
      this.#rivals = new Map();
      for (const group of this.sameName) {
        for (const state of [true, false]) {
          const skills = group.filter(({ disabled }) => disabled === state);
          const rivals = { skills, winners: distinct(unbeaten(skills, this.#own)) };
          if (skills.length > 1) for (const each of skills) this.#rivals.set(each, rivals);
        }
      }
    }
    return this.#rivals.get(skill);
  }

  /** Reports ambiguous, shadowed and colliding names. */
  nameDiagnostics(): Diagnostic[] {
    const diagnostics: Diagnostic[] = [];
    for (const skill of this.skills) {
      if (skill.disabled) continue;
      const winners = this.#rivalsOf(skill)?.winners;
      if (!winners) continue;
      if (winners.length > 1 && winners[0] === skill) {
        const names = winners.map(fullNameOf).join(', ');
        diagnostics.push(nameAmbiguous.at({ path: skill.file, message: `"${skill.name}" is ambiguous: ${names}` }));
      }
      const shadow = this.shadowOf(skill);
      if (!shadow) continue;
      const collides = path.dirname(shadow.dir) === path.dirname(skill.dir) && shadow.name !== skill.name;
      const code = collides ? nameCollision : nameShadowed;
      diagnostics.push(code.at({ path: skill.file, message: `"${skill.name}" is hidden by ${shadow.file}` }));
    }
    return diagnostics;
  }
}

/**
 * Returns the name as written, then fallbacks in case no skill has that exact name: a slash command, the path of the file, or
 * spaces in place of hyphens. All of them are used as keys, never as paths.
 */
function spellingsOf(name: string): string[] {
  const command = name.replace(/^\//u, '');
  const slash = command.lastIndexOf('/');
  const bare = slash !== -1 && isSkillFile(command.slice(slash + 1)) ? command.slice(0, slash) : command;
  if (bare === '' || /[/\\]|\.\./u.test(bare)) return [name];
  return [...new Set([name, bare, bare.replaceAll(/\s+/gu, '-')])];
}

/** Returns every spelling of a name or folder name that resolves to the skill. */
export function keysOf(skill: Skill, name: string, alsoAt = skill.alsoAt): Set<string> {
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

/**
 * A skill hides another with the same name if it comes first and the two compete: within one provider, or if either does not
 * belong to a particular agent. Two plugins do not compete, and neither do two agents. In a shared catalog, sources of the
 * caller's team take precedence over others.
 */
function beats(a: Skill, b: Skill, own: ReadonlySet<string>): boolean {
  if (a.source !== b.source) return own.has(a.source ?? '') && !own.has(b.source ?? '');
  if (a === b || a.rank >= b.rank) return false;
  if (NEUTRAL_PROVIDERS.has(a.provider) || NEUTRAL_PROVIDERS.has(b.provider)) return true;
  return a.provider === b.provider && (a.plugin === undefined || a.plugin === b.plugin);
}

function unbeaten(skills: readonly Skill[], own: ReadonlySet<string>): Skill[] {
  if (skills.length < 2) return [...skills];
  const ranked = [...skills].sort((a, b) => a.rank - b.rank);
  // Mirrors have hundreds of copies of one name. Only the first of each provider is compared, because it beats the others.
  const heads = new Map<string, Skill>();
  for (const skill of ranked) {
    const group = `${skill.source ?? ''}\0${skill.provider}\0${skill.plugin ?? ''}`;
    if (!heads.has(group)) heads.set(group, skill);
  }
  const leaders = [...heads.values()];
  return leaders.filter((skill) => !leaders.some((other) => beats(other, skill, own)));
}

/** Whether two skills are identical, byte for byte. */
function isCopy(a: Skill, b: Skill): boolean {
  return (a.copyOf ?? a) === (b.copyOf ?? b);
}

/** Returns the first of each set of copies. */
function distinct(skills: readonly Skill[]): Skill[] {
  return skills.filter((skill, index) => skills.findIndex((other) => isCopy(other, skill)) === index);
}

/** Sort key of `byName`. */
export function placeInOrder({ key, file }: Skill): string {
  return `${key}\n${file}`;
}

function byName(skills: readonly Skill[]): Skill[] {
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
