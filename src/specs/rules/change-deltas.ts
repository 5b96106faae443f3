import path from 'node:path';
import { METADATA } from '../change-folder.ts';
import type { ChangeSubject } from '../validate-change.ts';
import { defineVerdict, type ItemCode, type ItemFinding } from './finding.ts';

const deltasMissing = defineVerdict({
  code: 'change-deltas-missing',
  severity: 'error',
  title: 'A change has no delta',
  about:
    'A change says which requirements it adds, modifies, removes or renames, in specs/<capability>/spec.md below its folder.',
  fix: 'Add specs/<capability>/spec.md with a section such as "## ADDED Requirements", or set skip_specs: true in .openspec.yaml if no behavior changes.',
});

const specsSkipped = defineVerdict({
  code: 'change-specs-skipped',
  severity: 'info',
  title: 'A change declares that it changes no spec',
  about: 'skip_specs: true in .openspec.yaml says that no behavior changes, so no delta is expected.',
  fix: 'Nothing has to be done.',
});

const skipConflict = defineVerdict({
  code: 'change-skip-conflict',
  severity: 'error',
  title: 'A change skips specs and has some',
  about:
    'skip_specs: true says that there are no deltas, but files stand below specs/; they would be dropped without a word.',
  fix: 'Remove skip_specs from .openspec.yaml, or delete the files below specs/.',
});

const metadataInvalid = defineVerdict({
  code: 'change-metadata-invalid',
  severity: 'error',
  title: '.openspec.yaml sets a switch but cannot be used',
  about:
    'A switch such as skip_specs counts only in a file that is valid as a whole and names a workflow schema that exists.',
  fix: 'Correct .openspec.yaml; schema is required, for instance schema: spec-driven.',
});

export const changeNested = defineVerdict({
  code: 'change-nested',
  severity: 'error',
  title: 'A folder of changes stands in the place of a change',
  about: 'Changes live directly below changes/. A folder that only wraps other changes hides them.',
  fix: 'Move each change up and give it a flat name, such as area-name.',
});

const sectionsMissing = defineVerdict({
  code: 'delta-sections-missing',
  severity: 'error',
  title: 'A delta file has no delta section',
  about:
    'Only "## ADDED|MODIFIED|REMOVED|RENAMED Requirements" is read: one blank between the words, and nothing after them.',
  fix: 'Put the requirements below such a heading, or move notes out of specs/.',
});

const entriesMissing = defineVerdict({
  code: 'delta-entries-missing',
  severity: 'error',
  title: 'The sections of a delta file hold no entry',
  about:
    'ADDED and MODIFIED hold "### Requirement: name" blocks, REMOVED such headings or bullets with them, RENAMED pairs of FROM: and TO:.',
  fix: 'Write each entry in its documented form; names go behind "### Requirement:".',
});

const deltaMisplaced = defineVerdict({
  code: 'delta-misplaced',
  severity: 'error',
  title: 'A delta stands where nothing reads it',
  about:
    'Deltas are read from a spec.md inside a capability folder. Any other file is ignored when the change is archived.',
  fix: 'Move the requirements into specs/<capability>/spec.md.',
});

const deltaUnreadable = defineVerdict({
  code: 'delta-unreadable',
  severity: 'error',
  title: 'A delta file cannot be read',
  about: 'What the change would do to the capability is unknown, so it cannot be judged or archived.',
  fix: 'Make the file readable, or remove it.',
});

export const CHANGE_DELTA_CODES: readonly ItemCode[] = [
  deltasMissing,
  specsSkipped,
  skipConflict,
  metadataInvalid,
  changeNested,
  sectionsMissing,
  entriesMissing,
  deltaMisplaced,
  deltaUnreadable,
];

export function* checkChangeDeltas(subject: ChangeSubject): Iterable<ItemFinding> {
  const { change } = subject;
  const { specsWalk } = change;
  const metadata = subject.metadata;
  const specsDir = path.join(change.dir, 'specs');
  for (const { path: file, message } of specsWalk.diagnostics.filter(({ severity }) => severity === 'error')) {
    yield deltaUnreadable.at(subject.in(file, 0, 'specs'), `the delta cannot be read: ${message}`);
  }
  let entries = 0;
  for (const { capability, file, parsed } of change.deltas) {
    const count = [...parsed.blocks, ...parsed.removed, ...parsed.renamed].filter(({ canonical }) => canonical).length;
    entries += count;
    if (count > 0) continue;
    const sections = parsed.sections.filter(({ canonical }) => canonical);
    const [first] = sections.length > 0 ? sections : parsed.sections;
    const place = subject.in(file.path, first?.line ?? 0, first?.title ?? capability);
    if (sections.length > 0)
      yield entriesMissing.at(
        place,
        `${sections.map(({ title }) => `"## ${title}"`).join(', ')} without a readable entry`,
      );
    else
      yield sectionsMissing.at(
        place,
        first ? `"## ${first.title}" is not spelled as OpenSpec reads it` : 'there is no delta section',
      );
  }
  if (specsWalk.hasRootSpec) {
    yield deltaMisplaced.at(
      subject.in(path.join(specsDir, 'spec.md'), 0, 'specs'),
      'specs/spec.md belongs to no capability',
    );
  }
  for (const relative of subject.misplaced) {
    const capability = relative.includes('/')
      ? relative.slice(0, relative.lastIndexOf('/'))
      : relative.replace(/\.md$/iu, '');
    const fix = `Move its requirements into specs/${capability}/spec.md.`;
    yield deltaMisplaced.at(
      subject.in(path.join(specsDir, ...relative.split('/')), 0, 'specs'),
      `specs/${relative} is not read as a delta`,
      fix,
    );
  }
  if (metadata.refusedSwitch === 'skip_specs') {
    const line = (metadata.problem?.line ?? 1) - 1;
    yield metadataInvalid.at(
      subject.in(path.join(change.dir, METADATA), line, 'skip_specs'),
      `skip_specs does not count: ${metadata.problem?.message ?? ''}`,
    );
  }
  if (metadata.skipSpecs && specsWalk.hasFiles) {
    yield skipConflict.at(
      subject.in(path.join(change.dir, METADATA), 0, 'skip_specs'),
      'skip_specs is set, yet there are files below specs/',
    );
  }
  if (entries > 0 || specsWalk.hasRootSpec || subject.misplaced.length > 0) return;
  if (!metadata.skipSpecs) yield deltasMissing.at(subject.in(specsDir, 0, 'specs'), 'the change has no delta');
  else if (!specsWalk.hasFiles)
    yield specsSkipped.at(
      subject.in(path.join(change.dir, METADATA), 0, 'skip_specs'),
      'the change declares that it changes no spec',
    );
}
