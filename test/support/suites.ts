/** Which tests belong to which run, read from what they import. */
import fs from 'node:fs';
import path from 'node:path';

function testFiles(belongs: (text: string) => boolean): string[] {
  return fs
    .readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('agents'))
    .map((name) => path.posix.join('test', ...name.split(path.sep)))
    .filter((file) => belongs(fs.readFileSync(file, 'utf8')));
}

/** Tests that can try more than a sample. */
export const scalable = (): string[] => testFiles((text) => text.includes('support/effort.ts'));

const TOUCHES_THE_MACHINE =
  /from 'node:(?:child_process|fs|http|net|os)|support\/(?:connect|oracles|run-lectern|temp-folder)\.ts|, 'disk'\)|cpuUsage|embed\/bundled\.ts/u;

/** Tests that need no build, no process, no disk, no port and no model, and do not compare costs. */
export const inMemory = (): string[] => testFiles((text) => !TOUCHES_THE_MACHINE.test(text));
