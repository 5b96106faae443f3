import path from 'node:path';

/** Whether `inner` is `outer` or below it. Both must be real, absolute paths. */
export function isInside(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** Returns a folder's path with a separator at the end. The root of a file system already has one. */
export function asPrefix(dir: string): string {
  return dir.endsWith(path.sep) ? dir : dir + path.sep;
}
