/** The frame of every page, and components that pages share. */
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { VERSION } from '../core/version.ts';
import { grouped } from '../core/text.ts';
import { script, styles } from './assets.ts';
import type { Here } from './here.ts';
import type { Section } from './page.ts';

export type Html = JSX.Element;

/** Data of the frame around every page. */
export interface FrameData {
  /** The project, or the teams of the caller. */
  title: string;
  /** The branch, or the number of the snapshot. */
  detail?: string | undefined;
  /** Undefined if unknown, as on the sign-in page. */
  counts?: Readonly<Partial<Record<Section, number>>> | undefined;
  /** Changes with the content of pages; empty for pages that do not update themselves. */
  snapshot: string;
  /** When the files were read, and how long it took. */
  read?: { at: Date; ms: number } | undefined;
  /** Shown if the content may be out of date. */
  warning?: string | undefined;
}

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface FrameProps {
  data: FrameData;
  title: string;
  theme: Theme;
  /** The section of each page, with repetitions. */
  sections: readonly Section[];
  section?: Section | undefined;
  canSignOut?: boolean;
  /** Address of the JSON twin. */
  twin?: string | undefined;
  /** The search query. */
  query?: string | undefined;
  children?: Child;
}

/** The last element is the key to press after `g`. */
const NAVIGATION = [
  ['overview', '/', 'Overview', 'o'],
  ['skills', '/skills', 'Skills', 's'],
  ['agents', '/agents', 'Agents', 'a'],
  ['specs', '/specs', 'Specs', 'p'],
  ['changes', '/changes', 'Changes', 'c'],
  ['sources', '/sources', 'Sources', 'u'],
  ['problems', '/problems', 'Problems', undefined],
] as const;

function navigationOf({ sections }: Pick<FrameProps, 'sections'>): (typeof NAVIGATION)[number][] {
  return NAVIGATION.filter(([name]) => sections.includes(name));
}

export function Frame(props: FrameProps): Html {
  const { data, title, theme } = props;
  return (
    <html lang="en" {...(theme === 'system' ? {} : { 'data-theme': theme })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
        <title>{`${title} · Lectern`}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={styles.path} />
        <script src={script.path} defer></script>
      </head>
      <body data-snapshot={data.snapshot}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <div class="top-in">
            <TopBar {...props} />
            {props.sections.length === 0 ? null : <Navigation {...props} />}
          </div>
        </header>
        <Parts {...props} />
        <Keys {...props} />
      </body>
    </html>
  );
}

/** The parts of a page that change with the files. The script merges them into the open page. */
export function Part(props: FrameProps): Html {
  return (
    <>
      <Place {...props} />
      <Navigation {...props} />
      <Parts {...props} />
    </>
  );
}

function Parts({ data, title, sections, twin, children }: FrameProps): Html {
  return (
    <>
      <main
        id="main"
        tabindex={-1}
        data-title={`${title} · Lectern`}
        data-snapshot={data.snapshot}
        data-late={data.warning === undefined ? undefined : ''}
      >
        <Hatch />
        {data.warning === undefined ? null : (
          <div class="note" role="status">
            <Sign of="warn" />
            <div>{data.warning}</div>
          </div>
        )}
        {children}
      </main>
      <footer class="foot" id="foot">
        <span>Lectern {VERSION}</span>
        {data.read === undefined ? (
          <span>{[data.title, data.detail].filter(Boolean).join(', ')}</span>
        ) : (
          <span>
            Read at <time datetime={data.read.at.toISOString()}>{data.read.at.toTimeString().slice(0, 8)}</time>, in{' '}
            {grouped(Math.round(data.read.ms))} ms
          </span>
        )}
        {twin === undefined ? null : <Link to={twin}>This page as JSON</Link>}
        {sections.length === 0 ? null : (
          <button type="button" class="plain" data-keys>
            Keys <kbd>?</kbd>
          </button>
        )}
      </footer>
    </>
  );
}

function Place({ data: { title, detail } }: FrameProps): Html {
  return (
    <span class="place" id="place">
      {title} {detail === undefined ? null : <span class="tiny">· {detail}</span>}
    </span>
  );
}

function TopBar(props: FrameProps): Html {
  const { theme, sections, canSignOut = false } = props;
  return (
    <div class="bar1">
      <Link class="brand" to="/">
        <Mark />
        Lectern
      </Link>
      <Place {...props} />
      {sections.length === 0 ? <span class="find"></span> : <Find {...props} />}
      {sections.length === 0 ? null : (
        <span class="live" role="status" data-live-state="off">
          <i></i>
          <span>Not live</span>
        </span>
      )}
      <button class="iconb" type="button" data-theme-button aria-label={`Theme: ${themeInWords(theme)}`}>
        <svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5">
          <circle cx="8" cy="8" r="5.5" />
          <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
        </svg>
      </button>
      {canSignOut ? (
        <form method="post" action="/logout">
          <button class="plain">Sign out</button>
        </form>
      ) : null}
    </div>
  );
}

function Find({ query, section }: FrameProps): Html {
  return (
    <form class="find" role="search" action="/search" data-live={section === 'search' ? 'find' : undefined}>
      <svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6">
        <circle cx="7" cy="7" r="4.5" />
        <path d="M10.5 10.5 14 14" stroke-linecap="round" />
      </svg>
      <label class="vh" for="q">
        Search skills, specs and changes
      </label>
      <input
        class="field"
        id="q"
        name="q"
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder="Search skills, specs and changes"
        value={query}
      />
      <kbd aria-hidden="true">/</kbd>
      {section === 'search' ? null : (
        <div id="palette" class="palette" hidden>
          <p class="vh" role="status"></p>
          <div role="listbox" id="palette-list" aria-label="Results"></div>
        </div>
      )}
    </form>
  );
}

function themeInWords(theme: Theme): string {
  return theme === 'system' ? 'same as the system' : theme;
}

function Navigation({ data: { counts = {} }, section, sections }: FrameProps): Html {
  return (
    <nav class="nav" id="nav" aria-label="Main">
      {navigationOf({ sections }).map(([name, to, label, key]) => {
        const number = counts[name];
        return (
          <Link to={to} aria-current={name === section ? 'page' : undefined} data-go={key}>
            {label}
            {number === undefined ? null : ' '}
            {number === undefined ? null : (
              <span class={name === 'problems' && number > 0 ? 'n hot' : 'n'}>{grouped(number)}</span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}

function Mark(): Html {
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linejoin="round"
      stroke-linecap="round"
    >
      <path d="M3 4.5 17 2.5v5L3 9.5zM9.5 8.8V15M6 17.5h7.5M9.7 15v2.5" />
    </svg>
  );
}

/** The fill pattern for dropped text, which plots refer to. */
function Hatch(): Html {
  return (
    <svg width="0" height="0" class="vh" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-bg" width="6" height="6" />
          <line class="hatch-fg" x1="0" y1="0" x2="0" y2="6" stroke-width="3" />
        </pattern>
      </defs>
    </svg>
  );
}

const KEYS = [
  ['j k', 'next and previous in a list'],
  ['Enter', 'open'],
  ['y', 'copy the focused command'],
  ['?', 'show these shortcuts'],
  ['Esc', 'close, or leave a field'],
] as const;

const IN_AGENTS = ['← ↑ ↓ →', 'move in the agent table'] as const;

function Keys({ sections }: FrameProps): Html {
  const going = navigationOf({ sections }).flatMap(([name, , , key]) =>
    key === undefined ? [] : [[`g ${key}`, name]],
  );
  return (
    <dialog id="keys" aria-labelledby="keys-h">
      <h2 id="keys-h">Keyboard shortcuts</h2>
      <dl class="keys">
        {[['/', 'search'] as const, ...going, ...KEYS, ...(sections.includes('agents') ? [IN_AGENTS] : [])].map(
          ([keys = '', action]) => (
            <div>
              <dt>
                {keys.split(' ').map((key) => (
                  <kbd>{key}</kbd>
                ))}
              </dt>
              <dd>{action}</dd>
            </div>
          ),
        )}
      </dl>
      <form method="dialog">
        <label>
          <input type="checkbox" data-single-keys checked /> Use single-key shortcuts
        </label>
        <button class="chip">Close</button>
      </form>
    </dialog>
  );
}

type LinkProps = { to: string; children?: Child; class?: string | undefined; [attribute: string]: unknown };

/** All links use this component. Addresses other than our own, web and mail addresses become plain text, so no link can run a script. */
export function Link({ to, children, ...rest }: LinkProps): Html {
  if (/^(?:[?#]|\/(?![/\\]))/u.test(to))
    return (
      <a href={to} {...rest}>
        {children}
      </a>
    );
  if (isWebAddress(to))
    return (
      <a href={to} rel="noopener noreferrer" {...rest}>
        {children}
      </a>
    );
  return <span {...rest}>{children}</span>;
}

export function isWebAddress(to: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s]+$/iu.test(to) && URL.canParse(to);
}

/** A command with a Copy button. The copied text includes the flags for this project and home. */
export function Command({ run, here }: { run: string; here: Here }): Html {
  return (
    <span class="cmd">
      <code>
        {here
          .say(run)
          .split(' ')
          .map((word, index) => (
            <>
              {index === 0 ? '' : ' '}
              <span class="word">{word}</span>
            </>
          ))}
      </code>
      <button type="button" data-copy={here.command(run)} aria-label={`Copy: ${here.say(run)}`}>
        Copy
      </button>
    </span>
  );
}

export type Tone = 'ok' | 'warn' | 'bad' | 'cut' | 'acc' | 'line' | '';

/** A label whose color only repeats its words. */
export function Badge({ tone = '', children }: { tone?: Tone; children?: Child }): Html {
  return <span class={tone === '' ? 'b' : `b ${tone}`}>{children}</span>;
}

/** Explains that the copy in an address, which may come from another machine, is not here. */
export function CopyNote({
  isMissing,
  copy,
}: {
  isMissing: boolean | undefined;
  copy: string | undefined;
}): Html | null {
  if (isMissing !== true) return null;
  return (
    <div class="note" role="status">
      <Sign of="warn" />
      <div>
        The copy in this address is not here: <code>{copy}</code>. The page shows the skill with this name.
      </div>
    </div>
  );
}

/** A progress bar with a text alternative. @public */
export function Bar({ value, max, label }: { value: number; max: number; label: string }): Html {
  const width = max <= 0 ? 0 : Math.min(100, (value * 100) / max);
  return (
    <svg class="prog" viewBox="0 0 100 5" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="track" width="100" height="5" rx="2" />
      <rect class="fill" width={width.toFixed(1)} height="5" rx="2" />
    </svg>
  );
}

/** A heading with an optional note and link. */
export function SectionHead({
  id,
  title,
  note,
  more,
}: {
  id: string;
  title: string;
  note?: Child;
  more?: Child;
}): Html {
  return (
    <div class="sec-h">
      <h2 id={id}>{title}</h2>
      {note === undefined ? null : <span class="dim small">{note}</span>}
      {more === undefined ? null : <span class="more">{more}</span>}
    </div>
  );
}

const SIGNS = {
  bad: (
    <svg class="ic bad" viewBox="0 0 18 18" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8">
      <path d="M4.5 4.5l9 9M13.5 4.5l-9 9" stroke-linecap="round" />
    </svg>
  ),
  warn: (
    <svg class="ic warn" viewBox="0 0 18 18" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6">
      <path d="M9 2.5 16.5 15.5h-15zM9 7.2v4M9 13.3v.1" stroke-linejoin="round" stroke-linecap="round" />
    </svg>
  ),
  cut: (
    <svg class="ic cut" viewBox="0 0 18 18" aria-hidden="true">
      <circle cx="9" cy="9" r="5.2" fill="none" stroke="currentColor" stroke-width="1.6" />
      <path d="M9 3.8a5.2 5.2 0 0 0 0 10.4z" fill="currentColor" />
    </svg>
  ),
  ok: (
    <svg class="ic ok" viewBox="0 0 18 18" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8">
      <path d="M3.5 9.5l3.5 3.5 7.5-8" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  ),
} as const;

export function Sign({ of }: { of: keyof typeof SIGNS }): Html {
  return SIGNS[of];
}
