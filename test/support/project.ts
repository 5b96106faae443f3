/** One way to set up a project with a home beside it, in memory by default, and on a real disk for links, permissions, watching and processes. */
import fs from 'node:fs';
import path from 'node:path';
import { entriesOf, exists } from '../../src/core/disk/answers.ts';
import { memoryDisk, type MemoryFile } from '../../src/core/disk/memory-disk.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import type { RecordsPlace } from '../../src/core/disk/records.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { tempFolder, type TempFolder } from './temp-folder.ts';

/** Where a project in memory lies. */
export const PROJECT = '/repo/project';
export const HOME = '/home/someone';

/** Names of files begin with `project/` or `home/`; in memory they may also be absolute. */
export type ProjectFiles = Record<string, MemoryFile>;

export interface Project extends Disposable {
  readonly disk: Disk;
  /** The path of a name. */
  at(...name: string[]): string;
  write(files: ProjectFiles): void;
  read(name: string): string;
  exists(name: string): boolean;
  /** Every file of the project with its text, hidden ones included, to compare two states. */
  state(): Record<string, string>;
  open(options?: Partial<OpenOptions>): Promise<Workspace>;
  specs(): SpecCatalog;
  /** Where runs on this project keep their records. */
  readonly records: RecordsPlace;
}

/** Gone when the test is done. In the text of a file on disk, `{home}` stands for the home folder. */
export function project(files?: ProjectFiles): Project;
export function project(files: ProjectFiles, on: 'disk'): Project & TempFolder;
export function project(files: ProjectFiles = {}, on: 'memory' | 'disk' = 'memory'): Project {
  return on === 'memory' ? inMemory(files) : onDisk(files);
}

function inMemory(files: ProjectFiles): Project {
  const at = (...name: string[]): string =>
    path.posix.join('/', ...name).replace(/^\/(project|home)(?=\/|$)/u, (_, dir) => (dir === 'home' ? HOME : PROJECT));
  const placed = (given: ProjectFiles): ProjectFiles =>
    Object.fromEntries(Object.entries(given).map(([name, file]) => [name.startsWith('/') ? name : at(name), file]));
  const disk = memoryDisk(placed(files));
  return {
    ...above(disk, at),
    write(more) {
      for (const [file, text] of Object.entries(placed(more))) {
        if (typeof text === 'object' && 'link' in text) throw new Error('a link in memory is there from the start');
        disk.replace(file, text);
      }
    },
    [Symbol.dispose]: () => undefined,
  };
}

function onDisk(files: ProjectFiles): Project & TempFolder {
  const folder = tempFolder();
  for (const dir of ['project', 'home']) fs.mkdirSync(folder.at(dir));
  const texts = Object.entries(files).map(([name, file]) => [
    name,
    typeof file === 'string' ? file.replaceAll('{home}', folder.at('home')) : file,
  ]);
  folder.write(Object.fromEntries(texts));
  return { ...folder, ...above(nodeDisk, folder.at) };
}

function above(disk: Disk, at: Project['at']): Omit<Project, 'write' | typeof Symbol.dispose> {
  const [projectDir, userDir] = [at('project'), at('home')];
  const records = { stateDir: at('home/.local/state/lectern'), project: projectDir };
  const textOf = (file: string): string => Buffer.from(disk.read(file, Number.MAX_SAFE_INTEGER).bytes).toString('utf8');
  const filesBelow = (dir: string): string[] =>
    entriesOf(disk, dir).flatMap(({ name, kind }) => {
      const place = path.join(dir, name);
      return kind === 'directory' ? filesBelow(place) : kind === 'file' ? [place] : [];
    });
  return {
    disk,
    at,
    read: (name) => textOf(at(name)),
    exists: (name) => exists(disk, at(name)),
    state: () =>
      Object.fromEntries(filesBelow(projectDir).map((file) => [path.relative(projectDir, file), textOf(file)])),
    open: (options = {}) => Workspace.open({ projectDir, userDir, ...options }, disk),
    specs: () => new SpecCatalog(disk, { projectDir, ancestors: [projectDir], records }),
    records,
  };
}
