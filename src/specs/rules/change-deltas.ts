/** Rules for the deltas of a change as a whole: whether there are any, in the right place and readable. Every export is a rule. */
import path from 'node:path';
import { defineRule } from '../../core/diagnostics.ts';
import { METADATA } from '../change-folder.ts';
import { renameFix } from '../ignored-headings.ts';
import { at, type ChangeSubject } from './subject.ts';

const LOGIN =
  '## ADDED Requirements\n\n### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in';

export const deltasMissing = defineRule<ChangeSubject>({
  code: 'change-deltas-missing',
  severity: 'error',
  title: 'A change has no delta',
  about:
    'A change lists the requirements that it adds, modifies, removes or renames in specs/<capability>/spec.md below its folder.',
  fix: 'Add specs/<capability>/spec.md with a section such as "## ADDED Requirements", or set skip_specs: true in .openspec.yaml if no behavior changes.',
  bad: { 'proposal.md': '## Why\nPeople forget passwords.' },
  good: { 'specs/login/spec.md': LOGIN },
  *check(subject) {
    if (hasDelta(subject) || subject.metadata.skipSpecs) return;
    const hasOtherForm = subject.deltas.some(
      ({ parsed: { blocks, removed, renamed } }) => blocks.length + removed.length + renamed.length > 0,
    );
    const message = `the change has no delta${hasOtherForm ? ' in a form that OpenSpec reads' : ''}`;
    yield { message, path: specsDir(subject), ...at(0, 'specs') };
  },
});

export const specsSkipped = defineRule<ChangeSubject>({
  code: 'change-specs-skipped',
  severity: 'info',
  title: 'A change declares that it changes no spec',
  about: 'skip_specs: true in .openspec.yaml means that no behavior changes, so no delta is expected.',
  fix: 'There is nothing to do.',
  bad: { '.openspec.yaml': 'schema: spec-driven\nskip_specs: true', 'proposal.md': '## Why\nTidy up.' },
  good: { 'specs/login/spec.md': LOGIN },
  *check(subject) {
    const { change, metadata } = subject;
    if (!hasDelta(subject) && metadata.skipSpecs && !change.specsWalk.hasFiles)
      yield {
        message: 'the change declares that it changes no spec',
        path: path.join(change.dir, METADATA),
        ...at(0, 'skip_specs'),
      };
  },
});

export const skipConflict = defineRule<ChangeSubject>({
  code: 'change-skip-conflict',
  severity: 'error',
  title: 'A change skips specs but has deltas',
  about: 'skip_specs: true means that there are no deltas. Files below specs/ would be dropped silently.',
  fix: 'Remove skip_specs from .openspec.yaml, or delete the files below specs/.',
  bad: { '.openspec.yaml': 'schema: spec-driven\nskip_specs: true', 'specs/login/spec.md': LOGIN },
  good: { '.openspec.yaml': 'schema: spec-driven', 'specs/login/spec.md': LOGIN },
  *check({ change, metadata }) {
    if (metadata.skipSpecs && change.specsWalk.hasFiles)
      yield {
        message: 'skip_specs is set, yet there are files below specs/',
        path: path.join(change.dir, METADATA),
        ...at(0, 'skip_specs'),
      };
  },
});

export const metadataInvalid = defineRule<ChangeSubject>({
  code: 'change-metadata-invalid',
  severity: 'error',
  title: '.openspec.yaml sets a switch but cannot be used',
  about:
    'A switch such as skip_specs counts only in a file that is valid as a whole and names a workflow schema that exists.',
  fix: 'Correct .openspec.yaml; schema is required, for instance schema: spec-driven.',
  bad: { '.openspec.yaml': 'skip_specs: true', 'proposal.md': '## Why\nTidy up.' },
  good: { '.openspec.yaml': 'schema: spec-driven\nskip_specs: true', 'proposal.md': '## Why\nTidy up.' },
  *check({ change, metadata }) {
    if (metadata.refusedSwitch === 'skip_specs')
      yield {
        message: `skip_specs does not count: ${metadata.problem?.message ?? ''}`,
        path: path.join(change.dir, METADATA),
        ...at((metadata.problem?.line ?? 1) - 1, 'skip_specs'),
      };
  },
});

/** Reported by `validateChange` itself, because such a folder is not checked any further. */
export const changeNested = defineRule<ChangeSubject>({
  code: 'change-nested',
  severity: 'error',
  title: 'A folder contains changes instead of being one',
  about: 'Changes are directly below changes/. A folder that only wraps other changes hides them.',
  fix: 'Move each change up and give it a flat name, such as area-name.',
  bad: { 'add-login/proposal.md': '## Why\nPeople forget passwords.' },
  good: { 'proposal.md': '## Why\nPeople forget passwords.' },
});

export const sectionsMissing = defineRule<ChangeSubject>({
  code: 'delta-sections-missing',
  severity: 'error',
  title: 'A delta file has no delta section',
  about:
    'Only "## ADDED|MODIFIED|REMOVED|RENAMED Requirements" is read: one space between the words, and nothing after them.',
  fix: 'Put the requirements below such a heading, or move notes out of specs/.',
  bad: { 'specs/login/spec.md': '## New requirements\n\n### Requirement: Login' },
  good: { 'specs/login/spec.md': LOGIN },
  *check({ deltas }) {
    for (const { capability, path: file, parsed, entryCount } of deltas) {
      if (entryCount > 0 || parsed.sections.some(({ canonical }) => canonical)) continue;
      const [first] = parsed.sections;
      yield {
        message: first ? `"## ${first.title}" is not spelled as OpenSpec reads it` : 'there is no delta section',
        path: file,
        ...at(first?.line ?? 0, first?.title ?? capability),
      };
    }
  },
});

export const entriesMissing = defineRule<ChangeSubject>({
  code: 'delta-entries-missing',
  severity: 'error',
  title: 'The sections of a delta file have no entry',
  about:
    'ADDED and MODIFIED contain "### Requirement: name" blocks, REMOVED such headings or bullets with them, RENAMED pairs of FROM: and TO:.',
  fix: 'Write each entry in its documented form; the name follows "### Requirement:".',
  bad: { 'specs/login/spec.md': '## ADDED Requirements\n\nUsers can log in.' },
  good: { 'specs/login/spec.md': LOGIN },
  *check({ deltas }) {
    for (const { path: file, parsed, entryCount } of deltas) {
      const sections = parsed.sections.filter(({ canonical }) => canonical);
      const [first] = sections;
      const [rename] = parsed.renamed;
      if (entryCount === 0 && first)
        yield {
          message: `${sections.map(({ title }) => `"## ${title}"`).join(', ')} without ${rename ? `an entry that OpenSpec reads; it renames "${rename.from}" to "${rename.to}" in another form` : 'a readable entry'}`,
          ...(rename ? { fix: renameFix(parsed, rename.line) } : {}),
          path: file,
          ...at(first.line, first.title),
        };
    }
  },
});

export const deltaMisplaced = defineRule<ChangeSubject>({
  code: 'delta-misplaced',
  severity: 'error',
  title: 'A delta is in a place where it is not read',
  about:
    'Deltas are read from a spec.md inside a capability folder. Any other file is ignored when the change is archived.',
  fix: 'Move the requirements into specs/<capability>/spec.md.',
  bad: { 'specs/login.md': LOGIN },
  good: { 'specs/login/spec.md': LOGIN },
  *check(subject) {
    if (subject.change.specsWalk.hasRootSpec)
      yield {
        message: 'specs/spec.md belongs to no capability',
        path: path.join(specsDir(subject), 'spec.md'),
        ...at(0, 'specs'),
      };
    for (const relative of subject.misplaced) {
      const capability = relative.includes('/')
        ? relative.slice(0, relative.lastIndexOf('/'))
        : relative.replace(/\.md$/iu, '');
      yield {
        message: `specs/${relative} is not read as a delta`,
        fix: `Move its requirements into specs/${capability}/spec.md.`,
        path: path.join(specsDir(subject), ...relative.split('/')),
        ...at(0, 'specs'),
      };
    }
  },
});

export const deltaUnreadable = defineRule<ChangeSubject>({
  code: 'delta-unreadable',
  severity: 'error',
  title: 'A delta file cannot be read',
  about: 'The effect of the change on the capability is unknown, so it can be neither validated nor archived.',
  fix: 'Make the file readable, or remove it.',
  *check({ change }) {
    for (const { severity, path: file, message } of change.specsWalk.diagnostics)
      if (severity === 'error')
        yield { message: `the delta cannot be read: ${message}`, path: file, ...at(0, 'specs') };
  },
});

function specsDir({ change }: ChangeSubject): string {
  return path.join(change.dir, 'specs');
}

function hasDelta({ change, deltas, misplaced }: ChangeSubject): boolean {
  return deltas.some(({ entryCount }) => entryCount > 0) || change.specsWalk.hasRootSpec || misplaced.length > 0;
}
