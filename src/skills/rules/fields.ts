/** Rules for the frontmatter of a skill. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { isRecord } from '../../core/json-file.ts';
import type { YamlValue } from '../../core/frontmatter/yaml-value.ts';
import { COMPATIBILITY_MAX_CHARACTERS, DESCRIPTION_MAX_CHARACTERS } from '../specification.ts';
import type { CheckedSkill, Profile } from './subject.ts';

/** Claude Code truncates list entries at this length. */
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

export const descriptionLength = defineRule<CheckedSkill, Profile>({
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

export const descriptionListing = defineRule<CheckedSkill, Profile>({
  code: 'description-listing',
  severity: 'warning',
  title: 'Claude Code cuts the description in its list',
  about: `Claude Code shows its model at most ${CLAUDE_ENTRY_CHARACTERS} characters of description and when_to_use together.`,
  fix: 'Put the most important part first, or shorten the text.',
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

export const descriptionMarkup = defineRule<CheckedSkill, Profile>({
  code: 'description-markup',
  severity: 'warning',
  title: 'The description contains markup',
  about:
    'Descriptions are listed inside tags, and uploads to claude.ai refuse < and >. Lectern escapes them wherever it lists them.',
  fix: 'Write the description without < and >.',
  profiles: { spec: 'info', claude: 'warning', mcp: 'info' },
  bad: 'description: Turns <table> elements into CSV',
  good: 'description: Turns HTML tables into CSV',
  *check(skill) {
    if (/<\/?[a-z]/iu.test(descriptionAsWritten(skill)))
      yield {
        message: 'the description contains something that looks like a tag',
        line: skill.lines.get('description'),
      };
  },
});

export const compatibilityInvalid = defineRule<CheckedSkill, Profile>({
  code: 'compatibility-invalid',
  severity: 'error',
  title: `compatibility is not text of 1 to ${COMPATIBILITY_MAX_CHARACTERS} characters`,
  about: 'The specification refuses other types and longer text.',
  fix: `Write text of at most ${COMPATIBILITY_MAX_CHARACTERS} characters.`,
  profiles: { spec: 'error', mcp: 'error' },
  bad: 'compatibility: [macos, linux]',
  good: 'compatibility: macOS or Linux',
  *check(skill) {
    const value = skill.frontmatter['compatibility'];
    if (value === undefined) return;
    const line = skill.lines.get('compatibility');
    if (typeof value !== 'string') yield { message: 'compatibility is not text', line };
    else if (value === '' || [...value].length > COMPATIBILITY_MAX_CHARACTERS)
      yield { message: `compatibility has ${[...value].length} characters`, line };
  },
});

export const metadataInvalid = defineRule<CheckedSkill, Profile>({
  code: 'metadata-invalid',
  severity: 'error',
  title: 'metadata does not map text to text',
  about: 'The specification requires text values. Some readers drop a skill with numbers, lists or maps there.',
  fix: 'Put every value of metadata in quotes.',
  profiles: { spec: 'warning', mcp: 'error' },
  bad: 'metadata:\n  version: 1.0',
  good: 'metadata:\n  version: "1.0"',
  *check(skill) {
    const value = skill.frontmatter['metadata'];
    if (value === undefined) return;
    const line = skill.lines.get('metadata');
    if (!isRecord(value)) return yield { message: 'metadata is not a map', line };
    const odd = Object.entries(value)
      .filter(([, item]) => typeof item !== 'string')
      .map(([key]) => key);
    if (odd.length > 0) yield { message: `metadata has values that are not text: ${odd.slice(0, 5).join(', ')}`, line };
  },
});

export const allowedToolsType = defineRule<CheckedSkill, Profile>({
  code: 'allowed-tools-type',
  severity: 'warning',
  title: 'allowed-tools is not one line of text',
  about:
    'The specification requires the tools on one line, separated by spaces. Claude Code also accepts a list; other readers refuse it.',
  fix: 'Write allowed-tools: Read Grep Bash(git:*)',
  profiles: { spec: 'warning', mcp: 'warning', codex: 'info' },
  bad: 'allowed-tools: [Read, Grep]',
  good: 'allowed-tools: Read Grep',
  *check(skill) {
    const value = skill.frontmatter['allowed-tools'];
    if (value !== undefined && typeof value !== 'string')
      yield { message: 'allowed-tools is not text', line: skill.lines.get('allowed-tools') };
  },
});

export const fieldUnknown = defineRule<CheckedSkill, Profile>({
  code: 'field-unknown',
  severity: 'warning',
  title: 'A key is not part of the profile',
  about:
    'Strict readers refuse keys other than the six of the specification; others ignore them. Your own data belongs under metadata.',
  fix: 'Move the key under metadata, or remove it.',
  profiles: { spec: 'warning' },
  bad: 'version: "1.0"',
  good: 'metadata:\n  version: "1.0"',
  *check(skill) {
    yield* unknownFields(skill, SPEC_FIELDS, 'the specification');
  },
});

export const fieldUnknownToClaude = defineRule<CheckedSkill, Profile>({
  code: 'field-unknown-claude',
  severity: 'warning',
  title: 'Claude Code does not know a key',
  about: 'Claude Code ignores it. It is often a misspelling.',
  fix: 'Correct the spelling, or move the key under metadata.',
  profiles: { claude: 'warning' },
  bad: 'allowed_tools: Read Grep',
  good: 'allowed-tools: Read Grep',
  *check(skill) {
    yield* unknownFields(skill, CLAUDE_FIELDS, 'Claude Code');
  },
});

function* unknownFields(skill: CheckedSkill, known: readonly string[], owner: string) {
  for (const key of Object.keys(skill.frontmatter))
    if (!known.includes(key)) yield { message: `"${key}" is not a key of ${owner}`, line: skill.lines.get(key) };
}

/** Returns the description before it was put on one line. Lists and numbers are reported by the parser. */
function descriptionAsWritten(skill: CheckedSkill): string {
  const value = skill.frontmatter['description'];
  return typeof value === 'string' ? value : skill.description;
}

function textOr(value: YamlValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
