/** All rules for specs and changes. Every export of the imported files is a rule, so a new rule needs no other edit. */
import type { Rule } from '../../core/diagnostics.ts';
import * as reader from '../codes.ts';
import * as archive from './archive.ts';
import * as changeDeltas from './change-deltas.ts';
import * as changeProposal from './change-proposal.ts';
import * as changeTasks from './change-tasks.ts';
import * as changeTemplate from './change-template.ts';
import * as deltaEntries from './delta-entries.ts';
import * as deltaTarget from './delta-target.ts';
import * as overlap from './overlap.ts';
import * as scenarios from './scenarios.ts';
import * as requirements from './spec-requirements.ts';
import * as sections from './spec-sections.ts';
import * as structure from './spec-structure.ts';
import type { ChangeSubject, DeltaSubject, DocumentSubject, SpecSubject, TargetSubject } from './subject.ts';
import * as text from './text.ts';

function rulesOf<Subject>(...files: readonly Readonly<Record<string, Rule<Subject>>>[]): readonly Rule<Subject>[] {
  return files.flatMap((file) => Object.values(file));
}

const DOCUMENT_RULES = rulesOf<DocumentSubject>(scenarios, text);
export const SPEC_RULES: readonly Rule<SpecSubject>[] = [
  ...rulesOf<SpecSubject>(sections, structure, requirements),
  ...DOCUMENT_RULES,
];
export const DELTA_RULES: readonly Rule<DeltaSubject>[] = [...rulesOf<DeltaSubject>(deltaEntries), ...DOCUMENT_RULES];
export const TARGET_RULES = rulesOf<TargetSubject>(deltaTarget);
export const CHANGE_RULES = rulesOf<ChangeSubject>(changeDeltas, changeProposal, changeTasks, changeTemplate, overlap);

export const SPEC_CODES: readonly Rule[] = [
  ...new Set<Rule>([
    ...rulesOf(reader),
    ...SPEC_RULES,
    ...DELTA_RULES,
    ...TARGET_RULES,
    ...CHANGE_RULES,
    ...rulesOf(archive),
  ]),
];
