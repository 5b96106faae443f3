import { foldName } from '../../core/text.ts';
import { NAME_MAX_CHARACTERS } from '../specification.ts';
import { isValidName, nameAsYaml, validNameFor } from '../valid-name.ts';
import { type CheckedSkill, defineSkillRule, everywhere } from './rule.ts';

export const nameLength = defineSkillRule({
  code: 'name-length',
  severity: 'error',
  title: `The name has more than ${NAME_MAX_CHARACTERS} characters`,
  about: 'Agents that follow the specification refuse longer names. Lectern serves the skill all the same.',
  fix: `Shorten the name to ${NAME_MAX_CHARACTERS} characters.`,
  profiles: { spec: 'error', claude: 'warning', codex: 'error', mcp: 'error' },
  *check(skill) {
    const length = [...skill.name].length;
    if (length > NAME_MAX_CHARACTERS)
      yield {
        message: `the name has ${length} characters; the limit is ${NAME_MAX_CHARACTERS}`,
        line: skill.lines.get('name'),
      };
  },
});

export const nameCapitals = defineSkillRule({
  code: 'name-capitals',
  severity: 'error',
  title: 'The name has capital letters',
  about:
    'The specification allows only lower-case letters, because file systems and agents differ in how they compare names.',
  fix: 'Write the name in lower case.',
  profiles: { spec: 'error', claude: 'warning', codex: 'warning', mcp: 'error' },
  *check(skill) {
    if (skill.name !== skill.name.toLowerCase())
      yield { message: `"${skill.name}" has capital letters`, line: skill.lines.get('name'), ...betterName(skill) };
  },
});

export const nameCharacters = defineSkillRule({
  code: 'name-characters',
  severity: 'error',
  title: 'The name has characters that are not allowed',
  about:
    'Only letters, digits and hyphens may stand in a name. Spaces, colons and slashes also have a meaning in commands and full names.',
  fix: 'Use letters, digits and hyphens only.',
  profiles: { spec: 'error', claude: 'warning', codex: 'warning', mcp: 'error' },
  *check(skill) {
    const odd = [...new Set(skill.name.normalize('NFKC').match(/[^\p{L}\p{N}\p{M}-]/gu))];
    if (odd.length > 0) {
      const shown = odd
        .slice(0, 5)
        .map((character) => JSON.stringify(character))
        .join(', ');
      yield { message: `the name holds ${shown}`, line: skill.lines.get('name'), ...betterName(skill) };
    }
  },
});

export const nameHyphens = defineSkillRule({
  code: 'name-hyphens',
  severity: 'error',
  title: 'A hyphen stands at an end of the name',
  about: 'The specification wants a name to begin and end with a letter or a digit.',
  fix: 'Remove the hyphen at the beginning or the end.',
  profiles: { spec: 'error', mcp: 'error', codex: 'warning' },
  *check(skill) {
    if (/^-|-$/u.test(skill.name))
      yield {
        message: `"${skill.name}" begins or ends with a hyphen`,
        line: skill.lines.get('name'),
        ...betterName(skill),
      };
  },
});

export const nameDoubleHyphen = defineSkillRule({
  code: 'name-double-hyphen',
  severity: 'error',
  title: 'Two hyphens stand together in the name',
  about: 'The specification forbids it.',
  fix: 'Write one hyphen.',
  profiles: { spec: 'error', mcp: 'error', codex: 'warning' },
  *check(skill) {
    if (skill.name.includes('--'))
      yield {
        message: `"${skill.name}" has two hyphens in a row`,
        line: skill.lines.get('name'),
        ...betterName(skill),
      };
  },
});

export const nameFolder = defineSkillRule({
  code: 'name-folder',
  severity: 'error',
  title: 'The name differs from the folder',
  about:
    'The specification wants both to be the same; Claude Code calls the skill by its folder, others by its name. Lectern finds it by either.',
  fix: 'Rename the folder, or change the name.',
  profiles: { spec: 'error', claude: 'warning', codex: 'info', mcp: 'error' },
  *check(skill) {
    if (skill.name.normalize('NFC') === skill.folder.normalize('NFC')) return;
    yield {
      message: `the name is "${skill.name}" but the folder is "${skill.folder}"`,
      line: skill.lines.get('name'),
      ...oneName(skill),
    };
  },
});

/** A fix that names a better name; nothing where none can be named. */
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

/** Of a name and a folder, each is proposed for the other only where it is sound itself. */
function oneName(skill: CheckedSkill): { fix?: string } {
  const { name, folder } = skill;
  const rename = `ename the folder to "${name}"`;
  const set = `et name: ${nameAsYaml(folder)}`;
  if (isFaultless(name)) return { fix: isFaultless(folder) ? `R${rename}, or s${set}` : `R${rename}.` };
  return isFaultless(folder) ? { fix: `S${set}` } : betterName(skill);
}

/** Letters of other scripts that look like a Latin one. */
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

export const nameLookalike = defineSkillRule({
  code: 'name-lookalike',
  severity: 'warning',
  title: 'The name mixes scripts that look alike',
  about:
    'A Cyrillic or Greek letter between Latin ones is a known way to pass one skill off as another. Such a name never resolves to the Latin one.',
  fix: 'Write the name in one script.',
  profiles: everywhere('warning'),
  *check(skill) {
    const shown = lookalikesIn(skill.name).map(
      (character) =>
        `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} looks like "${LOOKALIKES.get(character) ?? ''}"`,
    );
    if (shown.length > 0)
      yield { message: `the name is not what it seems: ${shown.join(', ')}`, line: skill.lines.get('name') };
  },
});

/** Letters that pretend to be Latin: between Latin ones, or in a name that has no others. */
function lookalikesIn(text: string): string[] {
  const name = foldName(text);
  const strange = [...new Set([...name].filter((character) => LOOKALIKES.has(character)))];
  const mixes = /\p{Script=Latin}/u.test(name);
  const allLookalike = [...name].every((character) => LOOKALIKES.has(character) || !/\p{L}/u.test(character));
  return mixes || allLookalike ? strange : [];
}
