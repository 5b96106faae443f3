// Makes training pairs from a folder of sources: npm run train:pairs -- --sources DIR [--out pairs.bin] [--vectors glove.txt]
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { gatherPairs } from './gather-pairs.ts';
import { startVectorsFrom } from './start-vectors.ts';
import { writePairs } from './write-pairs.ts';

const { values } = parseArgs({
  options: {
    sources: { type: 'string' },
    out: { type: 'string', default: 'pairs.bin' },
    vectors: { type: 'string' },
    start: { type: 'string', default: 'start.f16' },
    notice: { type: 'string', default: 'NOTICE' },
  },
});
if (values.sources === undefined) throw new Error('--sources DIR is needed; training/README.md says what is in it');

const { pairs, report, notice } = gatherPairs(values.sources, (file) => readFileSync(file, 'utf8'));
for (const line of report) console.log(line);
const { bytes, words, dropped } = writePairs(pairs);
writeFileSync(values.out, bytes);
writeFileSync(values.notice, notice);
console.log(`${values.out}: ${pairs.length - dropped} pairs of ${words.length} words; ${dropped} without a known word`);

if (values.vectors !== undefined) {
  const lines = createInterface({ input: createReadStream(values.vectors) });
  const { bytes: rows, found } = await startVectorsFrom(lines, words);
  writeFileSync(values.start, rows);
  console.log(`${values.start}: vectors for ${found} of ${words.length} words`);
}
