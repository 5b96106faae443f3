/** The web interface of a project on this machine. It follows the files. */
import path from 'node:path';
import { tryRead } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import type { Service } from '../http/listen.ts';
import type { Context } from '../http/routes.ts';
import { surveyAgents } from '../operations/agent-shapes.ts';
import { overview } from '../operations/overview.ts';
import { foldName } from '../core/text.ts';
import { fullNameOf } from '../skills/skill.ts';
import type { Snapshot, Workspace } from '../workspace/workspace.ts';
import { askOperation } from './ask.ts';
import { changedKinds, Live } from './live.ts';
import { Here } from './here.ts';
import type { FrameData } from './html.tsx';
import type { Page } from './page.ts';
import { PAGES } from './routes.ts';
import { pageService } from './service.ts';
import type { Subject } from './subject.ts';

export interface LocalPageOptions {
  /** Requests wait until it is open. */
  workspace: () => Promise<Workspace>;
  /** Flags that make a copied command use the same project and home. */
  flags: readonly string[];
  /** Other machines can reach the server, so private pages are left out. */
  isReachable: boolean;
  log: { warn(line: string): void; bug(error: unknown): void };
}

export function localPage(options: LocalPageOptions): Service {
  return pageService(new LocalSubject(options), options.log);
}

const HEAD_BYTES = 4 * 1024;

class LocalSubject implements Subject {
  readonly pages: readonly Page[];
  readonly tokenWords = 'This server requires the token that it was started with (LECTERN_TOKEN or --token).';
  readonly tokenBytes = 4 * 1024;
  readonly canSignOut = false;
  readonly #live = new Live();
  readonly #options: LocalPageOptions;
  readonly #counts = new WeakMap<Snapshot, Promise<FrameData['counts']>>();
  readonly #opened: Promise<Workspace>;
  /** The snapshot when each request began to be answered. What changes during the answer is announced to its page. */
  readonly #shown = new WeakMap<Context, string>();
  #home: string | undefined;
  #scan = { startedAt: performance.now(), endedAt: 0, at: new Date(), ms: 0 };

  constructor(options: LocalPageOptions) {
    this.#options = options;
    this.pages = options.isReachable ? PAGES.filter(({ isPrivate }) => !isPrivate) : PAGES;
    this.#opened = options.workspace().then((workspace) => this.#observe(workspace));
    // Requests report the failure. Without requests, Node.js must not treat it as an unhandled rejection.
    this.#opened.catch(() => undefined);
  }

  #observe(workspace: Workspace): Workspace {
    this.#home = workspace.options.userDir;
    const finished = (): void => {
      const { startedAt } = this.#scan;
      const endedAt = performance.now();
      this.#scan = { startedAt, endedAt, at: new Date(), ms: endedAt - startedAt };
    };
    finished();
    workspace.observe({
      started: () => void (this.#scan = { ...this.#scan, startedAt: performance.now() }),
      finished: (next, before) => {
        finished();
        const kinds = changedKinds(before, next);
        if (kinds.length > 0) this.#live.changed(kinds);
      },
      indexed: () => this.#live.changed(['search']),
    });
    return workspace;
  }

  /** Checks the files once per request, because most pages run several operations. */
  async open(context: Context): Promise<Workspace> {
    const askedAt = performance.now();
    const workspace = await this.#opened;
    // A scan that finished while the request waited is fresh enough.
    if (this.#scan.endedAt < askedAt) await workspace.fresh();
    this.#shown.set(context, this.#live.snapshot);
    return workspace;
  }

  publicFrame(): FrameData {
    return { title: '', snapshot: '', read: this.#scan };
  }

  async frame(context: Context): Promise<FrameData> {
    const workspace = await this.#opened.catch(() => undefined);
    const frame = { title: '', snapshot: this.#shown.get(context) ?? this.#live.snapshot, read: this.#scan };
    if (!workspace) return frame;
    const { snapshot } = workspace;
    const counts = this.#counts.get(snapshot) ?? countsOf(workspace).catch(() => undefined);
    this.#counts.set(snapshot, counts);
    return {
      ...frame,
      title: path.basename(workspace.options.projectDir),
      detail: branchOf(workspace),
      counts: await counts,
    };
  }

  async here(): Promise<Here> {
    const workspace = await this.#opened.catch(() => undefined);
    const { projectDir = '', userDir } = workspace?.options ?? {};
    const { flags, isReachable } = this.#options;
    return new Here(projectDir, userDir, flags, {
      seeContext: !isReachable,
      loads: (name) => workspace && loadedBy(name, workspace.snapshot),
    });
  }

  hiddenHome(): string | undefined {
    return this.#options.isReachable ? this.#home : undefined;
  }

  events(context: Context): Response {
    return this.#live.open(context);
  }

  close(): void {
    this.#live.close();
  }
}

/** A file that cannot be read is found by the name of its folder. */
function loadedBy(name: string, { all, discovery }: Snapshot): { dir: string; isOnly: boolean } | undefined {
  const found = all.find(name);
  if (found.kind === 'ambiguous') return undefined;
  if (found.kind === 'found') {
    const { key, dir } = found.skill;
    const wanted = foldName(name);
    const same = all.copies.filter(
      (copy) => copy.key === key && [fullNameOf(copy), copy.name].some((each) => foldName(each) === wanted),
    );
    return { dir, isOnly: same.length === 1 };
  }
  const broken = new Set(
    discovery.diagnostics
      .filter(({ severity, path: file }) => severity === 'error' && path.basename(path.dirname(file)) === name)
      .map(({ path: file }) => path.dirname(file)),
  );
  const [dir] = broken;
  return dir === undefined || broken.size > 1 ? undefined : { dir, isOnly: true };
}

async function countsOf(workspace: Workspace): Promise<FrameData['counts']> {
  const found = await askOperation(workspace, overview, {});
  const { present } = await surveyAgents(workspace);
  return {
    skills: found.skills + found.disabled,
    agents: present.length,
    specs: found.specs,
    changes: found.changes.length,
    problems: found.errors + found.warnings,
  };
}

/** Returns undefined outside git and for a detached HEAD. */
function branchOf({ disk, projectRoot }: Workspace): string | undefined {
  const head = tryRead(disk, path.join(projectRoot, '.git', 'HEAD'), HEAD_BYTES);
  if (head instanceof FileTrouble) return undefined;
  return /^ref: refs\/heads\/(.+)\n?$/u.exec(Buffer.from(head.bytes).toString('utf8'))?.[1];
}
