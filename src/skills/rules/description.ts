/** Rules for what a description states. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { foreignFunctionWords, plainForm } from '../../core/other-languages.ts';
import type { CheckedSkill, Profile } from './subject.ts';

const SHORT_CHARACTERS = 40;

export const descriptionVague = defineRule<CheckedSkill, Profile>({
  code: 'description-vague',
  severity: 'info',
  advice: true,
  title: 'The description does not state when to use the skill',
  about: `A model chooses skills by their descriptions. English descriptions are reported if they have fewer than ${SHORT_CHARACTERS} characters, or only name the skill without a purpose, a situation or a source. Other languages are not judged.`,
  fix: 'State the purpose and the situation, in the words of a request: "Fills in PDF forms. Use it when the user has a form to complete."',
  bad: 'description: Release notes expert skill and assistant',
  good: 'description: Writes release notes from merged pull requests. Use it when a version is published.',
  *check({ description, frontmatter, lines }) {
    const { when_to_use: whenToUse } = frontmatter;
    const text = `${description} ${typeof whenToUse === 'string' ? whenToUse : ''}`.trim();
    if (!isEnglish(text)) return;
    const { length } = [...text];
    const at = { line: lines.get('description') };
    if (length < SHORT_CHARACTERS) yield { message: `the description has only ${length} characters`, ...at };
    else if (!STATES_WHEN.test(text)) yield { message: 'the description does not state when to use the skill', ...at };
  },
});

/** Words that introduce a situation, a purpose, a source or a means. */
const STATES_WHEN =
  /\b(?:after|across|against|based|before|by|during|for|from|if|in|into|invoke|on|once|run|that|to|triggers?|triggered|unless|until|use|used|useful|using|what|when|whenever|where|which|while|with)\b/iu;

/** Function words of further languages, none of them an English word. */
const OTHER_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'att bir che dalla dari degli della delle dengan dla een ett gli het ile jest naar nella och oraz som sono ' +
    'uma untuk voor yang zijn'
  ).split(' '),
);

const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** In English, letters with accents are rare. */
const MAX_ACCENTED_SHARE = 0.05;

function isEnglish(text: string): boolean {
  if (OTHER_SCRIPT.test(text)) return false;
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  const letters = words.join('');
  const accented = letters.match(/[^a-z]/giu)?.length ?? 0;
  if (accented > MAX_ACCENTED_SHARE * letters.length) return false;
  return foreignFunctionWords(words).size === 0 && !words.some((word) => OTHER_FUNCTION_WORDS.has(plainForm(word)));
}
