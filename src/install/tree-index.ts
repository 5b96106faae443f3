/** Sorted index of the paths of a source, to find the files and skills below a folder without scanning all paths. */
import path from 'node:path/posix';
import { memo } from '../core/memo.ts';
import { compareText } from '../core/text.ts';
import { ENABLED_NAME, isSkillFile } from '../skills/skill.ts';
import type { SourceTree } from './source-tree.ts';

interface SkillFolder {
  path: string;
  /** Path of its SKILL.md. */
  file: string;
  /** Nearest ancestor folder that also has a SKILL.md. */
  outer: string | undefined;
}

export class TreeIndex {
  readonly #paths: readonly string[];
  readonly #skills: readonly SkillFolder[];
  readonly #skillPaths: readonly string[];
  readonly #byFolder: ReadonlyMap<string, SkillFolder>;

  /** Built once per tree. */
  static readonly of = memo((tree: SourceTree) => new TreeIndex(tree));

  private constructor({ entries }: SourceTree) {
    this.#paths = [...entries.keys()].sort(compareText);
    const files = new Map<string, string>();
    for (const place of this.#paths) {
      const name = path.basename(place);
      const kind = entries.get(place)?.kind;
      if ((kind !== 'file' && kind !== 'link') || !isSkillFile(name)) continue;
      const folder = folderOf(place);
      if (name === ENABLED_NAME || !files.has(folder)) files.set(folder, place);
    }
    this.#skills = [...files]
      .map(([folder, file]) => ({ path: folder, file, outer: nearestAbove(folder, files) }))
      .sort((a, b) => compareText(a.path, b.path));
    this.#skillPaths = this.#skills.map((skill) => skill.path);
    this.#byFolder = new Map(this.#skills.map((skill) => [skill.path, skill]));
  }

  /** Returns the paths below a folder, sorted. */
  pathsBelow(folder: string): readonly string[] {
    return this.#paths.slice(...rangeBelow(this.#paths, folder));
  }

  hasFolder(folder: string): boolean {
    const [start, end] = rangeBelow(this.#paths, folder);
    return end > start;
  }

  /** Returns the SKILL.md directly in a folder. */
  skillFileIn(folder: string): string | undefined {
    return this.#byFolder.get(folder)?.file;
  }

  /** Returns the folders with a SKILL.md, sorted: this folder, or those below it that are not nested in another skill. */
  skillFolders(below: string): string[] {
    const own = this.#byFolder.get(below);
    // As for plugins, a SKILL.md at the top applies to the whole folder only if there is no skills folder.
    const searched = own ? `${prefixOf(below)}skills` : below;
    const [start, end] = rangeBelow(this.#skillPaths, searched);
    const found = this.#skills.slice(start, end);
    if (own && found.length === 0) return [below];
    const within = prefixOf(searched);
    return found.filter(({ outer }) => !outer?.startsWith(within)).map((skill) => skill.path);
  }
}

function folderOf(place: string): string {
  const slash = place.lastIndexOf('/');
  return slash === -1 ? '' : place.slice(0, slash);
}

function nearestAbove(folder: string, known: ReadonlyMap<string, unknown>): string | undefined {
  for (let at = folder; at !== '';) {
    at = folderOf(at);
    if (known.has(at)) return at;
  }
  return undefined;
}

function prefixOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

/** Returns the range of the paths below a folder in a sorted list. */
function rangeBelow(sorted: readonly string[], folder: string): [start: number, end: number] {
  if (folder === '') return [0, sorted.length];
  // `0` is the character after the slash.
  return [firstFrom(sorted, `${folder}/`), firstFrom(sorted, `${folder}0`)];
}

/** Returns the index of the first text that is not less than the given one. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareText(sorted[middle] ?? '', text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
