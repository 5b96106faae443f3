/** Shortens paths for display, and completes commands for copying. */
import path from 'node:path';
import { quoteForBash } from '../clients/shell-quote.ts';
import { isInside } from '../core/inside.ts';
import { shortPaths } from '../render/style.ts';

export class Places {
  readonly #project: string;
  readonly #home: string | undefined;
  readonly #flags: readonly string[];
  /** Set for a shared catalog, whose files are not on the reader's machine. */
  readonly catalogUrl: string | undefined;

  /** `flags` make a copied command use the same project and home as the page. */
  constructor(project: string, home: string | undefined, flags: readonly string[] = [], catalogUrl?: string) {
    this.#project = project;
    this.#home = home;
    this.#flags = flags;
    this.catalogUrl = catalogUrl;
  }

  static ofCatalog(url: string): Places {
    return new Places('', undefined, [], url);
  }

  /** The name of the project folder. */
  get project(): string {
    return path.basename(this.#project);
  }

  /** Returns `./…` in the project, `~/…` in the home, and other paths unchanged. In a shared catalog, paths begin with the source. */
  place(file: string): string {
    if (this.catalogUrl !== undefined) return file.replace(/^\/+/u, '');
    if (isInside(this.#project, file)) return joined('.', path.relative(this.#project, file));
    const home = this.#home;
    if (home !== undefined && path.dirname(home) !== home && isInside(home, file))
      return joined('~', path.relative(home, file));
    return file;
  }

  /** Shortens the paths in a message. */
  say(sentence: string): string {
    if (this.catalogUrl !== undefined) return sentence;
    return shortPaths(shortPaths(sentence, this.#project, './'), this.#home, '~/');
  }

  /** Returns the command to copy, with the flags that the page leaves out. */
  command(shown: string): string {
    return shown.startsWith('lectern ') ? [shown, ...this.#flags.map(quoteForBash)].join(' ') : shown;
  }
}

function joined(first: string, rest: string): string {
  return [first, ...rest.split(path.sep)].filter((part) => part !== '').join('/');
}
