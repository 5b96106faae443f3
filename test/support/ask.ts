import { expect } from 'vitest';
import type { Field, Fields, ObjectOf } from '../../src/core/fields/field.ts';
import { isRecord } from '../../src/core/json-file.ts';
import type { Operation, Params } from '../../src/operations/define.ts';
import { type GivenTo, perform } from '../../src/operations/perform.ts';
import type { Reader } from '../../src/workspace/reader.ts';

/** Performs an operation as a program would, with the public names of its table. The result must be what the table says. */
export async function ask<P extends Params, O extends Fields, L extends string>(
  operation: Operation<P, O, L>,
  given: GivenTo<Operation<P, O, L>, 'library'>,
  workspace: Reader,
): Promise<ObjectOf<O>> {
  const { output } = await perform(operation, given, () => Promise.resolve(workspace), {
    face: 'library',
    wording: { code: 'USAGE', prefix: `${operation.name}: `, whole: 'the input', unknown: 'key' },
  });
  expect(misfits({ type: 'object', fields: operation.output }, output, operation.name)).toEqual([]);
  return output;
}

/** Where a result differs from its table. */
function misfits(field: Field, value: unknown, place: string): string[] {
  if (value === null && field.nullable) return [];
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? [] : [place];
    case 'integer':
      return Number.isSafeInteger(value) ? [] : [place];
    case 'number':
      return Number.isFinite(value) ? [] : [place];
    case 'flag':
      return typeof value === 'boolean' ? [] : [place];
    case 'choice':
      return field.choices.some((choice) => choice === value) ? [] : [place];
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((item, index) => misfits(field.of, item, `${place}[${index}]`))
        : [place];
    case 'map':
      return isRecord(value)
        ? Object.entries(value).flatMap(([key, item]) => misfits(field.of, item, `${place}.${key}`))
        : [place];
    case 'object':
      return isRecord(value) ? objectMisfits(field.fields, value, place) : [place];
    case 'any':
      return [];
  }
}

function objectMisfits(fields: Fields, value: Record<string, unknown>, place: string): string[] {
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key) && value[key] !== undefined);
  const wrong = Object.entries(fields).flatMap(([key, field]) => {
    if (value[key] === undefined) return field.optional ? [] : [`${place}.${key}`];
    return misfits(field, value[key], `${place}.${key}`);
  });
  return [...unknown.map((key) => `${place}.${key}`), ...wrong];
}
