/** Reports the contents, problems and changes of a server to its operator. */
import type { Diagnostic } from '../core/diagnostics.ts';
import { explain, Failure } from '../core/failure.ts';
import { count } from '../core/text.ts';
import { renderNotices } from '../render/diagnostics.ts';
import { makeStyle } from '../render/style.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { RefreshEvent } from '../workspace/refresh.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import type { ServerLog } from './log.ts';

const PLAIN = makeStyle({ color: false });

export class Reporter {
  readonly #log: ServerLog;
  #known = new Set<string>();
  #lastFailure = '';
  readonly #skills: boolean;

  constructor(log: ServerLog, { skills }: { skills: boolean }) {
    this.#log = log;
    this.#skills = skills;
  }

  opened(snapshot: Snapshot): void {
    const roots = snapshot.roots.filter(({ state }) => state === 'walked').length;
    const { skills } = snapshot.view();
    const problems = this.#newProblems(snapshot);
    this.#log.info(
      `${count(skills.length, 'skill')} in ${count(roots, 'folder')}${problems === 0 ? '' : `, ${count(problems, 'problem')}`}`,
    );
  }

  openedSpecs(snapshot: Snapshot): void {
    const { openedSpecs: specs } = snapshot;
    if (!specs) return;
    this.#newProblems(snapshot);
    const problems = specs.diagnostics.filter(isProblem).length;
    this.#log.info(`${countOf(specs)}${problems === 0 ? '' : `, ${count(problems, 'problem')}`}`);
  }

  refresh(event: RefreshEvent, listChanged: string | undefined): void {
    if (event.kind === 'polling') {
      this.#log.warn(`cannot watch every folder; rescanning every ${event.everyMs} ms instead`);
    } else if (event.kind === 'failed') {
      this.#failed(event.error);
    } else {
      this.#lastFailure = '';
      this.#newProblems(event.snapshot);
      const { openedSpecs: specs } = event.snapshot;
      const total = [
        ...(this.#skills ? [count(event.snapshot.view().skills.length, 'skill')] : []),
        ...(specs ? [countOf(specs)] : []),
      ].join(', ');
      // Every periodic rescan is reported, as required. Other scans are reported only if they found a change.
      if (listChanged !== undefined) this.#log.info(`refreshed: ${total}, ${listChanged}`);
      else if (event.reason === 'interval') this.#log.info(`refreshed: ${total}, no change`);
    }
  }

  /** A failed refresh is likely to keep failing, so the same reason is reported once. */
  #failed(error: unknown): void {
    const { message, path } = explain(error);
    const text = `the refresh failed, so the last good state stays in use: ${message}${path === undefined ? '' : ` (${path})`}`;
    if (text === this.#lastFailure) return;
    this.#lastFailure = text;
    this.#log.warn(text);
    if (!(error instanceof Failure)) this.#log.bug(error);
  }

  #newProblems(snapshot: Snapshot): number {
    const problems = [
      ...snapshot.configDiagnostics,
      ...snapshot.diagnostics(),
      ...(snapshot.openedSpecs?.diagnostics ?? []),
    ].filter(isProblem);
    const fresh = problems.filter((problem) => !this.#known.has(keyOf(problem)));
    this.#known = new Set(problems.map(keyOf));
    for (const line of renderNotices(fresh, PLAIN).split('\n'))
      if (line !== '') this.#log.warn(line.replace(/^lectern: /u, ''));
    return problems.length;
  }
}

function isProblem({ severity }: Diagnostic): boolean {
  return severity !== 'info';
}

function countOf({ specs, changes }: SpecCatalog): string {
  return `${count(specs.length, 'spec')}, ${count(changes.length, 'change')}`;
}

function keyOf({ code, path, line, message }: Diagnostic): string {
  return `${code}\0${path}\0${line ?? ''}\0${message}`;
}
