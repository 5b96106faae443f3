/** The errors of a file that cannot be read as a skill. Not in the registry, because only the web interface has it. */
import path from 'node:path';
import { tryRead } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { defineOperation } from '../operations/define.ts';
import type { Reader } from '../workspace/reader.ts';
import { absolutePlace } from '../workspace/skill-summary.ts';

const LINE = { number: integer(), text: text() } as const;

const ERROR = {
  code: text(),
  message: text(),
  fix: text(),
  line: optional(integer()),
  excerpt: list(object(LINE), 'The line and its neighbors'),
} as const;

export const brokenSkill = defineOperation({
  name: 'broken_skill',
  title: 'Broken skill',
  summary: 'Show why a file cannot be read as a skill',
  params: { path: { type: 'text', filled: true, required: true, help: 'The folder' } },
  output: { file: text(), errors: list(object(ERROR)) },
  reads: 'skills',
  async run({ path: given }, workspace) {
    const dir = absolutePlace(workspace, given);
    const found = workspace.snapshot.discovery.diagnostics.filter(
      ({ path: file, severity }) => severity === 'error' && path.dirname(file) === dir,
    );
    const [first] = found;
    if (!first) throw new Failure('NOT_FOUND', 'There is no broken skill in this folder.');
    return {
      file: first.path,
      errors: found.map(({ code, message, fix, line }) => ({
        code,
        message,
        fix,
        ...(line === undefined ? {} : { line }),
        excerpt: linesAround(workspace, first.path, line),
      })),
    };
  },
});

/** Lines before and after the line with the error. */
const AROUND = 2;
const LINE_CHARACTERS = 400;

/** The path comes from discovery, not from the caller. */
function linesAround({ disk }: Reader, file: string, line = 1): ObjectOf<typeof LINE>[] {
  const read = tryRead(disk, file, LIMITS.skillFileBytes.value);
  if (read instanceof FileTrouble) return [];
  const lines = Buffer.from(read.bytes).toString('utf8').split('\n');
  const at = Math.max(1, line);
  const from = Math.max(0, at - 1 - AROUND);
  return lines
    .slice(from, at + AROUND)
    .map((each, index) => ({ number: from + index + 1, text: each.slice(0, LINE_CHARACTERS) }));
}
