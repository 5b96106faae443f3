/**
 * The skills that a server listed in its last run. Some agents show their model the tools before a scan of a large home has ended;
 * they get this list, and are told when the scan finds another one. Only a hint: whatever is wrong with the file, it is ignored.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { entriesOf } from '../core/disk/answers.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { VERSION } from '../core/version.ts';
import { ALL_AGENTS } from '../skills/roots/agents.ts';
import { type Location, LOCATIONS } from '../skills/skill.ts';
import { cacheFolder } from './cache-folder.ts';
import type { WorkspaceOptions } from './settings.ts';
import type { Settings } from './settings-table.ts';

/** What the description of the `skill` tool is made of. */
export interface ListingEntry {
  name: string;
  description: string;
  location: Location;
  provider: string;
  /** Of the caller's own team, in a shared catalog. */
  isOwn?: boolean | undefined;
}

/** Projects whose listing is kept; of more, those that were not used for the longest time are removed. */
const LISTINGS_MAX = 100;
/** Reading more would take as long as a scan. */
const LISTING_MAX_BYTES = 4 * 1024 * 1024;

export class KeptListing {
  readonly #disk: Disk;
  readonly #file: string;

  private constructor(disk: Disk, file: string) {
    this.#disk = disk;
    this.#file = file;
  }

  /** Undefined if the user has no folder for caches. */
  static find(disk: Disk, options: WorkspaceOptions, settings: Settings): KeptListing | undefined {
    const folder = cacheFolder(disk, options);
    return folder === undefined
      ? undefined
      : new KeptListing(disk, path.join(folder, 'listings', `${keyOf(disk, options, settings)}.json`));
  }

  read(): readonly ListingEntry[] | undefined {
    const { kind, ...read } = readJsonFile(this.#disk, this.#file);
    if (kind !== 'value' || !('value' in read) || !isRecord(read.value)) return undefined;
    const { sha256, entries } = read.value;
    if (!Array.isArray(entries) || sha256 !== digestOf(entries) || !entries.every(isEntry)) return undefined;
    return entries;
  }

  write(entries: readonly ListingEntry[]): void {
    const text = JSON.stringify({ sha256: digestOf(entries), entries });
    if (text.length > LISTING_MAX_BYTES) return;
    try {
      this.#disk.replace(this.#file, text, undefined, { strict: false });
      this.#removeOld();
    } catch (error) {
      // A cache that cannot be written only costs time.
      if (!(error instanceof Failure)) throw error;
    }
  }

  #removeOld(): void {
    const folder = path.dirname(this.#file);
    const files = entriesOf(this.#disk, folder).map(({ name }) => path.join(folder, name));
    if (files.length <= LISTINGS_MAX) return;
    const usedAt = (file: string): number => this.#disk.look(file)?.stamp.mtimeMs ?? 0;
    const oldestFirst = files.map((file) => ({ file, at: usedAt(file) })).sort((a, b) => a.at - b.at);
    for (const { file } of oldestFirst.slice(0, files.length - LISTINGS_MAX)) this.#disk.remove(file);
  }
}

/** Everything that decides what a scan finds, besides the files themselves. */
function keyOf(disk: Disk, { projectDir, userDir, environment = {} }: WorkspaceOptions, settings: Settings): string {
  const variables = ['XDG_CONFIG_HOME', ...ALL_AGENTS.flatMap(({ homeVariable }) => homeVariable?.name ?? [])];
  return digestOf([
    VERSION,
    disk.follow(projectDir)?.realPath ?? projectDir,
    userDir ?? null,
    variables.map((name) => environment[name] ?? null),
    Object.entries(settings).map(([name, { value }]) => [name, value ?? null]),
  ]);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function isEntry(value: unknown): value is ListingEntry {
  return (
    isRecord(value) &&
    ['name', 'description', 'provider'].every((key) => typeof value[key] === 'string') &&
    LOCATIONS.some((location) => location === value['location'])
  );
}
