/** Refuses archive runs that would lose text. Messages show the first affected lines. */
import { Failure } from '../core/failure.ts';
import type { DeltaFile } from './change-folder.ts';
import type { IgnoredHeading } from './ignored-headings.ts';
import { nameLines } from './name-lines.ts';
import { archiveTextLost } from './rules/archive.ts';
import { headingIgnored } from './rules/delta-entries.ts';
import type { SpecFile } from './spec-file.ts';

/** Refuses to delete lines that the delta does not account for. */
export function refuseLoss({ capability, file, editable }: SpecFile, lost: readonly number[]): void {
  const [first] = lost;
  if (first === undefined) return;
  const lines = lost.map((line) => ({ line, text: editable.outline.lines[line] ?? '' }));
  throw new Failure(
    'REFUSED',
    `Archiving would delete text of ${capability} that the delta does not remove: ${nameLines(lines)}.`,
    {
      path: file.path,
      line: first + 1,
      hint: archiveTextLost.fix,
      facts: { reason: archiveTextLost.code },
    },
  );
}

/** Refuses to drop headings that were probably meant as delta entries. */
export function refuseIgnored({ capability, file }: DeltaFile, ignored: readonly IgnoredHeading[]): void {
  const [first] = ignored;
  if (!first) return;
  throw new Failure(
    'REFUSED',
    `Archiving would ignore a part of the delta for ${capability}: ${nameLines(ignored)}. ${ignored.length === 1 ? 'It' : 'The first'} ${first.reason}.`,
    {
      path: file.path,
      line: first.line + 1,
      hint: `${first.fix} To leave it out, pass --allow-ignored.`,
      facts: { reason: headingIgnored.code },
    },
  );
}
