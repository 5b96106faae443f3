/** Maps paths to handlers. A handler turns a web-standard request into a web-standard response. */

/** What the guards found out about a request. */
export interface Context {
  /** Identifies the caller's token; sessions are bound to it. */
  caller: string;
  /** The values of the path's `:name` segments, percent-decoded once. */
  params: Readonly<Record<string, string>>;
  /** Resolves when the response has been delivered or the caller has hung up. */
  finished: Promise<void>;
  /** Says that the response is a stream without an end of its own, so that closing the server does not wait for it. */
  isStream(): void;
}

export type Handler = (request: Request, context: Context) => Response | Promise<Response>;

export type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE';

export interface Route {
  /** `/healthz`, or with parameters `/skills/:name`. */
  path: string;
  /** To answer HEAD as well, list the GET handler under both: the body of a reply to HEAD is not sent. */
  methods: Readonly<Partial<Record<Method, Handler>>>;
  /** Answers without a token. */
  isPublic?: boolean;
  /** The content type of request bodies; JSON by default. */
  accepts?: string;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

export class RouteTable {
  readonly paths: readonly string[];
  readonly #fixed = new Map<string, Route>();
  readonly #patterns: { segments: readonly string[]; route: Route }[] = [];

  constructor(routes: readonly Route[]) {
    this.paths = routes.map(({ path }) => path);
    for (const route of routes) {
      if (route.path.includes('/:')) this.#patterns.push({ segments: route.path.split('/'), route });
      else this.#fixed.set(route.path, route);
    }
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
