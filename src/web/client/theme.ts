/** The button that cycles through system, light and dark colors. A cookie stores the choice, so that pages load without a flash. */
const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const;
type Theme = keyof typeof NEXT;
const KEPT_SECONDS = 365 * 24 * 60 * 60;

export function offerThemes(): void {
  document.querySelector('[data-theme-button]')?.addEventListener('click', ({ currentTarget }) => {
    const now = (document.documentElement.dataset['theme'] ?? 'system') as Theme;
    const next = NEXT[now];
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
    document.cookie = `lectern-theme=${next}; Path=/; SameSite=Strict; Max-Age=${KEPT_SECONDS}`;
    document
      .querySelector('meta[name="color-scheme"]')
      ?.setAttribute('content', next === 'system' ? 'light dark' : next);
    if (currentTarget instanceof Element)
      currentTarget.setAttribute('aria-label', `Theme: ${next === 'system' ? 'same as the system' : next}`);
  });
}
