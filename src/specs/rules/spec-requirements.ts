/** Rules for the requirements of a main spec. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { withoutClosingMarks } from '../../core/headings.ts';
import { isNormative, requirementText } from '../blocks.ts';
import { openspecRequirement, requirementLabel, scenarioLabel } from '../words.ts';
import { at, type RequirementChild, type SpecSubject } from './subject.ts';

const LONG_CHARACTERS = 500;

export const scenarioMissing = defineRule<SpecSubject>({
  code: 'requirement-scenario-missing',
  severity: 'error',
  title: 'A requirement has no scenario',
  about:
    'OpenSpec takes every heading below Requirements for a requirement, and each needs a scenario: a deeper heading with a body.',
  fix: 'Add "#### Scenario: name" with "- **WHEN** …" and "- **THEN** …" below the requirement.',
  bad: '### Requirement: Login\nThe system SHALL let users in.',
  good: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in',
  *check({ children }) {
    for (const child of children)
      if (child.scenarioCount === 0)
        yield {
          message: `requirement "${nameOf(child)}" has no scenario`,
          ...at(child.heading.line, `Requirements > ${nameOf(child)}`),
        };
  },
});

export const textMissing = defineRule<SpecSubject>({
  code: 'requirement-text-missing',
  severity: 'error',
  title: 'A requirement has no text',
  about: 'Between the heading and the first scenario there must be a sentence that states the required behavior.',
  fix: 'Add a sentence with SHALL or MUST right below the heading.',
  bad: '### Requirement: Login\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in',
  good: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in',
  *check({ blocks }) {
    for (const { block, text } of blocks) {
      const hint = isNormative(block.name) ? '; SHALL or MUST belongs in the text, not only in the heading' : '';
      if (text === '')
        yield {
          message: `requirement "${block.name}" has no text${hint}`,
          ...at(block.line, `Requirements > ${block.name}`),
        };
    }
  },
});

export const keywordMissing = defineRule<SpecSubject>({
  code: 'requirement-keyword-missing',
  severity: 'warning',
  title: 'A requirement contains neither SHALL nor MUST',
  about: 'The two words in capitals mark binding behavior (RFC 2119). Words inside code fences do not count.',
  fix: 'State the behavior with SHALL or MUST.',
  bad: '### Requirement: Login\nThe system lets users in.',
  good: '### Requirement: Login\nThe system SHALL let users in.',
  *check({ blocks }) {
    for (const { block, text } of blocks)
      if (text !== '' && !isNormative(text))
        yield {
          message: `requirement "${block.name}" contains neither SHALL nor MUST`,
          ...at(block.line, `Requirements > ${block.name}`),
        };
  },
});

export const textLong = defineRule<SpecSubject>({
  code: 'requirement-text-long',
  severity: 'info',
  title: 'A requirement is very long',
  about: `A text over ${LONG_CHARACTERS} characters usually contains several requirements.`,
  fix: 'Split it into several requirements.',
  *check({ outline, children }) {
    for (const child of children) {
      const { length } = requirementText(outline, child.from, child.to) || child.heading.text;
      if (length > LONG_CHARACTERS)
        yield {
          message: `requirement "${nameOf(child)}" has ${length} characters`,
          ...at(child.heading.line, `Requirements > ${nameOf(child)}`),
        };
    }
  },
});

export const headingLevel = defineRule<SpecSubject>({
  code: 'requirement-heading-level',
  severity: 'warning',
  advice: true,
  title: 'A requirement or scenario has the wrong heading level',
  about:
    'Requirements are level three (###) and scenarios level four (####). Lectern also reads other levels; OpenSpec reads them as something else.',
  fix: 'Use "### Requirement: name" and "#### Scenario: name".',
  bad: '#### Requirement: Login\nThe system SHALL let users in.',
  good: '### Requirement: Login\nThe system SHALL let users in.',
  *check({ outline }) {
    for (const { text, level, line, tight } of outline.headings) {
      const isWrong =
        requirementLabel(text) !== undefined
          ? level !== 3 || tight
          : scenarioLabel(text) !== undefined && (level < 4 || tight);
      if (isWrong)
        yield {
          message: `"${text}" is at level ${level}${tight ? ' without a space after the marks' : ''}`,
          ...at(line, text),
        };
    }
  },
});

function nameOf({ heading }: RequirementChild): string {
  return openspecRequirement(heading.text) || withoutClosingMarks(heading.text);
}
