/** What a server tells the people who run it: what it found, what is wrong with it, and what changes. */
import type { Diagnostic } from '../core/diagnostics.js';
import { explain, Failure } from '../core/failure.js';
import { count } from '../core/text.js';
import { renderNotices } from '../render/diagnostics.js';
import { makeStyle } from '../render/style.js';
import type { RefreshEvent } from '../workspace/refresh.js';
import type { Snapshot } from '../workspace/workspace.js';
import type { ServerLog } from './log.js';

/** Enough to name what is wrong; doctor has the rest. */
const PROBLEMS_MAX = 20;
const PLAIN = makeStyle({ color: false });

export class Reporter {
  readonly #log: ServerLog;
  #known = new Set<string>();
  #lastFailure = '';

  constructor(log: ServerLog) {
    this.#log = log;
  }

  opened(snapshot: Snapshot): void {
    const roots = snapshot.roots.filter(({ state }) => state === 'walked').length;
    const { skills } = snapshot.view();
    const problems = this.#newProblems(snapshot);
    this.#log.info(`${count(skills.length, 'skill')} in ${count(roots, 'folder')}${problems === 0 ? '' : `, ${count(problems, 'problem')}`}`);
  }

  refresh(event: RefreshEvent, listChanged: string | undefined): void {
    if (event.kind === 'polling') {
      this.#log.warn(`not every folder can be watched here, so the files are looked at every ${event.everyMs} ms instead`);
    } else if (event.kind === 'failed') {
      this.#failed(event.error);
    } else {
      this.#lastFailure = '';
      this.#newProblems(event.snapshot);
      const total = count(event.snapshot.view().skills.length, 'skill');
      // By the clock every look is told, as promised; otherwise only what it brought.
      if (listChanged !== undefined) this.#log.info(`refreshed: ${total}, ${listChanged}`);
      else if (event.reason === 'interval') this.#log.info(`refreshed: ${total}, no change`);
    }
  }

  /** A refresh that fails will fail again and again; it is told once. */
  #failed(error: unknown): void {
    const { message, path } = explain(error);
    const text = `the refresh failed, the last good state stays: ${message}${path === undefined ? '' : ` (${path})`}`;
    if (text === this.#lastFailure) return;
    this.#lastFailure = text;
    this.#log.warn(text);
    if (!(error instanceof Failure)) this.#log.bug(error);
  }

  #newProblems(snapshot: Snapshot): number {
    const problems = snapshot.diagnostics().filter(({ severity }) => severity !== 'info');
    const fresh = problems.filter((problem) => !this.#known.has(keyOf(problem)));
    this.#known = new Set(problems.map(keyOf));
    for (const line of renderNotices(fresh, PLAIN, PROBLEMS_MAX).split('\n')) if (line !== '') this.#log.warn(line.replace(/^lectern: /u, ''));
    return problems.length;
  }
}

function keyOf({ code, path, line, message }: Diagnostic): string {
  return `${code}\0${path}\0${line ?? ''}\0${message}`;
}
