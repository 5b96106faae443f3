/**
 * How often `lectern try` agrees with evaluation files: `npm run bench:try -- DIR…`, each DIR a checkout with skills and their evals.
 * All skills of a checkout are one list, with the lines of Claude Code. For every prompt that expects one of them, prints how often
 * that skill is first or among the first three, and how often the verdict `clear` is right. Data that is not in the list is counted.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readEvals } from '../src/agents/evals.ts';
import type { Entry } from '../src/agents/seen-by.ts';
import { tryRequest } from '../src/agents/try-request.ts';
import { nodeFiles } from '../src/core/disk/node-tree.ts';
import { readFrontmatter } from '../src/core/frontmatter/read.ts';
import { foldName, oneLine } from '../src/core/text.ts';
import { readRequest } from '../src/search/line.ts';
import { openBundledModel } from '../src/search/model/bundled.ts';

/** Claude Code cuts a description after this many characters. */
const DESCRIPTION_MAX = 1_536;
const EVALS = /(?:eval|trigger|routing|cases)[^/\\]*\.jsonl?$/iu;

const model = openBundledModel(nodeFiles);

interface Counts {
  prompts: number;
  first: number;
  three: number;
  clear: number;
  clearFirst: number;
  none: number;
}
const zero = (): Counts => ({ prompts: 0, first: 0, three: 0, clear: 0, clearFirst: 0, none: 0 });

function filesBelow(dir: string): string[] {
  return fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${path.sep}node_modules`))
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort();
}

/** The first skill of each name, because some collections copy their skills for every agent. */
function listOf(files: readonly string[]): Entry[] {
  const entries = new Map<string, Entry>();
  for (const file of files.filter((each) => path.basename(each) === 'SKILL.md')) {
    const name = path.basename(path.dirname(file));
    const data = readFrontmatter(fs.readFileSync(file, 'utf8'))?.data ?? {};
    const description = oneLine(String(data['description'] ?? ''));
    if (description === '' || entries.has(foldName(name))) continue;
    const text = description.slice(0, DESCRIPTION_MAX);
    const [characters, cost, fullCost] = [text.length, text.length, text.length];
    const head = { position: entries.size + 1, name, verdict: undefined, status: 'seen' as const };
    entries.set(foldName(name), { ...head, characters, cost, fullCost, text, isWhole: true, description });
  }
  return [...entries.values()];
}

interface Prompts {
  prompts: { request: string; expect: string }[];
  files: number;
  /** Entries without a prompt or an expected skill, such as those that name a skill that must not be used. */
  notRead: number;
}

function promptsIn(files: readonly string[]): Prompts {
  const found: Prompts = { prompts: [], files: 0, notRead: 0 };
  const seen = new Set<string>();
  for (const file of files.filter((each) => EVALS.test(path.basename(each)))) {
    let read;
    try {
      read = readEvals(fs.readFileSync(file, 'utf8'), file);
    } catch {
      continue;
    }
    if (read.expectations.length === 0) continue;
    found.files += 1;
    found.notRead += read.notRead.length;
    for (const { request, expect } of read.expectations) {
      const key = JSON.stringify([request, expect]);
      if (!seen.has(key)) found.prompts.push({ request, expect });
      seen.add(key);
    }
  }
  return found;
}

function measure(entries: readonly Entry[], prompts: Prompts['prompts']): { counts: Counts; unknown: number } {
  const counts = zero();
  const names = new Set(entries.map(({ name }) => foldName(name)));
  const list = { entries: [...entries] };
  let unknown = 0;
  for (const { request, expect } of prompts) {
    const parsed = readRequest(model, request);
    if (!names.has(foldName(expect)) || parsed.words.length === 0) {
      unknown += 1;
      continue;
    }
    const { ranked, verdict } = tryRequest(model, list, parsed);
    const at = ranked.findIndex(({ entry }) => foldName(entry.name) === foldName(expect));
    counts.prompts += 1;
    if (at === 0) counts.first += 1;
    if (at < 3) counts.three += 1;
    if (verdict === 'none') counts.none += 1;
    if (verdict !== 'clear') continue;
    counts.clear += 1;
    if (at === 0) counts.clearFirst += 1;
  }
  return { counts, unknown };
}

const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

function row(name: string, skills: number, { prompts, first, three, clear, clearFirst, none }: Counts): string {
  const cells = [share(first, prompts), share(three, prompts), share(clear, prompts), share(clearFirst, clear)];
  return `| ${[name, skills, prompts, ...cells, share(none, prompts)].join(' | ')} |`;
}

const total = zero();
let skillsInAll = 0;
console.log('| checkout | skills | prompts | first | first three | clear | right if clear | none |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
const notes: string[] = [];
for (const dir of process.argv.slice(2)) {
  const files = filesBelow(dir);
  const entries = listOf(files);
  const { prompts, files: evals, notRead } = promptsIn(files);
  const { counts, unknown } = measure(entries, prompts);
  skillsInAll += entries.length;
  for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += counts[key];
  console.log(row(path.basename(dir), entries.length, counts));
  notes.push(
    `${path.basename(dir)}: ${evals} files; ${unknown} prompts expect a skill that is not in the list, ${notRead} entries could not be used`,
  );
}
console.log(row('all', skillsInAll, total));
console.log(`\n${notes.join('\n')}`);
