/** Keyboard shortcuts: navigation, movement in lists and in the agent table, copying. */
import { copyFrom } from './copy.ts';

const GO_MS = 1_500;
const OFF = 'lectern-keys-off';

let goUntil = 0;

export function useKeys(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#keys');
  const box = document.querySelector<HTMLInputElement>('[data-single-keys]');
  if (box) {
    box.checked = localStorage.getItem(OFF) === null;
    box.addEventListener('change', () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, '1')));
  }
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-keys]')) dialog?.showModal();
  });
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') return done(event, focusSearch);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { activeElement } = document;
    if (event.key === 'Escape' && !dialog?.open) return leave(activeElement);
    // Move from the search field to the results, and back from the first result.
    const isField = activeElement?.id === 'q';
    if (isField && event.key === 'ArrowDown' && document.querySelector('main [data-row]'))
      return done(event, () => moveInList(1));
    if (event.key === 'ArrowUp' && activeElement?.closest('.res > [data-row]:first-child'))
      return done(event, focusSearch);
    if (activeElement instanceof Element && activeElement.closest('input, textarea, select, [contenteditable]')) return;
    if (dialog?.open) return;
    if (event.key.startsWith('Arrow')) {
      const cell = activeElement?.closest('table.mx .cell, table.mx th a, table.mx summary');
      if (cell) moveInTable(cell, event);
      else if (activeElement?.closest('[data-row]') && (event.key === 'ArrowDown' || event.key === 'ArrowUp'))
        done(event, () => moveInList(event.key === 'ArrowDown' ? 1 : -1));
      return;
    }
    if (localStorage.getItem(OFF) !== null) return;
    single(event, dialog);
  });
}

function single(event: KeyboardEvent, dialog: HTMLDialogElement | null): void {
  const going = performance.now() < goUntil ? linkFor(event.key) : null;
  goUntil = 0;
  if (going) return done(event, () => location.assign(going.href));
  switch (event.key) {
    case '/':
      return done(event, focusSearch);
    case '?':
      return done(event, () => dialog?.showModal());
    case 'g':
      goUntil = performance.now() + GO_MS;
      return;
    case 'j':
      return done(event, () => moveInList(1));
    case 'k':
      return done(event, () => moveInList(-1));
    case 'y': {
      const near = document.activeElement?.closest('.cmd, [data-row], section') ?? document.querySelector('main');
      const button = near?.querySelector<HTMLElement>('[data-copy]');
      if (button) done(event, () => void copyFrom(button));
    }
  }
}

/** The targets depend on the sections that the page has. */
function linkFor(key: string): HTMLAnchorElement | null {
  return /^[a-z]$/u.test(key) ? document.querySelector(`#nav [data-go="${key}"]`) : null;
}

function done(event: Event, act: () => void): void {
  event.preventDefault();
  act();
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#q');
  field?.focus();
  field?.select();
}

/** Leaves the field, or closes the open panel. */
function leave(active: Element | null): void {
  if (active instanceof HTMLInputElement) return active.blur();
  document.querySelector<HTMLElement>('[data-close]')?.click();
}

function moveInList(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
  const target = next?.querySelector<HTMLElement>('summary, a, button') ?? next;
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}

function moveInTable(from: Element, event: KeyboardEvent): void {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>('table.mx tr')].map((row) =>
    [...row.cells].map((cell) => cell.querySelector<HTMLElement>('summary, a')),
  );
  const row = rows.findIndex((cells) => cells.some((cell) => cell === from));
  const column = (rows[row] ?? []).findIndex((cell) => cell === from);
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [
    0, 0,
  ];
  const target = row === -1 ? null : rows[row + (down ?? 0)]?.[column + (right ?? 0)];
  if (target) done(event, () => target.focus());
}
