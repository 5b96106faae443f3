/** Long work leaves turns of the event loop to others. */
import { expect, test } from 'vitest';
import { inSlices, ownTurn } from '../../src/core/breathe.ts';

/** Counts the turns of the event loop until it is disposed. */
function turns(): Disposable & { count: number } {
  let next: NodeJS.Immediate;
  const counter = { count: 0, [Symbol.dispose]: () => clearImmediate(next) };
  const tick = (): void => {
    counter.count += 1;
    next = setImmediate(tick);
  };
  next = setImmediate(tick);
  return counter;
}

test('callers waiting for the same promise each continue in a separate turn', async () => {
  using counter = turns();
  const shared = new Promise((resolve) => setTimeout(resolve, 1));
  const wentOn = await Promise.all(
    Array.from({ length: 10 }, async () => {
      await shared;
      await ownTurn();
      return counter.count;
    }),
  );
  expect(new Set(wentOn).size).toBe(10);
});

test('a long list is collected in order, and others get turns in between', async () => {
  using counter = turns();
  function* slow(): Generator<number> {
    for (let item = 0; item < 20; item++) {
      for (const end = Date.now() + 5; Date.now() < end;);
      yield item;
    }
  }
  expect(await inSlices(slow())).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(counter.count).toBeGreaterThan(3);
});
