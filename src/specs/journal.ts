/**
 * Makes several writes one: the specs of a change and the move of its folder. The new content is first written, complete and
 * flushed, to the records of the user, outside the project. Writing the journal is the point of no return: a run that is interrupted earlier
 * has changed nothing, and one that is interrupted later is completed by the next run. A run that fails undoes everything.
 */
import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { tryRead } from '../core/disk/answers.ts';
import { FileTrouble, reasonText } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { checkFields } from '../core/fields/check.ts';
import type { Fields, ObjectOf } from '../core/fields/field.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { specPath, type SpecRoot } from './roots.ts';

const JOURNAL_FILE = 'journal.json';

/** The text of one spec before and after; undefined if the spec does not exist then. */
export interface SpecWrite {
  capability: string;
  before: string | undefined;
  after: string | undefined;
}

export interface ArchiveWork {
  /** The change's folder below `changes/`. */
  change: string;
  /** Its folder below the archive. */
  archivedAs: string;
  specs: SpecWrite[];
}

const JOURNAL = {
  version: { type: 'integer', min: 1, max: 1, required: true },
  direction: { type: 'choice', choices: ['forward', 'back'], required: true },
  change: { type: 'text', required: true },
  archivedAs: { type: 'text', required: true },
  /** False if the archive folder has to be made, and to be taken back in a run that fails. */
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

/** Where an archive run works. */
export interface Site {
  disk: Disk;
  root: SpecRoot;
  /** The folder of the journal. It is outside the project, because a repository could contain a forged journal. */
  records: string;
}

/** What happened to an interrupted run. */
export interface Recovery {
  end: 'completed' | 'undone';
  change: string;
}

/** Runs `work` while no other archive run can touch the same root. First completes or undoes an interrupted run. */
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
    hasArchive: disk.look(root.archiveDir) !== undefined,
    specs: work.specs.map(({ capability, before, after }) => ({
      capability,
      hasBefore: before !== undefined,
      hasAfter: after !== undefined,
    })),
  };
  checkPlaces(site, journal);
  for (const { capability, before } of work.specs) checkContent(site, capability, [before]);
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
  } catch (error) {
    undo(site, journal, error);
  }
  clear(site);
}

function undo(site: Site, journal: Journal, cause: unknown): never {
  const back: Journal = { ...journal, direction: 'back' };
  try {
    writeJournal(site, back);
    goBack(site, back);
    clear(site);
  } catch {
    throw new Failure('UNWRITABLE', `Archiving "${journal.change}" failed, and so did undoing it.`, {
      hint: 'Make the specs and changes folders writable and run lectern change archive again; it completes or undoes the interrupted run first.',
      cause,
    });
  }
  if (!(cause instanceof Failure)) throw cause;
  const { message, code, hint, path: place, line } = cause;
  throw new Failure(code, `Archiving "${journal.change}" failed, and everything was taken back. ${message}`, {
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { path: place }),
    ...(line === undefined ? {} : { line }),
    cause,
  });
}

function recover(site: Site): Recovery | undefined {
  const folder = site.records;
  if (site.disk.look(folder) === undefined) return undefined;
  const text = readText(site.disk, path.join(folder, JOURNAL_FILE));
  if (text === undefined) {
    // The journal is written last and removed first: without it, either nothing was changed or everything was done.
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
  checkPlaces(site, journal);
  for (const [index, { capability, hasBefore, hasAfter }] of journal.specs.entries()) {
    const staged = (side: string, has: boolean): string | undefined =>
      has ? readText(site.disk, path.join(folder, `${side}-${index}`)) : undefined;
    checkContent(site, capability, [staged('before', hasBefore), staged('after', hasAfter)]);
  }
  if (journal.direction === 'forward') goForward(site, journal);
  else goBack(site, journal);
  clear(site);
  return { end: journal.direction === 'forward' ? 'completed' : 'undone', change: journal.change };
}

/** Every step can be repeated: what is already in place is kept. */
function goForward(site: Site, journal: Journal): void {
  putSpecs(site, journal, 'after');
  const { from, to } = placesOf(site.root, journal);
  if (site.disk.look(from) !== undefined) site.disk.move(from, to);
}

function goBack(site: Site, journal: Journal): void {
  const { from, to } = placesOf(site.root, journal);
  if (site.disk.look(from) === undefined && site.disk.look(to) !== undefined) site.disk.move(to, from);
  if (journal.hasArchive === false) {
    const { archiveDir } = site.root;
    site.disk.removeEmptyFolders(archiveDir, path.dirname(archiveDir));
  }
  putSpecs(site, journal, 'before');
}

function putSpecs({ disk, root, records: folder }: Site, journal: Journal, side: 'before' | 'after'): void {
  for (const [index, spec] of journal.specs.entries()) {
    const target = specPath(root, spec.capability);
    if (side === 'before' ? spec.hasBefore : spec.hasAfter) {
      const place = linkTarget(disk, target);
      const content = readText(disk, path.join(folder, `${side}-${index}`));
      if (content === undefined)
        throw new Failure('UNREADABLE', `The journal has no text for ${target}.`, { path: folder });
      // What is in place stays: the folder may be one that cannot be written to, which is why the run failed.
      if (readText(disk, place) !== content) disk.replace(place, content);
    } else {
      if (disk.look(target) !== undefined) disk.remove(target);
      disk.removeEmptyFolders(path.dirname(target), root.specsDir);
    }
  }
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

/** The names come from folders of a repository, and a folder may be a link. No path may lead out of the specs and changes. */
function checkPlaces({ disk, root }: Site, journal: Journal): void {
  const segments = [
    journal.change,
    journal.archivedAs,
    ...journal.specs.flatMap(({ capability }) => capability.split('/')),
  ];
  const odd = segments.find((segment) => segment === '' || segment.startsWith('.') || /[\\/:\u0000]/u.test(segment));
  if (odd !== undefined) throw new Failure('REFUSED', `"${odd}" cannot be used as the name of a file or folder.`);
  for (const { capability } of journal.specs) {
    let dir = root.specsDir;
    for (const segment of capability.split('/')) {
      dir = path.join(dir, segment);
      if (disk.look(dir)?.kind === 'link')
        throw new Failure('REFUSED', `${dir} is a link, and Lectern does not write through links.`, { path: dir });
    }
  }
}

/** Never overwrites an edit made since the run was planned or interrupted. */
function checkContent({ disk, root }: Site, capability: string, expected: readonly (string | undefined)[]): void {
  const file = specPath(root, capability);
  const current = disk.look(file) === undefined ? undefined : readText(disk, linkTarget(disk, file));
  if (expected.includes(current)) return;
  throw new Failure('REFUSED', `${file} was edited in the meantime.`, {
    path: file,
    hint: 'Check the edit, then run the command again.',
  });
}

/** A spec.md that is a link is written at its target, if that is in the same folder. */
function linkTarget(disk: Disk, file: string): string {
  if (disk.look(file)?.kind !== 'link') return file;
  const target = disk.follow(file);
  const folder = disk.follow(path.dirname(file));
  if (target && folder && isInside(folder.realPath, target.realPath)) return target.realPath;
  throw new Failure('REFUSED', `${file} is a link that leads out of its folder.`, { path: file });
}

function readText(disk: Disk, file: string): string | undefined {
  const read = tryRead(disk, file, 2 * LIMITS.specFileBytes.value);
  if (!(read instanceof FileTrouble)) return Buffer.from(read.bytes).toString('utf8');
  if (read.isMissing) return undefined;
  throw new Failure('UNREADABLE', `Cannot read ${file}: ${reasonText(read)}.`, { path: file, cause: read });
}

function parseJournal(text: string): Journal | undefined {
  try {
    const checked = checkFields(JOURNAL, JSON.parse(text));
    // `checkFields` has just proved the type.
    return 'mismatch' in checked ? undefined : (checked.value as Journal);
  } catch {
    return undefined;
  }
}
