import path from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the folder in an environment variable. An empty or relative value is ignored, because it has no base. */
export function folderNamed(value: string | undefined): string | undefined {
  return value !== undefined && path.isAbsolute(value) ? value : undefined;
}

/**
 * Returns the folder for data that can be rebuilt: `lectern` in the user's cache folder. `home` returns the home if it exists.
 * Undefined if there is none, because a home that does not exist is not created.
 */
export function userCacheFolder(environment: Variables, home: () => string | undefined): string | undefined {
  const named = folderNamed(environment[process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME']);
  if (named !== undefined) return path.join(named, 'lectern');
  const dir = home();
  return dir === undefined ? undefined : path.join(dir, '.cache', 'lectern');
}
