// Scores every mode over the quality fixture: npm run bench:search
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../src/core/failure.js';
import { nodeIndexFiles } from '../src/core/index-files.js';
import { nodeFiles } from '../src/core/node-files.js';
import { bundledEmbedder } from '../src/search/embed/bundled.js';
import { Search, type SearchMode } from '../src/search/search.js';
import { type QuestionKind, readFixture } from './search/fixture.js';
import { meanScores, pairedBootstrap, type Scores, scoreRanking } from './search/metrics.js';

const { documents, questions } = readFixture('test/fixtures/search');
const dir = mkdtempSync(path.join(os.tmpdir(), 'lectern-quality-'));
const embedder = bundledEmbedder({ files: nodeFiles });
const withModel = new Search({ files: nodeIndexFiles, dir, embedder: () => embedder });
const wordsOnly = new Search({ files: nodeIndexFiles, dir, embedder: undefined });
await withModel.build({ documents, pid: process.pid, now: Date.now });

const modes: Record<string, { search: Search; mode: SearchMode }> = {
  keyword: { search: wordsOnly, mode: 'keyword' },
  lexical: { search: wordsOnly, mode: 'hybrid' },
  semantic: { search: withModel, mode: 'semantic' },
  hybrid: { search: withModel, mode: 'hybrid' },
};

/** A query the model cannot read is an error in semantic mode; here it has found nothing. */
async function ranking(search: Search, mode: SearchMode, query: string): Promise<string[]> {
  try {
    const { hits } = await search.search(documents, { query, mode, limit: documents.length });
    return hits.map(({ id }) => id);
  } catch (error) {
    if (error instanceof Failure && error.code === 'MODEL_UNAVAILABLE') return [];
    throw error;
  }
}

const results = new Map<string, Map<QuestionKind, string[][]>>();
for (const [name, { search, mode }] of Object.entries(modes)) {
  const byKind = new Map<QuestionKind, string[][]>();
  for (const kind of ['paraphrase', 'keyword', 'off-topic'] as const) {
    const rankings: string[][] = [];
    for (const { query } of questions[kind]) {
      rankings.push(await ranking(search, mode, query));
    }
    byKind.set(kind, rankings);
  }
  results.set(name, byKind);
}
await embedder.close();
rmSync(dir, { recursive: true });

const scoresOf = (name: string, kind: QuestionKind): Scores[] =>
  questions[kind].map(({ expected }, index) => scoreRanking(results.get(name)?.get(kind)?.[index] ?? [], expected));
const cell = (value: number): string => value.toFixed(3).padStart(8);

console.log(
  `${documents.length} documents, ${questions.paraphrase.length} paraphrases, ${questions.keyword.length} keyword queries, ${questions['off-topic'].length} off-topic queries\n`,
);
console.log('            paraphrases                  keyword queries              off-topic');
console.log('mode         nDCG@10     MRR    R@5       nDCG@10     MRR    R@5       empty answers');
for (const name of Object.keys(modes)) {
  const paraphrase = meanScores(scoresOf(name, 'paraphrase'));
  const keyword = meanScores(scoresOf(name, 'keyword'));
  const offTopic = results.get(name)?.get('off-topic') ?? [];
  const empty = offTopic.filter((ranking) => ranking.length === 0).length;
  const columns = [paraphrase, keyword].map((scores) => [scores.ndcg10, scores.reciprocalRank, scores.recall5].map(cell).join('')).join('    ');
  console.log(`${name.padEnd(10)}${columns}       ${empty} of ${offTopic.length}`);
}
for (const kind of ['paraphrase', 'keyword'] as const) {
  const [hybrid, lexical] = ['hybrid', 'lexical'].map((name) => scoresOf(name, kind).map((scores) => scores.ndcg10));
  const { better, low, high } = pairedBootstrap(hybrid ?? [], lexical ?? []);
  console.log(
    `\nhybrid - lexical, nDCG@10 on ${kind} queries: 95 % within ${low.toFixed(3)} .. ${high.toFixed(3)}, above zero in ${(better * 100).toFixed(1)} % of draws`,
  );
}
