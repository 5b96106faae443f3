/** Rules for the entries of a delta file, independent of the current spec. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { blockScenarios, isNormative } from '../blocks.ts';
import { ignoredHeadings } from '../ignored-headings.ts';
import type { DeltaBlock } from '../parse-delta.ts';
import { at, type DeltaSubject } from './subject.ts';

export const deltaTextMissing = defineRule<DeltaSubject>({
  code: 'delta-text-missing',
  severity: 'error',
  title: 'A requirement of a delta has no text',
  about: 'ADDED and MODIFIED contain the whole requirement: its sentence and its scenarios.',
  fix: 'Add a sentence with SHALL or MUST right below the heading.',
  bad: '## ADDED Requirements\n\n### Requirement: Login\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in',
  good: '## ADDED Requirements\n\n### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in',
  *check({ blocks }) {
    for (const { block, text } of blocks)
      if (text === '') yield { message: `${label(block)} has no text`, ...atBlock(block) };
  },
});

export const deltaKeywordMissing = defineRule<DeltaSubject>({
  code: 'delta-keyword-missing',
  severity: 'warning',
  title: 'A requirement of a delta contains neither SHALL nor MUST',
  about: 'The two words in capitals mark binding behavior (RFC 2119). Words inside code fences do not count.',
  fix: 'State the behavior with SHALL or MUST.',
  bad: '## ADDED Requirements\n\n### Requirement: Login\nThe system lets users in.',
  good: '## ADDED Requirements\n\n### Requirement: Login\nThe system SHALL let users in.',
  *check({ blocks }) {
    for (const { block, text } of blocks)
      if (text !== '' && !isNormative(text))
        yield { message: `${label(block)} says neither SHALL nor MUST`, ...atBlock(block) };
  },
});

export const deltaScenarioMissing = defineRule<DeltaSubject>({
  code: 'delta-scenario-missing',
  severity: 'error',
  title: 'A requirement of a delta has no scenario',
  about: 'A scenario of a delta is a level-four heading (####) with a body.',
  fix: 'Add "#### Scenario: name" with "- **WHEN** …" and "- **THEN** …".',
  bad: '## ADDED Requirements\n\n### Requirement: Login\nThe system SHALL let users in.',
  good: '## ADDED Requirements\n\n### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in',
  *check({ outline, blocks }) {
    for (const { block } of blocks) {
      const scenarios = blockScenarios(outline, block);
      if (scenarios.some(({ hasBody }) => hasBody)) continue;
      const hint = scenarios.length > 0 ? '; a heading without a body does not count' : '';
      yield { message: `${label(block)} has no scenario${hint}`, ...atBlock(block) };
    }
  },
});

export const deltaDuplicate = defineRule<DeltaSubject>({
  code: 'delta-duplicate',
  severity: 'error',
  title: 'A delta names a requirement twice in one section',
  about: 'It is unclear which of the two should count.',
  fix: 'Keep one of the two.',
  bad: '## REMOVED Requirements\n\n### Requirement: Login\n\n### Requirement: Login',
  good: '## REMOVED Requirements\n\n### Requirement: Login',
  *check({ conflicts }) {
    for (const { kind, message, fix, operation, line } of conflicts)
      if (kind === 'duplicate') yield { message, fix, ...at(line, operation.toUpperCase()) };
  },
});

export const deltaConflict = defineRule<DeltaSubject>({
  code: 'delta-conflict',
  severity: 'error',
  title: 'Two sections of a delta contradict each other',
  about:
    'A requirement can be added, modified, removed or renamed, but not two of these that exclude each other. After a rename, MODIFIED uses the new name.',
  fix: 'Keep the entry that describes the change.',
  bad: '## ADDED Requirements\n\n### Requirement: Login\n\n## REMOVED Requirements\n\n### Requirement: Login',
  good: '## ADDED Requirements\n\n### Requirement: Login',
  *check({ conflicts }) {
    for (const { kind, message, fix, operation, line } of conflicts)
      if (kind === 'conflict') yield { message, fix, ...at(line, operation.toUpperCase()) };
  },
});

export const renameUnpaired = defineRule<DeltaSubject>({
  code: 'delta-rename-unpaired',
  severity: 'error',
  title: 'A rename is incomplete',
  about:
    'A rename is a FROM: line followed by its TO: line. Guessing the other half could rename the wrong requirement.',
  fix: 'Write "- FROM: `### Requirement: old`" and right below it "- TO: `### Requirement: new`".',
  bad: '## RENAMED Requirements\n- FROM: `### Requirement: Login`',
  good: '## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Sign in`',
  *check({ parsed }) {
    for (const { side, name, line } of parsed.unpaired)
      yield { message: `${side}: "${name}" has no ${side === 'FROM' ? 'TO' : 'FROM'}: line`, ...at(line, 'RENAMED') };
  },
});

export const requirementOrphan = defineRule<DeltaSubject>({
  code: 'delta-requirement-orphan',
  severity: 'warning',
  title: 'A requirement is outside the delta sections',
  about: 'Only entries below ADDED, MODIFIED, REMOVED or RENAMED are applied; this requirement is ignored.',
  fix: 'Move it below "## ADDED Requirements" or another delta section.',
  bad: '## Notes\n\n### Requirement: Login\nThe system SHALL let users in.',
  good: '## ADDED Requirements\n\n### Requirement: Login\nThe system SHALL let users in.',
  *check({ parsed }) {
    for (const { name, line, section } of parsed.orphans) {
      const where =
        section === undefined ? 'above the first section' : `below "## ${section}", which is not a delta section`;
      yield { message: `requirement "${name}" is ${where}`, ...at(line, section) };
    }
  },
});

export const headingIgnored = defineRule<DeltaSubject>({
  code: 'delta-heading-ignored',
  severity: 'info',
  title: 'A heading of a delta is ignored',
  about:
    'It looks like an entry or a section, but is not spelled as one, so nothing applies it; at best it becomes text of the block before. Archiving is refused, unless you pass --allow-ignored.',
  fix: 'Write "### Requirement: name" below a delta section, and "## ADDED Requirements" or the like for the section.',
  bad: '## ADDED Requirements\n\n### Login\nThe system SHALL let users in.',
  good: '## ADDED Requirements\n\n### Requirement: Login\nThe system SHALL let users in.',
  *check({ parsed }) {
    // Reported by the previous and the next rule.
    const others = [...parsed.orphans, ...parsed.blocks.filter(({ canonical }) => !canonical)];
    const known = new Set(others.map(({ line }) => line));
    for (const { text, line, reason, fix } of ignoredHeadings(parsed))
      if (!known.has(line)) yield { message: `"${text}" ${reason}`, fix, ...at(line) };
  },
});

export const deltaDialect = defineRule<DeltaSubject>({
  code: 'delta-dialect',
  severity: 'info',
  advice: true,
  title: 'A delta is written in another form',
  about: 'Lectern reads the entry and shows it, but OpenSpec does not know this spelling, so it is not applied.',
  fix: 'Use the English headings and "### Requirement: name" to have it applied.',
  bad: '## 新增需求\n\n### 需求：登录\n系统必须让用户登录。',
  good: '## ADDED Requirements\n\n### Requirement: 登录\nThe system SHALL 让用户登录。',
  *check({ parsed }) {
    for (const block of parsed.blocks)
      if (!block.canonical) yield { message: `${label(block)} is not in OpenSpec's form`, ...atBlock(block) };
  },
});

function label({ operation, name }: DeltaBlock): string {
  return `${operation.toUpperCase()} "${name}"`;
}

function atBlock({ line, operation, name }: DeltaBlock): ReturnType<typeof at> {
  return at(line, `${operation.toUpperCase()} > ${name}`);
}
