/**
 * How often the scan speaks up on a folder of honest skills: `npm run bench:scan -- --corpus DIR [--level medium]`. Prints the
 * share of skills by their worst finding, and every finding of the level given and above, to be looked at by eye.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LEVELS } from '../src/core/diagnostics.ts';
import { rankOf, scanSkill, type SkillFile } from '../src/scan/scan.ts';

const { values } = parseArgs({
  options: { corpus: { type: 'string' }, level: { type: 'string', default: 'high' } },
});
const corpus = values.corpus;
if (corpus === undefined) throw new Error('Give the folder with --corpus DIR.');
const shown = LEVELS.findIndex((level) => level === values.level);

const folders = fs
  .readdirSync(corpus, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name === 'SKILL.md')
  .map(({ parentPath }) => parentPath)
  .sort();

function filesOf(folder: string): SkillFile[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => ({
      path: path.relative(folder, file).split(path.sep).join('/'),
      bytes: fs.readFileSync(file),
    }));
}

const worst = new Map<string, number>();
const codes = new Map<string, number>();
let bytes = 0;
let spent = 0;
for (const folder of folders) {
  const files = filesOf(folder);
  const before = process.cpuUsage();
  const scan = scanSkill(files);
  const used = process.cpuUsage(before);
  spent += used.user + used.system;
  bytes += scan.bytes;
  const level = scan.findings[0]?.level ?? 'none';
  worst.set(level, (worst.get(level) ?? 0) + 1);
  for (const code of new Set(scan.findings.map((finding) => `${finding.level ?? ''} ${finding.code}`)))
    codes.set(code, (codes.get(code) ?? 0) + 1);
  for (const finding of scan.findings)
    if (rankOf(finding) >= shown) {
      const place = path.join(path.relative(corpus, folder), finding.path);
      console.log(
        `${finding.level ?? ''} ${finding.code} ${place}:${finding.line ?? ''}\n    ${finding.message}\n    ${finding.evidence ?? ''}`,
      );
    }
}
console.log(`\n${folders.length} skills, ${bytes} bytes, ${Math.round(spent / 1000)} ms of CPU time`);
for (const level of ['critical', 'high', 'medium', 'low', 'info', 'none']) {
  const skills = worst.get(level) ?? 0;
  console.log(`${level.padEnd(9)} ${String(skills).padStart(5)}  ${((100 * skills) / folders.length).toFixed(1)} %`);
}
console.log('\nSkills with at least one finding:');
for (const [code, skills] of [...codes].sort((a, b) => b[1] - a[1]))
  console.log(`${String(skills).padStart(5)}  ${code}`);
