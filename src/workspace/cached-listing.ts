/**
 * Stores the skills that a server listed in its last run, with the state of every folder and file that the list depended on. If
 * the scan is slow, the next server answers its first requests from this list. It is only a hint: an invalid file is ignored.
 */
import path from 'node:path';
import { breather } from '../core/breathe.ts';
import { CachedFiles } from '../core/disk/cached-file.ts';
import { areSettled, type PathState, type PathStates, stateOf } from '../core/disk/noting.ts';
import { tryToWrite } from '../core/disk/answers.ts';
import type { Disk } from '../core/disk/writes.ts';
import { isRecord } from '../core/json-file.ts';
import { sha256Of } from '../core/sha256.ts';
import { VERSION } from '../core/version.ts';
import { ALL_AGENTS } from '../skills/roots/agents.ts';
import { type Location, LOCATIONS, type Sighting } from '../skills/skill.ts';
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

/** The location of a skill, without its header. The position in the list is its rank. */
export interface FoundSkill {
  name: string;
  file: string;
  /** Omitted if it is the same. */
  realFile?: string;
  provider: string;
  location: Location;
  scope?: string;
  plugin?: string;
  marketplace?: string;
  package?: string;
  disabledBy?: string;
  alsoAt?: readonly Sighting[];
  /** Rank of the first skill with identical files. */
  copyOf?: number;
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

export interface StoredListing<S = CachedSkill> {
  skills: readonly S[];
  /** Undefined if a file changed so shortly before the scan that a later change could have left the same stamp. */
  states: StoredStates | undefined;
}

/** Maximum number of projects with a stored listing. The least recently used ones are removed. */
const LISTINGS_MAX = 100;
/** Reading more would take as long as a scan. */
const LISTING_MAX_BYTES = 16 * 1024 * 1024;

type IsSkill<S> = (value: unknown) => value is S;

export class CachedListing<S = CachedSkill> {
  readonly #disk: Disk;
  readonly #files: CachedFiles;
  readonly #file: string;
  readonly #isSkill: IsSkill<S>;

  private constructor(disk: Disk, file: string, isSkill: IsSkill<S>) {
    this.#disk = disk;
    this.#files = new CachedFiles(disk, { maxBytes: LISTING_MAX_BYTES });
    this.#file = file;
    this.#isSkill = isSkill;
  }

  /** Returns undefined if the user has no cache folder. */
  static find(disk: Disk, options: OpenOptions, settings: Settings): CachedListing | undefined {
    return CachedListing.#in('listings', { disk, options, settings }, isCachedSkill);
  }

  /** Returns the list for looking up names, which no other user can change. Undefined if there is no place for it. */
  static findFound(disk: Disk, options: OpenOptions, settings: Settings): CachedListing<FoundSkill> | undefined {
    const found = CachedListing.#in('found', { disk, options, settings }, isFoundSkill);
    if (!found) return undefined;
    const problem = tryToWrite(() => disk.createPrivateFolder(path.dirname(found.#file)));
    return problem === undefined ? found : undefined;
  }

  static #in<S>(
    name: string,
    { disk, options, settings }: { disk: Disk; options: OpenOptions; settings: Settings },
    isSkill: IsSkill<S>,
  ): CachedListing<S> | undefined {
    const folder = cacheFolder(disk, options);
    if (folder === undefined) return undefined;
    return new CachedListing(disk, path.join(folder, name, `${keyOf(disk, options, settings)}.json`), isSkill);
  }

  read(): StoredListing<S> | undefined {
    const read = this.#files.read(this.#file, (value) => listingIn(value, this.#isSkill));
    return read.kind === 'value' ? read.value : undefined;
  }

  /** Returns the lists as the next run will read them. */
  write(skills: readonly S[], states: ScanStates | undefined): StoredListing<S> {
    const stored = states && areSettled(states, states.startedAt) ? storedStates(states) : undefined;
    const problem = this.#files.write(this.#file, {
      skills,
      ...(stored && { own: stored.own, targets: stored.targets, numbers: base64Of(stored.numbers) }),
    });
    if (problem === undefined) this.#files.prune(path.dirname(this.#file), { files: LISTINGS_MAX });
    return { skills, states: stored };
  }

  /** Whether every folder and file still has its recorded state. Returns `false` early if `isOver` returns true. */
  async isUnchanged({ states }: StoredListing<S>, isOver: () => boolean): Promise<boolean> {
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

function listingIn<S>(value: unknown, isSkill: IsSkill<S>): StoredListing<S> | undefined {
  if (!isRecord(value)) return undefined;
  const { skills, own, targets, numbers } = value;
  if (!Array.isArray(skills) || !skills.every(isSkill)) return undefined;
  if (!isTexts(own) || !isTexts(targets) || typeof numbers !== 'string') return { skills, states: undefined };
  const bytes = Uint8Array.from(Buffer.from(numbers, 'base64'));
  if (bytes.length !== (own.length + targets.length) * MISSING.length * Float64Array.BYTES_PER_ELEMENT)
    return { skills, states: undefined };
  return { skills, states: { own, targets, numbers: new Float64Array(bytes.buffer) } };
}

/** Hashes all inputs of a scan except the files themselves. */
function keyOf(
  disk: Disk,
  { projectDir, userDir, environment = {}, state, collections }: OpenOptions,
  settings: Settings,
): string {
  const variables = ['XDG_CONFIG_HOME', ...ALL_AGENTS.flatMap(({ homeVariable }) => homeVariable?.name ?? [])];
  const parts = [
    VERSION,
    disk.follow(projectDir)?.realPath ?? projectDir,
    userDir ?? null,
    state ?? null,
    collections ?? false,
    // Another user may read other files.
    process.getuid?.() ?? null,
    variables.map((name) => environment[name] ?? null),
    Object.entries(settings).map(([name, { value }]) => [name, value ?? null]),
  ];
  return sha256Of(JSON.stringify(parts));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isFoundSkill(value: unknown): value is FoundSkill {
  return isRecord(value) && ['name', 'file', 'provider', 'location'].every((key) => typeof value[key] === 'string');
}

/** The digest of the file was right, so this only guards against a different version with the same number. */
function isCachedSkill(value: unknown): value is CachedSkill {
  return (
    isRecord(value) &&
    ['title', 'description', 'provider'].every((key) => typeof value[key] === 'string') &&
    LOCATIONS.some((location) => location === value['location'])
  );
}
