/** Rules for conflicting changes. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { listChanges, otherChanges } from '../overlap.ts';
import { at, type ChangeSubject } from './subject.ts';

export const requirementContested = defineRule<ChangeSubject>({
  code: 'requirement-contested',
  severity: 'warning',
  advice: true,
  title: 'Two active changes touch the same requirement',
  about: 'The change archived second is applied to a spec that its author has not seen.',
  fix: 'Archive one of them, then bring the other in line with the new spec.',
  *check({ change, overlaps }) {
    for (const { overlap, own } of overlaps) {
      const { capability, requirement } = overlap;
      yield {
        message: `"${requirement}" of ${capability} is also touched by ${listChanges(otherChanges(change.id, [overlap]))}`,
        path: own.file,
        ...at(own.line - 1, `${own.operation.toUpperCase()} > ${requirement}`),
      };
    }
  },
});
