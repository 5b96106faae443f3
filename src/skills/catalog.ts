/** The skills of a scan, immutable, found by name. A name is a key in this catalog, never part of a path. */
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

/** Skills that compete for one name, and those of them that no other skill beats: one of each set of copies. */
interface Rivals {
  skills: readonly Skill[];
  winners: readonly Skill[];
}

/** Skills by every spelling that finds them. */
export interface NameIndex {
  /** What all full names in it begin with, up to their first colon. Only the single index of a catalog may do without. */
  prefix?: string;
  byFullName: ReadonlyMap<string, readonly Skill[]>;
  byKey: ReadonlyMap<string, readonly Skill[]>;
  byFolder: ReadonlyMap<string, readonly Skill[]>;
}

/** Of more skills than a catalog has: their order by name, and those that share one, found out once for all such catalogs. */
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

/** What a catalog need not find out by itself, because others know it. */
export interface Known {
  /** The sources of the caller's team, in a shared catalog. */
  own?: ReadonlySet<string> | undefined;
  /** Together they have all copies of the catalog, in its order, and perhaps others, which `has` tells apart. */
  names?: { indexes: readonly NameIndex[]; has(skill: Skill): boolean } | undefined;
  /** Asked when it is needed, and not kept, because it may soon be of other skills. */
  all?: (() => AmongAll | undefined) | undefined;
}

/** Names that have all copies of a catalog, those of equal rank in its order but for own ones, and others, which `has` tells apart. */
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
  /** Every copy of every skill, in the order of discovery, or of the include filters. */
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

  /** Whether the skill is of the caller's own team, in a shared catalog. */
  isOwn({ source }: Skill): boolean {
    return source !== undefined && this.#own.has(source);
  }

  /** Each skill once, however many copies it has, in the same order. Of several copies, the one that the short name loads. */
  get skills(): readonly Skill[] {
    return (this.#skills ??= this.copies.some(({ copyOf }) => copyOf)
      ? this.copies.filter((skill) => this.#leader(skill) === skill)
      : this.copies);
  }

  /** The same skills by name, and those of one name by their place. */
  inNameOrder(): readonly Skill[] {
    const all = this.#all?.();
    if (!all) return byName(this.skills);
    const copies = all.names.inOrder.filter(all.has);
    return this.skills === this.copies ? copies : copies.filter((skill) => this.#leader(skill) === skill);
  }

  /** All copies of a skill that the catalog has, the given one included, in the order in which they win. */
  copiesOf(skill: Skill): readonly Skill[] {
    return this.#rivalsOf(skill)?.skills.filter((other) => isCopy(other, skill)) ?? [skill];
  }

  #leader(skill: Skill): Skill {
    const rivals = this.#rivalsOf(skill);
    const isSame = (other: Skill): boolean => isCopy(other, skill);
    return rivals?.winners.find(isSame) ?? rivals?.skills.find(isSame) ?? skill;
  }

  /** The index is built for the first lookup. A list of ten thousand skills does not need it. */
  #lookUp(kind: 'byFullName' | 'byKey' | 'byFolder', key: string): readonly Skill[] | undefined {
    const { indexes, has } = (this.#names ??= { indexes: [indexNames(this.copies)], has: () => true });
    const found: Skill[] = [];
    for (const index of kind === 'byFullName' ? this.#withFullName(indexes, key) : indexes)
      for (const skill of index[kind].get(key) ?? []) if (has(skill)) found.push(skill);
    return found.length === 0 ? undefined : found;
  }

  /** Every full name has a colon, and most names that are asked for have none. */
  #withFullName(indexes: readonly NameIndex[], key: string): readonly NameIndex[] {
    const end = key.indexOf(':') + 1;
    if (end === 0 || indexes.length === 1) return end === 0 ? [] : indexes;
    this.#byPrefix ??= new Map(indexes.map((index) => [index.prefix, index]));
    const found = this.#byPrefix.get(key.slice(0, end));
    return found ? [found] : [];
  }

  /**
   * The skill with that name, enabled ones first. A full name wins over everything else with the same spelling, such as a skill
   * named `codex:pdf` or a plugin named codex. A name wins over a folder's name.
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

  /** Whether its own short name loads the skill, or could: several winners make the name ambiguous. */
  isWinner(skill: Skill): boolean {
    return this.#rivalsOf(skill)?.winners.some((winner) => isCopy(winner, skill)) ?? true;
  }

  /** Whether several skills have the short name and none of them beats the others. */
  isAmbiguous(skill: Skill): boolean {
    return (this.#rivalsOf(skill)?.winners.length ?? 1) > 1;
  }

  /** Whether no other skill has its name, enabled or not, copies included. */
  isAlone(skill: Skill): boolean {
    return !(this.#inGroups ??= new Set(this.sameName.flat())).has(skill);
  }

  /** The short name, with the plugin if it is from one, or the full name if the short one is ambiguous. */
  displayName(skill: Skill): string {
    if (this.isAmbiguous(skill)) return fullNameOf(skill);
    return skill.plugin === undefined ? skill.name : `${skill.plugin}:${skill.name}`;
  }

  /** The skill that hides this one, if any. */
  shadowOf(skill: Skill): Skill | undefined {
    const rivals = this.#rivalsOf(skill);
    if (!rivals || this.isWinner(skill)) return undefined;
    return rivals.skills.find((other) => !isCopy(other, skill) && beats(other, skill, this.#own)) ?? rivals.winners[0];
  }

  /** Groups of copies that share a name, enabled or not, each in the order of discovery. */
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

  /** Enabled and disabled skills do not compete. Undefined for a skill without rivals: nearly all. */
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

  /** Names that are ambiguous, shadowed or colliding. */
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
 * A name as it was written; then what else it can only mean, for when no skill has that very name: as a slash command, as the path
 * of the file, with blanks for hyphens. These are keys like any other, and never paths.
 */
function spellingsOf(name: string): string[] {
  const command = name.replace(/^\//u, '');
  const slash = command.lastIndexOf('/');
  const bare = slash !== -1 && isSkillFile(command.slice(slash + 1)) ? command.slice(0, slash) : command;
  if (bare === '' || /[/\\]|\.\./u.test(bare)) return [name];
  return [...new Set([name, bare, bare.replaceAll(/\s+/gu, '-')])];
}

/** Every spelling of a name, or of a folder's name, that finds the skill. */
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
 * One skill hides another with the same name if it comes first and the two compete: inside one provider, or if either does not
 * belong to a particular agent. Two plugins do not compete, and neither do two agents. Of two sources of a shared catalog, the
 * team's own wins.
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
  // Mirrors have hundreds of copies of one name. The first of each provider beats the others, so only it is compared.
  const heads = new Map<string, Skill>();
  for (const skill of ranked) {
    const group = `${skill.source ?? ''}\0${skill.provider}\0${skill.plugin ?? ''}`;
    if (!heads.has(group)) heads.set(group, skill);
  }
  const leaders = [...heads.values()];
  return leaders.filter((skill) => !leaders.some((other) => beats(other, skill, own)));
}

/** Whether two skills are the same, byte for byte. */
function isCopy(a: Skill, b: Skill): boolean {
  return (a.copyOf ?? a) === (b.copyOf ?? b);
}

/** The first of each set of copies. */
function distinct(skills: readonly Skill[]): Skill[] {
  return skills.filter((skill, index) => skills.findIndex((other) => isCopy(other, skill)) === index);
}

/** What `byName` sorts by. */
export function placeInOrder({ key, file }: Skill): string {
  return `${key}\n${file}`;
}

function byName(skills: readonly Skill[]): Skill[] {
  return skills
    .map((skill) => ({ skill, place: placeInOrder(skill) }))
    .sort((a, b) => compareText(a.place, b.place))
    .map(({ skill }) => skill);
}

/** Groups of skills that share a name, each in the order of discovery. */
export function groupByName<S extends Skill>(skills: readonly S[]): S[][] {
  // Nearly always no two skills share a name, which one set shows quickly.
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
