/**
 * Checks which names may be written to the disk: only those that mean the same file on every system. Names are untrusted, so
 * any doubtful name is refused.
 */
import { foldName } from '../core/text.ts';
import { isReservedName } from '../skills/valid-name.ts';

const NAME_MAX_BYTES = 255;
const PATH_MAX_CHARACTERS = 1024;

/** Returns the reason why the name of a skill, folder or file is refused. Undefined if it is valid. */
export function whyNameIsUnsafe(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name === '.' || name === '..') return 'it leads to another folder';
  if (/[\\/]/u.test(name)) return 'it has a separator';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\ufffd]/u.test(name)) return 'it has invisible or control characters';
  if (/[<>:"|?*]/u.test(name)) return 'it has a character that Windows does not allow';
  if (/[. ]$/u.test(name) || name.startsWith(' ')) return 'it begins or ends with a space, or ends with a dot';
  if (isReservedName(name.split('.')[0] ?? '')) return 'Windows reserves it';
  // Alternative spellings of `.git` on some file systems.
  if (/^(?:\.git|git~\d+)$/iu.test(name)) return 'it would be taken for a repository';
  if (Buffer.byteLength(name) > NAME_MAX_BYTES) return 'it is too long';
  return undefined;
}

/**
 * Returns the reason why a skill cannot be installed under this name from this folder. Hidden folders are refused, because agents
 * and users overlook them and Lectern uses them for temporary files.
 */
export function whySkillIsUnsafe(name: string, folder: string): string | undefined {
  if (name.startsWith('.')) return 'it begins with a dot';
  if (/(?:^|\/)\.[^/]*$/u.test(folder)) return 'its folder in the source begins with a dot';
  return whyNameIsUnsafe(name);
}

/** Returns the reason why a file path below a skill is refused. */
export function whyPathIsUnsafe(file: string): string | undefined {
  if (file.length > PATH_MAX_CHARACTERS) return 'it is too long';
  for (const part of file.split('/')) {
    const why = whyNameIsUnsafe(part);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Finds two paths that would be the same file, or a file and a folder, on a case-insensitive disk. */
export function clashingPaths(files: readonly string[]): [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const file of files) {
    const parts = file.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const place = parts.slice(0, depth).join('/');
      const isFile = depth === parts.length;
      const key = foldName(place.normalize('NFKC'));
      const spelled = isFile ? place : `${place}/`;
      const earlier = seen.get(key);
      if (earlier !== undefined && (earlier !== spelled || isFile)) return [earlier, spelled];
      seen.set(key, spelled);
    }
  }
  return undefined;
}
