/** Validates replies of `/api/operations` and keeps only the parts that the table of the operation describes. */
import { Failure, FAILURE_CODES } from '../../core/failure.ts';
import {
  choice,
  type Fields,
  integer,
  list,
  map,
  object,
  type ObjectOf,
  optional,
  text,
} from '../../core/fields/field.ts';
import { received } from '../../core/fields/received.ts';
import { isRecord } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';
import { ENVELOPE_BYTES, jsonBytes, LEFT_OUT_KEY } from '../fit-reply.ts';
import type { Data } from '../outcome.ts';

/** `snapshot` is the number of the snapshot that the result came from. */
export type RemoteOutcome = { snapshot: number } & ({ output: Data } | { error: Failure });

const LEFT_OUT = optional(map(integer()));
const ERROR = {
  code: choice(failureCodes()),
  message: text(),
  hint: optional(text()),
  suggestions: optional(list(text())),
  available: optional(object({ noun: text(), names: list(text()) })),
} as const;

function failureCodes(): readonly (keyof typeof FAILURE_CODES)[] {
  return Object.keys(FAILURE_CODES) as (keyof typeof FAILURE_CODES)[];
}

/** Returns undefined if the reply does not fit the output of the operation. */
export function checkOutcome(output: Fields, raw: unknown): RemoteOutcome | undefined {
  if (!isRecord(raw)) return undefined;
  const { snapshot } = raw;
  if (typeof snapshot !== 'number' || !Number.isSafeInteger(snapshot)) return undefined;
  if (raw['error'] !== undefined) {
    const error = received(ERROR, raw['error']);
    return error && { snapshot, error: failureOf(error) };
  }
  const data: Data | undefined = received({ ...output, [LEFT_OUT_KEY]: LEFT_OUT }, raw['output']);
  // Local replies are bounded by the same size.
  return data && jsonBytes(data) <= LIMITS.replyTotalBytes.value - ENVELOPE_BYTES
    ? { snapshot, output: data }
    : undefined;
}

function failureOf({ code, message, hint, suggestions, available }: ObjectOf<typeof ERROR>): Failure {
  return new Failure(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(suggestions === undefined ? {} : { suggestions }),
    ...(available === undefined ? {} : { available: { noun: available.noun, names: () => available.names } }),
  });
}
