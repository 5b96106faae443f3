/** The thread that makes segments, so that a replica answers in the meantime. A file of its own in the package. */
import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { nodeFiles } from '../../core/disk/node-tree.ts';
import type { SegmentFiles } from '../document.ts';
import type { Text } from '../entry.ts';
import { SegmentMaker } from './segment-maker.ts';

/** Each is answered by one message, in their order. */
export type Asked = { previous: readonly SegmentFiles[] } | { id: string; texts: readonly Text[] };

/** An error ends the thread, and whoever waits for it hears of that. */
async function work(port: MessagePort): Promise<void> {
  const maker = new SegmentMaker((workerData as { withVectors: boolean }).withVectors, nodeFiles);
  for await (const [asked] of on(port, 'message') as AsyncIterable<[Asked]>) {
    if ('previous' in asked) maker.begin(asked.previous);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
    port.postMessage('previous' in asked ? undefined : await maker.make(asked.id, asked.texts));
  }
}

if (parentPort) void work(parentPort);
