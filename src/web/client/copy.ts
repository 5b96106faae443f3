/** Copies commands. */
const CONFIRMATION_MS = 1_500;

export function offerCopies(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    if (button) void copyFrom(button);
  });
}

export async function copyFrom(button: HTMLElement): Promise<void> {
  const text = button.dataset['copy'] ?? '';
  const isCopied = await write(text);
  const label = button.textContent;
  button.textContent = isCopied ? 'Copied' : 'Press Ctrl C';
  setTimeout(() => (button.textContent = label), CONFIRMATION_MS);
}

/** Browsers only allow clipboard access from localhost or over TLS. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
