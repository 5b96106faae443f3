/** Symbols and labels of statuses. Shape and words carry the meaning; color only repeats it. */
import type { Status } from '../agents/status.ts';
import type { Html, Tone } from './html.tsx';

interface Look {
  words: string;
  /** Heading of the explanation. */
  title: string;
  tone: 'ok' | 'cut' | 'hid' | 'bad' | 'no';
  badge: Tone;
  drawing: Html;
}

const outline = { fill: 'none', stroke: 'currentColor', 'stroke-width': '1.6', 'stroke-linecap': 'round' } as const;

export const STATUS_LOOKS: Readonly<Record<Status, Look>> = {
  seen: {
    words: 'full description',
    title: 'Listed with its full description',
    tone: 'ok',
    badge: 'ok',
    drawing: <circle cx="9" cy="9" r="6" fill="currentColor" />,
  },
  shortened: {
    words: 'shortened',
    title: 'Its description is shortened',
    tone: 'cut',
    badge: 'cut',
    drawing: (
      <>
        <circle cx="9" cy="9" r="5.2" {...outline} />
        <path d="M9 3.8a5.2 5.2 0 1 0 5.2 5.2H9z" fill="currentColor" />
      </>
    ),
  },
  'name-only': {
    words: 'name only',
    title: 'Only its name is listed',
    tone: 'cut',
    badge: 'cut',
    drawing: (
      <>
        <circle cx="9" cy="9" r="5.2" {...outline} />
        <path d="M9 3.8a5.2 5.2 0 0 0 0 10.4z" fill="currentColor" />
      </>
    ),
  },
  'other-text': {
    words: 'other text',
    title: 'Listed with text other than its description',
    tone: 'cut',
    badge: 'cut',
    drawing: <path d="M4.5 7h9M4.5 11h9M6.5 14l5-10" {...outline} stroke-width="1.8" />,
  },
  dropped: {
    words: 'dropped from a full list',
    title: 'The list is full, and it was dropped',
    tone: 'bad',
    badge: 'bad',
    drawing: (
      <>
        <circle cx="9" cy="9" r="5.6" {...outline} />
        <path d="M6.2 9h5.6" {...outline} stroke-width="1.8" />
      </>
    ),
  },
  'other-copy': {
    words: 'uses a different version',
    title: 'The agent uses a different version',
    tone: 'hid',
    badge: '',
    drawing: (
      <>
        <rect x="3" y="6" width="8.5" height="8.5" rx="1.5" {...outline} />
        <path d="M6.5 6V4.5A1.5 1.5 0 0 1 8 3h5.5A1.5 1.5 0 0 1 15 4.5V10a1.5 1.5 0 0 1-1.5 1.5h-2" {...outline} />
      </>
    ),
  },
  disabled: {
    words: 'disabled',
    title: 'Disabled',
    tone: 'hid',
    badge: '',
    drawing: (
      <>
        <circle cx="9" cy="9" r="5.6" {...outline} />
        <path d="M5 13 13 5" {...outline} />
      </>
    ),
  },
  'manual-only': {
    words: 'manual only',
    title: 'Only the user can invoke it',
    tone: 'hid',
    badge: '',
    drawing: <path d="M3.5 9h8.5M9 5.5 12.5 9 9 12.5M15 4v10" {...outline} />,
  },
  broken: {
    words: 'broken',
    title: 'The agent cannot read it',
    tone: 'bad',
    badge: 'bad',
    drawing: <path d="M5 5l8 8M13 5l-8 8" {...outline} stroke-width="1.8" />,
  },
  'not-read': {
    words: 'in a folder it does not read',
    title: 'The agent does not read this folder',
    tone: 'no',
    badge: 'line',
    drawing: <path d="M6.5 9h5" {...outline} stroke-width="1.8" />,
  },
  unknown: {
    words: 'not documented',
    title: 'Not documented or observed',
    tone: 'no',
    badge: 'line',
    drawing: <path d="M6.6 7a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2 1-1.2 1.9M9 13.6v.1" {...outline} />,
  },
};

export function StatusMark({ status }: { status: Status }): Html {
  const { tone, drawing } = STATUS_LOOKS[status];
  return (
    <svg class={`g-${tone}`} viewBox="0 0 18 18" aria-hidden="true">
      {drawing}
    </svg>
  );
}
