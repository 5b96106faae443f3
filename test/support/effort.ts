/**
 * How much a test does. `npm test` tries a sample, always the same one, so that a run says something about the code and not
 * about luck. `npm run test:long` tries ten times as much, and other cases each time; a failure prints the seed to repeat it.
 */
import * as fc from 'fast-check';

const IS_LONG = process.env['LECTERN_TEST'] === 'long';

/** How often, given the size of the sample. */
export function times(sample: number): number {
  return IS_LONG ? sample * 10 : sample;
}

fc.configureGlobal({ numRuns: times(100), ...(IS_LONG ? {} : { seed: 1 }) });

export { fc };
