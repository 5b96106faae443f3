import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { drain } from '../../src/core/drain.ts';
import { LIMITS } from '../../src/core/limits.ts';

const QUIET = LIMITS.drainQuiet.value;
const TOTAL = LIMITS.drainTotal.value;

/** Drains on a clock that the test moves. */
function draining(quietMs?: number) {
  const state = { left: 3, progress: 0, result: undefined as number | undefined };
  void drain({
    left: () => state.left,
    progress: () => state.progress,
    ...(quietMs === undefined ? {} : { quietMs }),
  }).then((left) => (state.result = left));
  return state;
}

describe('waiting for the calls under way', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('ends as soon as none is left', async () => {
    const state = draining();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(state.result).toBeUndefined();
    state.left = 0;
    await vi.advanceTimersByTimeAsync(50);
    expect(state.result).toBe(0);
  });

  test('counts from the last progress', async () => {
    const state = draining();
    for (let step = 0; step < 3; step++) {
      await vi.advanceTimersByTimeAsync(QUIET - 1_000);
      state.progress += 1;
    }
    expect(state.result).toBeUndefined();
    await vi.advanceTimersByTimeAsync(QUIET + 1_000);
    expect(state.result).toBe(3);
  });

  test('does not count time in which the process did not run', async () => {
    const state = draining();
    const now = vi.spyOn(performance, 'now');
    let lost = 0;
    const real = Date.now;
    const start = real();
    now.mockImplementation(() => real() - start + lost);
    await vi.advanceTimersByTimeAsync(100);
    lost = QUIET * 2;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(state.result).toBeUndefined();
    now.mockRestore();
  });

  test('has a bound even if there always is progress', async () => {
    const state = draining();
    for (let step = 0; step * 1_000 <= TOTAL; step++) {
      await vi.advanceTimersByTimeAsync(1_000);
      state.progress += 1;
    }
    expect(state.result).toBe(3);
  });
});
