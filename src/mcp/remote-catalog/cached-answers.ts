/**
 * Caches answers of a shared catalog in the user's cache folder, for times when it cannot be reached. Each answer is a private file.
 * File names identify the subject, so that several servers can share the folder without an index.
 */
import path from 'node:path';
import { sha256Of } from '../../core/sha256.ts';
import { entriesOf } from '../../core/disk/answers.ts';
import { CachedFiles } from '../../core/disk/cached-file.ts';
import type { Disk } from '../../core/disk/writes.ts';
import { isRecord } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';
import { foldName } from '../../core/text.ts';

/** Subject of an answer: one item of a kind, by the requested name. */
export interface Subject {
  kind: string;
  name: string;
}

export interface CachedAnswer {
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
  readonly #files: CachedFiles;
  readonly #dir: string;
  readonly #catalog: string;

  constructor(disk: Disk, dir: string, catalog: string) {
    this.#disk = disk;
    this.#files = new CachedFiles(disk, { maxBytes: LIMITS.jsonFileBytes.value, isPrivate: true });
    this.#dir = dir;
    this.#catalog = catalog;
  }

  /** Returns undefined if there is no intact file. */
  read(question: unknown): CachedAnswer | undefined {
    const name = this.#names().find((each) => partsOf(each).question === hashOf(question));
    if (name === undefined) return undefined;
    const read = this.#files.read(path.join(this.#dir, name), answerIn);
    if (read.kind === 'damaged') this.#remove([name]);
    return read.kind === 'value' ? read.value : undefined;
  }

  /** `subject` is taken from the answer; `requested` may be a short name of it. */
  write(question: unknown, { requested, subject }: { requested: Subject; subject: Subject }, value: unknown): void {
    const name = [this.#catalog, subjectHash(subject), subjectHash(requested), hashOf(question)].join('.') + SUFFIX;
    // The previous answer to this question may have had another subject.
    this.#remove(this.#names().filter((each) => each !== name && partsOf(each).question === hashOf(question)));
    // The cache is optional while the shared catalog can be reached.
    this.#files.write(path.join(this.#dir, name), { at: new Date().toISOString(), value });
    // Includes other catalogs, so that the answers of unused ones eventually disappear.
    this.#files.prune(this.#dir, { files: LIMITS.keptAnswers.value, bytes: LIMITS.keptAnswersBytes.value });
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
    const names = entriesOf(this.#disk, this.#dir).map(({ name }) => name);
    return names.filter((name) => name.endsWith(SUFFIX) && partsOf(name).catalog === this.#catalog);
  }

  #remove(names: readonly string[]): void {
    for (const name of names) this.#files.remove(path.join(this.#dir, name));
  }
}

function partsOf(name: string): { catalog: string; subject: string; call: string; question: string } {
  const [catalog = '', subject = '', call = '', question = ''] = name.split('.');
  return { catalog, subject, call, question };
}

function answerIn(value: unknown): CachedAnswer | undefined {
  return isRecord(value) ? { value: value['value'], at: new Date(String(value['at'])) } : undefined;
}

function subjectHash({ kind, name }: Subject): string {
  return hashOf([kind, foldName(name.trim())]);
}

function hashOf(value: unknown): string {
  return sha256Of(JSON.stringify(value)).slice(0, HASH_CHARACTERS);
}
