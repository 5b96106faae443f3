/**
 * Problems that keep a spec, a change or a part of one out of the catalog. They are reported, and everything else is served.
 * The additional rules of `validate` are in `rules/`. Every export is a rule.
 */
import { defineRule } from '../core/diagnostics.ts';
import { LIMITS } from '../core/limits.ts';

const MIB = 1024 * 1024;

export const specUnreadable = defineRule({
  code: 'spec-unreadable',
  severity: 'error',
  title: 'A file or folder of the specs cannot be read',
  about: 'The system refused to open it. The item is left out; the others are served.',
  fix: 'Give the current user permission to read it.',
});

export const specNotARegularFile = defineRule({
  code: 'spec-not-a-regular-file',
  severity: 'error',
  title: 'A file of the specs is not a regular file',
  about: 'A pipe, socket or device instead of a Markdown file is never opened, because reading it can block forever.',
  fix: 'Replace it with a regular file.',
});

export const specTooLarge = defineRule({
  code: 'spec-too-large',
  severity: 'error',
  title: 'A file of the specs is too large',
  about: `A file over ${LIMITS.specFileBytes.value / MIB} MiB is refused before it is read.`,
  fix: 'Split the spec into several capabilities.',
});

export const specSymlinkOutside = defineRule({
  code: 'spec-symlink-outside',
  severity: 'error',
  title: 'A link leads out of the specs',
  about:
    'A spec.md may be a link only to a file below the same specs folder; links to folders are not followed. Otherwise a repository could show any file of the machine as a spec.',
  fix: 'Copy the file or folder to this place.',
});

export const specLinkDangling = defineRule({
  code: 'spec-link-dangling',
  severity: 'warning',
  title: 'A link in the specs folder leads nowhere',
  about: 'The target of the link is missing, or the link leads to itself.',
  fix: 'Remove the link or restore its target.',
});

export const specEntryLimit = defineRule({
  code: 'spec-entry-limit',
  severity: 'warning',
  title: 'A specs folder has too many entries',
  about: `Lectern looks at no more than ${LIMITS.walkEntries.value} entries below one folder. The rest is not searched.`,
  fix: 'Move other files out of the folder.',
});

export const specRootOutside = defineRule({
  code: 'spec-root-outside',
  severity: 'warning',
  title: 'A folder of specs or changes is outside the project',
  about:
    'The paths of .spox/config.toml must stay below the folder that contains it; the default is used instead. A folder that a link takes out of the project is not read.',
  fix: 'Correct the path or remove the link, or pass the folders with --specs-dir and --changes-dir.',
});

export const specRootMissing = defineRule({
  code: 'spec-root-missing',
  severity: 'warning',
  title: 'A configured specs or changes folder does not exist',
  about:
    'Default folders may be missing, but one given by --specs-dir, --changes-dir or the configuration is expected to exist.',
  fix: 'Correct the path, or create the folder.',
});

export const changeNamedArchive = defineRule({
  code: 'change-named-archive',
  severity: 'warning',
  title: 'A change is called archive',
  about: 'changes/archive contains the archived changes, so files directly in it belong to no change.',
  fix: 'Move the files to a folder with another name below changes/.',
});

export const archiveUnfinished = defineRule({
  code: 'archive-unfinished',
  severity: 'error',
  title: 'An archive run was interrupted',
  about:
    'A change was being archived when the process ended. Until the run is completed or undone, specs and changes may contradict each other.',
  fix: 'Run lectern change archive again; it finishes or undoes the interrupted run first.',
});
