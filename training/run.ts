// Trains the word vectors of the search: npm run train -- --pairs FILE --start FILE [--out FILE] [--seeds 1,2,3] [--steps 2000]
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readCorpus, readFixture, readQuestions, readRequirements, type Questions } from '../bench/search/fixture.ts';
import { meanScores, scoreRanking } from '../bench/search/metrics.ts';
import { memoryDisk } from '../src/core/disk/memory-disk.ts';
import { SearchCache } from '../src/search/cache/cache.ts';
import { readStaticModel } from '../src/search/model/static-model.ts';
import { Search } from '../src/search/search.ts';
import { withoutEvaluation } from './contamination.ts';
import { readPairs } from './pairs.ts';
import { readStartVectors } from './start-vectors.ts';
import { averageTables, train, type WordTable } from './train.ts';
import { writeModel } from './write-model.ts';

/** By type of pair, as README.md lists them. Terms with definitions (7) are left out, because their license is not permissive. */
const TYPE_WEIGHTS = {
  1: 6,
  2: 3,
  3: 3,
  4: 3,
  5: 2,
  6: 3,
  8: 4,
  9: 2,
  10: 3,
  11: 2,
  12: 3,
  13: 3,
  14: 3,
  15: 3,
  16: 2,
  17: 3,
  18: 1,
  19: 2,
};

const { values } = parseArgs({
  options: {
    pairs: { type: 'string' },
    start: { type: 'string' },
    out: { type: 'string', default: 'words.bin' },
    seeds: { type: 'string', default: '1,2,3' },
    steps: { type: 'string', default: '2000' },
    batch: { type: 'string', default: '640' },
    words: { type: 'string', default: '35000' },
    dimensions: { type: 'string', default: '96' },
  },
});
if (values.pairs === undefined || values.start === undefined)
  throw new Error('--pairs FILE and --start FILE are needed');

const readPacked = (file: string): Uint8Array =>
  file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file);
const { documents, questions, heldOut } = readFixture('test/fixtures/search');
const third = {
  documents: readCorpus('bench/search/third'),
  questions: readQuestions('bench/search/third/questions/questions.txt'),
};
const requirements = {
  documents: readRequirements('bench/search/requirements'),
  questions: readQuestions('bench/search/requirements/questions/questions.txt'),
};
const asked = [questions, heldOut, third.questions, requirements.questions].flatMap((set) => Object.values(set).flat());
const all = readPairs(readPacked(values.pairs));
const start = readStartVectors(readPacked(values.start), all.words.length);
const { pairs, names, shingles } = withoutEvaluation(
  all,
  [...documents, ...third.documents, ...requirements.documents],
  asked.map(({ query }) => query),
);
console.log(
  `${all.types.length} pairs; left out: ${names} that share a name, ${shingles} that share 8 words in a row with the evaluation`,
);

const tables: WordTable[] = [];
for (const seed of values.seeds.split(',').map(Number)) {
  const began = process.cpuUsage().user;
  const table = train(pairs, start, {
    seed,
    steps: Number(values.steps),
    dimensions: Number(values.dimensions),
    size: Number(values.batch),
    typeWeights: TYPE_WEIGHTS,
    overlapDropout: 0.6,
    wordDropout: 0.35,
    onStep: (step, loss) => {
      if (step % 100 === 0) console.log(`  step ${step}: loss ${loss.toFixed(3)}`);
    },
  });
  tables.push(table);
  console.log(`seed ${seed}: ${((process.cpuUsage().user - began) / 1e6).toFixed(0)} s CPU`);
  await report(`seed ${seed}`, table);
}
const averaged = averageTables(tables);
await report('average', averaged);
const file = writeModel(all.words, averaged, Number(values.words));
writeFileSync(values.out, file);
console.log(`${values.out}: ${file.length} bytes, sha256 ${createHash('sha256').update(file).digest('hex')}`);

/** The quality on the first two sets of questions. The third is for the finished engine only. */
async function report(name: string, table: WordTable): Promise<void> {
  const model = readStaticModel(writeModel(all.words, table, Number(values.words)), '');
  const search = new Search({
    vectors: { kind: 'static', model: () => model },
    cache: new SearchCache(memoryDisk(), undefined),
  });
  const ndcg = async (set: Questions, kind: 'paraphrase' | 'keyword'): Promise<string> => {
    const scores = [];
    for (const { query, expected } of set[kind]) {
      const { hits } = await search.search(documents, { query, mode: 'auto', limit: documents.length });
      scores.push(
        scoreRanking(
          hits.map(({ id }) => id),
          expected,
        ),
      );
    }
    return meanScores(scores).ndcg10.toFixed(3);
  };
  console.log(
    `${name}: nDCG@10 of natural questions ${await ndcg(questions, 'paraphrase')} and ${await ndcg(heldOut, 'paraphrase')}, of keyword queries ${await ndcg(questions, 'keyword')} and ${await ndcg(heldOut, 'keyword')}`,
  );
}
