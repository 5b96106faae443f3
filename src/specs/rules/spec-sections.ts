import { sectionEnd, textOf } from '../../core/headings.ts';
import { isPlaceholder } from '../new-spec.ts';
import type { SpecSubject } from '../validate-spec.ts';
import { openspecSection, sectionOf } from '../words.ts';
import { defineAdvice, defineVerdict, type ItemCode, type ItemFinding } from './finding.ts';

const PURPOSE_MIN_CHARACTERS = 50;

const purposeMissing = defineVerdict({
  code: 'spec-purpose-missing',
  severity: 'error',
  title: 'The spec has no Purpose',
  about:
    'A spec opens with what the capability is for. OpenSpec refuses a spec without it; Lectern still lists it, with an empty purpose.',
  fix: 'Add a "## Purpose" section with a sentence or two before "## Requirements".',
});

const requirementsMissing = defineVerdict({
  code: 'spec-requirements-missing',
  severity: 'error',
  title: 'The spec has no Requirements section',
  about: 'Requirements are looked for below the heading "Requirements".',
  fix: 'Add a "## Requirements" section and put each "### Requirement: name" below it.',
});

const requirementsEmpty = defineVerdict({
  code: 'spec-requirements-empty',
  severity: 'error',
  title: 'The Requirements section is empty',
  about: 'A spec needs at least one requirement.',
  fix: 'Add a "### Requirement: name" with a sentence and a "#### Scenario: name" below it.',
});

const purposeShort = defineVerdict({
  code: 'spec-purpose-short',
  severity: 'warning',
  title: 'The Purpose is very short',
  about: `A purpose under ${PURPOSE_MIN_CHARACTERS} characters rarely tells a reader, or a search, what the capability is for.`,
  fix: 'Say in a sentence or two what the capability does and for whom.',
});

const purposePlaceholder = defineVerdict({
  code: 'spec-purpose-placeholder',
  severity: 'warning',
  title: 'The Purpose is a placeholder',
  about:
    'The text is a TBD or TODO, or the sentence that is written for a new capability when its delta has no Purpose.',
  fix: 'Replace it by what the capability is for.',
});

const titleMissing = defineAdvice({
  code: 'spec-title-missing',
  severity: 'info',
  title: 'The spec has no title',
  about: 'Without a level-one heading the id stands in for the title in lists.',
  fix: 'Start the file with "# name Specification".',
});

const dialectHeading = defineAdvice({
  code: 'spec-dialect-heading',
  severity: 'info',
  title: 'A section heading is in another language',
  about: 'Lectern reads it; OpenSpec knows the English headings only, so its verdict does not see this section.',
  fix: 'Use the English heading if OpenSpec has to accept the file.',
});

export const SECTION_CODES: readonly ItemCode[] = [
  purposeMissing,
  requirementsMissing,
  requirementsEmpty,
  purposeShort,
  purposePlaceholder,
  titleMissing,
  dialectHeading,
];

export function* checkSections(subject: SpecSubject): Iterable<ItemFinding> {
  const { outline, parsed } = subject;
  yield* checkPurpose(subject);
  if (subject.requirements === undefined)
    yield requirementsMissing.at(subject.at(0), 'there is no "Requirements" heading');
  else if (subject.children.length === 0) {
    yield requirementsEmpty.at(
      subject.at(subject.requirements.line, 'Requirements'),
      'there is no requirement below "Requirements"',
    );
  }
  if (parsed.title === '') yield titleMissing.at(subject.at(0), 'there is no level-one heading');
  for (const { text, line, level, tight } of outline.headings) {
    if (level > 2 || tight || openspecSection(text)) continue;
    const kind = sectionOf(text);
    if (kind === 'purpose' || kind === 'requirements') {
      const english = kind === 'purpose' ? 'Purpose' : 'Requirements';
      yield dialectHeading.at(
        subject.at(line, text),
        `"${text}" is read as ${english}`,
        `Write "## ${english}" if OpenSpec has to accept the file.`,
      );
    }
  }
}

function* checkPurpose(subject: SpecSubject): Iterable<ItemFinding> {
  const { outline } = subject;
  const index = outline.headings.findIndex(({ text, tight }) => !tight && text.toLowerCase() === 'purpose');
  const heading = outline.headings[index];
  const text = heading ? textOf(outline, heading.line + 1, sectionEnd(outline, index)) : '';
  if (!heading || text === '') {
    const place = heading ? subject.at(heading.line, 'Purpose') : subject.at(0);
    yield purposeMissing.at(place, heading ? 'the Purpose section is empty' : 'there is no "Purpose" heading');
    return;
  }
  const place = subject.at(heading.line + 1, 'Purpose');
  const prose = outline.lines
    .slice(heading.line + 1, sectionEnd(outline, index))
    .filter((_, offset) => outline.fenced[heading.line + 1 + offset] !== 1)
    .join('\n')
    .trim();
  if (isUnwritten(prose)) yield purposePlaceholder.at(place, 'the Purpose has not been written yet');
  else if (text.length < PURPOSE_MIN_CHARACTERS) {
    yield purposeShort.at(
      place,
      `the Purpose has ${text.length} characters; ${PURPOSE_MIN_CHARACTERS} or more are expected`,
    );
  }
}

/** In capitals the marker is meant whatever follows; in lower case `todo` opens many a Spanish sentence, so punctuation must follow. */
const SHOUTED = /^(?:TBD|TODO)(?![\p{L}\p{N}\p{M}_])/u;
const PUNCTUATED = /^(?:TBD|TODO)(?![\p{L}\p{N}\p{M}_])[ \t]*(?:$|\n|[:\-\u2013\u2014.,;()[\]{}])/iu;

function isUnwritten(prose: string): boolean {
  return SHOUTED.test(prose) || PUNCTUATED.test(prose) || isPlaceholder(prose);
}
