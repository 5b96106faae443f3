/**
 * Makes several writes one: the specs of a change and the move of its folder. What is to happen is first laid down beside
 * the changes, complete and flushed; the journal that names it is the point of no return. A run that is cut off before it
 * has changed nothing; after it, the next run carries the work to its end. A run that fails takes everything back.
 */
import path from 'node:path';
import { z } from 'zod';
import { Failure } from '../core/failure.ts';
import type { DurableWrites } from '../core/durable-writes.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { JOURNAL_FOLDER } from './catalog.ts';
import type { SpecRoot } from './roots.ts';

const JOURNAL_FILE = 'journal.json';
const LOCK_FILE = '.lectern-archive.lock';

/** One spec before and after; undefined where there is none. */
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

const Journal = z.object({
  version: z.literal(1),
  direction: z.enum(['forward', 'back']),
  change: z.string(),
  archivedAs: z.string(),
  specs: z.array(z.object({ capability: z.string(), hasBefore: z.boolean(), hasAfter: z.boolean() })),
});

type Journal = z.infer<typeof Journal>;

export interface Desk {
  files: FileTree;
  writes: DurableWrites;
  root: SpecRoot;
  pid: number;
}

/** An interrupted run that was brought to an end: completed, or taken back. */
export interface Recovery {
  end: 'completed' | 'undone';
  change: string;
}

/** Runs `work` while no other archive run can touch the same root; an interrupted run is brought to an end first. */
export function atDesk<Result>(desk: Desk, work: (recovery: Recovery | undefined) => Result): Result {
  const lock = path.join(desk.root.changesDir, LOCK_FILE);
  takeLock(desk, lock);
  try {
    return work(recover(desk));
  } finally {
    desk.writes.remove(lock);
  }
}

function takeLock({ files, writes, pid }: Desk, lock: string): void {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (writes.claim(lock, `${pid}\n`)) return;
    const owner = Number.parseInt(readText(files, lock) ?? '', 10);
    if (Number.isInteger(owner) && owner !== pid && writes.isAlive(owner)) {
      throw new Failure('REFUSED', `Another archive run is at work here (process ${owner})`, {
        hint: `Wait for it, or remove ${lock} if there is none.`,
        path: lock,
      });
    }
    writes.remove(lock);
  }
  throw new Failure('REFUSED', 'Another archive run is at work here', { path: lock });
}

/** Carries out the work, all of it or nothing. Call it at the desk. */
export function carryOut(desk: Desk, work: ArchiveWork): void {
  const { writes, root } = desk;
  const folder = path.join(root.changesDir, JOURNAL_FOLDER);
  const journal: Journal = {
    version: 1,
    direction: 'forward',
    change: work.change,
    archivedAs: work.archivedAs,
    specs: work.specs.map(({ capability, before, after }) => ({
      capability,
      hasBefore: before !== undefined,
      hasAfter: after !== undefined,
    })),
  };
  checkPlaces(desk, journal);
  for (const { capability, before } of work.specs) checkContent(desk, capability, [before]);
  try {
    for (const [index, { before, after }] of work.specs.entries()) {
      if (before !== undefined) writes.replace(path.join(folder, `before-${index}`), Buffer.from(before));
      if (after !== undefined) writes.replace(path.join(folder, `after-${index}`), Buffer.from(after));
    }
    writeJournal(desk, journal);
  } catch (error) {
    writes.removeTree(folder);
    throw error;
  }
  try {
    goForward(desk, journal);
  } catch (error) {
    takeBack(desk, journal, error);
  }
  clear(desk);
}

function takeBack(desk: Desk, journal: Journal, cause: unknown): never {
  const back: Journal = { ...journal, direction: 'back' };
  try {
    writeJournal(desk, back);
    goBack(desk, back);
    clear(desk);
  } catch {
    throw new Failure('UNWRITABLE', `Archiving "${journal.change}" failed, and so did taking it back`, {
      hint: 'Make the specs and changes folders writable and run lectern change archive again: it brings the run to an end first.',
      cause,
    });
  }
  throw cause;
}

function recover(desk: Desk): Recovery | undefined {
  const folder = path.join(desk.root.changesDir, JOURNAL_FOLDER);
  if (desk.files.look(folder) === undefined) return undefined;
  const text = readText(desk.files, path.join(folder, JOURNAL_FILE));
  if (text === undefined) {
    // The journal is written last and removed first, so without it nothing has been touched, or all is done.
    desk.writes.removeTree(folder);
    return undefined;
  }
  const journal = parseJournal(text);
  if (!journal) {
    throw new Failure('REFUSED', 'An interrupted archive run left a journal that cannot be read', {
      path: path.join(folder, JOURNAL_FILE),
      hint: `Compare the specs with version control, then remove ${folder}.`,
    });
  }
  checkPlaces(desk, journal);
  for (const [index, { capability, hasBefore, hasAfter }] of journal.specs.entries()) {
    const staged = (side: string, has: boolean): string | undefined =>
      has ? readText(desk.files, path.join(folder, `${side}-${index}`)) : undefined;
    checkContent(desk, capability, [staged('before', hasBefore), staged('after', hasAfter)]);
  }
  if (journal.direction === 'forward') goForward(desk, journal);
  else goBack(desk, journal);
  clear(desk);
  return { end: journal.direction === 'forward' ? 'completed' : 'undone', change: journal.change };
}

/** Every step may be done again: what is in place already stays so. */
function goForward(desk: Desk, journal: Journal): void {
  putSpecs(desk, journal, 'after');
  const { from, to } = placesOf(desk.root, journal);
  if (desk.files.look(from) !== undefined) desk.writes.move(from, to);
}

function goBack(desk: Desk, journal: Journal): void {
  const { from, to } = placesOf(desk.root, journal);
  if (desk.files.look(from) === undefined && desk.files.look(to) !== undefined) desk.writes.move(to, from);
  putSpecs(desk, journal, 'before');
}

function putSpecs({ files, writes, root }: Desk, journal: Journal, side: 'before' | 'after'): void {
  const folder = path.join(root.changesDir, JOURNAL_FOLDER);
  for (const [index, spec] of journal.specs.entries()) {
    const target = specPlace(root, spec.capability);
    if (side === 'before' ? spec.hasBefore : spec.hasAfter) {
      writes.replace(
        linkTarget(files, target),
        files.read(path.join(folder, `${side}-${index}`), 2 * LIMITS.specFileBytes.value).bytes,
      );
    } else {
      writes.remove(target);
      writes.prune(path.dirname(target), root.specsDir);
    }
  }
}

function clear({ writes, root }: Desk): void {
  const folder = path.join(root.changesDir, JOURNAL_FOLDER);
  writes.remove(path.join(folder, JOURNAL_FILE));
  writes.removeTree(folder);
}

function writeJournal({ writes, root }: Desk, journal: Journal): void {
  writes.replace(
    path.join(root.changesDir, JOURNAL_FOLDER, JOURNAL_FILE),
    Buffer.from(`${JSON.stringify(journal, null, 2)}\n`),
  );
}

function specPlace(root: SpecRoot, capability: string): string {
  return path.join(root.specsDir, ...capability.split('/'), 'spec.md');
}

function placesOf(root: SpecRoot, { change, archivedAs }: Journal): { from: string; to: string } {
  return { from: path.join(root.changesDir, change), to: path.join(root.archiveDir, archivedAs) };
}

/**
 * A journal may come with a stranger's repository, and a folder may be a link: no path may leave the specs and changes
 * folders, whatever the names say.
 */
function checkPlaces({ files, root }: Desk, journal: Journal): void {
  const segments = [
    journal.change,
    journal.archivedAs,
    ...journal.specs.flatMap(({ capability }) => capability.split('/')),
  ];
  const odd = segments.find((segment) => segment === '' || segment.startsWith('.') || /[\\/:\u0000]/u.test(segment));
  if (odd !== undefined) throw new Failure('REFUSED', `"${odd}" is not a name that can be written to`);
  for (const { capability } of journal.specs) {
    let dir = root.specsDir;
    for (const segment of capability.split('/')) {
      dir = path.join(dir, segment);
      if (files.look(dir)?.kind === 'link')
        throw new Failure('REFUSED', `${dir} is a link, and nothing is written through it`, { path: dir });
    }
  }
}

/** Somebody else's edit, made since the work was planned or since it was cut off, is never written over. */
function checkContent({ files, root }: Desk, capability: string, expected: readonly (string | undefined)[]): void {
  const file = specPlace(root, capability);
  const current = files.look(file) === undefined ? undefined : readText(files, linkTarget(files, file));
  if (expected.includes(current)) return;
  throw new Failure('REFUSED', `${file} was edited meanwhile`, {
    path: file,
    hint: 'Look at the edit, then run the command again.',
  });
}

/** A linked spec.md is written where it leads, if that is still below the specs folder. */
function linkTarget(files: FileTree, file: string): string {
  if (files.look(file)?.kind !== 'link') return file;
  const target = files.follow(file);
  const folder = files.follow(path.dirname(file));
  if (target && folder && isInside(folder.realPath, target.realPath)) return target.realPath;
  throw new Failure('REFUSED', `${file} is a link that leads out of its folder`, { path: file });
}

function readText(files: FileTree, file: string): string | undefined {
  try {
    return Buffer.from(files.read(file, 2 * LIMITS.specFileBytes.value).bytes).toString('utf8');
  } catch (error) {
    if (error instanceof FileTrouble && (error.reason === 'missing' || error.reason === 'not-a-folder'))
      return undefined;
    throw error;
  }
}

function parseJournal(text: string): Journal | undefined {
  try {
    return Journal.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
