/**
 * How much a test does. `npm test` tries a sample, always the same one, so that a run says something about the code and not
 * about luck. `npm run test:long` tries ten times as much, and other cases each time; a failure prints the seed to repeat it.
 */
import * as fc from 'fast-check';

const IS_LONG = process.env['LECTERN_TEST'] === 'long';

/** How often, given the size of the sample and, if it is not ten times that, of the long run. */
export function times(sample: number, long = sample * 10): number {
  return IS_LONG ? long : sample;
}

/** Returns the first item of each kind, or all items in the long run. */
export function oneOfEachKind<T>(items: readonly T[], kindOf: (item: T) => string): T[] {
  const kinds = items.map(kindOf);
  return items.filter((_, index) => IS_LONG || kinds.indexOf(kinds[index] ?? '') === index);
}

fc.configureGlobal({ numRuns: times(100), ...(IS_LONG ? {} : { seed: 1 }) });

export { fc };
