import type { Outline } from '../../core/headings.ts';
import type { TextFile } from '../text-file.ts';
import { defineAdvice, type FindingPlace, type ItemCode, type ItemFinding } from './finding.ts';

const fenceUnclosed = defineAdvice({
  code: 'fence-unclosed',
  severity: 'warning',
  title: 'A code fence is never closed',
  about: 'Everything after it counts as code, so headings, requirements and scenarios below are not seen.',
  fix: 'Close the fence with the same marks on a line of their own.',
});

const notUtf8 = defineAdvice({
  code: 'spec-not-utf8',
  severity: 'warning',
  title: 'The file is not UTF-8',
  about: 'Bytes that are no UTF-8 are shown as a replacement character.',
  fix: 'Save the file as UTF-8.',
});

export const TEXT_CODES: readonly ItemCode[] = [fenceUnclosed, notUtf8];

export function* checkText(
  subject: { outline: Outline; at(line: number, section?: string): FindingPlace },
  file: TextFile,
): Iterable<ItemFinding> {
  const { openFence } = subject.outline;
  if (openFence !== undefined)
    yield fenceUnclosed.at(subject.at(openFence), `the fence opened on line ${openFence + 1} is never closed`);
  if (!file.isUtf8)
    yield notUtf8.at(
      subject.at(subject.outline.lines.findIndex((line) => line.includes('\uFFFD'))),
      'some bytes are not valid UTF-8',
    );
}
