import { structureProblems } from '../structure.ts';
import type { SpecSubject } from '../validate-spec.ts';
import { defineAdvice, defineVerdict, type ItemCode, type ItemFinding } from './finding.ts';

const deltaHeader = defineVerdict({
  code: 'spec-delta-header',
  severity: 'error',
  title: 'A main spec holds a delta section',
  about:
    'ADDED, MODIFIED, REMOVED and RENAMED sections belong into a change. In a main spec they cut the Requirements section short.',
  fix: 'Move the requirements below "## Requirements" and delete the delta heading.',
});

const requirementOutside = defineVerdict({
  code: 'requirement-outside-section',
  severity: 'error',
  title: 'A requirement stands outside the Requirements section',
  about: 'OpenSpec reads requirements below the first "## Requirements" only; this one is invisible to it.',
  fix: 'Move the requirement below "## Requirements".',
});

const requirementDuplicate = defineVerdict({
  code: 'requirement-duplicate',
  severity: 'error',
  title: 'Two requirements have the same name',
  about: 'Changes address a requirement by its name, so a second one of that name could be lost.',
  fix: 'Rename one of the two, or merge them.',
});

const deltaDump = defineAdvice({
  code: 'spec-delta-dump',
  severity: 'warning',
  title: 'The main spec is a copied delta',
  about: 'The file has delta sections and no Requirements section: a change was copied instead of applied.',
  fix: 'Add "## Purpose" and "## Requirements", and move the requirements there; archive changes with lectern change archive.',
});

export const STRUCTURE_CODES: readonly ItemCode[] = [deltaHeader, requirementOutside, requirementDuplicate, deltaDump];

export function* checkStructure(subject: SpecSubject): Iterable<ItemFinding> {
  const problems = structureProblems(subject.outline);
  const firstDelta = problems.find(({ kind }) => kind === 'delta-header');
  if (firstDelta && subject.section === undefined)
    yield deltaDump.at(subject.at(firstDelta.line, firstDelta.heading), 'the spec consists of delta sections');
  for (const { kind, heading, line, first } of problems) {
    const place = subject.at(line, heading);
    if (kind === 'delta-header') yield deltaHeader.at(place, `"## ${heading}" stands in a main spec`);
    else if (kind === 'outside') yield requirementOutside.at(place, `"${heading}" is not below "## Requirements"`);
    else yield requirementDuplicate.at(place, `"${heading}" stands on line ${(first ?? 0) + 1} already`);
  }
}
