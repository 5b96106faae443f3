/** Hears of changed files, and shows them. */
import { show } from './fetch-page.ts';
import { signInAgain } from './sign-in-again.ts';

const RETRY_MS = 3_000;

const WORDS = { on: 'Live', late: 'Not live', lost: 'Not live, trying again' } as const;

let source: EventSource | undefined;
let isShowing = false;
let isWanted: string | undefined;

export function stayLive(): void {
  // On the page to sign in there is nothing to hear of.
  if ((document.body.dataset['snapshot'] ?? '') === '') return;
  document.addEventListener('visibilitychange', () => {
    // A browser allows six connections to a host; tabs that nobody looks at leave them to others.
    if (document.hidden) stop();
    else listen();
  });
  document.addEventListener('shown', () => {
    if (source?.readyState === EventSource.OPEN) sayHowLive();
  });
  if (!document.hidden) listen();
}

/** The server may be there, and itself wait for news; then the page says so. */
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
  // The server closes it behind this. Nothing is lost then, so there is nothing to try again.
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
  // At once: what is on the screen may no longer be theirs to see.
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

/** One request at a time; what changes meanwhile is shown by the next. */
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
    // The server is gone; the stream says so and tries again.
  } finally {
    isShowing = false;
  }
}
