/**
 * What a shared catalog answered, kept in the user's cache folder for when it does not answer. A file for each answer, which only
 * the user may read. Their names tell what they are about, so that several servers can use the folder at once without an index.
 */
import path from 'node:path';
import { sha256Of } from '../../core/sha256.ts';
import { entriesOf, findEntry, tryRead } from '../../core/disk/answers.ts';
import { FileTrouble } from '../../core/disk/tree.ts';
import type { Disk } from '../../core/disk/writes.ts';
import { Failure } from '../../core/failure.ts';
import { isRecord } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';
import { foldName } from '../../core/text.ts';

/** What an answer is about: one thing of a kind, by the name that was asked for. */
export interface Subject {
  kind: string;
  name: string;
}

export interface Kept {
  value: unknown;
  /** When it was kept. */
  at: Date;
}

/** Counts up when the files change, so that another version does not take them for its own. */
const FORMAT = 1;
/** Enough to tell names apart. Contents are checked with the whole hash. */
const HASH_CHARACTERS = 16;
const SUFFIX = '.json';

/** A catalog and who asks it. The token itself cannot be found out from it. */
export function catalogKey(url: string, token: string | undefined): string {
  return hashOf([FORMAT, url, token ?? null]);
}

export class KeptAnswers {
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #catalog: string;

  constructor(disk: Disk, dir: string, catalog: string) {
    this.#disk = disk;
    this.#dir = dir;
    this.#catalog = catalog;
  }

  /** Undefined if there is none, or if the file is damaged. */
  read(question: unknown): Kept | undefined {
    const name = this.#names().find((each) => partsOf(each).question === hashOf(question));
    if (name === undefined) return undefined;
    const read = tryRead(this.#disk, path.join(this.#dir, name), LIMITS.jsonFileBytes.value);
    if (read instanceof FileTrouble) return undefined;
    const kept = parseKept(Buffer.from(read.bytes).toString('utf8'));
    if (!kept) this.#remove([name]);
    return kept;
  }

  /** `subject` is what the answer itself says that it is about, which `asked` may be a short name of. */
  write(question: unknown, { asked, subject }: { asked: Subject; subject: Subject }, value: unknown): void {
    const name = [this.#catalog, subjectHash(subject), subjectHash(asked), hashOf(question)].join('.') + SUFFIX;
    const body = JSON.stringify({ at: new Date().toISOString(), value });
    try {
      // What the same question had before may have been about something else.
      this.#remove(this.#names().filter((each) => each !== name && partsOf(each).question === hashOf(question)));
      this.#disk.replace(path.join(this.#dir, name), `${digestOf(body)}\n${body}`, undefined, { isPrivate: true });
      this.#makeRoom();
    } catch (error) {
      // Without it, everything works as long as the catalog answers.
      if (!(error instanceof Failure)) throw error;
    }
  }

  /** Whether there is an answer about what has that name, under whichever name it was asked for. */
  has(wanted: Subject): boolean {
    const hash = subjectHash(wanted);
    return this.#names()
      .map(partsOf)
      .some(({ asked, subject }) => asked === hash || subject === hash);
  }

  /** Removes all answers about what has that name, under whichever name they were asked for. Tells whether there were any. */
  forget(gone: Subject): boolean {
    const names = this.#names();
    const hash = subjectHash(gone);
    const subjects = new Set([hash]);
    for (const { asked, subject } of names.map(partsOf)) if (asked === hash) subjects.add(subject);
    const found = names.filter((name) => subjects.has(partsOf(name).subject));
    this.#remove(found);
    return found.length > 0;
  }

  /** Removes all answers of this catalog to this caller. */
  forgetAll(): void {
    this.#remove(this.#names());
  }

  #names(): string[] {
    return this.#allNames().filter((name) => partsOf(name).catalog === this.#catalog);
  }

  #allNames(): string[] {
    return entriesOf(this.#disk, this.#dir).flatMap(({ name }) => (name.endsWith(SUFFIX) ? [name] : []));
  }

  /** The oldest go first, of all catalogs together: those that are no longer used make room in the end. */
  #makeRoom(): void {
    const files = this.#allNames().map((name) => {
      const { size = 0, mtimeMs = 0 } = findEntry(this.#disk, path.join(this.#dir, name))?.stamp ?? {};
      return { name, size, mtimeMs };
    });
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    let count = files.length;
    for (const { name, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (count <= LIMITS.keptAnswers.value && bytes <= LIMITS.keptAnswersBytes.value) return;
      this.#remove([name]);
      bytes -= size;
      count -= 1;
    }
  }

  #remove(names: readonly string[]): void {
    try {
      for (const name of names) this.#disk.remove(path.join(this.#dir, name));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
}

function partsOf(name: string): { catalog: string; subject: string; asked: string; question: string } {
  const [catalog = '', subject = '', asked = '', question = ''] = name.split('.');
  return { catalog, subject, asked, question };
}

function parseKept(text: string): Kept | undefined {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (text.slice(0, Math.max(end, 0)) !== digestOf(body)) return undefined;
  const parsed: unknown = JSON.parse(body);
  return isRecord(parsed) ? { value: parsed['value'], at: new Date(String(parsed['at'])) } : undefined;
}

function subjectHash({ kind, name }: Subject): string {
  return hashOf([kind, foldName(name.trim())]);
}

function hashOf(value: unknown): string {
  return digestOf(JSON.stringify(value)).slice(0, HASH_CHARACTERS);
}

function digestOf(text: string): string {
  return sha256Of(text);
}
