import { Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { echo } from '../../core/text.ts';

const DEFAULT_LIMIT = 10;

/** The value of --limit. */
export function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^[0-9]{1,9}$/u.test(text) ? Number(text) : Number.NaN;
  if (limit >= 1 && limit <= LIMITS.searchLimit.value) return limit;
  throw new Failure(
    'USAGE',
    `--limit must be a whole number from 1 to ${LIMITS.searchLimit.value}, not "${echo(text)}".`,
  );
}
