/** Fetches an address and merges the reply into the page. */
import { merge } from './merge.ts';
import { signInAgain } from './sign-in-again.ts';

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}

const { trustedTypes } = globalThis as unknown as { trustedTypes?: TrustedTypes };
/** The only conversion of text to markup. The text is always a reply of our own server. */
const policy = trustedTypes?.createPolicy('lectern', { createHTML: (text) => text });

const FRESH_MS = 2_000;

/** Statuses for a missing, expired or insufficient token. */
const REFUSED: ReadonlySet<number> = new Set([401, 403]);

let latest = 0;
/** Addresses of the additional list pages on display. */
let further: string[] = [];

export async function fetchPart(address: string): Promise<Document | undefined> {
  const response = await fetch(address, { headers: { 'X-Lectern-Part': 'main' } });
  if (REFUSED.has(response.status)) await signInAgain();
  // Redirected to the sign-in page, or not a page.
  if (response.redirected || !(response.headers.get('content-type') ?? '').startsWith('text/html')) return undefined;
  const text = await response.text();
  return new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, 'text/html');
}

/** Shows the current content of an address. Replies that a later request has overtaken are dropped. */
export async function show(address: string, { tint = false } = {}): Promise<boolean> {
  latest += 1;
  const turn = latest;
  if (!tint) further = [];
  const parts = await Promise.all([address, ...further].map(fetchPart));
  const [part] = parts;
  if (turn !== latest || !part) return false;
  for (const more of parts.slice(1)) if (more) appendRows(part, more);
  const focused = document.activeElement;
  for (const id of ['place', 'nav', 'main', 'foot']) {
    const [from, to] = [document.getElementById(id), part.getElementById(id)];
    if (from && to) merge(from, to, tint ? markFresh : () => undefined);
  }
  document.title = document.getElementById('main')?.dataset['title'] ?? document.title;
  if (focused instanceof HTMLElement && focused !== document.activeElement) {
    if (focused.isConnected) focused.focus({ preventScroll: true });
    else document.getElementById('main')?.focus({ preventScroll: true });
  }
  document.dispatchEvent(new Event('shown'));
  return true;
}

/** Appends the next page of a list. */
export async function showMore(link: HTMLAnchorElement): Promise<void> {
  const turn = latest;
  const { href } = link;
  if (further.includes(href)) return;
  further.push(href);
  const more = await fetchPart(href);
  if (turn !== latest || !more) return;
  appendRows(document, more);
  document.dispatchEvent(new Event('shown'));
}

function appendRows(to: Document, more: Document): void {
  to.getElementById('rows')?.append(...(more.getElementById('rows')?.children ?? []));
  const [old, next] = [to.getElementById('more'), more.getElementById('more')];
  if (next) old?.replaceWith(next);
  else old?.remove();
}

function markFresh(element: Element): void {
  element.setAttribute('data-fresh', '');
  setTimeout(() => element.removeAttribute('data-fresh'), FRESH_MS);
}
