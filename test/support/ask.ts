import { expect } from 'vitest';
import { checkFields } from '../../src/core/fields/check.ts';
import type { Fields, ObjectOf } from '../../src/core/fields/field.ts';
import type { Operation, Params } from '../../src/operations/define.ts';
import { type GivenTo, perform } from '../../src/operations/perform.ts';
import type { Reader } from '../../src/workspace/reader.ts';

/** Performs an operation as a program would, with the public names of its table. The result must fit the table. */
export async function ask<P extends Params, O extends Fields, L extends string>(
  operation: Operation<P, O, L>,
  given: GivenTo<Operation<P, O, L>, 'library'>,
  workspace: Reader,
): Promise<ObjectOf<O>> {
  const { output } = await perform(operation, given, () => Promise.resolve(workspace), {
    face: 'library',
    wording: { code: 'USAGE', prefix: `${operation.name}: `, whole: 'the input', unknown: 'key' },
  });
  expect(checkFields(operation.output, output, { isResult: true })).not.toHaveProperty('mismatch');
  return output;
}
