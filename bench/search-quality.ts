// Scores every mode over both query sets of the quality fixture: npm run bench:search
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../src/core/failure.ts';
import { nodeDisk } from '../src/core/disk/node-disk.ts';
import { bundledEmbedder } from '../src/search/embed/bundled.ts';
import { searchKeywords } from '../src/search/keyword.ts';
import { Search, type SearchMode } from '../src/search/search.ts';
import { type QuestionKind, type Questions, readFixture } from './search/fixture.ts';
import { meanScores, pairedBootstrap, type Scores, scoreRanking } from './search/metrics.ts';

const { documents, questions, heldOut } = readFixture('test/fixtures/search');
const dir = mkdtempSync(path.join(os.tmpdir(), 'lectern-quality-'));
const embedder = bundledEmbedder({ files: nodeDisk });
const withModel = new Search({ disk: nodeDisk, dir, embedder: () => embedder });
const wordsOnly = new Search({ disk: nodeDisk, dir, embedder: undefined });
await withModel.build({ documents, pid: process.pid, now: Date.now });

const modes: Record<string, (query: string) => Promise<string[]>> = {
  keyword: async (query) => {
    const { hits } = await searchKeywords(documents, [query], documents.length);
    return hits.map(({ document }) => document.id);
  },
  lexical: (query) => ranking(wordsOnly, 'hybrid', query),
  semantic: (query) => ranking(withModel, 'semantic', query),
  hybrid: (query) => ranking(withModel, 'hybrid', query),
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

const cell = (value: number): string => value.toFixed(3).padStart(8);

async function report(title: string, set: Questions): Promise<void> {
  const results = new Map<string, Record<QuestionKind, string[][]>>();
  for (const [name, rank] of Object.entries(modes)) {
    const rankings: Record<QuestionKind, string[][]> = { paraphrase: [], keyword: [], 'off-topic': [] };
    for (const kind of ['paraphrase', 'keyword', 'off-topic'] as const) {
      for (const { query } of set[kind]) rankings[kind].push(await rank(query));
    }
    results.set(name, rankings);
  }
  const scoresOf = (name: string, kind: QuestionKind): Scores[] =>
    set[kind].map(({ expected }, index) => scoreRanking(results.get(name)?.[kind][index] ?? [], expected));

  console.log(
    `${title}: ${set.paraphrase.length} paraphrases, ${set.keyword.length} keyword queries, ${set['off-topic'].length} off-topic queries over ${documents.length} documents\n`,
  );
  console.log('            paraphrases                  keyword queries              off-topic');
  console.log('mode         nDCG@10     MRR    R@5       nDCG@10     MRR    R@5       empty answers');
  for (const [name, rankings] of results) {
    const means = [meanScores(scoresOf(name, 'paraphrase')), meanScores(scoresOf(name, 'keyword'))];
    const columns = means
      .map((scores) => [scores.ndcg10, scores.reciprocalRank, scores.recall5].map(cell).join(''))
      .join('    ');
    const empty = rankings['off-topic'].filter((ids) => ids.length === 0).length;
    console.log(`${name.padEnd(10)}${columns}       ${empty} of ${rankings['off-topic'].length}`);
  }
  for (const kind of ['paraphrase', 'keyword'] as const) {
    const [hybrid, lexical] = ['hybrid', 'lexical'].map((name) => scoresOf(name, kind).map((scores) => scores.ndcg10));
    const { better, low, high } = pairedBootstrap(hybrid ?? [], lexical ?? []);
    console.log(
      `\nhybrid - lexical, nDCG@10 on ${kind} queries: 95 % within ${low.toFixed(3)} .. ${high.toFixed(3)}, above zero in ${(better * 100).toFixed(1)} % of draws`,
    );
  }
  const lost = set.keyword.filter((_, index) => {
    const [hybrid, lexical] = ['hybrid', 'lexical'].map((name) => scoresOf(name, 'keyword')[index]?.ndcg10 ?? 0);
    return (hybrid ?? 0) < (lexical ?? 0);
  });
  console.log(
    `\nkeyword queries that lose by hybrid: ${lost.length === 0 ? 'none' : lost.map(({ query }) => query).join('; ')}\n`,
  );
}

await report('the queries the weights were chosen on', questions);
await report('held-out queries, on which nothing was chosen', heldOut);
await embedder.close();
rmSync(dir, { recursive: true });
