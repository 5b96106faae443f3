import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';
import type { PublishClient } from './publish-client.ts';

const STEP_MS = 250;
const MAX_MS = 120_000;

/** Waits until every live replica serves the snapshot, and returns their number. */
export async function waitForReplicas(client: PublishClient, number: number, maxMs = MAX_MS): Promise<number> {
  const end = performance.now() + maxMs;
  for (;;) {
    const { replicas } = await client.replicas();
    const late = replicas.filter((replica) => replica.number < number);
    if (replicas.length > 0 && late.length === 0) return replicas.length;
    if (performance.now() > end) {
      const named = late.map((replica) => `${echo(replica.id)} (at ${replica.number})`).join(', ');
      const why = late.length === 0 ? 'no live replica is known' : `these replicas do not serve it yet: ${named}`;
      throw new Failure('UNREACHABLE', `Snapshot ${number} is published, but ${why}.`, {
        hint: 'Check their logs. Each log begins with the name of its replica.',
      });
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
