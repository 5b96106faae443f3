/**
 * Lays out the temporary folder in which an agent runs: the skills of its list and its memory files, and nothing else. Paths stay the
 * same below the project folder. The folder of the agent in the home folder becomes one above the project.
 */
import path from 'node:path';
import type { NewFile } from '../../core/disk/writes.ts';
import { Failure } from '../../core/failure.ts';
import { isInside } from '../../core/inside.ts';
import type { Seen, Verdict } from '../seen-by.ts';
import type { Status } from '../status.ts';
import { claudeFolder, type Surroundings } from '../surroundings.ts';
import type { Launch } from './launches.ts';

export interface Layout {
  files: NewFile[];
  /** Folder to start the agent in, relative to the temporary folder. */
  workingDir: string;
  /** Name of each skill by its path: relative to the temporary folder, or absolute if it is read in place. */
  names: ReadonlyMap<string, string>;
  /** `SKILL.md` files in the home folder that settings disable, which the agent does not read. */
  hidden: string[];
  /** Names of listed skills that the run leaves out, such as those of plugins. */
  leftOut: string[];
}

export interface LayoutInput {
  seen: Seen;
  memory: readonly string[];
  at: Surroundings;
  home: Launch['home'];
  /** Returns undefined for a file that cannot be read. */
  read(file: string): Uint8Array | undefined;
}

const PROJECT = 'project';
const LISTED: ReadonlySet<Status> = new Set(['seen', 'shortened', 'name-only', 'other-text', 'dropped']);

/** Agents stop looking for skills above a repository. It has what git requires of one. */
const REPOSITORY: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/info/.keep': '',
  '.git/refs/heads/.keep': '',
};

const BYTES_MAX = 64 * 1024 * 1024;

export function layOut({ seen, memory, at, home, read }: LayoutInput): Layout {
  const root = at.folders.at(-1) ?? at.projectDir;
  const own = home === 'copied' ? claudeFolder(at) : undefined;
  const placeOf = (file: string): string | undefined => {
    if (isInside(root, file)) return slashed(path.join(PROJECT, path.relative(root, file)));
    return own !== undefined && isInside(own, file)
      ? slashed(path.join('.claude', path.relative(own, file)))
      : undefined;
  };
  const kept = new Map<string, Uint8Array>();
  let bytes = 0;
  const keep = (file: string): string | undefined => {
    const place = placeOf(file);
    const content = place === undefined ? undefined : read(file);
    if (place === undefined || content === undefined) return undefined;
    bytes += content.length;
    if (bytes > BYTES_MAX) throw new Failure('TOO_LARGE', 'The skills of this agent have more than 64 MiB.');
    kept.set(place, content);
    return place;
  };
  const names = new Map<string, string>();
  const hidden: string[] = [];
  const leftOut: string[] = [];
  const listed = new Map(seen.entries.flatMap(({ name, verdict }) => (verdict ? [[verdict.copy, name]] : [])));
  for (const verdict of seen.verdicts.values()) {
    if (verdict.copy.builtIn) continue;
    const name = listed.get(verdict.copy) ?? verdict.copy.name;
    const inPlace = home === 'in-place' && !isInside(root, verdict.file) && !isOfPlugin(verdict);
    if (!LISTED.has(verdict.status)) {
      // The agent itself finds all other reasons.
      if (inPlace && verdict.status === 'disabled') hidden.push(verdict.file);
      continue;
    }
    const place = inPlace ? slashed(verdict.file) : keep(verdict.file);
    if (place === undefined) leftOut.push(name);
    else names.set(place, name);
  }
  for (const file of memory) keep(file);
  const top = home === 'copied' ? '' : `${PROJECT}/`;
  for (const [file, text] of Object.entries(REPOSITORY)) kept.set(top + file, Buffer.from(text));
  const workingDir = path.join(PROJECT, path.relative(root, at.projectDir));
  kept.set(`${slashed(workingDir)}/.keep`, new Uint8Array());
  const files = [...kept].map(([file, content]) => ({ path: file, bytes: content, executable: false }));
  return { files, workingDir, names, hidden, leftOut };
}

function isOfPlugin({ copy }: Verdict): boolean {
  return copy.sightings.some(({ place }) => place.plugin !== undefined);
}

function slashed(file: string): string {
  return file.replaceAll('\\', '/');
}
