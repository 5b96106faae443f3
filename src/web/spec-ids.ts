/** The parts of a spec's id. Where two roots have the same one, it begins with the name of its root. */

/** The id without the name of its root: `identity/login` of `checkout/skills:identity/login`. */
export function idInRoot(id: string, root = ''): string {
  return id.startsWith(`${root}:`) ? id.slice(root.length + 1) : id;
}

/** `identity` of `identity/login`. */
export function folderOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')));
}

/** In a shared catalog: the source, `team/name`, that a root is in. A source with several roots has more behind it. */
export function sourceIn(root: string): string {
  return root.split('/', 2).join('/');
}
