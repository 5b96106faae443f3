/**
 * Watches the folders whose entries determine the result of a scan: roots, the folders below them down to the skills, and the
 * folders of specs and changes once they have been read. Only SKILL.md counts in the folder of a skill, so a thousand bundled
 * files cost nothing. If a root does not exist, the nearest existing folder above it is watched.
 */
import path from 'node:path';
import { breather } from '../core/breathe.ts';
import { IGNORED_FOLDERS } from '../core/disk/ignored-folders.ts';
import type { FolderWatch, WatchFolder } from '../core/disk/watch.ts';
import { isSkillPath } from '../skills/skill.ts';

export interface WatchPlaces {
  /** Folders that were walked. In a leaf, only SKILL.md counts. */
  folders: readonly { dir: string; leaf: boolean }[];
  /** Folders that may be created or deleted. */
  roots: readonly { dir: string }[];
}

export interface WatcherOptions {
  watchFolder: WatchFolder;
  exists: (dir: string) => boolean;
  maxFolders: number;
  /** Called after a change that may affect the result of a scan. */
  changed: () => void;
}

/** The entries of a folder that matter. */
type Matters = 'all' | 'skill-file' | ReadonlySet<string>;

export class FolderWatcher {
  readonly #options: WatcherOptions;
  readonly #watches = new Map<string, { watch: FolderWatch; matters: Matters }>();
  /** Folders that were moved or removed, whose watches must be replaced. */
  readonly #stale = new Set<string>();
  #complete = false;
  #closed = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Whether every folder is watched. */
  get complete(): boolean {
    return this.#complete;
  }

  get size(): number {
    return this.#watches.size;
  }

  /** Watches the folders of a scan. `added` means that a new folder is watched, which may have changed since the scan. */
  async arm({ folders, roots }: WatchPlaces): Promise<{ added: boolean; outOfRoom: boolean }> {
    const wanted = new Map<string, Matters>();
    for (const { dir } of roots) this.#addAnchor(wanted, dir);
    for (const { dir, leaf } of folders) wanted.set(dir, leaf && wanted.get(dir) !== 'all' ? 'skill-file' : 'all');
    this.#drop(wanted);
    const breathe = breather();
    let added = false;
    let outOfRoom = false;
    let missing = 0;
    for (const [dir, matters] of wanted) {
      if (this.#closed) break;
      const known = this.#watches.get(dir);
      if (known) {
        known.matters = matters;
        continue;
      }
      const pause = breathe();
      if (pause) await pause;
      const watch = this.#watches.size < this.#options.maxFolders ? this.#watch(dir) : 'no-room';
      if (watch === 'no-room') {
        outOfRoom = true;
        break;
      }
      if (watch === 'gone') {
        missing += 1;
        continue;
      }
      this.#watches.set(dir, { watch, matters });
      added = true;
    }
    this.#complete = !outOfRoom && missing === 0 && !this.#closed;
    return { added, outOfRoom };
  }

  close(): void {
    this.#closed = true;
    this.#complete = false;
    for (const { watch } of this.#watches.values()) watch.close();
    this.#watches.clear();
  }

  /** Watches the nearest existing folder above a root, for the one entry that leads to the root. */
  #addAnchor(wanted: Map<string, Matters>, root: string): void {
    let below = root;
    for (let dir = path.dirname(root); dir !== below; below = dir, dir = path.dirname(dir)) {
      if (!this.#options.exists(dir)) continue;
      const before = wanted.get(dir);
      if (before !== 'all') wanted.set(dir, new Set([...(before instanceof Set ? before : []), path.basename(below)]));
      return;
    }
  }

  #drop(wanted: ReadonlyMap<string, Matters>): void {
    for (const [dir, { watch }] of this.#watches) {
      if (wanted.has(dir) && !this.#isStale(dir)) continue;
      watch.close();
      this.#watches.delete(dir);
    }
    this.#stale.clear();
  }

  #isStale(dir: string): boolean {
    if (this.#stale.size === 0) return false;
    for (let place = dir, parent = path.dirname(dir); ; place = parent, parent = path.dirname(parent)) {
      if (this.#stale.has(place)) return true;
      if (parent === place) return false;
    }
  }

  #watch(dir: string): FolderWatch | 'no-room' | 'gone' {
    const self = path.basename(dir);
    return this.#options.watchFolder(dir, (name) => {
      if (this.#closed) return;
      // The system reports the folder's own name when it is removed or moved. An entry of the same name only costs a scan.
      if (name === undefined || name === self) this.#stale.add(dir);
      if (name !== undefined) this.#stale.add(path.join(dir, name));
      if (name === undefined || name === self || this.#isOfInterest(dir, name)) this.#options.changed();
    });
  }

  #isOfInterest(dir: string, name: string): boolean {
    const matters = this.#watches.get(dir)?.matters ?? 'all';
    if (matters === 'all') return !IGNORED_FOLDERS.has(name);
    if (matters === 'skill-file') return isSkillPath(name);
    return matters.has(name);
  }
}
