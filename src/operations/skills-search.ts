import * as z from 'zod';
import { compareText } from '../core/text.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { fullNameOf, type Skill } from '../skills/schema.ts';
import type { SearchDocument } from '../search/document.ts';
import { keywordTokens, searchKeywords } from '../search/keyword.ts';
import type { SearchRequest } from '../search/search.ts';
import { placeOf, soughtWord, type SoughtWord } from '../search/sought-word.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import { corpusToSearch } from '../workspace/search-documents.ts';
import type { LoweredText } from '../workspace/lowered-texts.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { readBody } from '../workspace/skill-body.ts';
import { CatalogEntry, describeForAgents } from './skills-list.ts';

const LIMIT_MIN = 1;
const LIMIT_MAX = 25;
const LIMIT_DEFAULT = 10;

export const SkillsSearchOutput = z.object({
  query: z.string(),
  limit: z.int(),
  total: z.int().describe('How many skills matched, also beyond the limit'),
  mode: z
    .enum(['keyword', 'lexical', 'semantic', 'hybrid'])
    .describe('The mode that really ran; lexical is ranked by words without meaning'),
  model: z.string().nullable().describe('The embedding model, where one was used'),
  reason: z.string().optional().describe('Why another mode ran than was asked for, or what the answer may lack'),
  results: z.array(
    CatalogEntry.extend({
      score: z.number().describe('keyword: number of matched words; else 0 to 1'),
      excerpt: z.string().describe('Text around the match'),
    }),
  ),
});
export type SkillsSearchOutput = z.output<typeof SkillsSearchOutput>;

export const skillsSearch = defineOperation({
  name: 'skills_search',
  title: 'Search Skills',
  summary:
    'Finds skills by words in their name, description and body, as the files are now. In keyword mode (the default) every word must occur; hybrid and semantic understand a question in your own words, and get better with rephrasings in `queries`.',
  input: z.strictObject({
    query: z.string().min(1).describe('Keywords to match (all whitespace-separated tokens must be present)'),
    limit: z
      .int()
      .meta({ minimum: LIMIT_MIN, maximum: LIMIT_MAX, description: 'Maximum number of hits' })
      .default(LIMIT_DEFAULT)
      .transform((limit) => Math.min(LIMIT_MAX, Math.max(LIMIT_MIN, limit))),
    mode: z
      .enum(['keyword', 'semantic', 'hybrid'])
      .optional()
      .describe('keyword (default) wants every word; semantic and hybrid go by meaning and need the search index'),
    queries: z
      .array(z.string().min(1))
      .max(LIMITS.searchQueries.value)
      .optional()
      .describe('The same in other words; their hits are fused (by meaning) or follow (keyword)'),
  }),
  output: SkillsSearchOutput,
  readOnly: true,
  async run({ query, limit, mode = 'keyword', queries = [] }, workspace) {
    if (keywordTokens(query).length === 0)
      throw new Failure('USAGE', 'Invalid params (-32602): query is required and must hold a word.');
    const catalog = (await workspace.fresh()).view();
    const asked = { query, limit };
    let reason: string | undefined;
    if (mode !== 'keyword') {
      try {
        return { ...asked, ...(await searchByMeaning(workspace, catalog, { query, queries, mode, limit })) };
      } catch (error) {
        // Without an index or a model words are all there is, and the answer says so.
        if (!(error instanceof Failure) || (error.code !== 'NO_INDEX' && error.code !== 'MODEL_UNAVAILABLE'))
          throw error;
        reason =
          `${mode} search is not available here, so keyword search ran: every word had to occur. ${error.message}. ${error.hint ?? ''}`.trim();
      }
    }
    const { total, hits } = await searchByWords(catalog.skills, [query, ...queries], limit, workspace);
    const results = hits.map(({ skill, score, excerpt }) => ({
      ...describeForAgents(skill, catalog, workspace),
      score,
      excerpt,
    }));
    return {
      ...asked,
      total,
      mode: 'keyword' as const,
      model: null,
      ...(reason === undefined ? {} : { reason }),
      results,
    };
  },
});

async function searchByMeaning(
  workspace: Workspace,
  catalog: SkillCatalog,
  request: SearchRequest,
): Promise<Pick<SkillsSearchOutput, 'total' | 'mode' | 'model' | 'reason' | 'results'>> {
  const { documents } = await corpusToSearch(workspace, 'enabled', ['skill']);
  const room = await workspace.search();
  const { mode, model, reason, total, hits } = await room.search(documents, request);
  const byFile = new Map(catalog.skills.map((skill) => [skill.file, skill]));
  const results = hits.flatMap(({ path, score, snippet }) => {
    const skill = byFile.get(path);
    return skill ? [{ ...describeForAgents(skill, catalog, workspace), score, excerpt: snippet }] : [];
  });
  return { total, mode, model, ...(reason === undefined ? {} : { reason }), results };
}

interface WordHit {
  skill: Skill;
  score: number;
  excerpt: string;
}

/**
 * The hits of the query, then those that only a rephrasing finds. Which skills hold every word, and where, is decided by
 * their lowered texts; only the few that are shown are read again, for their excerpts.
 */
async function searchByWords(
  skills: readonly Skill[],
  queries: readonly string[],
  limit: number,
  workspace: Workspace,
): Promise<{ total: number; hits: WordHit[] }> {
  const textAt = await workspace.texts.prepare(skills, workspace);
  const order = orderById(skills);
  const hits: WordHit[] = [];
  const found = new Uint8Array(skills.length);
  let total = 0;
  for (const query of queries) {
    const tokens = keywordTokens(query);
    const words = tokens.map((token) => soughtWord(Buffer.from(token)));
    const best = new Best(limit - hits.length);
    for (const index of order) {
      if (found[index] === 1) continue;
      const worth = worthOf(textAt(index), words);
      if (worth === undefined) continue;
      found[index] = 1;
      total += 1;
      best.offer(index, worth);
    }
    for (const index of best.inOrder()) {
      const skill = skills[index];
      if (skill) hits.push({ skill, score: tokens.length, excerpt: excerptOf(skill, query, workspace) });
    }
  }
  return { total, hits };
}

/** A word in the names is worth more than any number of them in the description. Undefined where one is missing. */
function worthOf({ bytes, namesEnd, descriptionEnd }: LoweredText, words: readonly SoughtWord[]): number | undefined {
  let inName = 0;
  let inDescription = 0;
  for (const word of words) {
    const first = placeOf(word, bytes, 0);
    if (first === -1) return undefined;
    if (first < namesEnd) inName += 1;
    const next = first < namesEnd ? placeOf(word, bytes, namesEnd) : first;
    if (next !== -1 && next < descriptionEnd) inDescription += 1;
  }
  return inName * (words.length + 1) + inDescription;
}

/** The few that are worth most, in the order they came where they are worth the same. */
class Best {
  readonly #most: number;
  readonly #kept: { index: number; worth: number }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  offer(index: number, worth: number): void {
    if (this.#kept.length >= this.#most && worth <= (this.#kept.at(-1)?.worth ?? Number.POSITIVE_INFINITY)) return;
    let at = this.#kept.length;
    while (at > 0 && (this.#kept[at - 1]?.worth ?? 0) < worth) at -= 1;
    this.#kept.splice(at, 0, { index, worth });
    if (this.#kept.length > this.#most) this.#kept.pop();
  }

  inOrder(): number[] {
    return this.#kept.map(({ index }) => index);
  }
}

const orders = new WeakMap<readonly Skill[], readonly number[]>();

/** The places of the skills, sorted by what equal hits are sorted by: once for a list, which never changes. */
function orderById(skills: readonly Skill[]): readonly number[] {
  const known = orders.get(skills);
  if (known) return known;
  const ids = skills.map((skill) => `${fullNameOf(skill)} ${skill.rank}`);
  const order = ids.map((_, index) => index).sort((a, b) => compareText(ids[a] ?? '', ids[b] ?? ''));
  orders.set(skills, order);
  return order;
}

function excerptOf(skill: Skill, query: string, workspace: Workspace): string {
  const [hit] = searchKeywords([documentOf(skill, () => readBody(skill, workspace).text)], query, 1).hits;
  return hit?.excerpt.text ?? '';
}

function documentOf(skill: Skill, body: () => string): SearchDocument {
  return {
    kind: 'skill',
    id: `${fullNameOf(skill)} ${skill.rank}`,
    name: skill.name,
    otherNames: [skill.folder],
    path: skill.file,
    description: skill.description,
    body,
  };
}
