/**
 * Caches answers of a shared catalog in the user's cache folder, for times when it cannot be reached. Each answer is a private file.
 * File names identify the subject, so that several servers can share the folder without an index.
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

/** Subject of an answer: one item of a kind, by the requested name. */
export interface Subject {
  kind: string;
  name: string;
}

export interface Kept {
  value: unknown;
  /** Time of caching. */
  at: Date;
}

/** Incremented when the file format changes. */
const FORMAT = 2;
/** Enough to distinguish names. Contents are checked with the full hash. */
const HASH_CHARACTERS = 16;
const SUFFIX = '.json';

/** Identifies a catalog and a caller without revealing the token. */
export function catalogKey(url: string, token: string | undefined): string {
  return hashOf([FORMAT, url, token ?? null]);
}

export class CachedAnswers {
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #catalog: string;

  constructor(disk: Disk, dir: string, catalog: string) {
    this.#disk = disk;
    this.#dir = dir;
    this.#catalog = catalog;
  }

  /** Returns undefined if there is no intact file. */
  read(question: unknown): Kept | undefined {
    const name = this.#names().find((each) => partsOf(each).question === hashOf(question));
    if (name === undefined) return undefined;
    const read = tryRead(this.#disk, path.join(this.#dir, name), LIMITS.jsonFileBytes.value);
    if (read instanceof FileTrouble) return undefined;
    const kept = parseKept(Buffer.from(read.bytes).toString('utf8'));
    if (!kept) this.#remove([name]);
    return kept;
  }

  /** `subject` is taken from the answer; `requested` may be a short name of it. */
  write(question: unknown, { requested, subject }: { requested: Subject; subject: Subject }, value: unknown): void {
    const name = [this.#catalog, subjectHash(subject), subjectHash(requested), hashOf(question)].join('.') + SUFFIX;
    const body = JSON.stringify({ at: new Date().toISOString(), value });
    try {
      // The previous answer to this question may have had another subject.
      this.#remove(this.#names().filter((each) => each !== name && partsOf(each).question === hashOf(question)));
      this.#disk.replace(path.join(this.#dir, name), `${digestOf(body)}\n${body}`, undefined, { isPrivate: true });
      this.#makeRoom();
    } catch (error) {
      // The cache is optional while the shared catalog can be reached.
      if (!(error instanceof Failure)) throw error;
    }
  }

  /** Whether an answer about this subject is cached, under any requested name. */
  has(wanted: Subject): boolean {
    const hash = subjectHash(wanted);
    return this.#names()
      .map(partsOf)
      .some(({ call, subject }) => call === hash || subject === hash);
  }

  /** Removes all answers about this subject, under any requested name. Returns whether there were any. */
  forget(gone: Subject): boolean {
    const names = this.#names();
    const hash = subjectHash(gone);
    const subjects = new Set([hash]);
    for (const { call, subject } of names.map(partsOf)) if (call === hash) subjects.add(subject);
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

  /** Removes the oldest answers of all catalogs, so that unused ones eventually disappear. */
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

function partsOf(name: string): { catalog: string; subject: string; call: string; question: string } {
  const [catalog = '', subject = '', call = '', question = ''] = name.split('.');
  return { catalog, subject, call, question };
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
