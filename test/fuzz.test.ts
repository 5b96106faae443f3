/** A fixed sample of `npm run fuzz`, so that the fuzzer itself keeps working. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mutate, pick, randomFrom } from '../fuzz/mutate.ts';
import { TARGETS } from '../fuzz/targets.ts';
import { PACKAGE_DIR } from './support/run-lectern.ts';

const EXAMPLES = path.join(PACKAGE_DIR, 'examples');
const files = fs.readdirSync(EXAMPLES, { recursive: true }).map((name) => path.join(EXAMPLES, String(name)));

test.each(Object.entries(TARGETS))('%s: forty odd inputs break nothing', async (_, { seeds, run }) => {
  const texts =
    seeds instanceof RegExp
      ? files.filter((file) => seeds.test(file)).map((file) => fs.readFileSync(file, 'utf8'))
      : seeds;
  expect(texts).not.toEqual([]);
  const random = randomFrom(11);
  for (let i = 0; i < 40; i++) await run(mutate(random, pick(random, texts), texts), pick(random, texts));
});
