/**
 * Stores the skills that a server listed in its last run, with the state of every folder and file that the list depended on. If
 * the scan is slow, the next server answers its first requests from this list. It is only a hint: an invalid file is ignored.
 */
import path from 'node:path';
import { breather } from '../core/breathe.ts';
import { CachedFiles } from '../core/disk/cached-file.ts';
import { areSettled, type PathState, type PathStates, stateOf } from '../core/disk/noting.ts';
import type { Disk } from '../core/disk/writes.ts';
import { isRecord } from '../core/json-file.ts';
import { sha256Of } from '../core/sha256.ts';
import { VERSION } from '../core/version.ts';
import { ALL_AGENTS } from '../skills/roots/agents.ts';
import { type Location, LOCATIONS } from '../skills/skill.ts';
import { cacheFolder } from './cache-folder.ts';
import type { OpenOptions } from './settings.ts';
import type { Settings } from './settings-table.ts';

/** A skill in the description of the `skill` tool. */
export interface ListingEntry {
  name: string;
  description: string;
  location: Location;
  provider: string;
  /** Whether the skill belongs to the caller's own team, in a shared catalog. */
  isOwn?: boolean | undefined;
}

/** A skill in the lists of a server. Lists that omit the skill have no entry here. */
export interface CachedSkill {
  /** The name in the frontmatter. */
  title: string;
  description: string;
  location: Location;
  provider: string;
  /** The name in the description of the `skill` tool. */
  tool?: string;
  prompt?: { name: string; hint?: string };
  resource?: { uri: string; title: string; size: number; mtimeMs: number };
}

/** The states of the paths that a scan used, and its start time. */
export interface ScanStates extends PathStates {
  startedAt: number;
}

/** Paths in order, with five numbers for each. */
interface StoredStates {
  own: readonly string[];
  targets: readonly string[];
  numbers: Float64Array;
}

export interface StoredListing {
  skills: readonly CachedSkill[];
  /** Undefined if a file changed so shortly before the scan that a later change could have left the same stamp. */
  states: StoredStates | undefined;
}

/** Maximum number of projects with a stored listing. The least recently used ones are removed. */
const LISTINGS_MAX = 100;
/** Reading more would take as long as a scan. */
const LISTING_MAX_BYTES = 16 * 1024 * 1024;

export class CachedListing {
  readonly #disk: Disk;
  readonly #files: CachedFiles;
  readonly #file: string;

  private constructor(disk: Disk, file: string) {
    this.#disk = disk;
    this.#files = new CachedFiles(disk, { maxBytes: LISTING_MAX_BYTES });
    this.#file = file;
  }

  /** Returns undefined if the user has no cache folder. */
  static find(disk: Disk, options: OpenOptions, settings: Settings): CachedListing | undefined {
    const folder = cacheFolder(disk, options);
    return folder === undefined
      ? undefined
      : new CachedListing(disk, path.join(folder, 'listings', `${keyOf(disk, options, settings)}.json`));
  }

  read(): StoredListing | undefined {
    const read = this.#files.read(this.#file, listingIn);
    return read.kind === 'value' ? read.value : undefined;
  }

  /** Returns the lists as the next run will read them. */
  write(skills: readonly CachedSkill[], states: ScanStates | undefined): StoredListing {
    const stored = states && areSettled(states, states.startedAt) ? storedStates(states) : undefined;
    const problem = this.#files.write(this.#file, {
      skills,
      ...(stored && { own: stored.own, targets: stored.targets, numbers: base64Of(stored.numbers) }),
    });
    if (problem === undefined) this.#files.prune(path.dirname(this.#file), { files: LISTINGS_MAX });
    return { skills, states: stored };
  }

  /** Whether every folder and file still has its recorded state. Returns `false` early if `isOver` returns true. */
  async isUnchanged({ states }: StoredListing, isOver: () => boolean): Promise<boolean> {
    if (!states) return false;
    const breathe = breather();
    let at = 0;
    for (const paths of [states.own, states.targets]) {
      for (const place of paths) {
        const pause = breathe();
        if (pause) await pause;
        if (pause && isOver()) return false;
        const state = stateOf(() => (paths === states.own ? this.#disk.look(place) : this.#disk.follow(place)));
        for (const number of numbersOf(state)) if (states.numbers[at++] !== number) return false;
      }
    }
    return true;
  }
}

/** Whether a scan found exactly the states of a stored listing, so that its result is the same. */
export function hasStates({ states }: StoredListing, scanned: ScanStates): boolean {
  if (!states || states.own.length !== scanned.own.size || states.targets.length !== scanned.targets.size) return false;
  let at = 0;
  for (const [paths, known] of [
    [states.own, scanned.own],
    [states.targets, scanned.targets],
  ] as const)
    for (const place of paths)
      for (const number of numbersOf(known.get(place) ?? 'missing')) if (states.numbers[at++] !== number) return false;
  return true;
}

const MISSING = [-1, -1, -1, -1, -1];
const UNREADABLE = [-2, -2, -2, -2, -2];

function numbersOf(state: PathState): readonly number[] {
  if (state === 'missing') return MISSING;
  if (state === 'unreadable') return UNREADABLE;
  return [state.dev, state.ino, state.size, state.mtimeMs, state.ctimeMs];
}

function storedStates({ own, targets }: ScanStates): StoredStates {
  const numbers = new Float64Array((own.size + targets.size) * MISSING.length);
  let at = 0;
  for (const states of [own, targets])
    for (const state of states.values()) for (const number of numbersOf(state)) numbers[at++] = number;
  return { own: [...own.keys()], targets: [...targets.keys()], numbers };
}

function base64Of(numbers: Float64Array): string {
  return Buffer.from(numbers.buffer).toString('base64');
}

function listingIn(value: unknown): StoredListing | undefined {
  if (!isRecord(value)) return undefined;
  const { skills, own, targets, numbers } = value;
  if (!Array.isArray(skills) || !skills.every(isCachedSkill)) return undefined;
  if (!isTexts(own) || !isTexts(targets) || typeof numbers !== 'string') return { skills, states: undefined };
  const bytes = Uint8Array.from(Buffer.from(numbers, 'base64'));
  if (bytes.length !== (own.length + targets.length) * MISSING.length * Float64Array.BYTES_PER_ELEMENT)
    return { skills, states: undefined };
  return { skills, states: { own, targets, numbers: new Float64Array(bytes.buffer) } };
}

/** Hashes all inputs of a scan except the files themselves. */
function keyOf(disk: Disk, { projectDir, userDir, environment = {}, state }: OpenOptions, settings: Settings): string {
  const variables = ['XDG_CONFIG_HOME', ...ALL_AGENTS.flatMap(({ homeVariable }) => homeVariable?.name ?? [])];
  const parts = [
    VERSION,
    disk.follow(projectDir)?.realPath ?? projectDir,
    userDir ?? null,
    state ?? null,
    variables.map((name) => environment[name] ?? null),
    Object.entries(settings).map(([name, { value }]) => [name, value ?? null]),
  ];
  return sha256Of(JSON.stringify(parts));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The digest of the file was right, so this only guards against a different version with the same number. */
function isCachedSkill(value: unknown): value is CachedSkill {
  return (
    isRecord(value) &&
    ['title', 'description', 'provider'].every((key) => typeof value[key] === 'string') &&
    LOCATIONS.some((location) => location === value['location'])
  );
}
