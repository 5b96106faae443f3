import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { networkOf, WrongTries } from '../../src/http/wrong-tries.ts';

function counting() {
  let now = 0;
  const tries = new WrongTries(() => now);
  return { tries, pass: (ms: number) => void (now += ms), wait: (from = 'a') => tries.begin(from).waitMs };
}

describe('wrong tokens', () => {
  test('ten are free; then the wait doubles with each, up to a minute', () => {
    const { wait, pass } = counting();
    for (let count = 0; count < 10; count++) expect(wait()).toBe(0);
    const waits: number[] = [];
    for (let count = 0; count < 8; count++) {
      waits.push(wait());
      pass(waits.at(-1) ?? 0);
      expect(wait()).toBe(0);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test('tries during a wait do not make it longer', () => {
    const { wait, pass } = counting();
    for (let count = 0; count < 10; count++) wait();
    for (let count = 0; count < 1_000; count++) expect(wait()).toBe(1_000);
    pass(1_000);
    expect(wait()).toBe(0);
  });

  test('one address does not slow down another, and the right token ends the wait for its address', () => {
    const { tries, wait } = counting();
    for (let count = 0; count < 10; count++) wait();
    expect(wait('b')).toBe(0);
    tries.right('a');
    expect(wait()).toBe(0);
  });

  test('a try that was neither right nor wrong does not count', () => {
    const { tries, wait } = counting();
    for (let count = 0; count < 100; count++) {
      expect(wait()).toBe(0);
      tries.undo('a');
    }
  });

  test('they are forgotten after a quarter of an hour', () => {
    const { wait, pass } = counting();
    for (let count = 0; count < 10; count++) wait();
    pass(15 * 60 * 1_000);
    for (let count = 0; count < 10; count++) expect(wait()).toBe(0);
  });

  test('only so many addresses are remembered', () => {
    const { wait } = counting();
    for (let count = 0; count < 10; count++) wait('first');
    for (let index = 0; index < LIMITS.signInAddresses.value; index++) wait(`other-${index}`);
    expect(wait('first')).toBe(0);
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('%j is of the network %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
