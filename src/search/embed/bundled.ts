import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../core/failure.ts';
import type { FileTree } from '../../core/disk/tree.ts';
import {
  BUNDLED_DIMENSIONS,
  BUNDLED_FLOOR,
  BUNDLED_MODEL,
  type BundledFiles,
  whyNotInstalled,
  readBundledModel,
} from './bundled-files.ts';
import { embeddingWorker, type WorkerJob, type WorkerReply } from './bundled-worker.ts';
import type { Embedder } from './embedder.ts';

/** A loaded model takes about 150 MB. A server that needed it once should free them again. */
const IDLE_MS = 30_000;

/** Each worker has its own copy of the model, so not all cores of a large machine are used. */
const MAX_WORKERS = 8;

/** Small enough that an interruption takes effect quickly. */
const TEXTS_PER_JOB = 8;

/** The model's cost grows with the text, and text beyond this hardly changes the vector. */
const TEXT_MAX_CHARACTERS = 2_000;

interface Waiting {
  job: WorkerJob;
  resolve: (vectors: Float32Array[]) => void;
  reject: (error: unknown) => void;
}

interface Slot {
  worker: Worker;
  current: Waiting | undefined;
}

export interface BundledOptions {
  files: FileTree;
  workers?: number;
  idleMs?: number;
  /** Where to look for the optional packages. Only tests set it; the default is this module's location. */
  base?: string;
}

/** The model that comes with Lectern. It runs offline, in worker threads that start on demand and end when idle. */
export function bundledEmbedder(options: BundledOptions): Embedder {
  const pool = new Pool(options);
  return {
    model: BUNDLED_MODEL,
    floor: BUNDLED_FLOOR,
    parallel: pool.size,
    batch: TEXTS_PER_JOB,
    url: undefined,
    unavailable: () => whyNotInstalled(options.base),
    embed: (texts, _purpose, signal) => pool.embed(texts, signal),
    close: () => pool.close(),
  };
}

class Pool {
  readonly size: number;
  #options: BundledOptions;
  #slots: Slot[] = [];
  #queue: Waiting[] = [];
  #nextId = 0;
  #model: BundledFiles | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: BundledOptions) {
    this.#options = options;
    this.size = Math.max(1, Math.min(MAX_WORKERS, options.workers ?? os.availableParallelism()));
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const known = texts.map(readable);
    const asked = known.filter((text) => text !== '');
    const groups: string[][] = [];
    for (let at = 0; at < asked.length; at += TEXTS_PER_JOB) groups.push(asked.slice(at, at + TEXTS_PER_JOB));
    const results = (await Promise.all(groups.map((group) => this.#submit(group)))).flat();
    signal?.throwIfAborted();
    let next = 0;
    return known.map((text) =>
      text === '' ? new Float32Array(BUNDLED_DIMENSIONS) : (results[next++] ?? new Float32Array(BUNDLED_DIMENSIONS)),
    );
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#model = undefined;
    const slots = this.#slots.splice(0);
    const closed = new Failure('INTERRUPTED', 'The embedding model was closed.');
    for (const waiting of [...slots.map((slot) => slot.current), ...this.#queue.splice(0)]) waiting?.reject(closed);
    await Promise.all(slots.map((slot) => slot.worker.terminate()));
  }

  #submit(texts: readonly string[]): Promise<Float32Array[]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job: { id: this.#nextId++, texts }, resolve, reject });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    clearTimeout(this.#idle);
    while (this.#queue.length > 0) {
      const slot = this.#slots.find((candidate) => candidate.current === undefined) ?? this.#startWorker();
      if (!slot) return;
      const waiting = this.#queue.shift();
      if (!waiting) return;
      slot.current = waiting;
      slot.worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      slot.worker.postMessage(waiting.job);
    }
    if (this.#slots.some((slot) => slot.current !== undefined)) return;
    this.#idle = setTimeout(() => void this.close(), this.#options.idleMs ?? IDLE_MS);
    this.#idle.unref();
  }

  #startWorker(): Slot | undefined {
    if (this.#slots.length >= this.size) return undefined;
    try {
      const workerData = (this.#model ??= readBundledModel(this.#options.files, this.#options.base));
      // The worker must not write to our standard streams: a stdio server's output belongs to the protocol.
      const worker = new Worker(`(${embeddingWorker.toString()})(require)`, {
        eval: true,
        workerData,
        stdout: true,
        stderr: true,
        execArgv: [],
      });
      const slot: Slot = { worker, current: undefined };
      worker.on('message', (reply: WorkerReply) => this.#finish(slot, reply));
      worker.on('error', (error) => this.#drop(slot, error));
      worker.on('exit', () => this.#drop(slot, new Error('the worker ended')));
      worker.unref();
      this.#slots.push(slot);
      return slot;
    } catch (error) {
      for (const waiting of this.#queue.splice(0)) waiting.reject(error);
      return undefined;
    }
  }

  #finish(slot: Slot, reply: WorkerReply): void {
    const waiting = slot.current;
    if (waiting?.job.id !== reply.id) return;
    slot.current = undefined;
    slot.worker.unref();
    if ('trouble' in reply) waiting.reject(unusable(reply.trouble));
    else
      waiting.resolve(
        waiting.job.texts.map((_, index) =>
          reply.vectors.subarray(index * BUNDLED_DIMENSIONS, (index + 1) * BUNDLED_DIMENSIONS),
        ),
      );
    this.#dispatch();
  }

  /** If a worker dies, its job fails and the other workers continue. */
  #drop(slot: Slot, error: Error): void {
    const index = this.#slots.indexOf(slot);
    if (index === -1) return;
    this.#slots.splice(index, 1);
    slot.current?.reject(unusable(error.message));
    this.#dispatch();
  }
}

function unusable(detail: string): Failure {
  return new Failure('MODEL_UNAVAILABLE', 'The embedding model could not be run.', {
    hint: 'Install Lectern again, or configure an embeddings endpoint; `lectern search --mode keyword` needs neither.',
    cause: new Error(detail),
  });
}

/** The model knows only English: all texts in other scripts would get similar vectors, those of unknown words. */
function readable(text: string): string {
  const cut = text.trim().slice(0, TEXT_MAX_CHARACTERS).toWellFormed();
  const letters = cut.match(/\p{L}/gu)?.length ?? 0;
  const latin = cut.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 < letters || letters === 0 ? '' : cut;
}
