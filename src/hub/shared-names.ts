/**
 * Names of a shared catalog, computed once for all callers: an index per source, and the order and name groups of all sources. A
 * catalog of 100,000 skills has many views, and computing these for each of them took longer than a search.
 */
import { memo } from '../core/memo.ts';
import { foldName } from '../core/text.ts';
import {
  byName,
  groupByName,
  indexNames,
  type NameIndex,
  type NameLookup,
  type Spelling,
} from '../skills/name-lookup.ts';
import type { Skill } from '../skills/skill.ts';
import type { SharedSource } from './shared-source.ts';

/** Order and name groups of all sources in the current catalog. */
export class SharedNames {
  readonly #sources: ReadonlySet<SharedSource>;
  readonly #skills: readonly Skill[];
  #inOrder: readonly Skill[] | undefined;
  #sameName: readonly (readonly Skill[])[] | undefined;

  constructor(sources: readonly SharedSource[]) {
    this.#sources = new Set(sources);
    this.#skills = sources.flatMap(({ skills }) => skills);
  }

  get inOrder(): readonly Skill[] {
    return (this.#inOrder ??= byName(this.#skills));
  }

  get sameName(): readonly (readonly Skill[])[] {
    return (this.#sameName ??= groupByName(this.#skills));
  }

  /** False if one of the sources has changed. */
  covers(sources: readonly SharedSource[]): boolean {
    return sources.every((source) => this.#sources.has(source));
  }
}

export interface SourceNamesOptions {
  /** The sources that the caller can see, in the order of their skills. */
  sources: readonly SharedSource[];
  /** Names of the caller's own sources. */
  own: ReadonlySet<string>;
  /** Called when needed. The result is not cached, because the next catalog has other names. */
  current: () => SharedNames | undefined;
}

/** Index of a source, shared by all views. Built on the first lookup. */
const indexOf = memo(({ skills }: SharedSource): NameIndex => indexNames(skills));

/** Names of the sources that a caller can see. */
export class SourceNames implements NameLookup {
  readonly #options: SourceNamesOptions;
  readonly #isWanted: ((skill: Skill) => boolean) | undefined;
  #byPrefix: ReadonlyMap<string, SharedSource> | undefined;

  constructor(options: SourceNamesOptions, isWanted?: (skill: Skill) => boolean) {
    this.#options = options;
    this.#isWanted = isWanted;
  }

  find(spelling: Spelling, key: string): readonly Skill[] {
    const sources = spelling === 'byFullName' ? this.#withPrefix(key) : this.#options.sources;
    return this.#wanted(sources.flatMap((source) => indexOf(source)[spelling].get(key) ?? []));
  }

  inOrder(): readonly Skill[] {
    const shared = this.#shared();
    return shared ? shared.inOrder.filter(this.#isVisible()) : byName(this.#copies());
  }

  /** Copies of equal rank are in catalog order, with those of the caller's team first. */
  sameName(): readonly (readonly Skill[])[] {
    const shared = this.#shared();
    if (!shared) return groupByName(this.#copies());
    const { own } = this.#options;
    const isVisible = this.#isVisible();
    const isOwn = ({ source = '' }: Skill): number => Number(own.has(source));
    return shared.sameName
      .map((group) => group.filter(isVisible))
      .filter(({ length }) => length > 1)
      .map((group) => group.sort((a, b) => a.rank - b.rank || isOwn(b) - isOwn(a)));
  }

  only(isWanted: (skill: Skill) => boolean): NameLookup {
    return new SourceNames(this.#options, isWanted);
  }

  #shared(): SharedNames | undefined {
    const { sources, current } = this.#options;
    const shared = current();
    return shared?.covers(sources) === true ? shared : undefined;
  }

  #copies(): readonly Skill[] {
    return this.#wanted(this.#options.sources.flatMap(({ skills }) => skills));
  }

  #wanted(skills: readonly Skill[]): readonly Skill[] {
    return this.#isWanted ? skills.filter(this.#isWanted) : skills;
  }

  #isVisible(): (skill: Skill) => boolean {
    const visible = new Set(this.#options.sources.map(({ name }) => name));
    const isWanted = this.#isWanted;
    return (skill) => visible.has(skill.source ?? '') && (isWanted?.(skill) ?? true);
  }

  /** The source of a full name. Every full name has a colon, and most requested names have none. */
  #withPrefix(key: string): readonly SharedSource[] {
    const end = key.indexOf(':') + 1;
    if (end === 0) return [];
    this.#byPrefix ??= new Map(this.#options.sources.map((source) => [foldName(`${source.name}:`), source]));
    const source = this.#byPrefix.get(key.slice(0, end));
    return source ? [source] : [];
  }
}
