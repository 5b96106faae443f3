/** Maps paths to handlers. A handler converts a web-standard request to a web-standard response. */

/** The results of the guards for a request. */
export interface Context {
  /** Identifies the caller's token. Sessions are bound to it. */
  caller: string;
  /** The network that the request came from: see `networkOf`. */
  from: string;
  /** Data about the caller, attached during authentication for later use. */
  who?: object | undefined;
  /** The values of the path's `:name` segments, percent-decoded once. */
  params: Readonly<Record<string, string>>;
  /** Resolves when the response has been delivered or the client has disconnected. */
  finished: Promise<void>;
  /** Marks the response as an endless stream, so that closing the server does not wait for it. */
  isStream(): void;
  /** Signs in the browser that sent this token. */
  signIn(token: string): Promise<SignedIn>;
  /** The token stored in the browser, valid or not. */
  cookieToken?: string | undefined;
  /** The cookie that signs a browser out, if that is supported. */
  signOut: string | undefined;
  /** Whether callers need a token. */
  needsToken: boolean;
  /** Adds fields to the record of the request, such as the name of a tool. Never add contents or secrets. */
  note(fields: RecordFields): void;
}

/** The cookie that signs a browser in, or the reason for the refusal. */
export type SignedIn = { cookie: string } | { refused: string; status: number };

export type RecordFields = Readonly<Record<string, string | number>>;

export type Handler = (request: Request, context: Context) => Response | Promise<Response>;

export type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS';

export interface Route {
  /**
   * `/healthz`, or with parameters `/skills/:name`. A star matches several segments, as in `/specs/:id*`. `*` alone answers
   * browsers at paths without a route.
   */
  path: string;
  /** To support HEAD, list the GET handler under both: the body of a reply to HEAD is not sent. */
  methods: Readonly<Partial<Record<Method, Handler>>>;
  /** Does not require a token. */
  isPublic?: boolean;
  /** Allows requests from pages of any origin. Use it only for public data. */
  anyOrigin?: boolean;
  /** The scope that the caller's token must have, if tokens have scopes. */
  scope?: string;
  /** Set for parts of a page: signed-in browsers may read it, and others are redirected to this path. */
  signInAt?: string;
  /** The content type of request bodies. JSON by default. */
  accepts?: string;
  /** Overrides the default size limit of request bodies. */
  maxBytes?: number;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

export class RouteTable {
  /** Entry points for people and agents: the short paths, and only the first one of the page. */
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

  /** The route that answers browsers at paths without a route. */
  get elsewhere(): Match | undefined {
    return this.#elsewhere && { route: this.#elsewhere, params: {} };
  }

  /** Finds the route of a path as it was sent. Fixed paths win, then the first matching pattern. */
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
