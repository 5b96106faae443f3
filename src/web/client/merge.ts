/**
 * Updates an element to match another one and keeps unchanged nodes, so that focus, selection, scroll positions and open
 * details survive.
 */

/** Attributes that belong to the reader or the script. */
const KEPT_ATTRIBUTES = new Set(['open', 'data-fresh']);

export function merge(from: Element, to: Element, fresh: (element: Element) => void): void {
  if (from.isEqualNode(to)) return;
  mergeAttributes(from, to);
  const wanted = new Set([...to.children].map(({ id }) => id));
  const own = new Map<string, Element>();
  // These collections are live: they change while the loop changes the page.
  for (const child of Array.from(from.children)) {
    if (child.id === '') continue;
    if (wanted.has(child.id)) own.set(child.id, child);
    else child.remove();
  }
  let at = from.firstChild;
  for (const next of Array.from(to.childNodes)) {
    const match = matching(next, at, own);
    if (!match) {
      const added = document.importNode(next, true);
      from.insertBefore(added, at);
      if (added instanceof Element) fresh(added);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else from.insertBefore(match, at);
    if (match instanceof Element && next instanceof Element) {
      if (match.hasAttribute('data-row') && !match.isEqualNode(next)) fresh(match);
      merge(match, next, fresh);
    } else if (match.nodeValue !== next.nodeValue) match.nodeValue = next.nodeValue;
  }
  while (at) {
    const after = at.nextSibling;
    at.remove();
    at = after;
  }
}

/** Finds the existing node with the same ID, or the one at the same position if it has no ID. */
function matching(next: ChildNode, at: ChildNode | null, own: Map<string, Element>): ChildNode | undefined {
  if (next instanceof Element && next.id !== '') return own.get(next.id);
  if (!at || at.nodeName !== next.nodeName) return undefined;
  return at instanceof Element && at.id !== '' ? undefined : at;
}

function mergeAttributes(from: Element, to: Element): void {
  for (const { name } of Array.from(from.attributes))
    if (!to.hasAttribute(name) && !KEPT_ATTRIBUTES.has(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes)
    if (from.getAttribute(name) !== value && !KEPT_ATTRIBUTES.has(name)) from.setAttribute(name, value);
  // The user may be typing in the focused field.
  if (from instanceof HTMLInputElement && from !== document.activeElement) {
    const value = to.getAttribute('value') ?? '';
    if (from.type !== 'checkbox' && from.value !== value) from.value = value;
  }
}
