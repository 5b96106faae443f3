/**
 * What can go wrong before a spec or a change is in the catalog. Such an item, or the part of it that is meant, is left
 * out and said aloud; everything else is served. What `validate` complains about is in `rules/`.
 */
import { type Code, defineCode, type Diagnostic } from '../core/diagnostics.ts';
import { type FileTrouble, reasonText } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';

const MIB = 1024 * 1024;

const specUnreadable = defineCode({
  code: 'spec-unreadable',
  severity: 'error',
  title: 'A file or folder of the specs cannot be read',
  about: 'The system refused to open it. The item is left out; the others are served.',
  fix: 'Give the current user permission to read it.',
});

export const specNotARegularFile = defineCode({
  code: 'spec-not-a-regular-file',
  severity: 'error',
  title: 'A file of the specs is not a regular file',
  about: 'A pipe, socket or device in the place of a Markdown file is never opened: reading one can block for ever.',
  fix: 'Replace it by a regular file.',
});

const specTooLarge = defineCode({
  code: 'spec-too-large',
  severity: 'error',
  title: 'A file of the specs is too large',
  about: `A file over ${LIMITS.specFileBytes.value / MIB} MiB is refused before it is read.`,
  fix: 'Split the spec into several capabilities.',
});

export const specSymlinkOutside = defineCode({
  code: 'spec-symlink-outside',
  severity: 'error',
  title: 'A link leads out of the specs',
  about:
    'A spec.md may be a link only to a file below the same specs folder; links to folders are not followed. Otherwise a repository could present any file of the machine as a spec.',
  fix: 'Copy the file or folder to this place.',
});

export const specLinkDangling = defineCode({
  code: 'spec-link-dangling',
  severity: 'warning',
  title: 'A link among the specs leads nowhere',
  about: 'The target of the link is missing, or the link leads to itself.',
  fix: 'Remove the link or restore its target.',
});

export const specEntryLimit = defineCode({
  code: 'spec-entry-limit',
  severity: 'warning',
  title: 'A specs folder holds too many entries',
  about: `At most ${LIMITS.walkEntries.value} entries are looked at below one folder. What comes after is not searched.`,
  fix: 'Move what is no spec out of the folder.',
});

export const specRootOutside = defineCode({
  code: 'spec-root-outside',
  severity: 'warning',
  title: 'The configuration names a folder outside the project',
  about: 'The paths of .spox/config.toml must stay below the folder that holds it. The default is used instead.',
  fix: 'Correct the path, or give the folder with --specs-dir and --changes-dir.',
});

export const specRootMissing = defineCode({
  code: 'spec-root-missing',
  severity: 'warning',
  title: 'A specs or changes folder that was asked for does not exist',
  about:
    'The default folders may be missing; one named by --specs-dir, --changes-dir or the configuration is expected to be there.',
  fix: 'Correct the path, or create the folder.',
});

export const changeNamedArchive = defineCode({
  code: 'change-named-archive',
  severity: 'warning',
  title: 'A change is called archive',
  about: 'changes/archive holds the archived changes, so the files that stand directly in it belong to no change.',
  fix: 'Move the files to a folder with another name below changes/.',
});

export const archiveUnfinished = defineCode({
  code: 'archive-unfinished',
  severity: 'error',
  title: 'An archive run was interrupted',
  about:
    'A change was being archived when the process ended. Until the run is completed or undone, specs and changes may not fit together.',
  fix: 'Run lectern change archive again; it finishes or undoes the interrupted run first.',
});

export const READER_CODES: readonly Code[] = [
  specUnreadable,
  specNotARegularFile,
  specTooLarge,
  specSymlinkOutside,
  specLinkDangling,
  specEntryLimit,
  specRootOutside,
  specRootMissing,
  changeNamedArchive,
  archiveUnfinished,
];

/** The diagnostic for a file that could not be read. */
export function troubleWith(trouble: FileTrouble, path: string): Diagnostic {
  switch (trouble.reason) {
    case 'too-large':
      return specTooLarge.at({
        path,
        message: `${((trouble.size ?? 0) / MIB).toFixed(1)} MiB; the limit is ${LIMITS.specFileBytes.value / MIB} MiB`,
      });
    case 'not-a-regular-file':
      return specNotARegularFile.at({ path, message: 'not a regular file' });
    case 'too-many-links':
      return specLinkDangling.at({ path, message: 'the link leads to itself' });
    default:
      return specUnreadable.at({
        path,
        message: trouble.reason === 'not-permitted' ? reasonText(trouble) : `cannot be read (${reasonText(trouble)})`,
      });
  }
}
