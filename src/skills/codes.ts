/**
 * Problems found while loading skills. A skill with an `error` is skipped. One with a `warning` is served and reported.
 * The additional rules of `validate` are in `rules/`. Every export of this file is a rule.
 */
import { defineRule } from '../core/diagnostics.ts';
import { LIMITS } from '../core/limits.ts';
import { DESCRIPTION_MAX_CHARACTERS } from './specification.ts';

const KIB = 1024;

export const fileUnreadable = defineRule({
  code: 'file-unreadable',
  severity: 'error',
  title: 'A file or folder cannot be read',
  about: 'The system refused to open it. The skill is skipped; everything else is served.',
  fix: 'Give the current user permission to read it.',
});

export const notARegularFile = defineRule({
  code: 'not-a-regular-file',
  severity: 'error',
  title: 'SKILL.md is not a regular file',
  about:
    'A pipe, socket, device or folder with that name is not a skill: reading it can block forever or have side effects. Lectern checks the file type first and does not read it.',
  fix: 'Replace it with a regular file.',
});

export const linkDangling = defineRule({
  code: 'link-dangling',
  severity: 'warning',
  title: 'A link leads nowhere',
  about: 'The target of the link is missing, or the link leads to itself. There is nothing to load.',
  fix: 'Remove the link or restore its target.',
});

export const linkWithoutSkills = defineRule({
  code: 'link-without-skills',
  severity: 'warning',
  title: 'A link leads into a large tree without skills',
  about:
    'A link among skills may lead to another disk or to a whole system. Lectern gives up on it early, so that it still finds the skills next to it.',
  fix: 'Link the folder of the skill itself, or a folder that contains skills.',
});

export const symlinkOutside = defineRule({
  code: 'symlink-outside',
  severity: 'error',
  title: 'A link leads out of the skill',
  about:
    'A SKILL.md may link only into a scanned root or the project, and a bundled file only within its own skill folder. Otherwise a skill could show any file of the machine to a model. A link to a whole skill folder is followed.',
  fix: 'Copy the file into the skill folder, or link the whole folder.',
});

export const fileTooLarge = defineRule({
  code: 'file-too-large',
  severity: 'error',
  title: 'SKILL.md is too large',
  about: `A SKILL.md over ${LIMITS.skillFileBytes.value / KIB} KiB is refused before it is read.`,
  fix: 'Move most of the text into files next to SKILL.md.',
});

export const fileEmpty = defineRule({
  code: 'file-empty',
  severity: 'error',
  title: 'SKILL.md is empty',
  about: 'The file contains nothing but whitespace.',
  fix: 'Add frontmatter with name and description, then the instructions.',
  bad: '\n',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
});

export const frontmatterEmpty = defineRule({
  code: 'frontmatter-empty',
  severity: 'error',
  title: 'The frontmatter is only a fence',
  about: 'The file has an opening --- and nothing after it.',
  fix: 'Add name and description, and close the frontmatter with ---.',
  bad: '---\n',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
});

export const frontmatterMissing = defineRule({
  code: 'frontmatter-missing',
  severity: 'error',
  title: 'There is no frontmatter',
  about: 'A skill starts with --- and the keys name and description. Without them no agent can list it.',
  fix: 'Start the file with ---, name, description, ---.',
  bad: '# PDF\n\nRun fill.py with the form.',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
});

export const frontmatterUnclosed = defineRule({
  code: 'frontmatter-unclosed',
  severity: 'error',
  title: 'The frontmatter is not closed',
  about: 'Without a second --- line, the end of the keys and the start of the instructions cannot be determined.',
  fix: 'Close the frontmatter with a line that contains only ---.',
  bad: '---\nname: pdf\ndescription: Fills in PDF forms\n\nRun fill.py with the form.',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
});

export const frontmatterTooLarge = defineRule({
  code: 'frontmatter-too-large',
  severity: 'error',
  title: 'The frontmatter is too large',
  about: `Frontmatter over ${LIMITS.frontmatterBytes.value / KIB} KiB is refused before it is parsed.`,
  fix: 'Move the text into the body of the file.',
});

export const frontmatterTooDeep = defineRule({
  code: 'frontmatter-too-deep',
  severity: 'error',
  title: 'The frontmatter is nested too deeply',
  about: `More than ${LIMITS.frontmatterDepth.value} levels of nesting are refused before they are parsed.`,
  fix: 'Flatten the values.',
});

export const frontmatterTooBig = defineRule({
  code: 'frontmatter-too-big',
  severity: 'error',
  title: 'The frontmatter expands to too many values',
  about: `Aliases that repeat other values may expand to at most ${LIMITS.frontmatterNodes.value} values, so that a small file cannot fill the memory.`,
  fix: 'Write the values out instead of using aliases.',
});

export const frontmatterInvalid = defineRule({
  code: 'frontmatter-invalid',
  severity: 'error',
  title: 'The frontmatter is not YAML',
  about: 'The text between the fences cannot be read as YAML, not even after the usual repairs.',
  fix: 'Quote values that contain a colon, and indent with spaces.',
});

export const frontmatterRepaired = defineRule({
  code: 'frontmatter-repaired',
  severity: 'warning',
  title: 'The frontmatter had to be repaired',
  about:
    'A value such as `description: Use when: x` is not valid YAML. Lectern quotes such lines in memory and loads the skill; stricter agents drop it.',
  fix: 'Put the value in double quotes.',
  bad: 'description: Fills in forms. Use when: a PDF has fields',
  good: 'description: "Fills in forms. Use when: a PDF has fields"',
});

export const frontmatterSalvaged = defineRule({
  code: 'frontmatter-salvaged',
  severity: 'warning',
  title: 'Only name and description could be read',
  about:
    'The frontmatter is too broken to repair line by line. Lectern takes the lines that start with name: and description: as they are; every other key is lost.',
  fix: 'Correct the YAML at the line given.',
});

export const frontmatterDuplicateKey = defineRule({
  code: 'frontmatter-duplicate-key',
  severity: 'warning',
  title: 'A key appears twice',
  about: 'YAML forbids it, and readers disagree on which value counts. Lectern takes the last one.',
  fix: 'Remove one of the two lines.',
  bad: 'license: MIT\nlicense: Apache-2.0',
  good: 'license: MIT',
});

export const frontmatterTag = defineRule({
  code: 'frontmatter-tag',
  severity: 'warning',
  title: 'A YAML tag was ignored',
  about: 'Tags such as !!js/function ask the reader to build objects. Lectern takes the plain value and runs nothing.',
  fix: 'Remove the tag.',
  bad: 'license: !!js/function "function () {}"',
  good: 'license: MIT',
});

export const frontmatterLate = defineRule({
  code: 'frontmatter-late',
  severity: 'warning',
  title: 'Blank lines before the frontmatter',
  about: 'Some agents accept frontmatter only on the first line and find none here.',
  fix: 'Remove the blank lines at the top of the file.',
  bad: '\n---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
});

export const byteOrderMark = defineRule({
  code: 'byte-order-mark',
  severity: 'warning',
  title: 'The file begins with a byte order mark',
  about: 'Some agents accept frontmatter only at the very start of the file and find none here.',
  fix: 'Save the file as UTF-8 without a byte order mark.',
  bad: '\ufeff---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
});

export const notUtf8 = defineRule({
  code: 'not-utf8',
  severity: 'warning',
  title: 'The file is not UTF-8',
  about:
    'Bytes that are not UTF-8 are shown as replacement characters. A file in UTF-16 cannot be read at all and is skipped.',
  fix: 'Save the file as UTF-8.',
});

export const nulByte = defineRule({
  code: 'nul-byte',
  severity: 'warning',
  title: 'The file contains NUL bytes',
  about: 'Text files have none, and some tools cut the text at the first one.',
  fix: 'Remove the NUL bytes.',
});

export const nameMissing = defineRule({
  code: 'name-missing',
  severity: 'error',
  title: 'The skill has no name',
  about: 'The key name is absent or empty. The skill is skipped.',
  fix: 'Add name: with the name of the folder.',
  bad: '---\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
});

export const descriptionMissing = defineRule({
  code: 'description-missing',
  severity: 'error',
  title: 'The skill has no description',
  about: 'The key description is absent or empty. Agents choose skills by it, so the skill is skipped.',
  fix: 'Add description: with what the skill does and when to use it.',
  bad: '---\nname: pdf\n---\n\nRun fill.py with the form.',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun fill.py with the form.',
});

export const valueType = defineRule({
  code: 'value-type',
  severity: 'warning',
  title: 'A value is not text',
  about:
    'name and description must be text. A number, a date or true is taken as written; a list is joined; null and a map are refused.',
  fix: 'Put the value in double quotes.',
  bad: 'name: 2026',
  good: 'name: "2026"',
});

export const fileNameCase = defineRule({
  code: 'file-name-case',
  severity: 'warning',
  title: 'The file is not called exactly SKILL.md',
  about: 'Most agents look for SKILL.md in capitals and miss any other spelling on a case-sensitive file system.',
  fix: 'Rename the file to SKILL.md.',
  bad: { 'pdf/Skill.md': 'name: pdf' },
  good: { 'pdf/SKILL.md': 'name: pdf' },
});

export const descriptionCut = defineRule({
  code: 'description-cut',
  severity: 'warning',
  title: 'The description was cut in lists',
  about: `Lists show at most ${LIMITS.descriptionCharacters.value} characters of a description. Loading the skill still returns the whole file.`,
  fix: `Shorten the description to ${DESCRIPTION_MAX_CHARACTERS} characters.`,
});

export const skillTooDeep = defineRule({
  code: 'skill-too-deep',
  severity: 'warning',
  title: 'A skill is nested too deeply to be loaded',
  about: `Lectern looks for skills down to ${LIMITS.walkDepth.value} levels below a root. Deeper ones are reported and not loaded; folders more than ${LIMITS.walkPeekDepth.value} levels down are not searched at all. An agent may still read them: lectern why shows which.`,
  fix: 'Move the folder up, or pass its parent with --skill-dir.',
});

export const rootEntryLimit = defineRule({
  code: 'root-entry-limit',
  severity: 'warning',
  title: 'A root has too many entries',
  about: `Lectern examines at most ${LIMITS.walkEntries.value} entries of one root. The rest is not searched.`,
  fix: 'Split the root, or raise limits.walkEntries in the configuration.',
});

export const rootNotAFolder = defineRule({
  code: 'root-not-a-folder',
  severity: 'warning',
  title: 'A root is not a folder',
  about: 'There is a file where a skills folder is expected.',
  fix: 'Remove the file, or choose another folder.',
});

export const rootMissing = defineRule({
  code: 'root-missing',
  severity: 'warning',
  title: 'A configured root does not exist',
  about:
    'Default roots may be missing, but one given by --skill-dir, --root or the configuration is expected to exist.',
  fix: 'Correct the path, or create the folder.',
});

export const folderIgnored = defineRule({
  code: 'folder-ignored',
  severity: 'info',
  title: 'A git-ignored folder was not searched',
  about:
    'Inside a project root, folders that .gitignore excludes are usually build output or copies made by other tools.',
  fix: 'Pass the folder with --skill-dir if you want its skills.',
});

export const pluginsFileInvalid = defineRule({
  code: 'plugins-file-invalid',
  severity: 'error',
  title: 'A plugin or settings file cannot be read',
  about: 'The file is not the JSON that Claude Code writes. The plugins it names are not loaded.',
  fix: 'Correct the file, or reinstall the plugin.',
});

export const pluginMissing = defineRule({
  code: 'plugin-missing',
  severity: 'warning',
  title: 'An installed plugin is not on the disk',
  about: 'Both its install path and the checkout of its marketplace are missing or empty.',
  fix: 'Reinstall the plugin, or remove it from installed_plugins.json.',
});

export const pluginMarketplaceUnknown = defineRule({
  code: 'plugin-marketplace-unknown',
  severity: 'info',
  title: 'Claude Code would not load a plugin',
  about:
    'The marketplace of the plugin is not in known_marketplaces.json. Claude Code loads no plugin of such a marketplace; Lectern does.',
  fix: 'Add the marketplace in Claude Code with /plugin, or uninstall the plugin.',
});

export const pluginPathOutside = defineRule({
  code: 'plugin-path-outside',
  severity: 'error',
  title: 'A plugin names a folder outside itself',
  about: 'The skills of a plugin must be below its own folder. The entry is ignored.',
  fix: 'Remove the entry from plugin.json or marketplace.json.',
});

export const nameAmbiguous = defineRule({
  code: 'name-ambiguous',
  severity: 'warning',
  title: 'A short name matches several skills',
  about:
    'Two agents, or two plugins, have a skill with this name, and neither takes precedence. Only full names load them.',
  fix: 'Use the full name, or rename one of the skills.',
});

export const nameShadowed = defineRule({
  code: 'name-shadowed',
  severity: 'info',
  title: 'Lectern loads another skill with this name',
  about:
    'The short name loads the one that comes first in Lectern’s order of folders. Agents have their own order: lectern why shows which agent uses which version.',
  fix: 'Remove or rename one of the two if that is not intended.',
});

export const descriptionCollides = defineRule({
  code: 'description-collides',
  severity: 'info',
  advice: true,
  title: 'Two descriptions answer the same requests',
  about:
    'A model that gets both descriptions may load either skill. Reported by validate if it checks both skills, unless one description names the other skill, or the names differ in a word that only one of them has. It compares words and meaning of English text, and asks no model.',
  fix: 'State in one description when not to use it, and name the other skill. lectern overlap shows what both have in common.',
});

export const nameCollision = defineRule({
  code: 'name-collision',
  severity: 'warning',
  title: 'Two folders of one root differ only in case or Unicode form',
  about:
    'Names are compared without regard to case and normalization, so only the first of the two loads. Some file systems cannot even store both.',
  fix: 'Rename one of the two skills.',
});

export const filterNoMatch = defineRule({
  code: 'filter-no-match',
  severity: 'warning',
  title: 'A filter matches nothing',
  about: 'An --include or --exclude token matches none of the skills that were found.',
  fix: 'Run lectern list --all to see the names.',
});

export const filterTooLong = defineRule({
  code: 'filter-too-long',
  severity: 'error',
  title: 'A filter has too many patterns',
  about: `Only the first ${LIMITS.filterPatterns.value} tokens of --include, and of --exclude, are used.`,
  fix: 'Combine tokens with wildcards, or disable skills instead.',
});
