/** Maps paths to handlers. A handler turns a web-standard request into a web-standard response. */

/** What the guards found out about a request. */
export interface Context {
  /** Identifies the caller's token; sessions are bound to it. */
  caller: string;
  /** The network that the request came from: see `networkOf`. */
  from: string;
  /** What those who identified the caller want to know of it later. */
  who?: object | undefined;
  /** The values of the path's `:name` segments, percent-decoded once. */
  params: Readonly<Record<string, string>>;
  /** Resolves when the response has been delivered or the caller has hung up. */
  finished: Promise<void>;
  /** Says that the response is a stream without an end of its own, so that closing the server does not wait for it. */
  isStream(): void;
  /** For a browser that sent this token. */
  signIn(token: string): Promise<SignedIn>;
  /** The token that a browser has kept, good or not. */
  kept?: string | undefined;
  /** The cookie that signs a browser out, where that is possible. */
  signOut: string | undefined;
  /** Callers must know a token. */
  needsToken: boolean;
  /** Adds to what is told about the request when it is done, such as the name of a tool. Never contents or secrets. */
  note(facts: Facts): void;
}

/** The cookie that signs a browser in, or why it gets none. */
export type SignedIn = { cookie: string } | { refused: string; status: number };

export type Facts = Readonly<Record<string, string | number>>;

export type Handler = (request: Request, context: Context) => Response | Promise<Response>;

export type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS';

export interface Route {
  /**
   * `/healthz`, or with parameters `/skills/:name`. A star takes several segments, as in `/specs/:id*`. `*` alone answers a
   * browser where nothing else is served.
   */
  path: string;
  /** To answer HEAD as well, list the GET handler under both: the body of a reply to HEAD is not sent. */
  methods: Readonly<Partial<Record<Method, Handler>>>;
  /** Answers without a token. */
  isPublic?: boolean;
  /** Answers pages of every origin. Only for what is public anyway. */
  anyOrigin?: boolean;
  /** What the caller's token must allow, where tokens differ in that. */
  scope?: string;
  /** Part of a page: a browser that signed in may read it, and any other is sent to this path to do so. */
  signInAt?: string;
  /** The content type of request bodies; JSON by default. */
  accepts?: string;
  /** If bodies may be longer than elsewhere, or must be shorter. */
  maxBytes?: number;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

export class RouteTable {
  /** Where people and agents start: the short ones, and of the page only its first one. */
  readonly paths: readonly string[];
  readonly #fixed = new Map<string, Route>();
  readonly #patterns: { segments: readonly string[]; route: Route }[] = [];

  readonly #elsewhere: Route | undefined;

  constructor(routes: readonly Route[]) {
    this.paths = routes.flatMap(({ path, signInAt }) =>
      /^\/[^/:*]*$/u.test(path) && (signInAt === undefined || path === '/') ? [path] : [],
    );
    this.#elsewhere = routes.find(({ path }) => path === '*');
    for (const route of routes) {
      if (route.path.includes('/:')) this.#patterns.push({ segments: route.path.split('/'), route });
      else this.#fixed.set(route.path, route);
    }
  }

  /** What answers a browser at a path where nothing is served. */
  get elsewhere(): Match | undefined {
    return this.#elsewhere && { route: this.#elsewhere, params: {} };
  }

  /** The route of a path as it was sent. Fixed paths win, then the first pattern that fits. */
  find(path: string): Match | undefined {
    const route = this.#fixed.get(path);
    if (route) return { route, params: {} };
    const segments = path.split('/');
    for (const pattern of this.#patterns) {
      const params = matchSegments(pattern.segments, segments);
      if (params) return { route: pattern.route, params };
    }
    return undefined;
  }
}

/** An encoded slash belongs to its segment, so the path is split before it is decoded. */
function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const last = pattern.at(-1) ?? '';
  if (last.endsWith('*')) {
    const [before, rest] = [pattern.slice(0, -1), segments.slice(pattern.length - 1)];
    const params = matchSegments(before, segments.slice(0, before.length));
    const values = rest.map(decode);
    if (!params || values.length === 0 || values.some((value) => value === undefined || value === '')) return undefined;
    return { ...params, [last.slice(1, -1)]: values.join('/') };
  }
  if (pattern.length !== segments.length) return undefined;
  const params: [string, string][] = [];
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!expected.startsWith(':')) {
      if (segment !== expected) return undefined;
      continue;
    }
    const value = decode(segment);
    if (value === undefined || value === '') return undefined;
    params.push([expected.slice(1), value]);
  }
  return Object.fromEntries(params);
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
