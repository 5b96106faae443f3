import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { flagsFor } from '../../src/core/engine.ts';

test.each(['short-run', 'spare-memory'] as const)('%s: this engine knows every flag that it is given', (kind) => {
  const flags = flagsFor(kind, process.versions.v8);
  const { stderr } = spawnSync(
    process.execPath,
    ['-e', `for (const flag of ${JSON.stringify(flags)}) require('node:v8').setFlagsFromString(flag)`],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
});

test('an engine that nobody has tried is told nothing', () => {
  expect([flagsFor('short-run', '99.0'), flagsFor('spare-memory', '99.0'), flagsFor('short-run', '')]).toEqual([
    [],
    [],
    [],
  ]);
});

test('each generation of engines has a flag of its own against early compilation', () => {
  const flag = (version: string): string[] =>
    flagsFor('short-run', version).filter((text) => /budget|invocation/u.test(text));
  expect(flag('11.3.244.8-node.33')).toEqual(['--interrupt-budget=1000000']);
  expect(flag('12.4.254.21')).toEqual(['--invocation-count-for-turbofan=1000000']);
  expect(flag('13.6.233.17')).toEqual(['--invocation-count-for-turbofan=1000000']);
});
