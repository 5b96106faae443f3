/** Reads the cases of the scan: see test/fixtures/scan/README.md. */
import fs from 'node:fs';
import path from 'node:path';
import type { SkillFile } from '../../src/scan/scan.ts';
import { PACKAGE_DIR } from './run-lectern.ts';

export interface ScanCase {
  kind: 'bad' | 'clean';
  title: string;
  files: SkillFile[];
  /** The places that must be found; a line of 0 is the whole file. */
  marks: { path: string; line: number; level: string | undefined }[];
}

const FIXTURES = path.join(PACKAGE_DIR, 'test/fixtures/scan');
const MARK = /[ \t]*⟵(?: (critical|high|medium))?[ \t]*$/u;
const PLAIN_SKILL = '---\nname: plain\ndescription: Helps with plain things.\n---\n\nRead the files beside this one.\n';

export function scanCases(category: string): ScanCase[] {
  const text = fs.readFileSync(path.join(FIXTURES, `${category}.txt`), 'utf8');
  return text
    .split(/^=== /mu)
    .slice(1)
    .map((part) => {
      const [heading = '', ...rest] = part.split('\n');
      const [kind, title = ''] = heading.split(/: (.*)/u);
      if (kind !== 'bad' && kind !== 'clean') throw new Error(`not a case: ${heading}`);
      return { kind, title, ...filesIn(rest.join('\n')) };
    });
}

function filesIn(text: string): Pick<ScanCase, 'files' | 'marks'> {
  const files: SkillFile[] = [];
  const marks: ScanCase['marks'] = [];
  for (const part of text.split(/^--- (?=[\w.])/mu).slice(1)) {
    const [heading = '', ...lines] = part.replace(/\n+$/u, '\n').split('\n');
    const [name = '', target] = expanded(heading.replace(MARK, '')).toString('utf8').trim().split(' -> ');
    const note = (line: string, number: number): string => {
      const mark = MARK.exec(line);
      if (mark) marks.push({ path: name, line: number, level: mark[1] });
      return line.replace(MARK, '');
    };
    note(heading, 0);
    const content = lines.map((line, index) => note(line, index + 1)).join('\n');
    if (target !== undefined) files.push({ path: name, unread: 'link-outside', detail: target });
    else files.push({ path: name, bytes: expanded(content.includes('{{hex:') ? content.trimEnd() : content) });
  }
  if (!files.some(({ path: name }) => name === 'SKILL.md'))
    files.unshift({ path: 'SKILL.md', bytes: Buffer.from(PLAIN_SKILL) });
  return { files, marks };
}

function expanded(text: string): Buffer {
  const parts = text.split(/(\{\{[^}]*\}\})/u).map((part) => {
    const [, what = '', value = ''] = /^\{\{(u|hex|x|\+):?(.*)\}\}$/u.exec(part) ?? [];
    if (what === 'u') return Buffer.from(String.fromCodePoint(Number.parseInt(value, 16)));
    if (what === 'hex') return Buffer.from(value, 'hex');
    if (what === 'x') return Buffer.from((value.split('*')[0] ?? '').repeat(Number(value.split('*')[1])));
    return what === '+' ? Buffer.alloc(0) : Buffer.from(part);
  });
  return Buffer.concat(parts);
}
