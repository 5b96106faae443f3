/**
 * A page is an operation and a pure component that renders its output. The same values give the page as HTML and, below
 * /api, the operation's output as JSON.
 */
import type { Child } from 'hono/jsx';
import type { ExplainedError } from '../core/failure.ts';
import type { AnyOperation } from '../operations/define.ts';
import type { AnswerOf, GivenTo } from '../operations/perform.ts';
import type { Here } from './here.ts';

/** The path and query values of an address. */
export type Values = Readonly<Record<string, string | undefined>>;

export const SECTIONS = ['overview', 'skills', 'agents', 'specs', 'changes', 'sources', 'problems', 'search'] as const;
export type Section = (typeof SECTIONS)[number];

/** Passed to a page together with the output of its operation. */
export interface PageContext {
  values: Values;
  here: Here;
  /** Runs another operation on the same data. */
  ask<Op extends AnyOperation>(operation: Op, input?: GivenTo<Op, 'web'>): Promise<AnswerOf<Op>>;
}

export interface PageContent {
  /** The window title. Must not contain a local path. */
  title: string;
  main: Child;
  /** HTTP status; 200 by default. */
  status?: number;
}

/** A file that the browser saves instead of displaying it. */
export interface Download {
  name: string;
  bytes: Uint8Array;
}

export interface Page<Op extends AnyOperation = AnyOperation> {
  /** Such as `/skills/:name`. */
  path: string;
  section: Section;
  /** The page shows the user's own files and settings of agents, so only this machine can open it. */
  isPrivate?: true;
  twin: {
    /** Such as `/api/skill`; path parameters have the names of the values. */
    path: string;
    operation: Op;
    /** Input of the operation, for the page and its twin. The operation validates it; undefined values are dropped. */
    input(values: Values): Readonly<Record<string, unknown>>;
  };
  show(output: AnswerOf<Op>, context: PageContext): PageContent | Download | Promise<PageContent | Download>;
  /** Replaces the error page for failures that the page can explain better. */
  failed?(error: ExplainedError, context: PageContext): PageContent | undefined | Promise<PageContent | undefined>;
}

/** Infers the operation type, so that `show` is checked against its output. */
export function definePage<Op extends AnyOperation>(page: Page<Op>): Page {
  return page as unknown as Page;
}
