/** Changes that get in each other's way. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { at, type ChangeSubject } from './subject.ts';

export const requirementContested = defineRule<ChangeSubject>({
  code: 'requirement-contested',
  severity: 'warning',
  advice: true,
  title: 'Two active changes touch the same requirement',
  about: 'The one that is archived second meets a spec that its author did not know.',
  fix: 'Archive one of them, then bring the other in line with the new spec.',
  *check({ change, overlaps }) {
    for (const { capability, requirement, claims } of overlaps) {
      const own = claims.find((claim) => claim.change === change.id);
      if (!own) continue;
      const others = claims.filter((claim) => claim !== own).map((claim) => claim.change);
      yield {
        message: `"${requirement}" of ${capability} is also touched by ${others.join(', ')}`,
        path: own.file,
        ...at(own.line - 1, `${own.operation.toUpperCase()} > ${requirement}`),
      };
    }
  },
});
