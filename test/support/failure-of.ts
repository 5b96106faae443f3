import { expect } from 'vitest';
import { Failure } from '../../src/core/failure.ts';

/** The failure of a request, as programs get it. */
export async function failureOf(request: Promise<unknown>): Promise<Failure> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}
