/** The subject of the web interface: a project on this machine, or the part of a shared catalog that a caller can see. */
import type { Context } from '../http/routes.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Here } from './here.ts';
import type { FrameData } from './html.tsx';
import type { Page } from './page.ts';

export interface Subject {
  readonly pages: readonly Page[];
  /** The text above the token field. */
  readonly tokenWords: string;
  /** Maximum size of the sign-in form. */
  readonly tokenBytes: number;
  /** Whether users can sign out. Needed if the cookie outlives the server. */
  readonly canSignOut: boolean;
  /** The public origin, if it differs from the Host header. */
  readonly origin?: string | undefined;
  /** Returns the data for a request. Everything on one page comes from the same reader. */
  open(context: Context): Promise<Reader>;
  /** Data for the frame. Also works if nothing could be opened. */
  frame(context: Context): Promise<FrameData>;
  /** Data for the frame of public pages. */
  publicFrame(): FrameData;
  here(request: Request, context: Context): Promise<Here>;
  /** The home folder, if visitors must not learn its path. Replies then have `~` instead. */
  hiddenHome?(): string | undefined;
  /** Additional headers of every reply. */
  headers?(context: Context): Readonly<Record<string, string>>;
  /** Opens the stream that makes a page reload its content. */
  events(context: Context): Response;
  close(): void;
}
