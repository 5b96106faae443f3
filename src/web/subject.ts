/** What a page is about: a project on this machine, or what a caller sees of a shared catalog. */
import type { Context } from '../http/routes.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Here } from './html.tsx';
import type { Places } from './places.ts';
import type { Page } from './page.ts';

export interface Subject {
  readonly pages: readonly Page[];
  /** What is said above the field for a token. */
  readonly tokenWords: string;
  /** How many bytes a token may have, with what a form adds. */
  readonly tokenBytes: number;
  /** Who signed in can sign out: the cookie would outlive the server. */
  readonly canSignOut: boolean;
  /** The address that browsers use, if that is not the one they say. */
  readonly origin?: string | undefined;
  /** What a request is answered from: all of it from the same. */
  open(context: Context): Promise<Reader>;
  /** For the frame; also if nothing could be opened. */
  here(context: Context): Promise<Here>;
  /** For the frame of a page that is shown to everyone. */
  nowhere(): Here;
  places(request: Request, context: Context): Promise<Places>;
  /** Further headers of every answer. */
  headers?(context: Context): Readonly<Record<string, string>>;
  /** The stream that tells a page to fetch itself again. */
  events(context: Context): Response;
  close(): void;
}
