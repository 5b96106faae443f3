/**
 * A page: an operation, and a pure component that shows its result. The same address and the same values give the page as
 * HTML and, below /api, the operation's own output as JSON.
 */
import type { Child } from 'hono/jsx';
import type { ExplainedError } from '../core/failure.ts';
import type { AnyOperation } from '../operations/define.ts';
import type { AnswerOf, GivenTo } from '../operations/perform.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Places } from './places.ts';

/** The values of an address: those of its path, and those of its query. */
export type Values = Readonly<Record<string, string | undefined>>;

export const SECTIONS = ['overview', 'skills', 'agents', 'specs', 'changes', 'sources', 'problems', 'search'] as const;
export type Section = (typeof SECTIONS)[number];

/** What a page may ask for besides its own operation. */
export interface PageContext {
  values: Values;
  places: Places;
  /** How long its own operation took. */
  tookMs: number;
  /** For what no operation tells. */
  reader: Reader;
  /** The output of any operation. */
  ask<Op extends AnyOperation>(operation: Op, input?: GivenTo<Op, 'web'>): Promise<AnswerOf<Op>>;
}

/** What a page shows. */
export interface PageContent {
  /** For the title of the window; no path of the machine. */
  title: string;
  main: Child;
  /** If the reply says that something is missing. */
  status?: number;
}

/** A file that the browser keeps instead of showing it. */
export interface Download {
  name: string;
  bytes: Uint8Array;
}

export interface Page<Op extends AnyOperation = AnyOperation> {
  /** Such as `/skills/:name`. */
  path: string;
  section: Section;
  twin: {
    /** Such as `/api/skill`; path parameters have the names of the values. */
    path: string;
    operation: Op;
    /** What the operation is context, for the page and for its twin. It checks this itself; what is undefined is left out. */
    input(values: Values): Readonly<Record<string, unknown>>;
  };
  show(output: AnswerOf<Op>, context: PageContext): PageContent | Download | Promise<PageContent | Download>;
  /** What to show instead of an error page if the operation fails for a reason that the page is about. */
  failed?(error: ExplainedError, context: PageContext): PageContent | undefined | Promise<PageContent | undefined>;
}

/** Keeps the type of the operation, so that `show` is checked against it. */
export function definePage<Op extends AnyOperation>(page: Page<Op>): Page {
  return page as unknown as Page;
}
