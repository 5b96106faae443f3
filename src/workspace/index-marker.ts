import { exists, tryToWrite } from '../core/disk/answers.ts';
import type { Disk } from '../core/disk/writes.ts';

/** Records that `lectern index` or `rebuild_index` has run for a project, for servers that wait for it. */
export class IndexMarker {
  readonly #disk: Disk;
  readonly #file: string | undefined;
  readonly #project: string;
  /** If the cache cannot be written, the mark lasts as long as this process. */
  #marked = false;

  constructor(disk: Disk, file: string | undefined, project: string) {
    this.#disk = disk;
    this.#file = file;
    this.#project = project;
  }

  get isSet(): boolean {
    return this.#marked || (this.#file !== undefined && exists(this.#disk, this.#file));
  }

  set(): void {
    this.#marked = true;
    const file = this.#file;
    // The content is only informative, for people who look into the folder.
    if (file !== undefined)
      tryToWrite(() => this.#disk.replace(file, `${this.#project}\n`, undefined, { strict: false }));
  }

  clear(): void {
    this.#marked = false;
    if (this.#file !== undefined) this.#disk.remove(this.#file);
  }
}
