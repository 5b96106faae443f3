/** The script of the web interface. All pages, links and forms also work without it. */
import { offerCopies } from './copy.ts';
import { show, showMore } from './fetch-page.ts';
import { useKeys } from './keys.ts';
import { stayLive } from './live.ts';
import { offerPalette } from './palette.ts';
import { offerThemes } from './theme.ts';

/** Delay after the last key, so that typing a word makes one request. */
const TYPING_MS = 120;
/** Load the next page of a list before the reader reaches it. */
const AHEAD = '1200px';

document.documentElement.dataset['script'] = '';
offerCopies();
offerThemes();
offerPalette();
useKeys();
stayLive();

/** Scrolls to the current tab. On a phone, not all tabs may fit. */
function showTabs(): void {
  for (const tab of document.querySelectorAll<HTMLElement>('#nav [aria-current], .tabs [aria-current]')) {
    const nav = tab.parentElement;
    if (!nav) continue;
    const [here, frame] = [tab.getBoundingClientRect(), nav.getBoundingClientRect()];
    if (here.left < frame.left || here.right > frame.right) nav.scrollLeft += here.right - frame.right;
  }
}
document.addEventListener('shown', showTabs);
showTabs();

/** Forms that update results while the user types. */
let typing: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('input', ({ target }) => {
  const form = target instanceof HTMLInputElement ? target.form : null;
  if (!form?.dataset['live']) return;
  clearTimeout(typing);
  typing = setTimeout(() => {
    const url = new URL(form.action);
    // Keep filters that were set by links, but return to the first page of the list.
    const values = new URLSearchParams(url.pathname === location.pathname ? location.search : '');
    values.delete('cursor');
    for (const [key, value] of new FormData(form))
      if (typeof value === 'string' && value !== '') values.set(key, value);
      else values.delete(key);
    url.search = values.toString();
    history.replaceState(null, '', url);
    void show(url.href);
  }, TYPING_MS);
});

/** Links that change the content of the current page. */
document.addEventListener('click', (event) => {
  const { target } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-soft]') : null;
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  void follow(link);
});

async function follow({ href, hash }: HTMLAnchorElement): Promise<void> {
  if (!(await show(href))) return location.assign(href);
  history.pushState(null, '', href);
  const panel = hash === '' ? null : document.getElementById(hash.slice(1));
  // Next to the list, the panel is already visible. On a phone it is below the list and may not be.
  if (panel && panel.getBoundingClientRect().top > innerHeight * 0.8) panel.scrollIntoView();
}
addEventListener('popstate', () => void show(location.href));

/** Loads the next page of a list on scroll. */
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) {
        near.unobserve(target);
        const link = target.querySelector<HTMLAnchorElement>('a');
        if (link) void showMore(link);
      }
  },
  { rootMargin: AHEAD },
);
function watchMore(): void {
  const more = document.getElementById('more');
  if (more) near.observe(more);
}
document.addEventListener('shown', watchMore);
watchMore();
