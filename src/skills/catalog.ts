/** Immutable catalog of the skills of a scan, looked up by name. Names are keys into this catalog, never parts of a path. */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { nearest } from '../core/near.ts';
import { foldName } from '../core/text.ts';
import { nameAmbiguous, nameCollision, nameShadowed } from './codes.ts';
import { type NameLookup, OwnNames, spellingsOf } from './name-lookup.ts';
import { NEUTRAL_PROVIDERS } from './roots/agents.ts';
import { fullNameOf, type Skill } from './skill.ts';

export type Resolution =
  | { kind: 'found'; skill: Skill }
  | { kind: 'ambiguous'; skills: Skill[] }
  | { kind: 'missing'; near: string[] };

/** Skills that compete for one name, and the winners among them: one of each set of copies. */
interface Rivals {
  skills: readonly Skill[];
  winners: readonly Skill[];
}

export interface CatalogOptions {
  /** Sources of the caller's team, in a shared catalog. */
  own?: ReadonlySet<string> | undefined;
  /** Defaults to the names of the copies. */
  names?: NameLookup | undefined;
}

export class SkillCatalog {
  /** All copies of all skills, in the order of discovery or of the include filters. */
  readonly copies: readonly Skill[];
  #skills: readonly Skill[] | undefined;
  #sameName: readonly (readonly Skill[])[] | undefined;
  #inGroups: ReadonlySet<Skill> | undefined;
  #rivals: Map<Skill, Rivals> | undefined;
  readonly #own: ReadonlySet<string>;
  readonly #names: NameLookup;

  constructor(copies: readonly Skill[], { own = new Set(), names = new OwnNames(copies) }: CatalogOptions = {}) {
    this.copies = copies;
    this.#own = own;
    this.#names = names;
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
    const copies = this.#names.inOrder();
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
      this.#candidates(this.#names.find('byFullName', key)) ??
      this.#candidates(this.#names.find('byKey', key)) ??
      this.#candidates(this.#names.find('byFolder', key)) ??
      [];
    const [skill, ...others] = distinct(candidates);
    if (!skill) return undefined;
    return others.length === 0 ? { kind: 'found', skill } : { kind: 'ambiguous', skills: [skill, ...others] };
  }

  #candidates(skills: readonly Skill[]): Skill[] | undefined {
    if (skills.length === 0) return undefined;
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
    return (this.#sameName ??= this.#names.sameName());
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
      diagnostics.push(code.at({ path: skill.file, message: `Lectern loads ${shadow.file} for "${skill.name}"` }));
    }
    return diagnostics;
  }
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
export function isCopy(a: Skill, b: Skill): boolean {
  return (a.copyOf ?? a) === (b.copyOf ?? b);
}

/** Returns the first of each set of copies. */
function distinct(skills: readonly Skill[]): Skill[] {
  return skills.filter((skill, index) => skills.findIndex((other) => isCopy(other, skill)) === index);
}
