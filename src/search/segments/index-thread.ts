/** Worker thread that builds segments while the replica keeps serving. A separate file in the package. */
import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { nodeFiles } from '../../core/disk/node-tree.ts';
import type { SegmentFiles } from '../document.ts';
import type { Text } from '../texts.ts';
import { SegmentMaker } from './segment-maker.ts';

/** Sends one reply per message, in order. */
export type Asked = { previous: readonly SegmentFiles[] } | { id: string; texts: readonly Text[] };

/** An error ends the thread and rejects all pending requests. */
async function work(port: MessagePort): Promise<void> {
  const maker = new SegmentMaker((workerData as { withVectors: boolean }).withVectors, nodeFiles);
  for await (const [asked] of on(port, 'message') as AsyncIterable<[Asked]>) {
    if ('previous' in asked) maker.begin(asked.previous);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
    port.postMessage('previous' in asked ? undefined : await maker.make(asked.id, asked.texts));
  }
}

if (parentPort) void work(parentPort);
