import { expect, test } from 'vitest';
import type { Fields } from '../../src/core/fields/field.ts';
import { type AnyOperation, paramsFor } from '../../src/operations/define.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { Join } from '../../src/operations/join.ts';

const operations: readonly AnyOperation[] = OPERATIONS;
const tools = operations.filter(({ tool }) => tool !== undefined);

/** Names of parameters, output fields and operations that a row refers to, and that do not exist. */
function unknownNames({ join, output, ...operation }: AnyOperation): string[] {
  const params = paramsFor('mcp', operation);
  const fields: Fields = output;
  if (join === undefined || join === 'none') return [];
  if (join.how === 'named') {
    const probes = [join.probe, join.namesake].flatMap((probe) => (probe ? [probe('x')] : []));
    return [
      ...(Object.hasOwn(params, join.param) ? [] : [join.param]),
      ...probes.flatMap((probe) => {
        const asked = operations.find(({ name }) => name === probe.operation);
        if (!isJoined(asked?.join)) return [probe.operation];
        return Object.keys(probe.input).filter((key) => !Object.hasOwn(asked?.params, key));
      }),
    ];
  }
  const items = fields[join.field];
  const item = items?.type === 'list' && items.of.type === 'object' ? items.of.fields : {};
  return [join.name, ...(join.how === 'score' ? ['score'] : [])].filter((key) => !Object.hasOwn(item, key));
}

function isJoined(join: Join | undefined): boolean {
  return join !== undefined && join !== 'none';
}

test('every tool declares how it joins a shared catalog', () => {
  expect(tools.length).toBeGreaterThan(0);
  expect(tools.filter(({ join }) => join === undefined).map(({ name }) => name)).toEqual([]);
});

test('a tool that writes is never joined', () => {
  expect(tools.filter(({ writes, join }) => writes !== undefined && isJoined(join)).map(({ name }) => name)).toEqual(
    [],
  );
});

test.each(tools.map((operation) => [operation.name, operation] as const))(
  'the join row of %s names only parameters, fields and operations that exist',
  (_name, operation) => expect(unknownNames(operation)).toEqual([]),
);
