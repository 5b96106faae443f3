/**
 * Makes writing the specs of a change and moving its folder atomic. The new content is first written and flushed to the user's
 * records folder, outside the project. Writing the journal is the point of no return: a run that is interrupted earlier
 * has changed nothing, and one that is interrupted later is completed by the next run. A run that fails undoes everything.
 * A file is replaced or removed only while its text matches the input of the plan, so manual edits are never lost.
 */
import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { tryRead } from '../core/disk/answers.ts';
import { FileTrouble, reasonText, type Stamp } from '../core/disk/tree.ts';
import { type Disk, WriteTrouble } from '../core/disk/writes.ts';
import { checkFields } from '../core/fields/check.ts';
import type { Fields, ObjectOf } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { checkPlaces, placeToWrite } from './archive-places.ts';
import { ChangeFolder } from './change-folder.ts';
import { digestOfInputs } from './change-inputs.ts';
import { specPath, type SpecRoot } from './roots.ts';

const JOURNAL_FILE = 'journal.json';
/** Temporary name of a removed spec, in the same folder, until its text has been compared. */
const REMOVED_SPEC = '.lectern-removed-spec.md';

/** Text of one spec before and after. Undefined if the spec does not exist at that point. */
export interface SpecWrite {
  capability: string;
  before: string | undefined;
  after: string | undefined;
}

export interface ArchiveWork {
  /** Change folder below `changes/`. */
  change: string;
  /** Folder below the archive. */
  archivedAs: string;
  /** Digest of the input texts of the plan (`digestOfInputs`). */
  inputs: string;
  specs: SpecWrite[];
}

const JOURNAL = {
  version: { type: 'integer', min: 1, max: 1, required: true },
  direction: { type: 'choice', choices: ['forward', 'back'], required: true },
  change: { type: 'text', required: true },
  archivedAs: { type: 'text', required: true },
  /** See `ArchiveWork`. Absent in journals of older versions. */
  inputs: { type: 'text' },
  /** False if the run has to create the archive folder, and remove it on failure. */
  hasArchive: { type: 'flag' },
  specs: {
    type: 'list',
    of: {
      type: 'object',
      fields: {
        capability: { type: 'text', required: true },
        hasBefore: { type: 'flag', required: true },
        hasAfter: { type: 'flag', required: true },
      },
    },
    required: true,
  },
} as const satisfies Fields;

type Journal = ObjectOf<typeof JOURNAL>;

/** Locations used by an archive run. */
export interface Site {
  disk: Disk;
  root: SpecRoot;
  /** The folder of the journal. It is outside the project, because a repository could contain a forged journal. */
  records: string;
}

/** Outcome of an interrupted run. */
export interface Recovery {
  end: 'completed' | 'undone';
  change: string;
}

/** Runs `work` with an exclusive lock on the root. First completes or undoes an interrupted run. */
export function withLock<Result>(site: Site, work: (recovery: Recovery | undefined) => Result): Result {
  const lock = `${site.records}.lock`;
  takeLock(site, lock);
  try {
    return work(recover(site));
  } finally {
    site.disk.remove(lock);
  }
}

function takeLock({ disk }: Site, lock: string): void {
  const owner = disk.lock(lock);
  if (owner === undefined) return;
  throw new Failure('REFUSED', `Another archive run is active here (process ${owner}).`, {
    hint: `Wait for it to finish. If that process is not running, remove ${lock}.`,
    path: lock,
  });
}

/** Writes everything or nothing. Call it inside `withLock`. */
export function writeArchive(site: Site, work: ArchiveWork): void {
  const { disk, root, records: folder } = site;
  const journal: Journal = {
    version: 1,
    direction: 'forward',
    change: work.change,
    archivedAs: work.archivedAs,
    inputs: work.inputs,
    hasArchive: disk.look(root.archiveDir) !== undefined,
    specs: work.specs.map(({ capability, before, after }) => ({
      capability,
      hasBefore: before !== undefined,
      hasAfter: after !== undefined,
    })),
  };
  checkPlaces(site.disk, site.root, journal);
  checkInputs(site, journal, placesOf(root, journal).from);
  for (const { capability, before } of work.specs) {
    checkContent(site, capability, [before === undefined ? undefined : Buffer.from(before)]);
    const aside = asideOf(specPath(root, capability));
    if (disk.look(aside) !== undefined) throw new WriteTrouble('exists', aside);
  }
  try {
    for (const [index, { before, after }] of work.specs.entries()) {
      if (before !== undefined) disk.replace(path.join(folder, `before-${index}`), before);
      if (after !== undefined) disk.replace(path.join(folder, `after-${index}`), after);
    }
    writeJournal(site, journal);
  } catch (error) {
    disk.removeTree(folder);
    throw error;
  }
  try {
    goForward(site, journal);
    // Compared after the rename, so that late edits are included.
    checkInputs(site, journal, placesOf(root, journal).to);
  } catch (error) {
    undo(site, journal, error);
  }
  clear(site);
}

function undo(site: Site, journal: Journal, cause: unknown): never {
  const back: Journal = { ...journal, direction: 'back' };
  let edited: string[];
  try {
    writeJournal(site, back);
    edited = goBack(site, back);
    clear(site);
  } catch {
    throw new Failure('UNWRITABLE', `Archiving "${journal.change}" failed, and so did undoing it.`, {
      hint: 'Make the specs and changes folders writable and run lectern change archive again; it completes or undoes the interrupted run first.',
      cause,
    });
  }
  if (!(cause instanceof Failure)) throw cause;
  const { message, code, hint, path: place, line } = cause;
  const left = edited
    .filter((file) => file !== place)
    .map((file) => ` ${file} was edited in the meantime and was left as it is.`);
  const undone = `Archiving "${journal.change}" failed, and all changes were undone.`;
  throw new Failure(code, `${undone} ${message}${left.join('')}`, {
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { path: place }),
    ...(line === undefined ? {} : { line }),
    cause,
  });
}

function recover(site: Site): Recovery | undefined {
  const folder = site.records;
  if (site.disk.look(folder) === undefined) return undefined;
  const text = readBytes(site.disk, path.join(folder, JOURNAL_FILE))?.toString('utf8');
  if (text === undefined) {
    // The journal is written last and removed first. Without it, either nothing has changed or everything is done.
    site.disk.removeTree(folder);
    return undefined;
  }
  const journal = parseJournal(text);
  if (!journal) {
    throw new Failure('REFUSED', 'An interrupted archive run left a journal that cannot be read.', {
      path: path.join(folder, JOURNAL_FILE),
      hint: `Compare the specs with version control, then remove ${folder}.`,
    });
  }
  checkPlaces(site.disk, site.root, journal);
  endRemovals(site, journal);
  const { from } = placesOf(site.root, journal);
  const isForward =
    journal.direction === 'forward' && (site.disk.look(from) === undefined || hasInputs(site, journal, from));
  if (isForward) {
    for (const [index, { capability }] of journal.specs.entries()) {
      const { before, after } = staged(site, journal, index);
      checkContent(
        site,
        capability,
        [before, after],
        `Undo the edit, or remove ${folder} to give up the interrupted run.`,
      );
    }
    goForward(site, journal);
  } else goBack(site, journal);
  clear(site);
  return { end: isForward ? 'completed' : 'undone', change: journal.change };
}

/** Every step is repeatable: a spec that is already in place is kept. */
function goForward(site: Site, journal: Journal): void {
  for (const index of journal.specs.keys()) putSpec(site, journal, index, 'after');
  const { from, to } = placesOf(site.root, journal);
  if (site.disk.look(from) !== undefined) site.disk.move(from, to);
}

/** Returns the specs that were manually edited since the run started. They keep their text. */
function goBack(site: Site, journal: Journal): string[] {
  endRemovals(site, journal);
  const { from, to } = placesOf(site.root, journal);
  if (site.disk.look(from) === undefined && site.disk.look(to) !== undefined) site.disk.move(to, from);
  if (journal.hasArchive === false) {
    const { archiveDir } = site.root;
    site.disk.removeEmptyFolders(archiveDir, path.dirname(archiveDir));
  }
  const edited: string[] = [];
  for (const [index, { capability }] of journal.specs.entries()) {
    try {
      putSpec(site, journal, index, 'before');
    } catch (error) {
      if (!(error instanceof EditedMeanwhile)) throw error;
      edited.push(specPath(site.root, capability));
    }
  }
  return edited;
}

/** Writes the `before` or `after` text of one spec. Fails if the current text matches neither. */
function putSpec(site: Site, journal: Journal, index: number, side: 'before' | 'after'): void {
  const { disk, root } = site;
  const { capability } = journal.specs[index] as Journal['specs'][number];
  const target = specPath(root, capability);
  const texts = staged(site, journal, index);
  const wanted = texts[side];
  const replaced = texts[side === 'after' ? 'before' : 'after'];
  const current = readSpec(disk, target);
  // A file that needs no change is not touched, because its folder may be read-only.
  if (!isSame(current?.bytes, wanted)) {
    if (!isSame(current?.bytes, replaced)) throw new EditedMeanwhile(target);
    // Undoing replaces only files written by the same run.
    const strict = side === 'after';
    try {
      if (wanted && current) disk.replace(current.place, wanted, current.stamp, { strict });
      else if (wanted) disk.create(target, wanted);
      else if (current) removeSpec(disk, target, current, strict);
    } catch (error) {
      const isEdit = error instanceof WriteTrouble && (error.reason === 'changed' || error.reason === 'exists');
      throw isEdit ? new EditedMeanwhile(target) : error;
    }
  }
  if (!wanted) disk.removeEmptyFolders(path.dirname(target), root.specsDir);
}

/** Renames the spec before comparing it, so that a concurrent edit is still detected. */
function removeSpec(disk: Disk, target: string, { place, bytes }: SpecOnDisk, strict: boolean): void {
  // The target of a link keeps its text.
  if (place !== target) return disk.remove(target);
  const aside = asideOf(target);
  if (strict) disk.checkReplace(target);
  disk.move(target, aside);
  if (isSame(readBytes(disk, aside), bytes)) return disk.remove(aside);
  disk.move(aside, target);
  throw new EditedMeanwhile(target);
}

function endRemovals(site: Site, journal: Journal): void {
  for (const [index, { capability }] of journal.specs.entries()) {
    endRemoval(site, capability, staged(site, journal, index));
    site.disk.removeTemporaries(specPath(site.root, capability));
  }
}

/** Finishes a removal that failed or was interrupted before the text was compared. */
function endRemoval({ disk, root }: Site, capability: string, { before, after }: StagedTexts): void {
  const target = specPath(root, capability);
  const aside = asideOf(target);
  const bytes = readBytes(disk, aside);
  if (!bytes) return;
  if (isSame(bytes, before) || isSame(bytes, after)) disk.remove(aside);
  else disk.move(aside, target);
}

function asideOf(spec: string): string {
  return path.join(path.dirname(spec), REMOVED_SPEC);
}

function clear({ disk, records: folder }: Site): void {
  disk.remove(path.join(folder, JOURNAL_FILE));
  disk.removeTree(folder);
}

function writeJournal({ disk, records }: Site, journal: Journal): void {
  disk.replace(path.join(records, JOURNAL_FILE), `${JSON.stringify(journal, null, 2)}\n`);
}

function placesOf(root: SpecRoot, { change, archivedAs }: Journal): { from: string; to: string } {
  return { from: path.join(root.changesDir, change), to: path.join(root.archiveDir, archivedAs) };
}

/** Refuses early if a spec was edited since the run was planned or interrupted. `putSpec` repeats the check. */
function checkContent(
  { disk, root }: Site,
  capability: string,
  expected: readonly (Buffer | undefined)[],
  hint?: string,
): void {
  const file = specPath(root, capability);
  const current = readSpec(disk, file)?.bytes;
  if (!expected.some((bytes) => isSame(bytes, current))) throw new EditedMeanwhile(file, hint);
}

class EditedMeanwhile extends Failure {
  constructor(file: string, hint = 'Check the edit, then run the command again.') {
    super('REFUSED', `${file} was edited in the meantime.`, { path: file, hint });
  }
}

/** Refuses a plan that was computed from other deltas or tasks than those in the folder. */
function checkInputs(site: Site, journal: Journal, dir: string): void {
  if (!hasInputs(site, journal, dir)) throw new EditedMeanwhile(placesOf(site.root, journal).from);
}

function hasInputs({ disk, root }: Site, { change, inputs }: Journal, dir: string): boolean {
  if (inputs === undefined) return true;
  return digestOfInputs(new ChangeFolder({ id: change, name: change, root, dir, isArchived: false }, disk)) === inputs;
}

interface StagedTexts {
  before: Buffer | undefined;
  after: Buffer | undefined;
}

/** Returns the staged texts of a spec, which were written before the journal. */
function staged({ disk, root, records: folder }: Site, journal: Journal, index: number): StagedTexts {
  const { capability, hasBefore, hasAfter } = journal.specs[index] as Journal['specs'][number];
  const read = (side: string, has: boolean): Buffer | undefined => {
    const bytes = has ? readBytes(disk, path.join(folder, `${side}-${index}`)) : undefined;
    if (has && !bytes)
      throw new Failure('UNREADABLE', `The journal has no text for ${specPath(root, capability)}.`, { path: folder });
    return bytes;
  };
  return { before: read('before', hasBefore), after: read('after', hasAfter) };
}

interface SpecOnDisk {
  /** The file itself, or the target of a link. */
  place: string;
  bytes: Buffer;
  stamp: Stamp;
}

function readSpec(disk: Disk, file: string): SpecOnDisk | undefined {
  if (disk.look(file) === undefined) return undefined;
  const place = placeToWrite(disk, file);
  const read = readFile(disk, place);
  return read && { place, ...read };
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a && b ? a.equals(b) : a === b;
}

function readFile(disk: Disk, file: string): { bytes: Buffer; stamp: Stamp } | undefined {
  const read = tryRead(disk, file, 2 * LIMITS.specFileBytes.value);
  if (!(read instanceof FileTrouble)) return { bytes: Buffer.from(read.bytes), stamp: read.stamp };
  if (read.isMissing) return undefined;
  throw new Failure('UNREADABLE', `Cannot read ${file}: ${reasonText(read)}.`, { path: file, cause: read });
}

function readBytes(disk: Disk, file: string): Buffer | undefined {
  return readFile(disk, file)?.bytes;
}

function parseJournal(text: string): Journal | undefined {
  try {
    const checked = checkFields(JOURNAL, JSON.parse(text));
    // `checkFields` has verified the type.
    return 'mismatch' in checked ? undefined : (checked.value as Journal);
  } catch {
    return undefined;
  }
}
