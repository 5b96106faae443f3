/** The build replaces the registry, so that the command and the server start without the code of all operations. */
import { beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../src/operations/index.ts';
import { PACKAGE_DIR } from './support/run-lectern.ts';

interface Table {
  readonly name: string;
  readonly [key: string]: unknown;
}

const LEFT_OUT = new Set(['run', 'output', 'details', 'join']);

let tables: Table[];
let tools: string;
beforeAll(async () => {
  const { commandTables } = await import(String(new URL('../scripts/command-tables.mjs', import.meta.url)));
  const { plugin } = await commandTables(PACKAGE_DIR);
  const id: unknown = plugin.resolveId('../operations/index.ts', `${PACKAGE_DIR}/src/cli/commands.ts`);
  const code = Buffer.from(String(plugin.load(id))).toString('base64');
  tools = plugin.load(plugin.resolveId('../operations/index.ts', `${PACKAGE_DIR}/src/mcp/tools.ts`));
  ({ OPERATIONS: tables } = await import(`data:text/javascript;base64,${code}`));
});

test('the tables have every operation with a command, in the order of the registry', () => {
  expect(tables.map(({ name }) => name)).toEqual(
    OPERATIONS.filter((each) => 'command' in each).map(({ name }) => name),
  );
});

test('the registry of the server has every tool, in the order of the registry', () => {
  const imported = [...tools.matchAll(/^import \{ (\w+) \} from "[^"]+";$/gmu)].map(([, name]) => name);
  expect(tools).toContain(`OPERATIONS = [${imported.join(', ')}]`);
  expect(imported).toHaveLength(OPERATIONS.filter((each) => 'tool' in each).length);
});

test.each(OPERATIONS.filter((each) => 'command' in each).map((each) => [each.name, each] as const))(
  'the table of %s has the parameters, settings and functions of the operation',
  (name, operation) => {
    const table = tables.find((each) => each.name === name) ?? { name: 'missing' };
    const own = Object.entries(operation).filter(([key, value]) => !LEFT_OUT.has(key) && value !== undefined);
    expect(Object.keys(table).sort()).toEqual([...own.map(([key]) => key), 'run'].sort());
    for (const [key, value] of own)
      if (typeof value === 'function') expect(table[key]).toBeTypeOf('function');
      else expect(table[key]).toEqual(value);
  },
);
