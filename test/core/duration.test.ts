import { expect, test } from 'vitest';
import { parseDuration } from '../../src/core/duration.ts';

test.each([
  ['500ms', 500],
  ['5s', 5_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['90d', 7_776_000_000],
])('%s is %i milliseconds', (text, ms) => {
  expect(parseDuration(text, '--keep')).toBe(ms);
});

test.each(['5', '', '1.5h', '-1s', '1 h', 'h', '1w', '1H', '9999999999s', '1h\n'])(
  '%j is refused with the units',
  (text) => {
    expect(() => parseDuration(text, '--keep')).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining('--keep must be a number with a unit'),
        hint: expect.stringContaining('1h'),
      }),
    );
  },
);

test('a duration out of bounds is refused, and the message repeats the bounds as written', () => {
  const bounds = { min: '50ms', max: '1d' };
  expect(parseDuration('24h', '--poll', bounds)).toBe(86_400_000);
  for (const text of ['49ms', '0s', '25h'])
    expect(() => parseDuration(text, '--poll', bounds)).toThrow('--poll must be from 50ms to 1d');
  expect(() => parseDuration('4000d', '--keep')).toThrow('from 1ms to 3650d');
});
