/** Rules for the text of any file with requirements. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { at, type DocumentSubject } from './subject.ts';

export const fenceUnclosed = defineRule<DocumentSubject>({
  code: 'fence-unclosed',
  severity: 'warning',
  advice: true,
  title: 'A code fence is never closed',
  about: 'Everything after it counts as code, so headings, requirements and scenarios below it are not found.',
  fix: 'Close the fence with the same marks on a separate line.',
  bad: '### Requirement: Login\nThe system SHALL let users in.\n\n```\nlogin()\n',
  good: '### Requirement: Login\nThe system SHALL let users in.\n\n```\nlogin()\n```\n',
  *check({ outline: { openFence } }) {
    if (openFence !== undefined)
      yield { message: `the fence opened on line ${openFence + 1} is never closed`, ...at(openFence) };
  },
});

export const notUtf8 = defineRule<DocumentSubject>({
  code: 'spec-not-utf8',
  severity: 'warning',
  advice: true,
  title: 'The file is not UTF-8',
  about: 'Bytes that are not UTF-8 are shown as replacement characters.',
  fix: 'Save the file as UTF-8.',
  *check({ isUtf8, outline }) {
    if (!isUtf8)
      yield {
        message: 'some bytes are not valid UTF-8',
        ...at(outline.lines.findIndex((line) => line.includes('\uFFFD'))),
      };
  },
});
