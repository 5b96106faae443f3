import { blockScenarios, blockText, isNormative } from '../blocks.ts';
import { deltaConflicts } from '../delta-conflicts.ts';
import type { DeltaSubject } from '../validate-change.ts';
import { defineAdvice, defineVerdict, type FindingPlace, type ItemCode, type ItemFinding } from './finding.ts';

const deltaTextMissing = defineVerdict({
  code: 'delta-text-missing',
  severity: 'error',
  title: 'A requirement of a delta has no text',
  about: 'ADDED and MODIFIED carry the whole requirement: its sentence and its scenarios.',
  fix: 'Add a sentence with SHALL or MUST right below the heading.',
});

const deltaKeywordMissing = defineVerdict({
  code: 'delta-keyword-missing',
  severity: 'warning',
  title: 'A requirement of a delta says neither SHALL nor MUST',
  about: 'In capitals the two words mark what is binding (RFC 2119). Words inside code fences do not count.',
  fix: 'Say in the text what the system SHALL or MUST do.',
});

const deltaScenarioMissing = defineVerdict({
  code: 'delta-scenario-missing',
  severity: 'error',
  title: 'A requirement of a delta has no scenario',
  about: 'In a delta a scenario is a level-four heading (####) with a body.',
  fix: 'Add "#### Scenario: name" with "- **WHEN** …" and "- **THEN** …".',
});

const deltaDuplicate = defineVerdict({
  code: 'delta-duplicate',
  severity: 'error',
  title: 'A delta names a requirement twice in one section',
  about: 'Which of the two should count cannot be known.',
  fix: 'Keep one of the two.',
});

const deltaConflict = defineVerdict({
  code: 'delta-conflict',
  severity: 'error',
  title: 'Two sections of a delta contradict each other',
  about:
    'A requirement can be added, modified, removed or renamed, but not two of these that exclude each other. After a rename, MODIFIED uses the new name.',
  fix: 'Keep the entry that says what the change does.',
});

const renameUnpaired = defineVerdict({
  code: 'delta-rename-unpaired',
  severity: 'error',
  title: 'A rename has only one half',
  about:
    'A rename is a FROM: line followed by its TO: line. Guessing the other half could rename the wrong requirement.',
  fix: 'Write "- FROM: `### Requirement: old`" and right below it "- TO: `### Requirement: new`".',
});

const requirementOrphan = defineVerdict({
  code: 'delta-requirement-orphan',
  severity: 'warning',
  title: 'A requirement stands outside the delta sections',
  about: 'Only what is below ADDED, MODIFIED, REMOVED or RENAMED is applied; this requirement is ignored.',
  fix: 'Move it below "## ADDED Requirements" or another delta section.',
});

const headingIgnored = defineVerdict({
  code: 'delta-heading-ignored',
  severity: 'info',
  title: 'A heading of a delta is not a requirement',
  about:
    'In ADDED and MODIFIED only "### Requirement: name" starts an entry. Other level-three headings become part of the block before.',
  fix: 'Write "### Requirement: name" if it should be one.',
});

const deltaDialect = defineAdvice({
  code: 'delta-dialect',
  severity: 'info',
  title: 'A delta is written in another form',
  about: 'Lectern reads the entry and shows it, but OpenSpec does not know this spelling, so it is not applied.',
  fix: 'Use the English headings and "### Requirement: name" to have it applied.',
});

export const DELTA_ENTRY_CODES: readonly ItemCode[] = [
  deltaTextMissing,
  deltaKeywordMissing,
  deltaScenarioMissing,
  deltaDuplicate,
  deltaConflict,
  renameUnpaired,
  requirementOrphan,
  headingIgnored,
  deltaDialect,
];

export function* checkDeltaEntries(subject: DeltaSubject): Iterable<ItemFinding> {
  const { parsed, outline } = subject;
  for (const block of parsed.blocks) {
    const where = block.operation.toUpperCase();
    const place = (): FindingPlace => subject.at(block.line, `${where} > ${block.name}`);
    if (!block.canonical) {
      yield deltaDialect.at(place(), `${where} "${block.name}" is not in OpenSpec's form`);
      continue;
    }
    const text = blockText(outline, block);
    if (text === '') yield deltaTextMissing.at(place(), `${where} "${block.name}" has no text`);
    else if (!isNormative(text))
      yield deltaKeywordMissing.at(place(), `${where} "${block.name}" says neither SHALL nor MUST`);
    const scenarios = blockScenarios(outline, block);
    if (scenarios.some(({ hasBody }) => hasBody)) continue;
    const hint = scenarios.length > 0 ? '; a heading without a body does not count' : '';
    yield deltaScenarioMissing.at(place(), `${where} "${block.name}" has no scenario${hint}`);
  }
  for (const { kind, message, fix, operation, line } of deltaConflicts(parsed)) {
    yield (kind === 'duplicate' ? deltaDuplicate : deltaConflict).at(
      subject.at(line, operation.toUpperCase()),
      message,
      fix,
    );
  }
  for (const { side, name, line } of parsed.unpaired) {
    yield renameUnpaired.at(
      subject.at(line, 'RENAMED'),
      `${side}: "${name}" has no ${side === 'FROM' ? 'TO' : 'FROM'}: line`,
    );
  }
  for (const { name, line, section } of parsed.orphans) {
    const where =
      section === undefined ? 'above the first section' : `below "## ${section}", which is no delta section`;
    yield requirementOrphan.at(subject.at(line, section), `requirement "${name}" stands ${where}`);
  }
  for (const { text, line, section } of parsed.strays) {
    yield headingIgnored.at(
      subject.at(line, section),
      `"### ${text}" is not a requirement heading`,
      `Write "### Requirement: ${text}" if it should be one.`,
    );
  }
}
