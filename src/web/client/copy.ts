/** Copies commands. */
const SAID_MS = 1_500;

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
  setTimeout(() => (button.textContent = label), SAID_MS);
}

/** Browsers let only pages from this machine, or over TLS, use the clipboard; elsewhere the command is selected. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
