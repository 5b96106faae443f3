/** Rules for the name of a skill. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { foldName } from '../../core/text.ts';
import { NAME_MAX_CHARACTERS } from '../specification.ts';
import { isValidName, nameAsYaml, validNameFor } from '../valid-name.ts';
import type { CheckedSkill, Profile } from './subject.ts';

export const nameLength = defineRule<CheckedSkill, Profile>({
  code: 'name-length',
  severity: 'error',
  title: `The name has more than ${NAME_MAX_CHARACTERS} characters`,
  about: 'Agents that follow the specification refuse longer names. Lectern still serves the skill.',
  fix: `Shorten the name to ${NAME_MAX_CHARACTERS} characters.`,
  profiles: { spec: 'error', claude: 'warning', codex: 'error', mcp: 'error' },
  bad: 'name: converts-every-portable-document-format-file-into-pages-of-markdown',
  good: 'name: pdf-to-markdown',
  *check(skill) {
    const length = [...skill.name].length;
    if (length > NAME_MAX_CHARACTERS)
      yield {
        message: `the name has ${length} characters; the limit is ${NAME_MAX_CHARACTERS}`,
        line: skill.lines.get('name'),
      };
  },
});

export const nameCapitals = defineRule<CheckedSkill, Profile>({
  code: 'name-capitals',
  severity: 'error',
  title: 'The name has capital letters',
  about:
    'The specification allows only lower-case letters, because file systems and agents differ in how they compare names.',
  fix: 'Write the name in lower case.',
  profiles: { spec: 'error', claude: 'warning', codex: 'warning', mcp: 'error' },
  bad: 'name: PDF-tools',
  good: 'name: pdf-tools',
  *check(skill) {
    if (skill.name !== skill.name.toLowerCase())
      yield { message: `"${skill.name}" has capital letters`, line: skill.lines.get('name'), ...betterName(skill) };
  },
});

export const nameCharacters = defineRule<CheckedSkill, Profile>({
  code: 'name-characters',
  severity: 'error',
  title: 'The name has characters that are not allowed',
  about:
    'A name may contain only letters, digits and hyphens. Spaces, colons and slashes also have a meaning in commands and full names.',
  fix: 'Use letters, digits and hyphens only.',
  profiles: { spec: 'error', claude: 'warning', codex: 'warning', mcp: 'error' },
  bad: 'name: pdf_tools',
  good: 'name: pdf-tools',
  *check(skill) {
    const odd = [...new Set(skill.name.normalize('NFKC').match(/[^\p{L}\p{N}\p{M}-]/gu))];
    if (odd.length > 0) {
      const shown = odd
        .slice(0, 5)
        .map((character) => JSON.stringify(character))
        .join(', ');
      yield { message: `the name contains ${shown}`, line: skill.lines.get('name'), ...betterName(skill) };
    }
  },
});

export const nameHyphens = defineRule<CheckedSkill, Profile>({
  code: 'name-hyphens',
  severity: 'error',
  title: 'The name begins or ends with a hyphen',
  about: 'The specification requires a name to begin and end with a letter or a digit.',
  fix: 'Remove the hyphen at the beginning or the end.',
  profiles: { spec: 'error', mcp: 'error', codex: 'warning' },
  bad: 'name: pdf-',
  good: 'name: pdf',
  *check(skill) {
    if (/^-|-$/u.test(skill.name))
      yield {
        message: `"${skill.name}" begins or ends with a hyphen`,
        line: skill.lines.get('name'),
        ...betterName(skill),
      };
  },
});

export const nameDoubleHyphen = defineRule<CheckedSkill, Profile>({
  code: 'name-double-hyphen',
  severity: 'error',
  title: 'The name has two hyphens in a row',
  about: 'The specification forbids it.',
  fix: 'Write one hyphen.',
  profiles: { spec: 'error', mcp: 'error', codex: 'warning' },
  bad: 'name: pdf--tools',
  good: 'name: pdf-tools',
  *check(skill) {
    if (skill.name.includes('--'))
      yield {
        message: `"${skill.name}" has two hyphens in a row`,
        line: skill.lines.get('name'),
        ...betterName(skill),
      };
  },
});

export const nameFolder = defineRule<CheckedSkill, Profile>({
  code: 'name-folder',
  severity: 'error',
  title: 'The name differs from the folder',
  about:
    'The specification requires both to be the same. Claude Code calls the skill by its folder, other agents by its name. Lectern finds it by either.',
  fix: 'Rename the folder, or change the name.',
  profiles: { spec: 'error', claude: 'warning', codex: 'info', mcp: 'error' },
  bad: { 'pdf/SKILL.md': 'name: pdf-tools' },
  good: { 'pdf/SKILL.md': 'name: pdf' },
  *check(skill) {
    if (skill.name.normalize('NFC') === skill.folder.normalize('NFC')) return;
    yield {
      message: `the name is "${skill.name}" but the folder is "${skill.folder}"`,
      line: skill.lines.get('name'),
      ...oneName(skill),
    };
  },
});

/** Returns a fix that suggests a valid name, if there is one. */
function betterName({ name, folder }: CheckedSkill): { fix?: string } {
  const better = validNameFor(name);
  if (better === undefined || !isFaultless(better)) return {};
  return {
    fix:
      folder === better
        ? `Set name: ${nameAsYaml(better)}`
        : `Set name: ${nameAsYaml(better)}, and rename the folder to "${better}".`,
  };
}

function isFaultless(name: string): boolean {
  return isValidName(name) && lookalikesIn(name).length === 0;
}

/** Suggests renaming the folder or the skill to match the other, but only if the result is valid. */
function oneName(skill: CheckedSkill): { fix?: string } {
  const { name, folder } = skill;
  const rename = `ename the folder to "${name}"`;
  const set = `et name: ${nameAsYaml(folder)}`;
  if (isFaultless(name)) return { fix: isFaultless(folder) ? `R${rename}, or s${set}` : `R${rename}.` };
  return isFaultless(folder) ? { fix: `S${set}` } : betterName(skill);
}

/** Letters of other scripts that look like Latin letters. */
const LOOKALIKES = new Map(
  Object.entries({
    а: 'a',
    с: 'c',
    е: 'e',
    о: 'o',
    р: 'p',
    х: 'x',
    у: 'y',
    і: 'i',
    ј: 'j',
    ѕ: 's',
    һ: 'h',
    ԁ: 'd',
    ԛ: 'q',
    ԝ: 'w',
    α: 'a',
    ο: 'o',
    ρ: 'p',
    υ: 'u',
    ν: 'v',
    ι: 'i',
    κ: 'k',
    τ: 't',
    χ: 'x',
    γ: 'y',
    ε: 'e',
  }),
);

export const nameLookalike = defineRule<CheckedSkill, Profile>({
  code: 'name-lookalike',
  severity: 'warning',
  title: 'The name mixes scripts that look alike',
  about:
    'A Cyrillic or Greek letter between Latin ones is a known way to pass one skill off as another. Such a name never resolves to the Latin one.',
  fix: 'Write the name in one script.',
  bad: 'name: pаypal # the first a is Cyrillic',
  good: 'name: paypal',
  *check(skill) {
    const shown = lookalikesIn(skill.name).map(
      (character) =>
        `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} looks like "${LOOKALIKES.get(character) ?? ''}"`,
    );
    if (shown.length > 0)
      yield { message: `the name is deceptive: ${shown.join(', ')}`, line: skill.lines.get('name') };
  },
});

/** Finds letters that imitate Latin ones: between Latin letters, or in a name without other letters. */
function lookalikesIn(text: string): string[] {
  const name = foldName(text);
  const strange = [...new Set([...name].filter((character) => LOOKALIKES.has(character)))];
  const mixes = /\p{Script=Latin}/u.test(name);
  const allLookalike = [...name].every((character) => LOOKALIKES.has(character) || !/\p{L}/u.test(character));
  return mixes || allLookalike ? strange : [];
}
