import type { BundledFiles } from './bundled-files.ts';

export interface WorkerJob {
  id: number;
  texts: readonly string[];
}

export type WorkerReply = { id: number; vectors: Float32Array } | { id: number; trouble: string };

interface Tensorflow {
  ready(): Promise<void>;
  loadGraphModel(handler: unknown): Promise<unknown>;
  io: { fromMemory(artifacts: object): unknown };
}

interface Embeddings {
  initModel(source: () => Promise<object>): Promise<{ embed(text: string): Promise<number[]> }>;
}

interface Port {
  on(event: 'message', listener: (job: WorkerJob) => void): void;
  postMessage(reply: WorkerReply, transfer?: readonly ArrayBuffer[]): void;
}

/**
 * Runs in the worker thread. It is passed to the worker as source text, so that it works the same from the sources, from our
 * bundle and from another program's bundle. So it must not use anything outside its own body.
 */
export function embeddingWorker(load: (name: string) => unknown): void {
  const { parentPort, workerData } = load('node:worker_threads') as { parentPort: Port; workerData: BundledFiles };
  const { createRequire } = load('node:module') as { createRequire(base: string): (name: string) => unknown };
  const start = async (): Promise<{ embed(text: string): Promise<number[]> }> => {
    const installed = createRequire(workerData.base);
    const tensorflow = installed('@energetic-ai/core') as Tensorflow;
    const { initModel } = installed('@energetic-ai/embeddings') as Embeddings;
    await tensorflow.ready();
    const { modelTopology, weightsManifest, format, generatedBy, convertedBy } = JSON.parse(workerData.topology);
    const weightSpecs = weightsManifest.flatMap((group: { weights: object[] }) => group.weights);
    const artifacts = { modelTopology, weightSpecs, weightData: workerData.weights, format, generatedBy, convertedBy };
    // Without this source the library would download the model.
    const source = async (): Promise<object> => ({
      model: await tensorflow.loadGraphModel(tensorflow.io.fromMemory(artifacts)),
      vocabulary: JSON.parse(workerData.vocabulary),
    });
    return initModel(source);
  };
  const model = start();
  // The first request reports a failed start. Without a listener, Node would end the thread before it can answer.
  model.catch(() => undefined);
  const answer = async ({ id, texts }: WorkerJob): Promise<void> => {
    try {
      const { embed } = { embed: (await model).embed.bind(await model) };
      const rows: number[][] = [];
      // One by one: texts in a batch are padded to the longest, which costs more than the saved calls.
      for (const text of texts) rows.push(await embed(text));
      const vectors = Float32Array.from(rows.flat());
      parentPort.postMessage({ id, vectors }, [vectors.buffer]);
    } catch (error) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      parentPort.postMessage({ id, trouble: error instanceof Error ? error.message : String(error) });
    }
  };
  let last: Promise<void> = Promise.resolve();
  parentPort.on('message', (job) => {
    last = last.then(() => answer(job));
  });
}
