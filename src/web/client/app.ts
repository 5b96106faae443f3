/** Makes the page live. Without it every view, link and form works too. */
import { offerCopies } from './copy.ts';
import { show, showMore } from './fetch-page.ts';
import { useKeys } from './keys.ts';
import { stayLive } from './live.ts';
import { offerThemes } from './theme.ts';

/** After the last key, so that a word is one request. */
const TYPING_MS = 120;
/** The next page of a list is there before the reader is. */
const AHEAD = '1200px';

document.documentElement.dataset['script'] = '';
offerCopies();
offerThemes();
useKeys();
stayLive();

/** On a phone, not all tabs may fit: the one of this page is among those in view. */
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

/** Forms that show results while somebody types. */
let typing: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('input', ({ target }) => {
  const form = target instanceof HTMLInputElement ? target.form : null;
  if (!form?.dataset['live']) return;
  clearTimeout(typing);
  typing = setTimeout(() => {
    const url = new URL(form.action);
    // What links of the same page chose stays, such as the kind of results; the page of a list does not.
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

/** Links that only change what the same page shows. */
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
  // Beside the list it is in view already; below it, on a phone, it may not be.
  if (panel && panel.getBoundingClientRect().top > innerHeight * 0.8) panel.scrollIntoView();
}
addEventListener('popstate', () => void show(location.href));

/** Lists that go on. */
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
