import { withoutClosingMarks } from '../../core/headings.ts';
import { blockText, isNormative, requirementText } from '../blocks.ts';
import type { SpecSubject } from '../validate-spec.ts';
import { openspecRequirement, requirementLabel, scenarioLabel } from '../words.ts';
import { defineAdvice, defineVerdict, type FindingPlace, type ItemCode, type ItemFinding } from './finding.ts';

const LONG_CHARACTERS = 500;

const scenarioMissing = defineVerdict({
  code: 'requirement-scenario-missing',
  severity: 'error',
  title: 'A requirement has no scenario',
  about:
    'Every heading below Requirements is a requirement to OpenSpec, and each needs a deeper heading with a body: its scenario.',
  fix: 'Add "#### Scenario: name" with "- **WHEN** …" and "- **THEN** …" below the requirement.',
});

const textMissing = defineVerdict({
  code: 'requirement-text-missing',
  severity: 'error',
  title: 'A requirement has no text',
  about: 'Between the heading and the first scenario there must be a sentence that says what the system has to do.',
  fix: 'Add a sentence with SHALL or MUST right below the heading.',
});

const keywordMissing = defineVerdict({
  code: 'requirement-keyword-missing',
  severity: 'warning',
  title: 'A requirement says neither SHALL nor MUST',
  about: 'In capitals the two words mark what is binding (RFC 2119). Words inside code fences do not count.',
  fix: 'Say in the text what the system SHALL or MUST do.',
});

const textLong = defineVerdict({
  code: 'requirement-text-long',
  severity: 'info',
  title: 'A requirement is very long',
  about: `A text over ${LONG_CHARACTERS} characters usually holds several requirements.`,
  fix: 'Split it into several requirements.',
});

const headingLevel = defineAdvice({
  code: 'requirement-heading-level',
  severity: 'warning',
  title: 'A requirement or scenario has the wrong heading level',
  about:
    'Requirements are level three (###) and scenarios level four (####). Lectern reads other levels; OpenSpec takes them for something else.',
  fix: 'Use "### Requirement: name" and "#### Scenario: name".',
});

export const REQUIREMENT_CODES: readonly ItemCode[] = [
  scenarioMissing,
  textMissing,
  keywordMissing,
  textLong,
  headingLevel,
];

export function* checkRequirements(subject: SpecSubject): Iterable<ItemFinding> {
  const { outline } = subject;
  for (const { heading, from, to, scenarioCount } of subject.children) {
    const name = openspecRequirement(heading.text) || withoutClosingMarks(heading.text);
    const place = (): FindingPlace => subject.at(heading.line, `Requirements > ${name}`);
    if (scenarioCount === 0) yield scenarioMissing.at(place(), `requirement "${name}" has no scenario`);
    const text = requirementText(outline, from, to) || heading.text;
    if (text.length > LONG_CHARACTERS)
      yield textLong.at(place(), `requirement "${name}" has ${text.length} characters`);
  }
  for (const block of subject.section?.blocks ?? []) {
    const place = (): FindingPlace => subject.at(block.line, `Requirements > ${block.name}`);
    const text = blockText(outline, block);
    if (text === '') yield textMissing.at(place(), missingText(block.name));
    else if (!isNormative(text))
      yield keywordMissing.at(place(), `requirement "${block.name}" says neither SHALL nor MUST`);
  }
  for (const { text, level, line, tight } of outline.headings) {
    const isWrong =
      requirementLabel(text) !== undefined
        ? level !== 3 || tight
        : scenarioLabel(text) !== undefined && (level < 4 || tight);
    if (isWrong)
      yield headingLevel.at(
        subject.at(line, text),
        `"${text}" is at level ${level}${tight ? ' without a blank after the marks' : ''}`,
      );
  }
}

function missingText(name: string): string {
  const hint = isNormative(name) ? '; SHALL or MUST belongs into the text, not only into the heading' : '';
  return `requirement "${name}" has no text${hint}`;
}
