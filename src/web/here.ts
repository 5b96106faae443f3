/** Context of the pages: shortens paths for display, completes commands for copying, and lists the available features. */
import path from 'node:path';
import { isInside } from '../core/inside.ts';
import { quoteForBash } from '../core/quote-for-bash.ts';
import { shortPaths } from '../render/style.ts';

/** Features that differ between a project on this machine and a shared catalog. */
export interface Abilities {
  /** Commands of Lectern work on the files that the pages show. */
  readonly runCommands: boolean;
  /** There is a page with all problems. */
  readonly seeProblems: boolean;
  /** Skills and specs belong to sources, which have pages. */
  readonly seeSources: boolean;
  /** There is a page with the context of each agent. */
  readonly seeContext: boolean;
}

const IN_PROJECT: Abilities = { runCommands: true, seeProblems: true, seeSources: false, seeContext: true };
const IN_CATALOG: Abilities = { runCommands: false, seeProblems: false, seeSources: true, seeContext: false };

interface HereOptions extends Partial<Pick<Abilities, 'seeContext'>> {
  catalogUrl?: string;
  /** Returns the folder of the skill that a name loads, and whether no other copy has this name. */
  loads?: (name: string) => { dir: string; isOnly: boolean } | undefined;
}

export class Here {
  readonly #project: string;
  readonly #home: string | undefined;
  readonly #flags: readonly string[];
  readonly #loads: HereOptions['loads'];
  readonly can: Abilities;
  /** The address of the shared catalog. Empty for a project. */
  readonly catalogUrl: string;

  /** `flags` make a copied command use the same project and home as the page. */
  constructor(
    project: string,
    home: string | undefined,
    flags: readonly string[] = [],
    { catalogUrl = '', loads, ...can }: HereOptions = {},
  ) {
    this.#loads = loads;
    this.#project = project;
    this.#home = home;
    this.#flags = flags;
    this.catalogUrl = catalogUrl;
    this.can = { ...(catalogUrl === '' ? IN_PROJECT : IN_CATALOG), ...can };
  }

  static inCatalog(url: string): Here {
    return new Here('', undefined, [], { catalogUrl: url });
  }

  /** The name of the project folder. */
  get project(): string {
    return path.basename(this.#project);
  }

  /**
   * Returns a relative path in the project, `~/…` in the home, and other paths unchanged. In a shared catalog, paths begin with
   * the source.
   */
  place(file: string): string {
    if (this.can.seeSources) return file.replace(/^\/+/u, '');
    if (isInside(this.#project, file)) return joined('', path.relative(this.#project, file)) || '.';
    const home = this.#home;
    if (home !== undefined && path.dirname(home) !== home && isInside(home, file))
      return joined('~', path.relative(home, file));
    return file;
  }

  /** Returns a path for addresses and IDs, which must not contain a path of this machine: `./…`, `~/…` or `../…`. */
  key(file: string): string {
    const place = this.place(file);
    if (this.can.seeSources || place.startsWith('~/')) return place;
    return path.isAbsolute(place) ? joined('', path.relative(this.#project, file)) : `./${place}`;
  }

  /** Returns the `copy` in the address of a skill: nothing if the name loads this copy on every machine that has it. */
  copyOf(name: string, dir: string): string | undefined {
    if (this.can.seeSources) return dir;
    return this.#loads?.(name)?.dir === dir ? undefined : this.key(dir);
  }

  /** Like `copyOf`, where the name means all copies together. */
  onlyCopyOf(name: string, dir: string): string | undefined {
    return this.can.seeSources || !this.#loads?.(name)?.isOnly ? this.key(dir) : this.copyOf(name, dir);
  }

  /** Shortens the paths in a message. */
  say(sentence: string): string {
    if (this.can.seeSources) return sentence;
    return shortPaths(shortPaths(sentence, this.#project, ''), this.#home, '~/');
  }

  /** Returns the command to copy, with the flags that the page leaves out. */
  command(shown: string): string {
    const flags = this.#flags.map(quoteForBash);
    return shown
      .split(' && ')
      .map((part) => (part.startsWith('lectern ') ? [part, ...flags].join(' ') : part))
      .join(' && ');
  }
}

function joined(first: string, rest: string): string {
  return [first, ...rest.split(path.sep)].filter((part) => part !== '').join('/');
}
