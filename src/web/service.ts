/** Serves the views and their twins, with the frame around them. Changes nothing: every address is only read. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { tryRead } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import { explain, type ExplainedError, Failure, type FailureCode } from '../core/failure.ts';
import { nearest } from '../core/near.ts';
import { jsonText, showHidden } from '../core/text.ts';
import type { Service } from '../http/listen.ts';
import type { Context, Handler, Route } from '../http/routes.ts';
import type { AnyOperation } from '../operations/define.ts';
import { surveyAgents } from '../operations/agent-shapes.ts';
import { overview } from '../operations/overview.ts';
import { type AnswerOf, type GivenTo, perform } from '../operations/perform.ts';
import { validateSkills } from '../operations/validate-skills.ts';
import type { Snapshot, Workspace } from '../workspace/workspace.ts';
import { address } from './address.ts';
import { type Asset, icon, script, styles } from './assets.ts';
import { FILE_HEADERS, HEADERS, reply } from './headers.ts';
import { type Here, Page, Part, type Theme, THEMES } from './html.tsx';
import { changedKinds, Live } from './live.ts';
import { ErrorPage, NothingHere } from './pages/errors.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { Places } from './places.ts';
import { VIEWS } from './routes.ts';
import type { Asked, Download, Section, Shown, Values, View } from './view.ts';

export interface PageOptions {
  /** It may still be opening; requests wait for it. */
  workspace: () => Promise<Workspace>;
  /** What a copied command needs, to be about the same project and home. */
  flags: readonly string[];
  log: { warn(line: string): void; bug(error: unknown): void };
}

const SIGN_IN = '/login';
const SIGN_IN_BYTES = 4 * 1024;
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const HEAD_BYTES = 4 * 1024;

export function pageService(options: PageOptions): Service {
  const site = new Site(options);
  const get = (handler: Handler): Route['methods'] => ({ GET: handler, HEAD: handler });
  const behindSignIn = (route: Omit<Route, 'signInAt'>): Route => ({ ...route, signInAt: SIGN_IN });
  return {
    routes: [
      ...VIEWS.flatMap((view) => [
        behindSignIn({ path: view.path, methods: get((request, context) => site.page(view, request, context)) }),
        behindSignIn({ path: view.twin.path, methods: get((request, context) => site.twin(view, request, context)) }),
      ]),
      // Not for HEAD: a stream without a body would never end.
      behindSignIn({ path: '/api/events', methods: { GET: (_, context) => site.live.open(context) } }),
      // They say nothing of the project, and the page to sign in needs them.
      ...[script, styles, icon].map((asset): Route => ({
        path: asset.path,
        methods: get(() => assetReply(asset)),
        isPublic: true,
        signInAt: SIGN_IN,
      })),
      {
        path: SIGN_IN,
        methods: {
          ...get((request) => site.askForToken(request)),
          POST: (request, context) => site.signIn(request, context),
        },
        accepts: 'application/x-www-form-urlencoded',
        maxBytes: SIGN_IN_BYTES,
        isPublic: true,
        signInAt: SIGN_IN,
      },
      behindSignIn({ path: '*', methods: get((request) => site.nothing(request)) }),
    ],
    close: () => Promise.resolve(site.live.close()),
  };
}

class Site {
  readonly live = new Live();
  readonly #options: PageOptions;
  readonly #here = new WeakMap<Snapshot, Promise<Here['counts']>>();
  readonly #opened: Promise<Workspace>;
  #scan = { startedAt: performance.now(), endedAt: 0, readAt: new Date(), readMs: 0 };

  constructor(options: PageOptions) {
    this.#options = options;
    this.#opened = options.workspace().then((workspace) => this.#observe(workspace));
    // Requests get the failure; without any, Node.js must not report it as unhandled.
    this.#opened.catch(() => undefined);
  }

  #observe(workspace: Workspace): Workspace {
    const finished = (): void => {
      const { startedAt } = this.#scan;
      const endedAt = performance.now();
      this.#scan = { startedAt, endedAt, readAt: new Date(), readMs: endedAt - startedAt };
    };
    finished();
    workspace.observe({
      started: () => void (this.#scan = { ...this.#scan, startedAt: performance.now() }),
      finished: (next, before) => {
        finished();
        const kinds = changedKinds(before, next);
        if (kinds.length > 0) this.live.changed(kinds);
      },
    });
    return workspace;
  }

  async page(view: View, request: Request, { params }: Context): Promise<Response> {
    const values = valuesOf(request, params);
    try {
      const workspace = await this.#fresh();
      const asked = this.#asked(workspace, values);
      const shown = await this.#shown(view, asked);
      if ('bytes' in shown) return download(shown);
      return await this.#framed(request, shown, view.section, filled(view.twin.path, values));
    } catch (error) {
      const [explained, status] = this.#explain(error, request);
      const last = view.path.match(/:(\w+)\*?$/u)?.[1];
      const addressOf = (name: string): string =>
        last === undefined ? address('/search', { q: name }) : filled(view.path, { [last]: name });
      const title = status === 404 ? 'Not found' : 'Error';
      const places = this.#places(await this.#opened.catch(() => undefined));
      return this.#framed(
        request,
        { title, status, main: ErrorPage({ error: explained, places, addressOf }) },
        view.section,
      );
    }
  }

  /** The files as they are now, looked at once for each request: most are about skills and specs, and ask several times. */
  async #fresh(): Promise<Workspace> {
    const askedAt = performance.now();
    const workspace = await this.#opened;
    // A scan that ended while the request waited is new enough.
    if (this.#scan.endedAt < askedAt) await workspace.fresh();
    return workspace;
  }

  async #shown(view: View, asked: Asked): Promise<Shown | Download> {
    const { operation, input } = view.twin;
    const startedAt = performance.now();
    let output: AnswerOf<AnyOperation>;
    try {
      output = await this.#ask(asked.workspace, operation, input(asked.values));
    } catch (error) {
      const shown = error instanceof Failure ? await view.failed?.(explain(error), asked) : undefined;
      if (!shown) throw error;
      return shown;
    }
    return view.show(output, { ...asked, tookMs: performance.now() - startedAt });
  }

  async twin(view: View, request: Request, { params }: Context): Promise<Response> {
    try {
      const workspace = await this.#fresh();
      const input = view.twin.input(valuesOf(request, params));
      const output = await this.#ask(workspace, view.twin.operation, input);
      return reply(`${jsonText(output)}\n`, JSON_TYPE);
    } catch (error) {
      const [explained, status] = this.#explain(error, request);
      return reply(`${jsonText({ error: explained })}\n`, JSON_TYPE, { status });
    }
  }

  nothing(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const near = nearest(
      pathname,
      VIEWS.flatMap((view) => (view.path.includes(':') ? [] : view.path)),
    );
    return this.#framed(request, { title: 'Not found', status: 404, main: NothingHere({ near }) });
  }

  askForToken(request: Request, wrong = false): Promise<Response> {
    const to = new URL(request.url).searchParams.get('to') ?? '/';
    return this.#signInPage(request, to, wrong);
  }

  /** The only request that is more than reading, and all it changes is a cookie. */
  async signIn(request: Request, { signIn, needsToken }: Context): Promise<Response> {
    const origin = request.headers.get('origin');
    // A browser says where a form comes from. Without this, another page could sign its visitors in.
    if (origin === null || new URL(origin).host !== request.headers.get('host'))
      return reply('Only the page of this server may sign in.\n', 'text/plain; charset=utf-8', { status: 403 });
    const form = new URLSearchParams(await request.text());
    const to = ownAddress(form.get('to') ?? '/');
    const cookie = needsToken ? signIn(form.get('token') ?? '') : '';
    if (cookie === undefined) return this.#signInPage(request, to, true);
    const headers = { ...HEADERS, location: to, ...(cookie === '' ? {} : { 'set-cookie': cookie }) };
    return new Response(null, { status: 303, headers });
  }

  /** Nobody has signed in, so it says nothing of the project. */
  async #signInPage(request: Request, to: string, wrong: boolean): Promise<Response> {
    const here = { project: '', snapshot: '', readAt: this.#scan.readAt, readMs: this.#scan.readMs };
    const props = { here, title: 'Sign in', theme: themeOf(request), children: SignIn({ wrong, to: ownAddress(to) }) };
    return reply(await markup(Page(props), true), HTML, { status: wrong ? 403 : 200 });
  }

  async #framed(request: Request, shown: Shown, section?: Section, twin?: string): Promise<Response> {
    const isPart = request.headers.get('x-lectern-part') === 'main';
    const query = new URL(request.url).searchParams.get('q') ?? undefined;
    const props = {
      here: await this.#hereNow(),
      title: shown.title,
      theme: themeOf(request),
      section,
      twin,
      query: section === 'search' ? query : undefined,
      children: shown.main,
    };
    const page = await markup(isPart ? Part(props) : Page(props), !isPart);
    return reply(page, HTML, { status: shown.status ?? 200 });
  }

  async #hereNow(): Promise<Here> {
    const workspace = await this.#opened.catch(() => undefined);
    const { readAt, readMs } = this.#scan;
    const here = { snapshot: this.live.snapshot, readAt, readMs };
    if (!workspace) return { ...here, project: '' };
    const { snapshot } = workspace;
    const counts = this.#here.get(snapshot) ?? this.#count(workspace).catch(() => undefined);
    this.#here.set(snapshot, counts);
    return {
      ...here,
      project: path.basename(workspace.options.projectDir),
      branch: branchOf(workspace),
      counts: await counts,
    };
  }

  async #count(workspace: Workspace): Promise<Here['counts']> {
    const found = await this.#ask(workspace, overview, {});
    const { present } = await surveyAgents(workspace);
    return {
      skills: found.skills + found.disabled,
      agents: present.length,
      specs: found.specs,
      changes: found.changes.length,
      problems: await this.#problems(workspace, found),
    };
  }

  /** As many as the page of problems has, if they can be counted before anyone waits for them. */
  async #problems(workspace: Workspace, found: AnswerOf<typeof overview>): Promise<number> {
    if (found.skills > VALIDATED_SKILLS_MAX) return found.errors + found.warnings;
    const { counts } = await this.#ask(workspace, validateSkills, { all: true, limit: 1 });
    return counts ? counts.errors + counts.warnings : 0;
  }

  #asked(workspace: Workspace, values: Values): Asked {
    return {
      values,
      workspace,
      tookMs: 0,
      places: this.#places(workspace),
      ask: (operation, input) => this.#ask(workspace, operation, input ?? {}),
    };
  }

  #places(workspace: Workspace | undefined): Places {
    const { projectDir = '', userDir } = workspace?.options ?? {};
    return new Places(projectDir, userDir, this.#options.flags);
  }

  async #ask<Op extends AnyOperation>(
    workspace: Workspace,
    operation: Op,
    input: GivenTo<Op, 'web'> | object,
  ): Promise<AnswerOf<Op>> {
    const { output } = await perform(
      operation,
      Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
      () => Promise.resolve(workspace),
      { face: 'web', fromText: true, wording: { code: 'USAGE', whole: 'the query', unknown: 'parameter' } },
    );
    return output as AnswerOf<Op>;
  }

  /** Nothing of a bug leaves the process but a number to find it by. */
  #explain(error: unknown, request: Request): [ExplainedError, number] {
    const explained = explain(error);
    if (error instanceof Failure) return [explained, STATUSES[error.code] ?? 500];
    const id = randomUUID().slice(0, 8);
    this.#options.log.warn(`error ${id} at ${new URL(request.url).pathname}`);
    this.#options.log.bug(error);
    return [{ ...explained, hint: `The log of the server has the details, under ${id}.` }, 500];
  }
}

/** Validating more takes longer than the rest of the page. */
const VALIDATED_SKILLS_MAX = 2_000;

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

function assetReply({ text, type }: Asset): Response {
  const headers = { ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' };
  return reply(text, type, { headers });
}

/** Never shown: whatever it is, the browser only keeps it. */
function download({ name, bytes }: Download): Response {
  const headers = {
    ...FILE_HEADERS,
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')}`,
  };
  return new Response(new Uint8Array(bytes), { headers });
}

/** Characters that hide or reorder text become visible here, in the finished markup, so that no component can forget it. */
async function markup(html: ReturnType<typeof Page>, isWhole: boolean): Promise<string> {
  return (isWhole ? '<!doctype html>' : '') + showHidden(String(await html));
}

/** The path's values win over those of the query. A key that is repeated counts once. */
function valuesOf(request: Request, params: Readonly<Record<string, string>>): Values {
  return { ...Object.fromEntries(new URL(request.url).searchParams), ...params };
}

/** A path with its parameters filled in, and the other values as its query. */
function filled(pattern: string, values: Values): string {
  const rest = { ...values };
  const filledIn = pattern.replace(/:(\w+)(\*?)/gu, (_, name: string, star: string) => {
    const value = (rest[name] ?? '').toWellFormed();
    delete rest[name];
    return star === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/');
  });
  return address(filledIn, rest);
}

/** Never to another server. */
function ownAddress(to: string): string {
  return /^\/(?![/\\])[\u0021-\u007e]*$/u.test(to) ? to : '/';
}

function themeOf(request: Request): Theme {
  const [, chosen] = /(?:^|;\s*)lectern-theme=(\w+)/u.exec(request.headers.get('cookie') ?? '') ?? [];
  return THEMES.find((theme) => theme === chosen) ?? 'system';
}

/** Undefined outside git, and while no branch is checked out. */
function branchOf({ disk, projectRoot }: Workspace): string | undefined {
  const head = tryRead(disk, path.join(projectRoot, '.git', 'HEAD'), HEAD_BYTES);
  if (head instanceof FileTrouble) return undefined;
  return /^ref: refs\/heads\/(.+)\n?$/u.exec(Buffer.from(head.bytes).toString('utf8'))?.[1];
}
