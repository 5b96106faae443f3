/**
 * How well the scan finds the attacks of `bench/scan`: `npm run bench:scan-kit`. Prints figures only, by category, so that no rule is
 * tuned on a single text of the kit.
 */
import type { Diagnostic } from '../src/core/diagnostics.ts';
import { rankOf, scanSkill, type SkillScan } from '../src/scan/scan.ts';
import { CATEGORIES, type Category, type KitSkill, readKit } from './scan/kit.ts';

/**
 * Categories of the scan that name the same danger as one of the kit. The scan has more categories: a piped installer is
 * `download-and-run`, for example, and attacks the supply chain.
 */
const SAME: Readonly<Record<Category, readonly string[]>> = {
  'prompt-injection': ['prompt-injection', 'hidden-text', 'safety-bypass'],
  'agent-tampering': ['agent-tampering', 'safety-bypass'],
  'credential-access': ['credential-access'],
  exfiltration: ['exfiltration'],
  obfuscation: ['obfuscation', 'hidden-text'],
  impersonation: ['impersonation'],
  destructive: ['destructive'],
  'supply-chain': ['supply-chain', 'download-and-run'],
  persistence: ['persistence', 'auto-exec'],
};
const [MEDIUM, HIGH] = [2, 3];

const scanOf = ({ files }: KitSkill): SkillScan =>
  scanSkill(Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })));

/** Lines of the harmful text. */
function isAtHarm({ harm, files }: KitSkill, { path, line = 0 }: Diagnostic): boolean {
  if (harm === undefined || path !== harm.file) return false;
  const text = files[path] ?? '';
  const first = text.slice(0, text.indexOf(harm.text)).split('\n').length;
  return line >= first && line < first + harm.text.split('\n').length;
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => (at === 0 ? String(cell).padEnd(20) : String(cell).padStart(9))).join('');

interface Tally {
  all: number;
  found: number;
  line: number;
  category: number;
  exact: number;
  high: number;
}

function tallyOf(skills: readonly KitSkill[]): Tally {
  const tally = { all: 0, found: 0, line: 0, category: 0, exact: 0, high: 0 };
  for (const skill of skills) {
    const alarms = scanOf(skill).findings.filter((finding) => rankOf(finding) >= MEDIUM);
    const same = skill.category === 'honest' ? [] : SAME[skill.category];
    tally.all += 1;
    tally.found += Number(alarms.length > 0);
    tally.line += Number(alarms.some((finding) => isAtHarm(skill, finding)));
    tally.category += Number(alarms.some(({ category = '' }) => same.includes(category)));
    tally.exact += Number(alarms.some(({ category }) => category === skill.category));
    tally.high += Number(alarms.some((finding) => rankOf(finding) >= HIGH));
  }
  return tally;
}

function printTally(name: string, { all, found, line, category, exact, high }: Tally): void {
  console.log(row([name, all, found, line, category, exact, high]));
}

const attacks = readKit('attacks');
console.log(row(['attacks', 'skills', 'found', 'at line', 'category', 'exactly', 'high']));
for (const category of CATEGORIES)
  printTally(category, tallyOf(attacks.filter((skill) => skill.category === category)));
printTally('subtle', tallyOf(attacks.filter(({ subtle }) => subtle)));
const total = tallyOf(attacks);
printTally('all', total);
const { all, ...parts } = total;
console.log(row(['', '', ...Object.values(parts).map((part) => percent(part, all))]));

const honest = readKit('honest');
const alarmed = tallyOf(honest);
console.log(
  `\nhonest skills: ${honest.length}, alarms above low: ${alarmed.found} (${percent(alarmed.found, honest.length)})`,
);
console.log(`high or critical: ${alarmed.high} (${percent(alarmed.high, honest.length)})`);
