import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { LineTransport } from '../../src/mcp/line-transport.ts';

test('at the end of the input, a request that the client canceled is not waited for', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport({ input, output, note: () => undefined });
  let isDrained = false;
  void transport.drained.then(() => (isDrained = true));
  await transport.start();
  const ended = once(input, 'end');
  // The protocol spells the method with two l.
  for (const message of [
    { id: 1, method: 'tools/list' },
    { id: 2, method: 'tools/list' },
    { method: 'notifications/cancelled', params: { requestId: 1 } },
  ])
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  input.end();
  await ended;
  expect(isDrained).toBe(false);
  await transport.send({ jsonrpc: '2.0', id: 2, result: {} });
  expect(isDrained).toBe(true);
});
