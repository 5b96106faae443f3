import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { entriesOf, exists } from '../../core/disk/answers.ts';
import { isProcessAlive } from '../../core/disk/process-alive.ts';
import type { Disk } from '../../core/disk/writes.ts';
import type { ModelIdentity } from '../embed/embedder.ts';
import type { Quantized } from '../vectors/quantized.ts';
import { type IndexedDocument, packDocuments } from './content.ts';
import { type Journal, readJournal, startJournal } from './journal.ts';
import { entryOf, FORMAT, type Manifest } from './manifest.ts';
import { CURRENT, FILE_NAMES } from './open.ts';

/**
 * One builder's own folder inside the index folder. Builders never touch each other's files and need no lock: each writes a
 * complete generation and puts its name into `current.json` with one rename. The last one wins.
 */
const WORKSHOP = /^building-(\d+)-[\da-f]+$/u;
const GENERATION = /^gen-[\w-]+$/u;

const NO_OWNER = 0;
const IGNORE_FILE = '.gitignore';

/** A reader that has just read a generation's name needs a moment to open it. */
const KEEP_GENERATION_MS = 60_000;

/** Another process may have got the id of a dead builder. No build takes longer than a day. */
const KEEP_WORKSHOP_MS = 24 * 60 * 60 * 1000;

export interface Parts {
  documents: readonly IndexedDocument[];
  postings: Uint8Array;
  vectors: Uint8Array | undefined;
  model: Manifest['model'];
  counts: Manifest['counts'];
}

export interface WorkshopOptions {
  disk: Disk;
  dir: string;
  pid: number;
  now: () => number;
}

export class Workshop {
  #options: WorkshopOptions;
  #own: string;
  #serial = 0;

  constructor(options: WorkshopOptions) {
    this.#options = options;
    this.#own = `building-${options.pid}-${randomBytes(4).toString('hex')}`;
  }

  #path(...names: string[]): string {
    return path.join(this.#options.dir, ...names);
  }

  open(): void {
    const { disk } = this.#options;
    // Derived data of some megabytes should not end up in a repository by accident.
    if (!exists(disk, this.#path(IGNORE_FILE))) writeQuietly(disk, this.#path(IGNORE_FILE), '*\n');
  }

  journal(model: ModelIdentity): Journal {
    return startJournal(this.#options.disk, this.#path(this.#own), model);
  }

  /** Reads the vectors that earlier and concurrent builders have computed. */
  readJournals(model: ModelIdentity, known: Map<string, Quantized>): void {
    for (const { name } of entriesOf(this.#options.disk, this.#options.dir)) {
      if (WORKSHOP.test(name)) readJournal(this.#options.disk, this.#path(name), model, known);
    }
  }

  /** Writes a generation and makes it the current one. */
  publish(parts: Parts): Manifest {
    const { disk, now } = this.#options;
    const generation = `gen-${now().toString(36)}-${randomBytes(6).toString('hex')}`;
    const stage = this.#path(this.#own, `stage-${this.#serial++}`);
    const documents = packDocuments(parts.documents);
    disk.create(path.join(stage, FILE_NAMES.documents), documents);
    disk.create(path.join(stage, FILE_NAMES.postings), parts.postings);
    if (parts.vectors) disk.create(path.join(stage, FILE_NAMES.vectors), parts.vectors);
    const manifest: Manifest = {
      format: FORMAT,
      generation,
      builtAt: new Date(now()).toISOString(),
      ...(parts.model && parts.vectors ? { model: parts.model } : {}),
      counts: parts.counts,
      files: {
        documents: entryOf(documents),
        postings: entryOf(parts.postings),
        ...(parts.vectors ? { vectors: entryOf(parts.vectors) } : {}),
      },
    };
    disk.move(stage, this.#path(generation));
    const draft = this.#path(this.#own, `current-${this.#serial}.json`);
    disk.create(draft, `${JSON.stringify(manifest, undefined, 2)}\n`);
    disk.move(draft, this.#path(CURRENT), { replace: true });
    return manifest;
  }

  /** Removes old generations, and the folders of builders that no longer run. */
  tidy(current: string): void {
    const { disk, dir, now, pid } = this.#options;
    for (const { name } of entriesOf(disk, dir)) {
      const age = now() - (disk.look(this.#path(name))?.stamp.mtimeMs ?? 0);
      const builder = WORKSHOP.exec(name)?.[1];
      const left =
        builder !== undefined && Number(builder) !== pid && (age > KEEP_WORKSHOP_MS || isGone(Number(builder)));
      const old = GENERATION.test(name) && name !== current && age > KEEP_GENERATION_MS;
      if (left || old) removeQuietly(disk, this.#path(name));
    }
  }

  close(): void {
    removeQuietly(this.#options.disk, this.#path(this.#own));
  }

  /** After a failure the journal stays for the next builder, marked as ownerless because this process may go on running. */
  abandon(): void {
    try {
      this.#options.disk.move(this.#path(this.#own), this.#path(this.#own.replace(/\d+/u, String(NO_OWNER))));
    } catch {
      // Then a later build removes it, when this process no longer runs.
    }
  }
}

function isGone(pid: number): boolean {
  return pid === NO_OWNER || !isProcessAlive(pid);
}

/** Removes the index and everything that builders left, and no other files in the folder. */
export function clearIndex(disk: Disk, dir: string): void {
  // The manifest first: without it there is no index, even if removing the rest fails.
  disk.removeTree(path.join(dir, CURRENT));
  for (const { name } of entriesOf(disk, dir))
    if (WORKSHOP.test(name) || GENERATION.test(name) || name === IGNORE_FILE) disk.removeTree(path.join(dir, name));
  // The first build created the folder and its parent. They stay if there is anything else in them.
  disk.removeEmptyFolders(dir, path.dirname(path.dirname(dir)));
}

/** Another process may be reading or removing it, which makes Windows refuse. The next build tries again. */
function removeQuietly(disk: Disk, target: string): void {
  try {
    disk.removeTree(target);
  } catch {
    // Left for the next build.
  }
}

/** Two builders may write it at the same time; it does not matter which one succeeds. */
function writeQuietly(disk: Disk, file: string, text: string): void {
  try {
    disk.create(file, text);
  } catch {
    // The index works without it.
  }
}
