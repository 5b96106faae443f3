import type { YamlValue } from '../../core/frontmatter/yaml-value.ts';
import { COMPATIBILITY_MAX_CHARACTERS, DESCRIPTION_MAX_CHARACTERS } from '../specification.ts';
import { defineSkillRule, type CheckedSkill, type Profile } from './rule.ts';

/** Claude Code cuts the entry of one skill in its list here. */
const CLAUDE_ENTRY_CHARACTERS = 1536;

const SPEC_FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];
const CLAUDE_FIELDS = [
  ...SPEC_FIELDS,
  'when_to_use',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'disallowed-tools',
  'model',
  'effort',
  'context',
  'agent',
  'background',
  'hooks',
  'paths',
  'shell',
];

export const descriptionLength = defineSkillRule({
  code: 'description-length',
  severity: 'error',
  title: `The description has more than ${DESCRIPTION_MAX_CHARACTERS} characters`,
  about: 'The specification refuses longer ones, and Codex cuts them in its list.',
  fix: `Shorten it to ${DESCRIPTION_MAX_CHARACTERS} characters: what the skill does and when to use it.`,
  profiles: { spec: 'error', codex: 'warning', mcp: 'error' },
  *check(skill) {
    const length = [...descriptionAsWritten(skill)].length;
    if (length > DESCRIPTION_MAX_CHARACTERS) {
      yield {
        message: `the description has ${length} characters; the limit is ${DESCRIPTION_MAX_CHARACTERS}`,
        line: skill.lines.get('description'),
      };
    }
  },
});

export const descriptionListing = defineSkillRule({
  code: 'description-listing',
  severity: 'warning',
  title: 'Claude Code cuts the description in its list',
  about: `Claude Code shows its model at most ${CLAUDE_ENTRY_CHARACTERS} characters of description and when_to_use together.`,
  fix: 'Put what matters most first, or shorten the text.',
  profiles: { claude: 'warning' },
  *check(skill) {
    const length = [...descriptionAsWritten(skill), ...textOr(skill.frontmatter['when_to_use'])].length;
    if (length > CLAUDE_ENTRY_CHARACTERS)
      yield {
        message: `description and when_to_use have ${length} characters together`,
        line: skill.lines.get('description'),
      };
  },
});

export const descriptionMarkup = defineSkillRule({
  code: 'description-markup',
  severity: 'warning',
  title: 'The description holds markup',
  about:
    'Descriptions are listed inside tags; uploads to claude.ai refuse < and >. Lectern escapes them wherever it lists them.',
  fix: 'Write the description without < and >.',
  profiles: { spec: 'info', claude: 'warning', mcp: 'info' },
  *check(skill) {
    if (/<\/?[a-z]/iu.test(descriptionAsWritten(skill)))
      yield { message: 'the description holds something that looks like a tag', line: skill.lines.get('description') };
  },
});

export const compatibilityInvalid = defineSkillRule({
  code: 'compatibility-invalid',
  severity: 'error',
  title: `compatibility is not a text of 1 to ${COMPATIBILITY_MAX_CHARACTERS} characters`,
  about: 'The specification refuses other types and longer texts.',
  fix: `Write one text of at most ${COMPATIBILITY_MAX_CHARACTERS} characters.`,
  profiles: { spec: 'error', mcp: 'error' },
  *check(skill) {
    const value = skill.frontmatter['compatibility'];
    if (value === undefined) return;
    const line = skill.lines.get('compatibility');
    if (typeof value !== 'string') yield { message: 'compatibility is not text', line };
    else if (value === '' || [...value].length > COMPATIBILITY_MAX_CHARACTERS)
      yield { message: `compatibility has ${[...value].length} characters`, line };
  },
});

export const metadataInvalid = defineSkillRule({
  code: 'metadata-invalid',
  severity: 'error',
  title: 'metadata is not a map of texts',
  about: 'The specification wants keys with text values; some readers drop a skill with numbers, lists or maps there.',
  fix: 'Put every value of metadata in quotes.',
  profiles: { spec: 'warning', mcp: 'error' },
  *check(skill) {
    const value = skill.frontmatter['metadata'];
    if (value === undefined) return;
    const line = skill.lines.get('metadata');
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      yield { message: 'metadata is not a map', line };
      return;
    }
    const odd = Object.entries(value)
      .filter(([, item]) => typeof item !== 'string')
      .map(([key]) => key);
    if (odd.length > 0) yield { message: `metadata has values that are not text: ${odd.slice(0, 5).join(', ')}`, line };
  },
});

export const allowedToolsType = defineSkillRule({
  code: 'allowed-tools-type',
  severity: 'warning',
  title: 'allowed-tools is not one line of text',
  about:
    'The specification wants the tools separated by spaces in one text. Claude Code also takes a list; other publishers refuse it.',
  fix: 'Write allowed-tools: Read Grep Bash(git:*)',
  profiles: { spec: 'warning', mcp: 'warning', codex: 'info' },
  *check(skill) {
    const value = skill.frontmatter['allowed-tools'];
    if (value !== undefined && typeof value !== 'string')
      yield { message: 'allowed-tools is not text', line: skill.lines.get('allowed-tools') };
  },
});

export const fieldUnknown = defineSkillRule({
  code: 'field-unknown',
  severity: 'warning',
  title: 'A key is not part of the profile',
  about:
    'Strict readers refuse keys beyond the specification’s six; others ignore them. Own data belongs under metadata.',
  fix: 'Move the key under metadata, or remove it.',
  profiles: { spec: 'warning' },
  *check(skill) {
    yield* unknownFields(skill, SPEC_FIELDS, 'spec');
  },
});

export const fieldUnknownToClaude = defineSkillRule({
  code: 'field-unknown-claude',
  severity: 'info',
  title: 'Claude Code does not know a key',
  about: 'It is ignored there; often it is a misspelling.',
  fix: 'Correct the spelling, or move the key under metadata.',
  profiles: { claude: 'warning' },
  *check(skill) {
    yield* unknownFields(skill, CLAUDE_FIELDS, 'claude');
  },
});

function* unknownFields(skill: CheckedSkill, known: readonly string[], profile: Profile) {
  for (const key of Object.keys(skill.frontmatter)) {
    if (!known.includes(key))
      yield {
        message: `"${key}" is not a key of ${profile === 'claude' ? 'Claude Code' : 'the specification'}`,
        line: skill.lines.get(key),
      };
  }
}

/** The text before it was put on one line; lists and numbers were reported by the reader. */
function descriptionAsWritten(skill: CheckedSkill): string {
  const value = skill.frontmatter['description'];
  return typeof value === 'string' ? value : skill.description;
}

function textOr(value: YamlValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
