import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';
import { type FlagValues, textFlag } from './flags.ts';

/** A whole number within bounds; anything else is a usage failure that names them. */
export function numberFlag(
  flags: FlagValues,
  key: string,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const text = textFlag(flags, key);
  if (text === undefined) return undefined;
  const value = /^[0-9]{1,15}$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Failure('USAGE', `${name} must be a whole number from ${min} to ${max}, not "${echo(text)}".`);
}
