/**
 * One change: a folder with a proposal, tasks, perhaps a design, and deltas below `specs/`. A file is read when it is first
 * asked for and kept from then on; `settle` reads them all, for a server whose snapshot must not mix two moments.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { findTarget, orTrouble } from '../core/disk/answers.ts';
import { type Entry, type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { type Outline, outlineOf } from '../core/headings.ts';
import * as codes from './codes.ts';
import { troubleWith } from './trouble.ts';
import { type ParsedDelta, parseDelta } from './parse-delta.ts';
import { parseTitle } from './parse-spec.ts';
import type { SpecRoot } from './roots.ts';
import { countTasks, parseTasks, type Task, type TaskProgress } from './tasks.ts';
import { readTextFile, type TextFile } from './text-file.ts';
import { listFolder, type SpecWalk, walkSpecs } from './walk.ts';

export interface DeltaFile {
  /** The capability that is changed: the path below the change's specs folder. */
  capability: string;
  file: TextFile;
  readonly parsed: ParsedDelta;
}

export const PROPOSAL = 'proposal.md';
export const TASKS = 'tasks.md';
const DESIGN = 'design.md';
export const METADATA = '.openspec.yaml';

const CHANGE_LABEL = /^change\s*[:：]\s*/iu;

export interface ChangePlace {
  /** Unique in the catalog. */
  id: string;
  /** The folder's own name. */
  name: string;
  root: SpecRoot;
  dir: string;
  isArchived: boolean;
}

export class ChangeFolder {
  readonly id: string;
  readonly name: string;
  readonly root: SpecRoot;
  readonly dir: string;
  readonly isArchived: boolean;
  readonly #files: FileTree;
  #before: ChangeFolder | undefined;
  readonly #texts = new Map<string, TextFile | undefined>();
  readonly #diagnostics: Diagnostic[] = [];
  #entries: Map<string, Entry['kind']> | undefined;
  #walk: SpecWalk | undefined;
  #deltas: DeltaFile[] | undefined;
  #progress: TaskProgress | undefined;
  #title: string | undefined;
  #proposalOutline: Outline | undefined;

  constructor(place: ChangePlace, files: FileTree, before?: ChangeFolder) {
    this.id = place.id;
    this.name = place.name;
    this.root = place.root;
    this.dir = place.dir;
    this.isArchived = place.isArchived;
    this.#files = files;
    this.#before = before;
    if (before) before.#before = undefined;
  }

  /** The names of the folder's own entries and what each is. */
  get entries(): ReadonlyMap<string, Entry['kind']> {
    this.#entries ??= new Map(
      listFolder(this.#files, this.dir, this.#diagnostics).map(({ name, kind }) => [name, kind]),
    );
    return this.#entries;
  }

  get proposal(): TextFile | undefined {
    return this.text(PROPOSAL);
  }

  get design(): TextFile | undefined {
    return this.text(DESIGN);
  }

  /** The proposal's heading, or the id where it says nothing. */
  get title(): string {
    this.#title ??= parseTitle(this.proposal?.text ?? '').replace(CHANGE_LABEL, '');
    return this.#title === '' || /^(?:change )?proposal$/iu.test(this.#title) ? this.id : this.#title;
  }

  get proposalOutline(): Outline {
    this.#proposalOutline ??= outlineOf(this.proposal?.text ?? '');
    return this.#proposalOutline;
  }

  get tasksFile(): TextFile | undefined {
    return this.text(TASKS);
  }

  get progress(): TaskProgress {
    this.#progress ??= countTasks(this.tasksFile?.text ?? '');
    return this.#progress;
  }

  get tasks(): Task[] {
    return parseTasks(this.tasksFile?.text ?? '');
  }

  /** What stands below the change's `specs/`. */
  get specsWalk(): SpecWalk {
    if (!this.#walk) {
      const place = this.dir + path.sep + 'specs';
      const kind = this.#kindOf('specs');
      if (kind === 'link')
        this.#diagnostics.push(
          codes.specSymlinkOutside.at({ path: place, message: 'a link to a folder is not followed' }),
        );
      this.#walk =
        kind === 'directory'
          ? walkSpecs(this.#files, place)
          : { specs: [], others: [], hasRootSpec: false, hasFiles: kind !== undefined, diagnostics: [] };
      this.#diagnostics.push(...this.#walk.diagnostics);
    }
    return this.#walk;
  }

  get deltas(): readonly DeltaFile[] {
    this.#deltas ??= this.specsWalk.specs.flatMap(({ id, file, readFrom }) => {
      const before = this.#before?.knownDeltas?.find(({ capability }) => capability === id);
      const read = readTextFile(this.#files, file, readFrom, before?.file);
      if (read.kind === 'trouble') this.#diagnostics.push(read.diagnostic);
      if (read.kind !== 'text') return [];
      return before && before.file === read.file ? [before] : [lazyDelta(id, read.file)];
    });
    return this.#deltas;
  }

  /** @internal */
  get knownDeltas(): readonly DeltaFile[] | undefined {
    return this.#deltas;
  }

  /** What could not be read of this change so far. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** A file of the change's own folder; a link is followed only within it. */
  text(name: string): TextFile | undefined {
    if (this.#texts.has(name)) return this.#texts.get(name);
    const file = this.#read(name);
    this.#texts.set(name, file);
    return file;
  }

  /** @internal */
  knownText(name: string): TextFile | undefined {
    return this.#texts.get(name);
  }

  /** Opened without a look at the folder first, for lists: nearly always the file is there and is one. */
  #read(name: string): TextFile | undefined {
    // OpenSpec's own file is missing in many a change, and a failed attempt costs more than a look.
    const isMissing = this.#entries ? !this.#entries.has(name) : name === METADATA && this.#kindOf(name) === undefined;
    if (isMissing) return undefined;
    const place = this.dir + path.sep + name;
    const before = this.#before?.knownText(name);
    let read = readTextFile(this.#files, place, place, before);
    if (read.kind === 'trouble' && read.diagnostic.code === codes.specNotARegularFile.code) {
      const kind = this.#files.look(place)?.kind;
      const target = kind === 'link' ? this.#linkTarget(place) : undefined;
      if (kind === 'directory' || (kind === 'link' && target === undefined)) return undefined;
      if (target !== undefined) read = readTextFile(this.#files, place, target, before);
    }
    if (read.kind === 'trouble') this.#diagnostics.push(read.diagnostic);
    return read.kind === 'text' ? read.file : undefined;
  }

  #kindOf(name: string): Entry['kind'] | undefined {
    if (this.#entries) return this.#entries.get(name);
    const place = this.dir + path.sep + name;
    const look = orTrouble(() => this.#files.look(place));
    if (!(look instanceof FileTrouble)) return look?.kind;
    this.#diagnostics.push(troubleWith(look, place));
    return undefined;
  }

  #linkTarget(place: string): string | undefined {
    const target = orTrouble(() => this.#files.follow(place));
    if (target instanceof FileTrouble) {
      this.#diagnostics.push(troubleWith(target, place));
      return undefined;
    }
    const own = findTarget(this.#files, this.dir);
    if (target && own && isInside(own.realPath, target.realPath)) return target.realPath;
    const code = target ? codes.specSymlinkOutside : codes.specLinkDangling;
    this.#diagnostics.push(
      code.at({ path: place, message: target ? 'the link leads out of the change' : 'the link leads nowhere' }),
    );
    return undefined;
  }

  /** Another Markdown file below `specs/`, such as one that holds deltas in the wrong place. */
  otherText(relative: string): TextFile | undefined {
    const read = readTextFile(this.#files, path.join(this.dir, 'specs', ...relative.split('/')));
    return read.kind === 'text' ? read.file : undefined;
  }

  /** The folders directly below that are changes themselves, when this one is none. */
  get nestedChanges(): string[] {
    // What a change usually has is read anyway; only where there is none of it, the folder itself is looked at.
    const isChange = this.proposal ?? this.tasksFile ?? this.text(METADATA) ?? this.specsWalk.hasFiles;
    if (isChange || hasOwnFile(this.entries)) return [];
    return nestedBelow(this.#files, this.dir, this.name, 1).sort();
  }

  settle(): void {
    void this.entries;
    for (const name of [PROPOSAL, TASKS, DESIGN, METADATA]) this.text(name);
    void this.deltas;
  }
}

function lazyDelta(capability: string, file: TextFile): DeltaFile {
  let parsed: ParsedDelta | undefined;
  return {
    capability,
    file,
    get parsed() {
      parsed ??= parseDelta(file.text);
      return parsed;
    },
  };
}

function hasOwnFile(entries: ReadonlyMap<string, Entry['kind']>): boolean {
  return [...entries].some(([name, kind]) => !name.startsWith('.') && kind !== 'directory');
}

/** A folder with one of the files that only changes have, or with anything below `specs/`. */
function looksLikeChange(files: FileTree, dir: string): boolean {
  const entries = listFolder(files, dir, []);
  if (entries.some(({ name, kind }) => kind !== 'directory' && [PROPOSAL, TASKS, DESIGN, METADATA].includes(name)))
    return true;
  return (
    entries.some(({ name, kind }) => name === 'specs' && kind === 'directory') &&
    walkSpecs(files, path.join(dir, 'specs')).hasFiles
  );
}

const NESTING_DEPTH = 3;

function nestedBelow(files: FileTree, dir: string, prefix: string, depth: number): string[] {
  if (depth > NESTING_DEPTH) return [];
  return listFolder(files, dir, [])
    .filter(({ name, kind }) => kind === 'directory' && !name.startsWith('.'))
    .flatMap(({ name }) => {
      const place = path.join(dir, name);
      const id = `${prefix}/${name}`;
      return looksLikeChange(files, place) ? [id] : nestedBelow(files, place, id, depth + 1);
    });
}
