import { expect, test } from 'vitest';
import { warnOnce } from '../../src/core/warn-once.ts';
import { within } from '../../src/core/within.ts';

test('a promise that settles in time gives its value or its error', async () => {
  await expect(within(60_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(within(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

test('waiting ends at the limit', async () => {
  await expect(within(1, new Promise(() => undefined))).resolves.toBeUndefined();
});

test('a warning is passed on the first time only', () => {
  const warnings: string[] = [];
  const warn = warnOnce((text) => warnings.push(text));
  for (const text of ['full', 'full', 'slow', 'full']) warn(text);
  expect(warnings).toEqual(['full', 'slow']);
});
