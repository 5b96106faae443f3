import { expect, test } from 'vitest';
import { isLoopback } from '../../src/core/loopback.ts';

test.each(['localhost', '127.0.0.1', '127.8.9.10', '::1', new URL('http://[::1]:80').hostname])('%s is', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(['0.0.0.0', '::', '192.0.2.1', '127.evil.example', 'localhost.evil.example', '127.1', '', '1::1'])(
  '%s is not',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
