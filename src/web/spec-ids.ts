/** Splits spec IDs. If two roots have the same ID, it is prefixed with the name of its root. */

/** Strips the root: `checkout/skills:identity/login` becomes `identity/login`. */
export function idInRoot(id: string, root = ''): string {
  return id.startsWith(`${root}:`) ? id.slice(root.length + 1) : id;
}

/** Returns `identity` for `identity/login`. */
export function folderOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')));
}

/** Returns the source, `team/name`, of a root in a shared catalog. If a source has several roots, their names are longer. */
export function sourceIn(root: string): string {
  return root.split('/', 2).join('/');
}
