/** Serves the pages in their frame, and their JSON twins. Every address is read-only. */
import { bugId, explain, type ExplainedError, Failure, type FailureCode } from '../core/failure.ts';
import { isClose, nearest } from '../core/near.ts';
import { count, jsonText, showHidden } from '../core/text.ts';
import { cookiesNamed } from '../http/cookies.ts';
import type { Service } from '../http/listen.ts';
import type { Context, Handler, Route } from '../http/routes.ts';
import { WrongTries } from '../http/wrong-tries.ts';
import type { AnyOperation } from '../operations/define.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { address } from './address.ts';
import { askOperation } from './ask.ts';
import { type Asset, icon, script, styles } from './assets.ts';
import { FILE_HEADERS, FORM_HEADERS, HEADERS, reply } from './headers.ts';
import { Frame, Part, type Theme, THEMES } from './html.tsx';
import { ErrorPage, NothingHere } from './pages/errors.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { hideHome, inJson, inMarkup } from './hide-home.ts';
import type { Subject } from './subject.ts';
import type { Download, Page, PageContent, PageContext, Section, Values } from './page.ts';

interface PageLog {
  warn(line: string): void;
  bug(error: unknown): void;
}

const SIGN_IN = '/login';
const SIGN_OUT = '/logout';
const FORM = 'application/x-www-form-urlencoded';
const HTML = 'text/html; charset=utf-8';
/** A page and its twin get the same fields. */
const FOR_PAGE = { isForPage: true };
const JSON_TYPE = 'application/json; charset=utf-8';

export function pageService(subject: Subject, log: PageLog): Service {
  const site = new Site(subject, log);
  const get = (handler: Handler): Route['methods'] => ({ GET: handler, HEAD: handler });
  const ofPage = (route: Omit<Route, 'signInAt'>): Route => ({ ...route, signInAt: SIGN_IN });
  const behindSignIn = (route: Omit<Route, 'signInAt'>): Route => ofPage({ ...route, scope: 'read' });
  const form = { accepts: FORM, maxBytes: subject.tokenBytes, isPublic: true };
  return {
    routes: [
      ...subject.pages.flatMap((page) => [
        behindSignIn({ path: page.path, methods: get((request, context) => site.page(page, request, context)) }),
        behindSignIn({ path: page.twin.path, methods: get((request, context) => site.twin(page, request, context)) }),
      ]),
      // Not for HEAD: a stream without a body would never end.
      behindSignIn({ path: '/api/events', methods: { GET: (_, context) => subject.events(context) } }),
      // Public: they contain no project data and the sign-in page needs them.
      ofPage({ path: '/assets/:file', methods: get((_, { params }) => assetReply(params['file'])), isPublic: true }),
      ofPage({
        ...form,
        path: SIGN_IN,
        methods: {
          ...get((request, context) => site.askForToken(request, context)),
          POST: (request, context) => site.signIn(request, context),
        },
      }),
      ...(subject.canSignOut
        ? [ofPage({ ...form, path: SIGN_OUT, methods: { POST: (request, context) => site.signOut(request, context) } })]
        : []),
      behindSignIn({ path: '*', methods: get((request, context) => site.nothing(request, context)) }),
    ],
    close: () => Promise.resolve(subject.close()),
  };
}

class Site {
  readonly #subject: Subject;
  readonly #log: PageLog;
  readonly #wrongTries = new WrongTries();

  constructor(subject: Subject, log: PageLog) {
    this.#subject = subject;
    this.#log = log;
  }

  async page(page: Page, request: Request, context: Context): Promise<Response> {
    const values = valuesOf(request, context.params);
    try {
      const pageContext = await this.#pageContext(request, context, values);
      const content = await this.#contentOf(page, pageContext);
      if ('bytes' in content) return download(content);
      return await this.#framed(request, context, content, page.section, filled(page.twin.path, values));
    } catch (error) {
      const [explained, status] = this.#explain(error, page);
      const last = page.path.match(/:(\w+)\*?$/u)?.[1];
      const addressOf = (name: string): string =>
        last === undefined ? address('/search', { q: name }) : filled(page.path, { [last]: name });
      const asked = last === undefined ? undefined : values[last];
      const title = status === 404 ? 'Not found' : 'Error';
      const here = await this.#subject.here(request, context);
      return this.#framed(
        request,
        context,
        { title, status, main: ErrorPage({ error: explained, here, section: page.section, asked, addressOf }) },
        page.section,
      );
    }
  }

  async #contentOf(page: Page, pageContext: PageContext): Promise<PageContent | Download> {
    const { operation, input } = page.twin;
    let output: AnswerOf<AnyOperation>;
    try {
      output = await pageContext.ask(operation, input(pageContext.values));
    } catch (error) {
      const content = error instanceof Failure ? await page.failed?.(explain(error), pageContext) : undefined;
      if (!content) throw error;
      return content;
    }
    return page.show(output, pageContext);
  }

  async twin(page: Page, request: Request, context: Context): Promise<Response> {
    const headers = { ...HEADERS, ...this.#subject.headers?.(context) };
    try {
      const reader = await this.#subject.open(context);
      const { operation, input } = page.twin;
      const output = await askOperation(reader, operation, input(valuesOf(request, context.params)), FOR_PAGE);
      return reply(this.#json(output), JSON_TYPE, { headers });
    } catch (error) {
      const [explained, status] = this.#explain(error, page);
      return reply(this.#json({ error: explained }), JSON_TYPE, { status, headers });
    }
  }

  #json(value: unknown): string {
    return `${hideHome(jsonText(value), this.#subject.hiddenHome?.(), inJson)}\n`;
  }

  nothing(request: Request, context: Context): Promise<Response> {
    const { pathname } = new URL(request.url);
    const near = nearest(
      pathname,
      // The 404 page always links to the overview.
      this.#subject.pages.flatMap(({ path }) => (path === '/' || path.includes(':') ? [] : path)),
    );
    const main = NothingHere({ near: near.filter((path) => isClose(pathname, path)) });
    return this.#framed(request, context, { title: 'Not found', status: 404, main });
  }

  /** Explains why a previously valid token was rejected. */
  async askForToken(request: Request, { cookieToken, signIn }: Context): Promise<Response> {
    const again = cookieToken === undefined ? undefined : await signIn(cookieToken);
    const refused = again && 'refused' in again ? { ...again, status: 200 } : undefined;
    return this.#signInPage(request, new URL(request.url).searchParams.get('to') ?? '/', refused);
  }

  /** Signing in and out are the only requests that are not read-only. They only change a cookie. */
  async signIn(request: Request, { signIn, needsToken, from }: Context): Promise<Response> {
    if (!this.#isOwnForm(request)) return notOurs();
    const form = new URLSearchParams(await request.text());
    const to = ownAddress(form.get('to') ?? '/');
    if (!needsToken) return goTo(to, undefined);
    const { waitMs } = this.#wrongTries.begin(from);
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1_000);
      const refused = `Too many wrong tokens were sent from your address. Try again in ${count(seconds, 'second')}.`;
      return this.#signInPage(request, to, { refused, status: 429 }, { 'retry-after': String(seconds) });
    }
    const signedIn = await signIn((form.get('token') ?? '').trim());
    if ('cookie' in signedIn) this.#wrongTries.right(from);
    else if (signedIn.status !== 403) this.#wrongTries.undo(from);
    return 'refused' in signedIn ? this.#signInPage(request, to, signedIn) : goTo(to, signedIn.cookie);
  }

  signOut(request: Request, { signOut }: Context): Response {
    return this.#isOwnForm(request) ? goTo(SIGN_IN, signOut) : notOurs();
  }

  /** Checks the origin of a form. Otherwise another site could sign its visitors in here. */
  #isOwnForm({ headers }: Request): boolean {
    const origin = headers.get('origin');
    if (origin === null) return false;
    const isOwnHost = URL.canParse(origin) && new URL(origin).host === headers.get('host');
    return isOwnHost || origin === this.#subject.origin;
  }

  /** Shown before sign-in, so it reveals nothing about the content. */
  async #signInPage(
    request: Request,
    to: string,
    refused?: { refused: string; status: number },
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const { tokenWords: words } = this.#subject;
    const children = SignIn({ words, refused: refused?.refused, to: ownAddress(to) });
    const props = {
      data: this.#subject.publicFrame(),
      sections: [],
      title: 'Sign in',
      theme: themeOf(request),
      children,
    };
    return reply(await markup(Frame(props), true), HTML, {
      status: refused?.status ?? 200,
      headers: { ...FORM_HEADERS, ...headers },
    });
  }

  async #framed(
    request: Request,
    context: Context,
    content: PageContent,
    section?: Section,
    twin?: string,
  ): Promise<Response> {
    const isPart = request.headers.get('x-lectern-part') === 'main';
    const query = new URL(request.url).searchParams.get('q') ?? undefined;
    const { canSignOut } = this.#subject;
    const props = {
      data: await this.#subject.frame(context),
      canSignOut,
      title: content.title,
      theme: themeOf(request),
      sections: this.#subject.pages.map((page) => page.section),
      section,
      twin,
      query: section === 'search' ? query : undefined,
      children: content.main,
    };
    const shown = await markup(isPart ? Part(props) : Frame(props), !isPart);
    const body = hideHome(shown, this.#subject.hiddenHome?.(), inMarkup);
    const headers = { ...(canSignOut ? FORM_HEADERS : HEADERS), ...this.#subject.headers?.(context) };
    return reply(body, HTML, { status: content.status ?? 200, headers });
  }

  async #pageContext(request: Request, context: Context, values: Values): Promise<PageContext> {
    const reader = await this.#subject.open(context);
    return {
      values,
      here: await this.#subject.here(request, context),
      ask: (operation, input) => askOperation(reader, operation, input ?? {}, FOR_PAGE),
    };
  }

  /** Replies to an unexpected error contain only an ID to find it in the log. The log contains no values from the address. */
  #explain(error: unknown, { path }: Page): [ExplainedError, number] {
    const explained = explain(error);
    if (error instanceof Failure) return [explained, STATUSES[error.code] ?? 500];
    const id = bugId(error);
    this.#log.warn(`error ${id} at ${path}`);
    this.#log.bug(error);
    return [{ ...explained, hint: `The server log has the details under ${id}.` }, 500];
  }
}

const STATUSES: Partial<Record<FailureCode, number>> = {
  USAGE: 400,
  INVALID_FILTER: 400,
  REFUSED: 403,
  NOT_FOUND: 404,
  AMBIGUOUS: 409,
  SKILL_CHANGING: 503,
  NO_INDEX: 503,
  MODEL_UNAVAILABLE: 503,
};

const ASSETS: readonly Asset[] = [script, styles, icon];

/** One route for all assets: their names contain hashes, and metrics count requests by route. */
function assetReply(file: string | undefined): Response {
  const asset = ASSETS.find(({ path }) => path === `/assets/${file}`);
  if (!asset) return reply('File not found.\n', 'text/plain; charset=utf-8', { status: 404 });
  const { text, type } = asset;
  const headers = { ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' };
  return reply(text, type, { headers });
}

/** The browser saves the file, whatever its type, and never displays it. */
function download({ name, bytes }: Download): Response {
  const headers = {
    ...FILE_HEADERS,
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')}`,
  };
  return new Response(new Uint8Array(bytes), { headers });
}

/** Makes characters that hide or reorder text visible. Done on the finished markup, so that no component can omit it. */
async function markup(html: ReturnType<typeof Frame>, isWhole: boolean): Promise<string> {
  return (isWhole ? '<!doctype html>' : '') + showHidden(String(await html));
}

/** Path values take precedence over query values. The last of repeated keys counts. */
function valuesOf(request: Request, params: Readonly<Record<string, string>>): Values {
  return { ...Object.fromEntries(new URL(request.url).searchParams), ...params };
}

/** Fills the parameters of a path, and adds the remaining values as its query. */
function filled(pattern: string, values: Values): string {
  const rest = { ...values };
  const filledIn = pattern.replace(/:(\w+)(\*?)/gu, (_, name: string, star: string) => {
    const value = (rest[name] ?? '').toWellFormed();
    delete rest[name];
    return star === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/');
  });
  return address(filledIn, rest);
}

function goTo(to: string, cookie: string | undefined): Response {
  const headers = { ...HEADERS, location: to, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) };
  return new Response(null, { status: 303, headers });
}

function notOurs(): Response {
  return reply('Cross-origin form submission refused.\n', 'text/plain; charset=utf-8', { status: 403 });
}

/** Rejects addresses on other servers. */
function ownAddress(to: string): string {
  return /^\/(?![/\\])[\u0021-\u007e]*$/u.test(to) ? to : '/';
}

function themeOf(request: Request): Theme {
  const [chosen] = cookiesNamed('lectern-theme', request.headers.get('cookie') ?? undefined);
  return THEMES.find((theme) => theme === chosen) ?? 'system';
}
