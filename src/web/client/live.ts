/** Updates the page when files change. */
import { show } from './fetch-page.ts';
import { signInAgain } from './sign-in-again.ts';

const RETRY_MS = 3_000;

const WORDS = { on: 'Live', late: 'Not live', lost: 'Not live, reconnecting' } as const;

let source: EventSource | undefined;
let isShowing = false;
let isWanted: string | undefined;

export function stayLive(): void {
  // The sign-in page has no live content.
  if ((document.body.dataset['snapshot'] ?? '') === '') return;
  document.addEventListener('visibilitychange', () => {
    // Browsers allow six connections per host, so hidden tabs release theirs.
    if (document.hidden) stop();
    else listen();
  });
  document.addEventListener('shown', () => {
    if (source?.readyState === EventSource.OPEN) sayHowLive();
  });
  if (!document.hidden) listen();
}

/** The server may be reachable but out of date itself. */
function sayHowLive(): void {
  say(document.getElementById('main')?.dataset['late'] === undefined ? 'on' : 'late');
}

function stop(): void {
  source?.close();
  source = undefined;
}

function listen(): void {
  stop();
  const stream = new EventSource('/api/events');
  source = stream;
  for (const kind of ['here', 'changed'])
    stream.addEventListener(kind, ({ data }: MessageEvent<string>) => {
      sayHowLive();
      const { snapshot } = JSON.parse(data) as { snapshot: string };
      void catchUp(snapshot);
    });
  // The server closes the stream after this event on purpose, so the browser must not reconnect.
  stream.addEventListener('ended', () => {
    stream.close();
    void listenAgain(stream);
  });
  stream.addEventListener('error', () => {
    say('lost');
    if (stream.readyState === EventSource.CLOSED) void listenAgain(stream);
  });
}

async function listenAgain(stream: EventSource): Promise<void> {
  // Without delay, because the user may no longer be allowed to see the content on screen.
  if (await signInAgain()) return;
  setTimeout(() => {
    if (source === stream && !document.hidden) listen();
  }, RETRY_MS);
}

function say(state: keyof typeof WORDS): void {
  const status = document.querySelector<HTMLElement>('[data-live-state]');
  if (!status || status.dataset['liveState'] === state) return;
  status.dataset['liveState'] = state;
  const words = status.querySelector('span');
  if (words) words.textContent = WORDS[state];
}

/** Makes one request at a time. The next one includes changes that arrive in the meantime. */
async function catchUp(snapshot: string): Promise<void> {
  isWanted = snapshot;
  if (isShowing) return;
  isShowing = true;
  try {
    while (isWanted !== undefined && isWanted !== document.getElementById('main')?.dataset['snapshot']) {
      isWanted = undefined;
      if (!(await show(location.href, { tint: true }))) break;
    }
  } catch {
    // The server is unreachable. The stream reports it and reconnects.
  } finally {
    isShowing = false;
  }
}
