import type { Overlap } from '../overlap.ts';
import type { ChangeSubject } from '../validate-change.ts';
import { defineAdvice, type ItemCode, type ItemFinding } from './finding.ts';

const requirementContested = defineAdvice({
  code: 'requirement-contested',
  severity: 'warning',
  title: 'Two active changes touch the same requirement',
  about: 'Whichever is archived second meets a spec that its author did not know.',
  fix: 'Archive one of them, then bring the other in line with the new spec.',
});

export const OVERLAP_CODES: readonly ItemCode[] = [requirementContested];

export function* checkOverlap(subject: ChangeSubject, overlaps: readonly Overlap[]): Iterable<ItemFinding> {
  for (const { capability, requirement, claims } of overlaps) {
    const own = claims.find(({ change }) => change === subject.change.id);
    if (!own) continue;
    const others = claims.filter((claim) => claim !== own).map(({ change }) => change);
    yield requirementContested.at(
      subject.in(own.file, own.line - 1, `${own.operation.toUpperCase()} > ${requirement}`),
      `"${requirement}" of ${capability} is also touched by ${others.join(', ')}`,
    );
  }
}
