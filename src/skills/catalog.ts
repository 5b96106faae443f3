/**
 * The skills that were found, as one immutable thing that can be asked by name. A name is a key into this catalog,
 * never part of a path.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { nearest } from '../core/near.ts';
import { foldName } from '../core/text.ts';
import { nameAmbiguous, nameCollision, nameShadowed } from './codes.ts';
import { NEUTRAL_PROVIDERS } from './roots/agents.ts';
import { fullNameOf, type Skill } from './schema.ts';

export type Resolution =
  | { kind: 'found'; skill: Skill }
  | { kind: 'ambiguous'; skills: Skill[] }
  | { kind: 'missing'; near: string[] };

interface NameIndex {
  byFullName: Map<string, Skill[]>;
  byKey: Map<string, Skill[]>;
  byFolder: Map<string, Skill[]>;
}

/** A skill that is alone with its name stands for itself: nearly all are. Enabled and disabled skills do not compete. */
interface NameGroups {
  enabled: Map<string, Skill | Skill[]>;
  disabled: Map<string, Skill | Skill[]>;
  /** The groups of more than one, and the one that each of their skills is in. */
  crowds: Skill[][];
  crowdOf: Map<Skill, Skill[]>;
}

export class SkillCatalog {
  /** In the order they were given: the order of discovery, or of the include filters. */
  readonly skills: readonly Skill[];
  readonly #winners = new Map<Skill[], Skill[]>();
  #byName: NameGroups | undefined;
  #index: NameIndex | undefined;

  constructor(skills: readonly Skill[]) {
    this.skills = skills;
  }

  /** Made when a name is first asked for: a list of ten thousand skills needs none of it. */
  #keys(): NameIndex {
    if (this.#index) return this.#index;
    const index: NameIndex = { byFullName: new Map(), byKey: new Map(), byFolder: new Map() };
    for (const skill of this.skills) {
      add(index.byFullName, foldName(fullNameOf(skill)), skill);
      for (const key of keysOf(skill, skill.name)) add(index.byKey, key, skill);
      if (foldName(skill.folder) !== foldName(skill.name)) {
        for (const key of keysOf(skill, skill.folder)) add(index.byFolder, key, skill);
      }
    }
    this.#index = index;
    return index;
  }

  /**
   * The skill of that name; enabled ones first. A full name means itself, whatever else is spelt like it: a skill whose own
   * name is `codex:pdf`, or a plugin called codex. A name comes before a directory's name.
   */
  find(name: string): Resolution {
    const key = foldName(name.trim());
    const { byFullName, byKey, byFolder } = this.#keys();
    const candidates =
      this.#candidates(byFullName.get(key)) ??
      this.#candidates(byKey.get(key)) ??
      this.#candidates(byFolder.get(key)) ??
      [];
    const [skill] = candidates;
    if (!skill) return { kind: 'missing', near: this.near(name) };
    return candidates.length === 1 ? { kind: 'found', skill } : { kind: 'ambiguous', skills: candidates };
  }

  #candidates(skills: readonly Skill[] | undefined): Skill[] | undefined {
    if (!skills) return undefined;
    const enabled = skills.filter(({ disabled }) => !disabled);
    return unbeaten(enabled.length > 0 ? enabled : skills);
  }

  /** Names that somebody may have meant. */
  near(name: string): string[] {
    return nearest(
      name,
      this.skills.map((skill) => this.displayName(skill)),
    );
  }

  /** Whether the skill is what its own short name loads, alone or beside others that are as good. */
  isWinner(skill: Skill): boolean {
    return this.#winnersFor(skill)?.includes(skill) ?? true;
  }

  /** Whether the short name fits several skills that are as good. */
  isAmbiguous(skill: Skill): boolean {
    return (this.#winnersFor(skill)?.length ?? 1) > 1;
  }

  /** The short name, or the full one where the short one is ambiguous. */
  displayName(skill: Skill): string {
    return this.isAmbiguous(skill) ? fullNameOf(skill) : skill.name;
  }

  /** The skill that hides this one, if any. */
  shadowOf(skill: Skill): Skill | undefined {
    const winners = this.#winnersFor(skill);
    if (!winners || winners.includes(skill)) return undefined;
    return this.#crowd(skill)?.find((other) => beats(other, skill)) ?? winners[0];
  }

  /** Whether any two skills share a name: if not, none is shadowed and none ambiguous. */
  get isCrowded(): boolean {
    return (this.#byName ??= groupByName(this.skills)).crowds.length > 0;
  }

  /** Every group of skills that share a name, whatever their state, each in order of discovery. */
  crowds(): Skill[][] {
    const { enabled, disabled, crowds } = (this.#byName ??= groupByName(this.skills));
    const mixed = [...disabled.keys()].filter((key) => enabled.has(key));
    if (mixed.length === 0) return crowds;
    const inBoth = new Set(mixed);
    const joined = mixed.map((key) =>
      [enabled.get(key) ?? [], disabled.get(key) ?? []].flat().sort((a, b) => a.rank - b.rank),
    );
    return [...crowds.filter(([first]) => first && !inBoth.has(first.key)), ...joined];
  }

  #crowd(skill: Skill): Skill[] | undefined {
    const { crowds, crowdOf } = (this.#byName ??= groupByName(this.skills));
    return crowds.length === 0 ? undefined : crowdOf.get(skill);
  }

  #winnersFor(skill: Skill): Skill[] | undefined {
    const crowd = this.#crowd(skill);
    if (!crowd) return undefined;
    const known = this.#winners.get(crowd);
    if (known) return known;
    const winners = unbeaten(crowd);
    this.#winners.set(crowd, winners);
    return winners;
  }

  /** What the names of this catalog have to say: ambiguous, shadowed, colliding. */
  nameDiagnostics(): Diagnostic[] {
    const diagnostics: Diagnostic[] = [];
    for (const skill of this.skills) {
      if (skill.disabled) continue;
      const winners = this.#winnersFor(skill);
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

/** Every spelling that leads to a skill under one name. */
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
 * One skill hides another of its name when it comes first and the two really compete: inside one provider, or where
 * either belongs to no agent in particular. Two plugins do not compete; neither do two agents.
 */
function beats(a: Skill, b: Skill): boolean {
  if (a === b || a.rank >= b.rank) return false;
  if (NEUTRAL_PROVIDERS.has(a.provider) || NEUTRAL_PROVIDERS.has(b.provider)) return true;
  return a.provider === b.provider && (a.plugin === undefined || a.plugin === b.plugin);
}

function unbeaten(skills: readonly Skill[]): Skill[] {
  if (skills.length < 2) return [...skills];
  const ranked = [...skills].sort((a, b) => a.rank - b.rank);
  // Hundreds of copies of one name are met in mirrors; whatever the first of its provider beats need not be compared again.
  const heads = new Map<string, Skill>();
  for (const skill of ranked) {
    const group = `${skill.provider}\0${skill.plugin ?? ''}`;
    if (!heads.has(group)) heads.set(group, skill);
  }
  const leaders = [...heads.values()];
  return leaders.filter((skill) => !leaders.some((other) => beats(other, skill)));
}

function groupByName(skills: readonly Skill[]): NameGroups {
  const groups: NameGroups = { enabled: new Map(), disabled: new Map(), crowds: [], crowdOf: new Map() };
  // Nearly always no two skills share a name, and one set tells: nothing has to be sorted out then.
  if (new Set(skills.map(({ key }) => key)).size === skills.length) return groups;
  for (const skill of skills) {
    const map = skill.disabled ? groups.disabled : groups.enabled;
    const before = map.get(skill.key);
    if (!before) map.set(skill.key, skill);
    else if (Array.isArray(before)) before.push(skill);
    else {
      const crowd = [before, skill];
      map.set(skill.key, crowd);
      groups.crowds.push(crowd);
    }
  }
  for (const crowd of groups.crowds) for (const skill of crowd) groups.crowdOf.set(skill, crowd);
  return groups;
}

function add(map: Map<string, Skill[]>, key: string, skill: Skill): void {
  const list = map.get(key);
  if (list) list.push(skill);
  else map.set(key, [skill]);
}
