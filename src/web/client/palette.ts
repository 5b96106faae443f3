/**
 * Shows the first results below the search field while the user types, as a combobox with a list. Without the script, the
 * field is a form that opens the search page. On the search page, the form updates the page itself.
 */
import { fetchPart } from './fetch-page.ts';

const TYPING_MS = 120;
/** All of them fit below the field on a small screen. */
const SHOWN = 8;

/** Parts of a result of the search page, in order. */
const PARTS = ['.kind', '.ttl', '.in', '.snip'];

let field: HTMLInputElement;
let panel: HTMLElement;
let list: HTMLElement;
let turn = 0;
let typing: ReturnType<typeof setTimeout> | undefined;

export function offerPalette(): void {
  const found = [document.querySelector<HTMLInputElement>('#q'), document.getElementById('palette')] as const;
  const rows = found[1]?.querySelector<HTMLElement>('[role="listbox"]');
  if (!found[0] || !found[1] || !rows || found[0].form?.dataset['live'] !== undefined) return;
  [field, panel] = found;
  list = rows;
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-controls', list.id],
    ['aria-expanded', 'false'],
  ] as const)
    field.setAttribute(name, value);
  field.addEventListener('input', () => {
    clearTimeout(typing);
    turn += 1;
    if (field.value.trim() === '') close();
    else typing = setTimeout(() => void search(), TYPING_MS);
  });
  field.addEventListener('keydown', onKey);
  field.form?.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !field.form?.contains(relatedTarget)) close();
  });
  // Files or the index have changed, so the results may have too.
  document.addEventListener('shown', () => {
    if (!panel.hidden) void search();
  });
}

async function search(): Promise<void> {
  turn += 1;
  const asked = turn;
  const address = `/search?${new URLSearchParams({ q: field.value }).toString()}`;
  const found = await fetchPart(address).catch(() => undefined);
  // A later key has overtaken this reply, or the user has left the field.
  if (asked !== turn || !found || document.activeElement !== field) return;
  const results = [...found.querySelectorAll('.res > [data-row]')].slice(0, SHOWN);
  const summary = found.querySelector('.honest > b')?.textContent ?? '';
  const chosen = active()?.getAttribute('href');
  list.replaceChildren(...results.map(optionFor));
  const all = option(address, [
    document.createTextNode(results.length === 0 ? 'Open the search page' : `All ${summary}`),
  ]);
  list.append(all);
  for (const [index, each] of [...list.children].entries()) each.id = `palette-${index}`;
  const status = panel.querySelector('[role="status"]');
  if (status) status.textContent = results.length === 0 ? 'No results' : summary;
  panel.hidden = false;
  field.setAttribute('aria-expanded', 'true');
  choose([...list.children].find((each) => each.getAttribute('href') === chosen));
}

/** Keeps the marks and the markup of a result of the search page. */
function optionFor(result: Element): HTMLAnchorElement {
  const parts = PARTS.flatMap((selector) => {
    const part = result.querySelector(selector);
    if (!part) return [];
    const shown = document.createElement('span');
    shown.className = part.className;
    shown.append(...document.importNode(part, true).childNodes);
    return [shown, document.createTextNode(' ')];
  });
  return option(result.querySelector('a')?.getAttribute('href') ?? '/search', parts);
}

function option(href: string, parts: readonly Node[]): HTMLAnchorElement {
  const link = document.createElement('a');
  link.setAttribute('role', 'option');
  link.setAttribute('href', href);
  link.tabIndex = -1;
  link.append(...parts);
  return link;
}

function active(): HTMLAnchorElement | null {
  return list.querySelector('[aria-selected="true"]');
}

function choose(next: Element | undefined): void {
  for (const each of list.children) each.setAttribute('aria-selected', String(each === next));
  if (next) field.setAttribute('aria-activedescendant', next.id);
  else field.removeAttribute('aria-activedescendant');
  next?.scrollIntoView({ block: 'nearest' });
}

function close(): void {
  turn += 1;
  clearTimeout(typing);
  panel.hidden = true;
  field.setAttribute('aria-expanded', 'false');
  list.replaceChildren();
  field.removeAttribute('aria-activedescendant');
}

function onKey(event: KeyboardEvent): void {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (panel.hidden) {
    if (event.key !== 'ArrowDown' || field.value.trim() === '') return;
    event.preventDefault();
    return void search();
  }
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      const options = [...list.children];
      const at = options.findIndex((each) => each === active());
      const next = event.key === 'ArrowDown' ? at + 1 : at === -1 ? options.length - 1 : at - 1;
      event.preventDefault();
      // Before the first and after the last option is the field itself.
      return choose(options[next]);
    }
    case 'Enter': {
      const chosen = active();
      if (!chosen) return;
      event.preventDefault();
      return location.assign(chosen.href);
    }
    case 'Escape':
      event.preventDefault();
      return close();
  }
}
