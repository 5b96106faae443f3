/**
 * Builds segments without blocking requests. The work runs in a thread. If it dies, a second thread takes over, then the main
 * thread between other work, which is also the fallback where the thread file is missing (in a clone).
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { breather } from '../../core/breathe.ts';
import { exists } from '../../core/disk/answers.ts';
import type { FileTree } from '../../core/disk/tree.ts';
import type { SegmentFiles, Slice } from '../document.ts';
import type { Text } from '../texts.ts';
import type { Asked } from './index-thread.ts';
import { SegmentMaker } from './segment-maker.ts';
import { textsIn } from './slice.ts';

const THREAD_FILE = 'index-thread.cjs';

export interface IndexerOptions {
  withVectors: boolean;
  /** Files of the package. */
  files: FileTree;
  warn(text: string): void;
  /** Thread file; by default the one in the package. */
  thread?: string | undefined;
}

type Maker = Pick<SegmentMaker, 'make'> & { begin(previous: readonly SegmentFiles[]): void | Promise<void> };

export class Indexer {
  readonly #options: IndexerOptions;
  readonly #file: string | undefined;
  #thread: Thread | undefined;
  #here: SegmentMaker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#file = options.thread ?? findThreadFile(options.files);
  }

  /** Builds a segment for each slice. Calls run one after the other. */
  make(slices: readonly Slice[], previous: readonly SegmentFiles[]): Promise<SegmentFiles[]> {
    const made = this.#last.then(() => this.#make(slices, previous));
    this.#last = made.catch(() => undefined);
    return made;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.end();
  }

  async #make(slices: readonly Slice[], previous: readonly SegmentFiles[]): Promise<SegmentFiles[]> {
    for (let attempt = 0; attempt < 2 && this.#file !== undefined; attempt++) {
      if (this.#isClosed) break;
      this.#thread ??= new Thread(this.#file, this.#options.withVectors);
      try {
        return await makeAll(this.#thread, slices, previous);
      } catch (error) {
        if (!(error instanceof ThreadGone)) throw error;
        this.#thread = undefined;
        if (!this.#isClosed) this.#options.warn(`the indexing thread ended: ${error.message}`);
      }
    }
    if (this.#isClosed) throw new ThreadGone('closed');
    this.#here ??= new SegmentMaker(this.#options.withVectors, this.#options.files);
    return makeAll(this.#here, slices, previous);
  }
}

async function makeAll(
  maker: Maker,
  slices: readonly Slice[],
  previous: readonly SegmentFiles[],
): Promise<SegmentFiles[]> {
  await maker.begin(previous);
  const breathe = breather();
  const made: SegmentFiles[] = [];
  for (const { id, documents } of slices) {
    const texts: Text[] = [];
    for (const text of textsIn(documents)) {
      texts.push(text);
      const pause = breathe();
      if (pause) await pause;
    }
    made.push(await maker.make(id, texts));
  }
  return made;
}

/** The thread ended without a reply. */
class ThreadGone extends Error {}

class Thread implements Maker {
  readonly #worker: Worker;
  /** Pending requests, in order. */
  readonly #waiting: { resolve(answer: unknown): void; reject(error: Error): void }[] = [];
  #gone: ThreadGone | undefined;

  constructor(file: string, withVectors: boolean) {
    // Empty environment: the thread needs no secrets.
    this.#worker = new Worker(file, { workerData: { withVectors }, env: {} });
    this.#worker.unref();
    this.#worker.on('message', (answer: unknown) => this.#waiting.shift()?.resolve(answer));
    const lose = (error: unknown): void => {
      this.#gone ??= new ThreadGone(error instanceof Error ? error.message : 'it was stopped');
      for (const { reject } of this.#waiting.splice(0)) reject(this.#gone);
    };
    this.#worker.on('error', lose).on('messageerror', lose).on('exit', lose);
  }

  async begin(previous: readonly SegmentFiles[]): Promise<void> {
    await this.#ask({ previous });
  }

  make(id: string, texts: readonly Text[]): Promise<SegmentFiles> {
    return this.#ask({ id, texts }) as Promise<SegmentFiles>;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(asked: Asked): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#gone) return reject(this.#gone);
      this.#waiting.push({ resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(asked);
    });
  }
}

/** The file is next to the command, or one folder above its chunks. */
function findThreadFile(files: FileTree): string | undefined {
  const dir = path.dirname(fileURLToPath(import.meta.url));
  return [dir, path.dirname(dir)].map((each) => path.join(each, THREAD_FILE)).find((file) => exists(files, file));
}
