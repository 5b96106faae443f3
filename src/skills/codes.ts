/**
 * What can go wrong before a skill is in the catalog. A skill with an `error` here is skipped; with a `warning` it is
 * served and reported. The rules of `validate` are in `rules/`.
 */
import { type Code, defineCode } from '../core/diagnostics.ts';
import { LIMITS } from '../core/limits.ts';

const KIB = 1024;

export const fileUnreadable = defineCode({
  code: 'file-unreadable',
  severity: 'error',
  title: 'A file or folder cannot be read',
  about: 'The system refused to open it. The skill is skipped; everything else is served.',
  fix: 'Give the current user permission to read it.',
});

export const notARegularFile = defineCode({
  code: 'not-a-regular-file',
  severity: 'error',
  title: 'SKILL.md is not a regular file',
  about:
    'A pipe, socket, device or folder of that name is no skill: reading one can block for ever or have side effects. It is opened at most to see what it is, and nothing is read; somebody who waits to write into such a pipe is let go.',
  fix: 'Replace it by a regular file.',
});

export const linkDangling = defineCode({
  code: 'link-dangling',
  severity: 'warning',
  title: 'A link leads nowhere',
  about: 'The target of the link is missing, or the link leads to itself. There is nothing to load.',
  fix: 'Remove the link or restore its target.',
});

export const linkWithoutSkills = defineCode({
  code: 'link-without-skills',
  severity: 'warning',
  title: 'A link leads into a large tree without skills',
  about:
    'A link among skills may lead to another disk or to a whole system. Lectern gives up on it early, so that the skills beside it are found.',
  fix: 'Link the folder of the skill itself, or a folder that holds skills.',
});

export const symlinkOutside = defineCode({
  code: 'symlink-outside',
  severity: 'error',
  title: 'A link leads out of the skill',
  about:
    'A SKILL.md may be a link only into a scanned root or the project, and a bundled file only within its own skill folder. Otherwise a skill could present any file of the machine to a model. A link to a whole skill folder is followed.',
  fix: 'Copy the file into the skill folder, or link the whole folder.',
});

export const fileTooLarge = defineCode({
  code: 'file-too-large',
  severity: 'error',
  title: 'SKILL.md is too large',
  about: `A SKILL.md over ${LIMITS.skillFileBytes.value / KIB} KiB is refused before it is read.`,
  fix: 'Move the bulk of the text into files beside SKILL.md.',
});

export const fileEmpty = defineCode({
  code: 'file-empty',
  severity: 'error',
  title: 'SKILL.md is empty',
  about: 'The file holds nothing but blank space.',
  fix: 'Add frontmatter with name and description, then the instructions.',
});

export const frontmatterEmpty = defineCode({
  code: 'frontmatter-empty',
  severity: 'error',
  title: 'The frontmatter is only a fence',
  about: 'The file has an opening --- and nothing after it.',
  fix: 'Add name and description, and close the frontmatter with ---.',
});

export const frontmatterMissing = defineCode({
  code: 'frontmatter-missing',
  severity: 'error',
  title: 'There is no frontmatter',
  about: 'A skill starts with --- and the keys name and description. Without them no agent can list it.',
  fix: 'Start the file with ---, name, description, ---.',
});

export const frontmatterUnclosed = defineCode({
  code: 'frontmatter-unclosed',
  severity: 'error',
  title: 'The frontmatter is not closed',
  about: 'There is no second --- line, so nobody can tell where the keys end and the instructions begin.',
  fix: 'Close the frontmatter with a line that holds only ---.',
});

export const frontmatterTooLarge = defineCode({
  code: 'frontmatter-too-large',
  severity: 'error',
  title: 'The frontmatter is too large',
  about: `Frontmatter over ${LIMITS.frontmatterBytes.value / KIB} KiB is refused before it is parsed.`,
  fix: 'Move the text into the body of the file.',
});

export const frontmatterTooDeep = defineCode({
  code: 'frontmatter-too-deep',
  severity: 'error',
  title: 'The frontmatter is nested too deep',
  about: `More than ${LIMITS.frontmatterDepth.value} levels of nesting are refused before they are parsed.`,
  fix: 'Flatten the values.',
});

export const frontmatterTooBig = defineCode({
  code: 'frontmatter-too-big',
  severity: 'error',
  title: 'The frontmatter expands to too many values',
  about: `Aliases that repeat other values may expand to at most ${LIMITS.frontmatterNodes.value} values, so that a small file cannot fill the memory.`,
  fix: 'Write the values out instead of using aliases.',
});

export const frontmatterInvalid = defineCode({
  code: 'frontmatter-invalid',
  severity: 'error',
  title: 'The frontmatter is not YAML',
  about: 'The text between the fences cannot be read as YAML, not even after the usual repairs.',
  fix: 'Quote values that hold a colon, and indent with spaces.',
});

export const frontmatterRepaired = defineCode({
  code: 'frontmatter-repaired',
  severity: 'warning',
  title: 'The frontmatter was repaired to be read',
  about:
    'A value such as `description: Use when: x` is not valid YAML. Lectern quotes such lines in memory and loads the skill; stricter agents drop it.',
  fix: 'Put the value in double quotes.',
});

export const frontmatterSalvaged = defineCode({
  code: 'frontmatter-salvaged',
  severity: 'warning',
  title: 'Only name and description could be read',
  about:
    'The frontmatter is broken beyond line-by-line repair. The lines that start with name: and description: were taken at their word, every other key is lost.',
  fix: 'Correct the YAML at the line given.',
});

export const frontmatterDuplicateKey = defineCode({
  code: 'frontmatter-duplicate-key',
  severity: 'warning',
  title: 'A key stands twice',
  about: 'YAML forbids it, and readers disagree on which value counts. Lectern takes the last.',
  fix: 'Remove one of the two lines.',
});

export const frontmatterTag = defineCode({
  code: 'frontmatter-tag',
  severity: 'warning',
  title: 'A YAML tag was ignored',
  about: 'Tags such as !!js/function ask the reader to build objects. Lectern takes the plain value and runs nothing.',
  fix: 'Remove the tag.',
});

export const frontmatterLate = defineCode({
  code: 'frontmatter-late',
  severity: 'warning',
  title: 'Blank lines stand before the frontmatter',
  about: 'Some agents accept frontmatter only on the first line and see none here.',
  fix: 'Remove the blank lines at the top of the file.',
});

export const notUtf8 = defineCode({
  code: 'not-utf8',
  severity: 'warning',
  title: 'The file is not UTF-8',
  about:
    'Bytes that are not UTF-8 are shown as replacement characters. A file in UTF-16 cannot be read at all and is skipped.',
  fix: 'Save the file as UTF-8.',
});

export const nulByte = defineCode({
  code: 'nul-byte',
  severity: 'warning',
  title: 'The file holds NUL bytes',
  about: 'Text files have none; some tools cut the text there.',
  fix: 'Remove the NUL bytes.',
});

export const nameMissing = defineCode({
  code: 'name-missing',
  severity: 'error',
  title: 'The skill has no name',
  about: 'The key name is absent or empty. The skill is skipped.',
  fix: 'Add name: with the name of the folder.',
});

export const descriptionMissing = defineCode({
  code: 'description-missing',
  severity: 'error',
  title: 'The skill has no description',
  about: 'The key description is absent or empty. An agent chooses skills by it, so the skill is skipped.',
  fix: 'Add description: with what the skill does and when to use it.',
});

export const valueType = defineCode({
  code: 'value-type',
  severity: 'warning',
  title: 'A value is not text',
  about:
    'name and description must be text. A number, a date or true is taken as it was written; a list is joined; null and a map are refused.',
  fix: 'Put the value in double quotes.',
});

export const fileNameCase = defineCode({
  code: 'file-name-case',
  severity: 'warning',
  title: 'The file is not called exactly SKILL.md',
  about: 'Most agents look for SKILL.md in capitals and miss any other spelling on a case-sensitive file system.',
  fix: 'Rename the file to SKILL.md.',
});

export const descriptionCut = defineCode({
  code: 'description-cut',
  severity: 'warning',
  title: 'The description was cut in lists',
  about: `Lists hold at most ${LIMITS.descriptionCharacters.value} characters of a description. Loading the skill still returns the whole file.`,
  fix: 'Shorten the description to 1,024 characters.',
});

export const skillTooDeep = defineCode({
  code: 'skill-too-deep',
  severity: 'warning',
  title: 'A skill lies too deep to be loaded',
  about: `Skills are looked for down to ${LIMITS.walkDepth.value} levels below a root. Deeper ones are named here and not loaded; folders more than ${LIMITS.walkPeekDepth.value} levels down are not searched at all.`,
  fix: 'Move the folder up, or give its parent with --skill-dir.',
});

export const rootEntryLimit = defineCode({
  code: 'root-entry-limit',
  severity: 'warning',
  title: 'A root holds too many entries',
  about: `At most ${LIMITS.walkEntries.value} entries are looked at in one root. What comes after is not searched.`,
  fix: 'Split the root, or raise limits.walkEntries in the configuration.',
});

export const rootNotAFolder = defineCode({
  code: 'root-not-a-folder',
  severity: 'warning',
  title: 'A root is not a folder',
  about: 'A file stands where a folder of skills is expected.',
  fix: 'Remove the file, or give another folder.',
});

export const rootMissing = defineCode({
  code: 'root-missing',
  severity: 'warning',
  title: 'A root that was asked for does not exist',
  about:
    'The default roots may be missing; one named by --skill-dir, --root or the configuration is expected to be there.',
  fix: 'Correct the path, or create the folder.',
});

export const folderIgnored = defineCode({
  code: 'folder-ignored',
  severity: 'info',
  title: 'A git-ignored folder was not searched',
  about:
    'Inside a project root, folders that .gitignore excludes are usually build output or copies made by other tools.',
  fix: 'Give the folder with --skill-dir if its skills are wanted.',
});

export const pluginsFileInvalid = defineCode({
  code: 'plugins-file-invalid',
  severity: 'error',
  title: 'A plugin or settings file cannot be read',
  about: 'The file is not the JSON that Claude Code writes. The plugins it names are not loaded.',
  fix: 'Correct the file, or reinstall the plugin.',
});

export const pluginMissing = defineCode({
  code: 'plugin-missing',
  severity: 'warning',
  title: 'An installed plugin is not on the disk',
  about: 'Neither its install path nor the checkout of its marketplace holds anything.',
  fix: 'Reinstall the plugin, or remove it from installed_plugins.json.',
});

export const pluginPathOutside = defineCode({
  code: 'plugin-path-outside',
  severity: 'error',
  title: 'A plugin names a folder outside itself',
  about: 'The skills of a plugin must lie below its own folder. The entry is ignored.',
  fix: 'Remove the entry from plugin.json or marketplace.json.',
});

export const nameAmbiguous = defineCode({
  code: 'name-ambiguous',
  severity: 'warning',
  title: 'A short name fits several skills',
  about: 'Two agents, or two plugins, have a skill of this name and none outranks the other. Only the full names load.',
  fix: 'Use the full name, or rename one of the skills.',
});

export const nameShadowed = defineCode({
  code: 'name-shadowed',
  severity: 'info',
  title: 'A skill is hidden by another of the same name',
  about: 'The one that comes first in the order of roots is loaded by its short name.',
  fix: 'Remove or rename one of the two if that is not intended.',
});

export const nameCollision = defineCode({
  code: 'name-collision',
  severity: 'warning',
  title: 'Two folders of one root differ only in case or Unicode form',
  about:
    'Names are compared without regard to case and normalization, so only the first of the two loads. Some file systems cannot even hold both.',
  fix: 'Rename one of the two skills.',
});

export const filterNoMatch = defineCode({
  code: 'filter-no-match',
  severity: 'warning',
  title: 'A filter matches nothing',
  about: 'An --include or --exclude token fits no skill that was found.',
  fix: 'Run lectern list --all to see the names.',
});

/** Every code of the reader, for the docs and for SARIF. */
export const READER_CODES: readonly Code[] = [
  fileUnreadable,
  notARegularFile,
  linkDangling,
  linkWithoutSkills,
  symlinkOutside,
  fileTooLarge,
  fileEmpty,
  frontmatterEmpty,
  frontmatterMissing,
  frontmatterUnclosed,
  frontmatterTooLarge,
  frontmatterTooDeep,
  frontmatterTooBig,
  frontmatterInvalid,
  frontmatterRepaired,
  frontmatterSalvaged,
  frontmatterDuplicateKey,
  frontmatterTag,
  frontmatterLate,
  notUtf8,
  nulByte,
  nameMissing,
  descriptionMissing,
  valueType,
  fileNameCase,
  descriptionCut,
  skillTooDeep,
  rootEntryLimit,
  rootNotAFolder,
  rootMissing,
  folderIgnored,
  pluginsFileInvalid,
  pluginMissing,
  pluginPathOutside,
  nameAmbiguous,
  nameShadowed,
  nameCollision,
  filterNoMatch,
];
