// Feeds readers and the server with odd inputs: npm run fuzz [-- --minutes 30] [--seed 7] [--only specs]
// A finding is printed with its input, which is also written to .fuzz/, and the run goes on; the exit code is then 1.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mutate, pick, randomFrom } from './mutate.ts';
import { type Target, TARGETS } from './targets.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
const random = randomFrom(seed);
const end = Date.now() + Number(values.minutes) * 60_000;

/** More processor time than this for one input is a finding: the inputs have at most 200 kB. */
const SLOW_MS = 2_000;

const FOLDERS = ['examples', 'test/fixtures'];
const files = FOLDERS.flatMap((dir) => readdirSync(dir, { recursive: true }).map((name) => `${dir}/${String(name)}`));

function seedsOf({ seeds }: Target): readonly string[] {
  if (!(seeds instanceof RegExp)) return seeds;
  return files.filter((file) => seeds.test(file)).map((file) => readFileSync(file, 'utf8'));
}

const targets = Object.entries(TARGETS)
  .filter(([name]) => values.only === undefined || values.only === name)
  .map(([name, target]) => ({ name, target, seeds: seedsOf(target), cases: 0, slowest: 0 }));
const found = new Set<string>();
console.log(`seed ${seed}; ${targets.map(({ name, seeds }) => `${name} (${seeds.length} inputs)`).join(', ')}`);

while (Date.now() < end) {
  for (const each of targets) {
    const other = pick(random, each.seeds);
    const text = mutate(random, pick(random, each.seeds), each.seeds);
    const before = process.cpuUsage();
    let problem: string | undefined;
    try {
      await each.target.run(text, other);
    } catch (error) {
      problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    const { user, system } = process.cpuUsage(before);
    const spent = (user + system) / 1000;
    each.cases += 1;
    each.slowest = Math.max(each.slowest, spent);
    if (spent > SLOW_MS) problem ??= `slow: ${spent.toFixed(0)} ms for ${text.length} characters`;
    if (problem !== undefined) report(each.name, problem, text, other);
  }
}
for (const { name, cases, slowest } of targets)
  console.log(`${name}: ${cases} cases, slowest ${slowest.toFixed(0)} ms`);
console.log(found.size === 0 ? 'no findings' : `${found.size} findings, in .fuzz/`);
process.exit(found.size === 0 ? 0 : 1);

/** The same problem at the same place is one finding. */
function report(name: string, problem: string, text: string, other: string): void {
  const lines = problem.split('\n');
  const key = `${name} ${lines[0]?.replaceAll(/\d+/gu, 'N')} ${lines.find((line) => line.includes(' at ')) ?? ''}`;
  if (found.has(key)) return;
  found.add(key);
  mkdirSync('.fuzz', { recursive: true });
  const file = `.fuzz/${name}-${found.size}`;
  writeFileSync(`${file}.txt`, text);
  writeFileSync(`${file}.other.txt`, other);
  console.log(`\n${name}: ${problem}\n  input: ${file}.txt\n${JSON.stringify(text.slice(0, 400))}`);
}
