/**
 * Scores the search on every set of questions, compared with the earlier engine: npm run bench:search
 * `-- --save FILE` stores the score of each question, and `-- --against FILE` compares with stored scores by a paired bootstrap.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { memoryDisk } from '../src/core/disk/memory-disk.ts';
import { nodeFiles } from '../src/core/disk/node-tree.ts';
import { SearchCache } from '../src/search/cache/cache.ts';
import type { SearchDocument } from '../src/search/document.ts';
import { strengthOf } from '../src/search/confidence.ts';
import { openBundledModel } from '../src/search/model/bundled.ts';
import type { SearchAnswer, SearchMode } from '../src/search/answer.ts';
import { BEST_SCORE } from '../src/search/rank.ts';
import { Search } from '../src/search/search.ts';
import {
  type QuestionKind,
  type Questions,
  readCorpus,
  readFixture,
  readQuestions,
  readRequirements,
} from './search/fixture.ts';
import { meanScores, pairedBootstrap, type Scores, scoreRanking } from './search/metrics.ts';

type Earlier = Record<'keyword' | 'hybrid', Record<'paraphrase' | 'keyword', number[]>>;

const earlier = JSON.parse(readFileSync('bench/search/earlier-engine.json', 'utf8')) as Record<string, Earlier>;
const model = openBundledModel(nodeFiles);
const { documents, questions, heldOut } = readFixture('test/fixtures/search');
const third = {
  documents: readCorpus('bench/search/third'),
  questions: readQuestions('bench/search/third/questions/questions.txt'),
};

const requirements = {
  documents: readRequirements('bench/search/requirements'),
  questions: readQuestions('bench/search/requirements/questions/questions.txt'),
  otherLanguages: readQuestions('bench/search/requirements/questions/other-languages.txt'),
};

const { values: flags } = parseArgs({ options: { save: { type: 'string' }, against: { type: 'string' } } });
/** nDCG@10 of each question, by set and kind. */
type Stored = Record<string, number[]>;
const stored: Stored = {};
const against = flags.against === undefined ? {} : (JSON.parse(readFileSync(flags.against, 'utf8')) as Stored);

const cell = (value: number): string => value.toFixed(3).padStart(8);
const share = (part: number, whole: number): string => `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`;

function freshSearch(): Search {
  return new Search({
    vectors: { kind: 'static', model: () => model },
    cache: new SearchCache(memoryDisk(), undefined),
  });
}

function compareWithStored(key: string, now: readonly number[]): void {
  stored[key] = [...now];
  const old = against[key];
  if (old?.length !== now.length || now.length === 0) return;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const { low, high } = pairedBootstrap(now, old);
  const change = mean(now) - mean(old);
  console.log(
    `${key}: nDCG@10 was ${mean(old).toFixed(3)}, changed by ${change.toFixed(3)} (${low.toFixed(3)}..${high.toFixed(3)})`,
  );
}

async function report(
  title: string,
  corpus: readonly SearchDocument[],
  set: Questions,
  before?: Earlier,
): Promise<void> {
  const search = freshSearch();
  const ask = async (mode: SearchMode, kind: QuestionKind): Promise<SearchAnswer[]> => {
    const answers: SearchAnswer[] = [];
    for (const { query } of set[kind]) answers.push(await search.search(corpus, { query, mode, limit: corpus.length }));
    return answers;
  };
  const scoresOf = (answers: readonly SearchAnswer[], kind: QuestionKind): Scores[] =>
    set[kind].map(({ expected }, index) => scoreRanking(answers[index]?.hits.map(({ id }) => id) ?? [], expected));
  const counts = [
    `${set.paraphrase.length} natural questions`,
    `${set.keyword.length} keyword queries`,
    `${set['off-topic'].length} off-topic queries`,
  ];
  console.log(`\n${title}: ${counts.join(', ')} over ${corpus.length} documents\n`);
  console.log('                natural questions                   keyword queries');
  console.log('mode            nDCG@10     MRR    R@5   R@10       nDCG@10     MRR    R@5   R@10');
  const answers = { paraphrase: await ask('auto', 'paraphrase'), keyword: await ask('auto', 'keyword') };
  const words = { paraphrase: await ask('keyword', 'paraphrase'), keyword: await ask('keyword', 'keyword') };
  for (const [name, given] of [
    ['auto', answers],
    ['keyword', words],
  ] as const) {
    const columns = (['paraphrase', 'keyword'] as const)
      .map((kind) => meanScores(scoresOf(given[kind], kind)))
      .map((scores) => [scores.ndcg10, scores.reciprocalRank, scores.recall5, scores.recall10].map(cell).join(''))
      .join('    ');
    console.log(`${name.padEnd(14)}${columns}`);
  }
  for (const kind of ['paraphrase', 'keyword'] as const) {
    const now = scoresOf(answers[kind], kind).map(({ ndcg10 }) => ndcg10);
    compareWithStored(`${title}, ${kind}`, now);
    const old = before?.hybrid[kind];
    if (!old) continue;
    const { better, low, high } = pairedBootstrap(now, old);
    const mean = old.reduce((sum, value) => sum + value, 0) / old.length;
    console.log(
      `earlier engine, hybrid, ${kind}: nDCG@10 ${mean.toFixed(3)}; auto - earlier: 95 % within ${low.toFixed(3)} .. ${high.toFixed(3)}, above zero in ${(better * 100).toFixed(1)} % of draws`,
    );
  }
  if (set['off-topic'].length === 0) return;
  const foreign = await ask('auto', 'off-topic');
  const weak = (given: readonly SearchAnswer[]): number =>
    given.filter(({ confidence, total }) => confidence === 'low' || total === 0).length;
  console.log('\nlow confidence or no answer');
  console.log(
    `  off-topic  ${share(weak(foreign), foreign.length)}, of them empty ${foreign.filter(({ total }) => total === 0).length}`,
  );
  console.log(`  natural    ${share(weak(answers.paraphrase), answers.paraphrase.length)}`);
  console.log(`  keyword    ${share(weak(answers.keyword), answers.keyword.length)}`);
  console.log('\nthe whole curve: weak answers in percent, if the border were moved and nothing else counted');
  console.log('  moved by   off-topic   natural   keyword');
  const strength = ({ hits }: SearchAnswer): number =>
    strengthOf(
      hits.slice(0, 3).map(({ score }) => BEST_SCORE * score),
      corpus.length,
    );
  for (let moved = -0.06; moved < 0.125; moved += 0.02) {
    const low = (given: readonly SearchAnswer[]): string =>
      `${Math.round((100 * given.filter((answer) => strength(answer) < moved).length) / given.length)}`.padStart(10);
    console.log(`  ${moved.toFixed(2).padStart(8)}${low(foreign)}${low(answers.paraphrase)}${low(answers.keyword)}`);
  }
}

await report('first set, on which weights were chosen', documents, questions, earlier['questions']);
await report('second set, held out', documents, heldOut, earlier['heldOut']);
await report('third set, written before this engine', third.documents, third.questions);
await report('requirements', requirements.documents, requirements.questions);
await report('requirements, other languages', requirements.documents, requirements.otherLanguages);
if (flags.save !== undefined) writeFileSync(flags.save, JSON.stringify(stored));
