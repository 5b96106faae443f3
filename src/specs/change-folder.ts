/**
 * One change: a folder with a proposal, tasks, an optional design, and deltas below `specs/`. Each file is read on first use
 * and cached. `readAll` reads all of them, for a server whose snapshot must not mix two states of the disk.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { findTarget, orTrouble } from '../core/disk/answers.ts';
import { type EntryKind, type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { type Outline, outlineOf } from '../core/headings.ts';
import * as codes from './codes.ts';
import { troubleWith } from './trouble.ts';
import { type ParsedDelta, parseDelta } from './parse-delta.ts';
import { titleOf } from './parse-spec.ts';
import type { SpecRoot } from './roots.ts';
import { type ParsedTasks, parseTasks, progressOf, type Task } from './tasks.ts';
import { readTextFile, type TextFile } from './text-file.ts';
import { listFolder, type SpecWalk, walkSpecs } from './walk.ts';

export interface DeltaFile {
  /** The changed capability: the path below the change's specs folder. */
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
  /** Folder name. */
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
  #entries: ReadonlyMap<string, EntryKind> | undefined;
  #walk: SpecWalk | undefined;
  #deltas: DeltaFile[] | undefined;
  #tasks: ParsedTasks | undefined;
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

  get proposal(): TextFile | undefined {
    return this.text(PROPOSAL);
  }

  get design(): TextFile | undefined {
    return this.text(DESIGN);
  }

  /** The heading of the proposal, or the ID if there is none or it is just "proposal". */
  get title(): string {
    const title = titleOf(this.proposalOutline).replace(CHANGE_LABEL, '');
    return title === '' || /^(?:change )?proposal$/iu.test(title) ? this.id : title;
  }

  get proposalOutline(): Outline {
    this.#proposalOutline ??= outlineOf(this.proposal?.text ?? '');
    return this.#proposalOutline;
  }

  get tasksFile(): TextFile | undefined {
    return this.text(TASKS);
  }

  get parsedTasks(): ParsedTasks {
    this.#tasks ??= parseTasks(this.tasksFile?.text ?? '');
    return this.#tasks;
  }

  get tasks(): readonly Task[] {
    return this.parsedTasks.tasks;
  }

  get progress(): { completed: number; total: number } {
    return progressOf(this.tasks);
  }

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
    const earlier = this.#before ? this.#before.#deltas : undefined;
    this.#deltas ??= this.specsWalk.specs.flatMap(({ id, file, readFrom }) => {
      const before = earlier?.find(({ capability }) => capability === id);
      const read = readTextFile(this.#files, file, readFrom, before?.file);
      if (read.kind === 'trouble') this.#diagnostics.push(read.diagnostic);
      if (read.kind !== 'text') return [];
      return before && before.file === read.file ? [before] : [lazyDelta(id, read.file)];
    });
    return this.#deltas;
  }

  /** Problems with reading so far. */
  /** The first of these files or folders that cannot be read, if everything was read. */
  findUnreadable(parts: readonly string[]): Diagnostic | undefined {
    this.readAll();
    const places = parts.map((part) => path.join(this.dir, part));
    return this.#diagnostics.find(
      ({ code, path: place }) =>
        code === codes.specUnreadable.code && (place === this.dir || places.some((each) => isInside(each, place))),
    );
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** Reads a file directly in the change folder. A link is followed only if its target is in that folder. */
  text(name: string): TextFile | undefined {
    if (this.#texts.has(name)) return this.#texts.get(name);
    const file = this.#read(name);
    this.#texts.set(name, file);
    return file;
  }

  /** Opens the file without listing the folder first, because it almost always exists. */
  #read(name: string): TextFile | undefined {
    // Many changes have no metadata, and a failed open costs more than a stat.
    const isMissing = this.#entries ? !this.#entries.has(name) : name === METADATA && this.#kindOf(name) === undefined;
    if (isMissing) return undefined;
    const place = this.dir + path.sep + name;
    const before = this.#before ? this.#before.#texts.get(name) : undefined;
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

  #listEntries(): ReadonlyMap<string, EntryKind> {
    this.#entries ??= new Map(
      listFolder(this.#files, this.dir, this.#diagnostics).map(({ name, kind }) => [name, kind]),
    );
    return this.#entries;
  }

  #kindOf(name: string): EntryKind | undefined {
    if (this.#entries) return this.#entries.get(name);
    const place = this.dir + path.sep + name;
    const look = orTrouble(() => this.#files.look(place));
    if (!(look instanceof FileTrouble)) return look?.kind;
    this.#diagnostics.push(troubleWith(look, place));
    return undefined;
  }

  /** Whether a file directly in the change folder is a link. */
  isLink(name: string): boolean {
    return this.#kindOf(name) === 'link';
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
      code.at({
        path: place,
        message: target ? 'the link leads out of the change' : 'the link leads nowhere',
      }),
    );
    return undefined;
  }

  /** Reads a Markdown file below `specs/` other than spec.md, such as a misplaced delta. */
  otherText(relative: string): TextFile | undefined {
    const read = readTextFile(this.#files, path.join(this.dir, 'specs', ...relative.split('/')));
    return read.kind === 'text' ? read.file : undefined;
  }

  /** Changes below this folder, if the folder is not a change itself. */
  get nestedChanges(): string[] {
    // These files are read anyway, so the folder is listed only if all of them are missing.
    const isChange = this.proposal ?? this.tasksFile ?? this.text(METADATA) ?? this.specsWalk.hasFiles;
    const hasFile = (): boolean =>
      [...this.#listEntries()].some(([name, kind]) => !name.startsWith('.') && kind !== 'directory');
    if (isChange || hasFile()) return [];
    return nestedBelow(this.#files, this.dir, this.name, 1).sort();
  }

  readAll(): void {
    this.#listEntries();
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

/** Whether a folder has a file that is specific to changes, or any file below `specs/`. */
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
