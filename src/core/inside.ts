import path from 'node:path';

/** True when `inner` is `outer` or lies below it. Both must be real, absolute paths; a shared prefix of names is not enough. */
export function isInside(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** A folder's path, ready for a name. The root of a file system has its separator already. */
export function asPrefix(dir: string): string {
  return dir.endsWith(path.sep) ? dir : dir + path.sep;
}
