/** Collects the skills that an agent loads from its output. */
import { isRecord, tryParseJson } from '../../core/json-file.ts';
import { clip, oneLine } from '../../core/text.ts';
import type { EventReader } from './events.ts';

/** More names than this, or longer ones, are not kept. */
const LOADED_MAX = 20;
const NAME_CHARACTERS = 200;
const PROBLEM_CHARACTERS = 300;

export interface RunSoFar {
  /** Skills in the order in which they were loaded. */
  readonly loaded: readonly string[];
  /** The last error that was reported. */
  readonly problem: string | undefined;
  /** Reads one line of output. Returns true as soon as the rest of the run can be left out. */
  takeLine(line: string): boolean;
}

/** `names` has the name of each known `SKILL.md`, by its path with forward slashes. */
export function readRun(readEvent: EventReader, names: ReadonlyMap<string, string>): RunSoFar {
  const loaded = new Set<string>();
  let problem: string | undefined;
  const note = (name: string): void => {
    const shown = clip(oneLine(name), NAME_CHARACTERS);
    if (shown !== '' && loaded.size < LOADED_MAX) loaded.add(shown);
  };
  return {
    get loaded() {
      return [...loaded];
    },
    get problem() {
      return problem;
    },
    takeLine(line) {
      const data = line.startsWith('{') ? tryParseJson(line) : undefined;
      if (!isRecord(data)) return false;
      const { skills = [], reads = [], answersCalls = false, ...rest } = readEvent(data);
      for (const name of skills) note(name);
      for (const text of reads) for (const name of skillsReadIn(text, names)) note(name);
      if (rest.problem !== undefined) problem = clip(oneLine(rest.problem), PROBLEM_CHARACTERS);
      return answersCalls && loaded.size > 0;
    },
  };
}

const FILE = 'SKILL.md';
const ENDS_PATH = new Set(' \t\r\n\'"`=;|&()<>$*?{}[],');

/** Returns the names of the skills whose files a command or a path names. A folder that is not known is a name as well. */
export function skillsReadIn(text: string, names: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (let at = text.indexOf(FILE); at !== -1; at = text.indexOf(FILE, at + FILE.length)) {
    let start = at;
    // Longer paths than this do not exist.
    while (start > 0 && at - start < 4_096 && !ENDS_PATH.has(text.charAt(start - 1))) start -= 1;
    const file = text.slice(start, at + FILE.length).replaceAll('\\', '/');
    const name = nameOf(file, names);
    if (name !== undefined) found.push(name);
  }
  return found;
}

/** The path may be relative to any folder, so its end decides. */
function nameOf(file: string, names: ReadonlyMap<string, string>): string | undefined {
  const exact = names.get(file);
  if (exact !== undefined) return exact;
  const parts = file.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  if (parts.length < 2) return undefined;
  const end = `/${parts.join('/')}`;
  const known = [...names].find(([path]) => path.endsWith(end));
  return known ? known[1] : parts.at(-2);
}
