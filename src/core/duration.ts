/** Parses durations: a whole number and its unit, such as 500ms, 5s, 10m, 1h or 90d. */
import { Failure } from './failure.ts';
import { echo } from './text.ts';

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const FORM = /^(?<count>[0-9]{1,9})(?<unit>ms|s|m|h|d)$/u;

/** Common properties of duration parameters. A number without a unit is refused because it is ambiguous. */
export const DURATION = { type: 'text', placeholder: 'duration' } as const;

/** Returns milliseconds. `name` appears in error messages. The bounds are durations too. */
export function parseDuration(text: string, name: string, { min = '1ms', max = '3650d' } = {}): number {
  const ms = milliseconds(text);
  if (ms === undefined) {
    throw new Failure('USAGE', `${name} must be a number with a unit, not "${echo(text)}".`, {
      hint: 'The units are ms, s, m, h and d: 500ms, 5s, 10m, 1h, 90d.',
    });
  }
  if (ms < (milliseconds(min) ?? 0) || ms > (milliseconds(max) ?? Infinity))
    throw new Failure('USAGE', `${name} must be from ${min} to ${max}, not "${echo(text)}".`);
  return ms;
}

function milliseconds(text: string): number | undefined {
  const { count, unit = '' } = FORM.exec(text)?.groups ?? {};
  const size = UNITS_MS[unit];
  return size === undefined ? undefined : Number(count) * size;
}
