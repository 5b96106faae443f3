import { expect, test } from 'vitest';
import { newYamlMap } from '../../../src/core/frontmatter/yaml-value.ts';

test('a map inherits no key, and takes any', () => {
  const map = newYamlMap();
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    expect(key in map).toBe(false);
    map[key] = 'x';
    expect(map[key]).toBe('x');
  }
  expect(Object.keys(map)).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']);
  expect(Object.keys(newYamlMap())).toEqual([]);
  expect(JSON.stringify({ map })).toContain('"__proto__":"x"');
});
