import { compareText } from '../core/text.ts';
import type { StoredFile } from './stored.ts';

/** Paths in ascending order. */
export interface Changes {
  added: string[];
  changed: string[];
  removed: string[];
}

/** Returns the changes from `before` to `after`. */
export function changesBetween(before: readonly StoredFile[], after: readonly StoredFile[]): Changes {
  const old = new Map(before.map((file) => [file.path, file]));
  const paths = new Set(after.map(({ path }) => path));
  const isChanged = ({ path, sha256, executable }: StoredFile): boolean => {
    const earlier = old.get(path);
    return earlier !== undefined && (earlier.sha256 !== sha256 || earlier.executable !== executable);
  };
  const pathsOf = (files: readonly StoredFile[]): string[] => files.map(({ path }) => path).sort(compareText);
  return {
    added: pathsOf(after.filter(({ path }) => !old.has(path))),
    changed: pathsOf(after.filter(isChanged)),
    removed: pathsOf(before.filter(({ path }) => !paths.has(path))),
  };
}
