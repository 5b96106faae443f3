/** The web interface of a shared catalog. Each request reads the current view of its caller. */
import { trimSlashes } from '../../core/text.ts';
import type { Service } from '../../http/listen.ts';
import type { Context } from '../../http/routes.ts';
import type { Follower } from '../../hub/follower.ts';
import { RequestContext } from '../../hub/request-context.ts';
import type { Reader } from '../../workspace/reader.ts';
import { ago } from '../ago.ts';
import { Here } from '../here.ts';
import type { FrameData } from '../html.tsx';
import { catalogPages } from '../routes.ts';
import { pageService } from '../service.ts';
import type { Subject } from '../subject.ts';
import type { Page } from '../page.ts';
import { inWords } from '../words.ts';
import { CatalogLive } from './catalog-live.ts';
import { overviewOf } from './catalog-overview.ts';
import type { ReadHistory } from './source-history.ts';

export interface CatalogPageOptions {
  follower: Pick<Follower, 'current' | 'clock' | 'staleMs' | 'publicTrouble'>;
  readHistory: ReadHistory;
  /** The address under which browsers reach the catalog. */
  publicUrl: string | undefined;
  log: { warn(line: string): void; bug(error: unknown): void };
}

export function catalogPage(options: CatalogPageOptions): Service {
  return pageService(new CatalogSubject(options), options.log);
}

/** After this long without contact with the database, pages show a warning even if no error was reported. */
const LATE_MS = 60_000;

class CatalogSubject implements Subject {
  readonly pages: readonly Page[];
  readonly tokenWords =
    'This catalog shows the skills and specs that your team can read. Paste a token with the read permission, such as the one your team uses for its agents. If you do not have one, contact the operator of the catalog.';
  /** Access tokens of an authorization server can be long. Tokens too long for a cookie are refused with the reason. */
  readonly tokenBytes = 16 * 1024;
  readonly canSignOut = true;
  readonly origin: string | undefined;
  readonly #options: CatalogPageOptions;
  readonly #live: CatalogLive;

  constructor(options: CatalogPageOptions) {
    this.#options = options;
    this.pages = catalogPages(options.readHistory);
    this.origin = options.publicUrl === undefined ? undefined : new URL(options.publicUrl).origin;
    this.#live = new CatalogLive(options.follower, () => this.#warning() !== undefined);
  }

  async open(context: Context): Promise<Reader> {
    const { caller, catalog } = RequestContext.of(context);
    return catalog.viewFor(...caller.teams);
  }

  publicFrame(): FrameData {
    return { title: '', snapshot: '' };
  }

  async frame(context: Context): Promise<FrameData> {
    const { caller, catalog } = RequestContext.of(context);
    const { skills, specs, changes, sources } = await overviewOf(catalog.viewFor(...caller.teams));
    return {
      title: inWords(caller.teams),
      detail: `snapshot ${catalog.number}`,
      counts: { skills, specs, changes, sources },
      snapshot: this.#live.stampFor(catalog, caller.teams),
      warning: this.#warning(),
    };
  }

  #warning(): string | undefined {
    const { follower } = this.#options;
    const [stale, trouble] = [follower.staleMs(), follower.publicTrouble];
    if (trouble === undefined && stale < LATE_MS) return undefined;
    const when = stale < LATE_MS ? 'a moment ago' : ago(Date.now() - stale);
    const why = trouble === undefined ? '' : `: ${trouble}`;
    return `Last confirmed by the database ${when}${why}. Later publications are not shown yet.`;
  }

  async here(request: Request): Promise<Here> {
    const { publicUrl } = this.#options;
    return Here.inCatalog(publicUrl === undefined ? new URL(request.url).origin : trimSlashes(publicUrl));
  }

  /** The same snapshot number as in tool results: equal numbers mean equal content. */
  headers(context: Context): Record<string, string> {
    return { 'lectern-snapshot': String(RequestContext.of(context).catalog.number) };
  }

  events(context: Context): Response {
    const { caller, catalog } = RequestContext.of(context);
    return this.#live.open(context, caller, catalog);
  }

  close(): void {
    this.#live.close();
  }
}
