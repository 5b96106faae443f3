/** Rules for headings of a main spec that prevent changes from being applied. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { at, type SpecSubject } from './subject.ts';

export const deltaHeader = defineRule<SpecSubject>({
  code: 'spec-delta-header',
  severity: 'error',
  title: 'A main spec has a delta section',
  about:
    'ADDED, MODIFIED, REMOVED and RENAMED sections belong in a change. They cut the Requirements section of a main spec short.',
  fix: 'Move the requirements below "## Requirements" and delete the delta heading.',
  bad: '# Login\n\n## Purpose\nLet people in.\n\n## ADDED Requirements',
  good: '# Login\n\n## Purpose\nLet people in.\n\n## Requirements',
  *check({ problems }) {
    for (const { kind, heading, line } of problems)
      if (kind === 'delta-header')
        yield { message: `"## ${heading}" does not belong in a main spec`, ...at(line, heading) };
  },
});

export const requirementOutside = defineRule<SpecSubject>({
  code: 'requirement-outside-section',
  severity: 'error',
  title: 'A requirement is outside the Requirements section',
  about: 'OpenSpec reads only the requirements below the first "## Requirements"; it does not see this one.',
  fix: 'Move the requirement below "## Requirements".',
  bad: '# Login\n\n## Requirements\n\n## Sessions\n\n### Requirement: Logout',
  good: '# Login\n\n## Requirements\n\n### Requirement: Logout',
  *check({ problems }) {
    for (const { kind, heading, line } of problems)
      if (kind === 'outside') yield { message: `"${heading}" is not below "## Requirements"`, ...at(line, heading) };
  },
});

export const requirementDuplicate = defineRule<SpecSubject>({
  code: 'requirement-duplicate',
  severity: 'error',
  title: 'Two requirements have the same name',
  about: 'Changes refer to a requirement by its name, so a second one with that name could be lost.',
  fix: 'Rename one of the two, or merge them.',
  bad: '### Requirement: Login\nThe system SHALL ask for a password.\n\n### Requirement: Login\nThe system SHALL ask for a code.',
  good: '### Requirement: Password\nThe system SHALL ask for a password.\n\n### Requirement: Code\nThe system SHALL ask for a code.',
  *check({ problems }) {
    for (const { kind, heading, line, first } of problems)
      if (kind === 'duplicate')
        yield { message: `"${heading}" is already on line ${(first ?? 0) + 1}`, ...at(line, heading) };
  },
});

export const deltaDump = defineRule<SpecSubject>({
  code: 'spec-delta-dump',
  severity: 'warning',
  advice: true,
  title: 'The main spec is a copy of a delta',
  about: 'The file has delta sections and no Requirements section: a change was copied instead of applied.',
  fix: 'Add "## Purpose" and "## Requirements", and move the requirements there; archive changes with lectern change archive.',
  bad: '# Login\n\n## ADDED Requirements\n\n### Requirement: Logout',
  good: '# Login\n\n## Requirements\n\n### Requirement: Logout',
  *check({ problems, section }) {
    const first = problems.find(({ kind }) => kind === 'delta-header');
    if (first && section === undefined)
      yield { message: 'the spec consists of delta sections', ...at(first.line, first.heading) };
  },
});
