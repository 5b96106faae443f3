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

function started(quietMs?: number) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const notes: string[] = [];
  const seen: unknown[] = [];
  const transport = new LineTransport({
    input,
    output,
    note: (text) => void notes.push(text),
    ...(quietMs === undefined ? {} : { quietMs }),
  });
  transport.onmessage = (message) => void seen.push('id' in message ? message.id : undefined);
  const ask = (id: number): void =>
    void input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`);
  const answer = (id: number): Promise<void> => transport.send({ jsonrpc: '2.0', id, result: {} });
  return { input, output, transport, notes, seen, ask, answer };
}

test('requests in the pipe before the drain are answered', async () => {
  const { transport, seen, ask, answer } = started();
  for (const id of [1, 2, 3]) ask(id);
  await transport.start();
  transport.drain();
  await expect.poll(() => seen).toEqual([1, 2, 3]);
  for (const id of [1, 2, 3]) await answer(id);
  await transport.drained;
});

test('a request sent after the drain is not read', async () => {
  const { transport, seen, ask, answer } = started();
  await transport.start();
  ask(1);
  transport.drain();
  await expect.poll(() => seen).toEqual([1]);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  ask(2);
  await answer(1);
  await transport.drained;
  expect(seen).toEqual([1]);
});

test.each(['the input ends', 'it is asked to end'])(
  'when %s, calls that make no progress are dropped, and the log has their number',
  async (how) => {
    const { input, transport, notes, seen, ask, answer } = started(200);
    await transport.start();
    for (const id of [1, 2, 3]) ask(id);
    await expect.poll(() => seen).toHaveLength(3);
    if (how === 'the input ends') input.end();
    else transport.drain();
    await answer(2);
    await transport.drained;
    expect(notes).toEqual([expect.stringMatching(/^2 calls dropped without a reply/u)]);
  },
);

test('an error reply to a broken line is delivered before the end', async () => {
  const { input, output, transport } = started();
  await transport.start();
  let isDrained = false;
  void transport.drained.then(() => (isDrained = true));
  // Nothing is accepted until the test reads.
  output.cork();
  input.end('{broken\n');
  await once(input, 'end');
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDrained).toBe(false);
  output.uncork();
  await transport.drained;
  expect(String(output.read())).toContain('-32700');
});
