/** Rules for the text of a skill: its body, and invisible or deceptive characters. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { bodyOf } from '../../core/frontmatter/split.ts';
import { clip, count, lineFeeds } from '../../core/text.ts';
import { isTemplateLine, templateDescription } from '../template.ts';
import type { CheckedSkill, Profile } from './subject.ts';

const BODY_MAX_LINES = 500;

export const bodyEmpty = defineRule<CheckedSkill, Profile>({
  code: 'body-empty',
  severity: 'warning',
  title: 'The skill has no instructions',
  about: 'Nothing follows the frontmatter, so loading the skill gives an agent no instructions.',
  fix: 'Write the instructions below the frontmatter.',
  bad: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
  *check(skill) {
    if (bodyOf(skill.text).trim() === '') yield { message: 'the body is empty', line: skill.bodyLine };
  },
});

export const templateText = defineRule<CheckedSkill, Profile>({
  code: 'template-text',
  severity: 'warning',
  title: 'Template text was not replaced',
  about: 'lectern new writes sentences for you to replace. Agents would read them as instructions.',
  fix: 'Replace the sentences of the template with your own, or delete them.',
  bad: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nSay in one or two sentences what this skill is for.',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nFills in the forms of the tax office.',
  *check(skill) {
    if (skill.description === templateDescription(skill.name))
      yield { message: 'the description is still from the template', line: skill.lines.get('description') };
    const lines = bodyOf(skill.text).split('\n');
    const left = lines.filter(isTemplateLine).length;
    if (left > 0)
      yield {
        message: `${count(left, 'line')} of the body ${left === 1 ? 'is' : 'are'} still from the template`,
        line: skill.bodyLine + lines.findIndex(isTemplateLine),
      };
  },
});

export const fenceLanguage = defineRule<CheckedSkill, Profile>({
  code: 'fence-language',
  severity: 'warning',
  title: 'The opening fence names a language',
  about:
    'Some readers evaluate frontmatter that begins with ---js or read it as JSON after ---json; others do not find any. Lectern reads it as YAML and never evaluates it.',
  fix: 'Write --- alone on the first line, and YAML below it.',
  bad: '---js\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
  *check({ text }) {
    const blank = /^[\uFEFF\s]*/u.exec(text)?.[0] ?? '';
    const language = /^---([^\s-]\S*)/u.exec(text.slice(blank.length))?.[1];
    if (language === undefined) return;
    yield { message: `the first line is ---${clip(language, 20)}`, line: lineFeeds(blank) + 1 };
  },
});

export const bodyLength = defineRule<CheckedSkill, Profile>({
  code: 'body-length',
  severity: 'info',
  title: `The body has more than ${BODY_MAX_LINES} lines`,
  about:
    'The specification recommends a shorter body, because all of it enters the model’s context when the skill is loaded.',
  fix: 'Move details into files under references/ and mention them in the body.',
  profiles: { spec: 'info', claude: 'info', codex: 'info' },
  *check(skill) {
    const lines = bodyOf(skill.text).trimEnd().split('\n').length;
    if (lines > BODY_MAX_LINES) yield { message: `the body has ${lines} lines`, line: skill.bodyLine };
  },
});

export const hiddenText = defineRule<CheckedSkill, Profile>({
  code: 'hidden-text',
  severity: 'error',
  title: 'Invisible characters can hide text',
  about:
    'Unicode tag characters and variation selectors are invisible, yet a model reads them: a known way to smuggle in instructions. They are stripped from lists; the body is served as it is.',
  fix: 'Remove the characters at the line given.',
  bad: 'description: "Fills in forms\u{e0068}\u{e0069}"',
  good: 'description: "Fills in forms"',
  *check(skill) {
    yield* findCharacters(skill, HIDDEN, (line) => !isFlagOrIdeograph(line), 'invisible tag or variation characters');
  },
});

export const bidiControls = defineRule<CheckedSkill, Profile>({
  code: 'bidi-controls',
  severity: 'error',
  title: 'Text direction is overridden',
  about:
    'Bidirectional controls make text look different than it is. Lectern shows them as escapes in terminals and pages.',
  fix: 'Remove the characters at the line given.',
  bad: 'description: "Fills in \u202esmrof"',
  good: 'description: "Fills in forms"',
  *check(skill) {
    yield* findCharacters(skill, /[\u202a-\u202e\u2066-\u2069]/u, () => true, 'bidirectional control characters');
  },
});

export const zeroWidth = defineRule<CheckedSkill, Profile>({
  code: 'zero-width',
  severity: 'warning',
  title: 'The text contains zero-width characters',
  about:
    'They can hide text, or split words to evade scanners. Joiners inside emoji and between letters of scripts that need them are fine.',
  fix: 'Remove the characters at the line given.',
  bad: 'description: "Fills in for\u200bms"',
  good: 'description: "Fills in forms"',
  *check(skill) {
    yield* findCharacters(skill, ZERO_WIDTH, hasStrayZeroWidth, 'zero-width characters');
    const marks = skill.text.indexOf('\ufeff', 1);
    if (marks !== -1)
      yield {
        message: 'a byte order mark is inside the text',
        line: skill.text.slice(0, marks).split('\n').length,
      };
  },
});

export const controlCharacters = defineRule<CheckedSkill, Profile>({
  code: 'control-characters',
  severity: 'warning',
  title: 'The text contains control characters',
  about:
    'Escape sequences can recolor or rewrite a terminal, and some tools cut text at NUL bytes. Lectern never passes them on to the terminal.',
  fix: 'Remove the characters at the line given.',
  bad: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun \u001b[31mfill.py.',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py.',
  *check(skill) {
    yield* findCharacters(
      skill,
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u,
      () => true,
      'control characters',
    );
  },
});

export const encodingInvalid = defineRule<CheckedSkill, Profile>({
  code: 'encoding-invalid',
  severity: 'warning',
  title: 'The text has replacement characters',
  about: 'Bytes that are not UTF-8 are shown as U+FFFD. The file was probably saved in another encoding.',
  fix: 'Save the file as UTF-8.',
  bad: 'description: "Fills in forms for the caf\ufffd"',
  good: 'description: "Fills in forms for the café"',
  *check(skill) {
    yield* findCharacters(skill, /\ufffd/u, () => true, 'bytes that are not UTF-8, or replacement characters');
  },
});

/** Soft hyphens, zero-width spaces and joiners, word joiners and invisible operators. */
const ZERO_WIDTH = /\u00ad|\u200b|\u200c|\u200d|[\u2060-\u2064]/u;
/** Joiners are legitimate inside emoji, and between letters of scripts that require them. */
const JOINED_EMOJI = /\p{Emoji}(?:\ufe0f|\p{Emoji_Modifier})?\u200d/gu;
const JOINED_LETTERS =
  /(?:\p{Script=Arabic}|\p{Script=Mongolian}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Gujarati}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Tamil}|\p{Script=Telugu})(?:\u200c|\u200d)/gu;

function hasStrayZeroWidth(line: string): boolean {
  return ZERO_WIDTH.test(line.replace(JOINED_EMOJI, '').replace(JOINED_LETTERS, ''));
}

/** Characters that are invisible to users but visible to a model. */
const HIDDEN = /\u{e0001}|[\u{e0020}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/u;

/** Reports the first line with such a character, and the number of affected lines. */
function* findCharacters(skill: CheckedSkill, pattern: RegExp, counts: (line: string) => boolean, what: string) {
  // YAML escapes can encode a character by its number, so the parsed values are checked too.
  for (const [key, value] of Object.entries(skill.frontmatter)) {
    if (
      typeof value === 'string' &&
      pattern.test(value) &&
      value.split('\n').some(counts) &&
      !pattern.test(skill.text)
    ) {
      yield { message: `${what}, in the value of ${key}`, line: skill.lines.get(key) };
    }
  }
  if (!pattern.test(skill.text)) return;
  const lines = skill.text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) && counts(line) ? [index + 1] : []));
  if (lines.length > 0)
    yield { message: lines.length === 1 ? what : `${what}, in ${lines.length} lines`, line: lines[0] };
}

/** Region flags use tag characters after a black flag. Ideographs may have variation selectors. */
function isFlagOrIdeograph(line: string): boolean {
  const rest = line
    .replace(/\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu, '')
    .replace(/\p{Script=Han}[\u{e0100}-\u{e01ef}]/gu, '');
  return !HIDDEN.test(rest);
}
