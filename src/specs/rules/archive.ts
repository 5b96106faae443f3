/** Reasons to refuse archiving that no other rule reports. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';

export const archiveNameTaken = defineRule({
  code: 'archive-name-taken',
  severity: 'error',
  title: 'The archive already has a folder with this name',
  about: 'Archiving moves the change to a folder with the date and its name. An existing folder is never overwritten.',
  fix: 'Rename the change or the archived folder.',
});

export const archiveTasksOpen = defineRule({
  code: 'archive-tasks-open',
  severity: 'error',
  title: 'The change has open tasks',
  about: 'A change is archived when its tasks are done.',
  fix: 'Finish the tasks, or pass --allow-open-tasks.',
});

export const archiveTextLost = defineRule({
  code: 'archive-text-lost',
  severity: 'error',
  title: 'Archiving would delete text that the delta does not remove',
  about: 'The spec has lines next to a replaced requirement, such as notes, that the delta does not contain.',
  fix: 'Move that text out of the spec, or delete it there, and run the command again.',
});

export const archiveSpecEmptied = defineRule({
  code: 'archive-spec-emptied',
  severity: 'error',
  title: 'The delta removes the last requirement of a spec',
  about: 'A spec without requirements is invalid, so the capability has to be retired explicitly.',
  fix: 'Set retire_capabilities: true in .openspec.yaml to retire the capability, or keep a requirement.',
});

export const archivePlaceUnsafe = defineRule({
  code: 'archive-place-unsafe',
  severity: 'error',
  title: 'Archiving would write through a link or to an unusable name',
  about: 'Archiving writes only regular files below the specs and changes folders.',
  fix: 'Replace the link with a regular file or folder.',
});
