/** Rules for the sections of a main spec. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { isPlaceholder } from '../new-spec.ts';
import { openspecSection, sectionOf } from '../words.ts';
import { at, type SpecSubject } from './subject.ts';

const PURPOSE_MIN_CHARACTERS = 50;

export const purposeMissing = defineRule<SpecSubject>({
  code: 'spec-purpose-missing',
  severity: 'error',
  title: 'The spec has no Purpose',
  about:
    'A spec begins with the purpose of the capability. OpenSpec rejects a spec without one; Lectern still lists it, with an empty purpose.',
  fix: 'Add a "## Purpose" section with a sentence or two before "## Requirements".',
  bad: '# Login\n\n## Requirements',
  good: '# Login\n\n## Purpose\nLet people in with a password, and keep everyone else out.\n\n## Requirements',
  *check({ purpose }) {
    if (!purpose) yield { message: 'there is no "Purpose" heading', ...at(0) };
    else if (purpose.text === '')
      yield { message: 'the Purpose section is empty', ...at(purpose.heading.line, 'Purpose') };
  },
});

export const requirementsMissing = defineRule<SpecSubject>({
  code: 'spec-requirements-missing',
  severity: 'error',
  title: 'The spec has no Requirements section',
  about: 'Requirements are looked for below the heading "Requirements".',
  fix: 'Add a "## Requirements" section and put each "### Requirement: name" below it.',
  bad: '# Login\n\n## Purpose\nLet people in.',
  good: '# Login\n\n## Purpose\nLet people in.\n\n## Requirements',
  *check({ requirementsHeading }) {
    if (!requirementsHeading) yield { message: 'there is no "Requirements" heading', ...at(0) };
  },
});

export const requirementsEmpty = defineRule<SpecSubject>({
  code: 'spec-requirements-empty',
  severity: 'error',
  title: 'The Requirements section is empty',
  about: 'A spec needs at least one requirement.',
  fix: 'Add a "### Requirement: name" with a sentence and a "#### Scenario: name" below it.',
  bad: '# Login\n\n## Requirements',
  good: '# Login\n\n## Requirements\n\n### Requirement: Login',
  *check({ requirementsHeading, children }) {
    if (requirementsHeading && children.length === 0)
      yield {
        message: 'there is no requirement below "Requirements"',
        ...at(requirementsHeading.line, 'Requirements'),
      };
  },
});

export const purposeShort = defineRule<SpecSubject>({
  code: 'spec-purpose-short',
  severity: 'warning',
  title: 'The Purpose is very short',
  about: `A purpose under ${PURPOSE_MIN_CHARACTERS} characters is rarely enough for readers and for search.`,
  fix: 'Describe the capability and its users in a sentence or two.',
  bad: '## Purpose\nLogin.',
  good: '## Purpose\nLet people in with a password, and keep everyone else out.',
  *check({ purpose }) {
    if (purpose && purpose.text !== '' && purpose.text.length < PURPOSE_MIN_CHARACTERS && !isUnwritten(purpose.prose))
      yield {
        message: `the Purpose has ${purpose.text.length} characters; ${PURPOSE_MIN_CHARACTERS} or more are expected`,
        ...at(purpose.heading.line + 1, 'Purpose'),
      };
  },
});

export const purposePlaceholder = defineRule<SpecSubject>({
  code: 'spec-purpose-placeholder',
  severity: 'warning',
  title: 'The Purpose is a placeholder',
  about:
    'The text is a TBD or TODO, or the sentence that is written for a new capability when its delta has no Purpose.',
  fix: 'Replace it with the purpose of the capability.',
  bad: '## Purpose\nTBD',
  good: '## Purpose\nLet people in with a password, and keep everyone else out.',
  *check({ purpose }) {
    if (purpose && purpose.text !== '' && isUnwritten(purpose.prose))
      yield { message: 'the Purpose has not been written yet', ...at(purpose.heading.line + 1, 'Purpose') };
  },
});

export const titleMissing = defineRule<SpecSubject>({
  code: 'spec-title-missing',
  severity: 'info',
  advice: true,
  title: 'The spec has no title',
  about: 'Without a level-one heading, lists show the id as the title.',
  fix: 'Start the file with "# name Specification".',
  bad: '## Purpose\nLet people in.',
  good: '# Login Specification\n\n## Purpose\nLet people in.',
  *check({ title }) {
    if (title === '') yield { message: 'there is no level-one heading', ...at(0) };
  },
});

export const dialectHeading = defineRule<SpecSubject>({
  code: 'spec-dialect-heading',
  severity: 'info',
  advice: true,
  title: 'A section heading is in another language',
  about: 'Lectern reads it. OpenSpec knows only the English headings, so its verdict ignores this section.',
  fix: 'Use the English heading if OpenSpec has to accept the file.',
  bad: '# 登录\n\n## 需求',
  good: '# 登录\n\n## Requirements',
  *check({ outline }) {
    for (const { text, line, level, tight } of outline.headings) {
      if (level > 2 || tight || openspecSection(text)) continue;
      const kind = sectionOf(text);
      if (kind !== 'purpose' && kind !== 'requirements') continue;
      const english = kind === 'purpose' ? 'Purpose' : 'Requirements';
      yield {
        message: `"${text}" is read as ${english}`,
        fix: `Write "## ${english}" if OpenSpec has to accept the file.`,
        ...at(line, text),
      };
    }
  },
});

/** Uppercase markers always count. Lowercase ones need punctuation after them, because Spanish sentences may begin with `todo`. */
const SHOUTED = /^(?:TBD|TODO)(?![\p{L}\p{N}\p{M}_])/u;
const PUNCTUATED = /^(?:TBD|TODO)(?![\p{L}\p{N}\p{M}_])[ \t]*(?:$|\n|[:\-\u2013\u2014.,;()[\]{}])/iu;

function isUnwritten(prose: string): boolean {
  return SHOUTED.test(prose) || PUNCTUATED.test(prose) || isPlaceholder(prose);
}
