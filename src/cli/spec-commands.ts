/** The commands for specs and changes, as data. */
import type { CommandDefinition } from './command.ts';
import { type Flag, LIMIT, SPEC_FLAGS } from './flags.ts';

export const SPEC_GROUP = 'Specs and changes';

const STRICT: Flag = {
  names: ['--strict'],
  key: 'strict',
  about: 'Warnings make it fail, as with openspec validate --strict',
};
const SARIF: Flag = { names: ['--sarif'], key: 'sarif', about: 'Print SARIF 2.1.0 for code hosts' };
const ARCHIVED: Flag = {
  names: ['--archived'],
  key: 'archived',
  about: 'The archived changes instead of the active ones',
};
const SPEC_ID = { form: '[spec]', about: 'The id of a spec, such as identity/login; without it, all of them' };
const CHANGE_ID = { form: '<change>', about: 'The id of a change' };

export const SPEC_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'spec list',
    group: SPEC_GROUP,
    summary: 'Every spec with its purpose',
    flags: SPEC_FLAGS,
    completes: 'specs',
    examples: [['lectern spec list', 'what the system is meant to do']],
    load: async () => (await import('./commands/spec-lists.ts')).specs,
  },
  {
    name: 'spec show',
    group: SPEC_GROUP,
    summary: 'One spec, or one requirement of it, with its scenarios',
    arguments: [
      { form: '<spec>', about: 'The id of a spec' },
      { form: '[requirement]', about: 'The name of a requirement' },
    ],
    flags: [{ names: ['--full'], key: 'full', about: 'The file as it stands' }, ...SPEC_FLAGS],
    completes: 'specs',
    examples: [
      ['lectern spec show checkout', 'all of it'],
      ['lectern spec show checkout "Guest checkout"', 'one requirement'],
    ],
    load: async () => (await import('./commands/specs.ts')).show,
  },
  {
    name: 'spec search',
    group: SPEC_GROUP,
    summary: 'Find requirements by their meaning; needs lectern index',
    arguments: [{ form: '<query...>', about: 'What the requirement is about, in your own words' }],
    flags: [LIMIT, ...SPEC_FLAGS],
    examples: [['lectern spec search "log people out when they walk away"', 'the requirements that come nearest']],
    load: async () => (await import('./commands/specs.ts')).search,
  },
  {
    name: 'spec validate',
    group: SPEC_GROUP,
    summary: 'Hold specs against OpenSpec’s rules',
    arguments: [SPEC_ID],
    flags: [STRICT, SARIF, ...SPEC_FLAGS],
    completes: 'specs',
    examples: [
      ['lectern spec validate', 'all specs'],
      ['lectern spec validate checkout --strict', 'one spec, warnings count'],
    ],
    load: async () => (await import('./commands/validate-specs.ts')).specs,
  },
  {
    name: 'change list',
    group: SPEC_GROUP,
    summary: 'Active changes and how far their tasks are',
    flags: [ARCHIVED, ...SPEC_FLAGS],
    completes: 'changes',
    examples: [
      ['lectern change list', 'work in progress'],
      ['lectern change list --archived', 'what was done'],
    ],
    load: async () => (await import('./commands/spec-lists.ts')).changes,
  },
  {
    name: 'change show',
    group: SPEC_GROUP,
    summary: 'One change: proposal, tasks and what it changes',
    arguments: [CHANGE_ID],
    flags: SPEC_FLAGS,
    completes: 'changes',
    examples: [['lectern change show add-wish-list', 'all of it']],
    load: async () => (await import('./commands/changes.ts')).show,
  },
  {
    name: 'change validate',
    group: SPEC_GROUP,
    summary: 'Hold changes against OpenSpec’s rules and the current specs',
    arguments: [{ form: '[change]', about: 'The id of a change; without it, all active ones' }],
    flags: [STRICT, SARIF, ARCHIVED, ...SPEC_FLAGS],
    completes: 'changes',
    examples: [
      ['lectern change validate', 'all active changes'],
      ['lectern change validate add-wish-list --strict', 'one change, warnings count'],
    ],
    load: async () => (await import('./commands/validate-specs.ts')).changes,
  },
  {
    name: 'change diff',
    group: SPEC_GROUP,
    summary: 'What a change does to the current specs, requirement by requirement',
    arguments: [CHANGE_ID],
    flags: SPEC_FLAGS,
    completes: 'changes',
    examples: [
      ['lectern change diff add-wish-list', 'before it is archived; exit code 1 when a delta cannot be applied'],
    ],
    load: async () => (await import('./commands/changes.ts')).diff,
  },
  {
    name: 'change overlap',
    group: SPEC_GROUP,
    summary: 'Requirements that several active changes touch',
    flags: SPEC_FLAGS,
    examples: [['lectern change overlap', 'exit code 1 when there are any']],
    load: async () => (await import('./commands/changes.ts')).overlap,
  },
  {
    name: 'change new',
    writes: true,
    group: SPEC_GROUP,
    summary: 'Write a change proposal that validates, ready to be filled in',
    arguments: [{ form: '<name>', about: 'Lower-case letters, digits and hyphens' }],
    flags: [
      {
        names: ['--capability'],
        value: 'id',
        key: 'capability',
        about: 'The spec it changes; default the name of the change',
      },
      { names: ['--title'], value: 'text', key: 'title', about: 'A title for people' },
      { names: ['--in'], value: 'root', key: 'in', about: 'Which specs folder, where there are several' },
      ...SPEC_FLAGS,
    ],
    examples: [['lectern change new add-login --capability identity/login', 'a proposal, tasks and a delta']],
    load: async () => (await import('./commands/change-edit.ts')).create,
  },
  {
    name: 'change archive',
    writes: true,
    group: SPEC_GROUP,
    summary: 'Work a finished change into the specs and move it to the archive, all or nothing',
    arguments: [CHANGE_ID],
    flags: [
      { names: ['--dry-run'], key: 'dryRun', about: 'Show the difference and write nothing' },
      { names: ['--allow-open-tasks', '--yes', '-y'], key: 'allowOpenTasks', about: 'Although tasks are open' },
      { names: ['--skip-specs'], key: 'skipSpecs', about: 'Only move the folder; the specs stay as they are' },
      ...SPEC_FLAGS,
    ],
    completes: 'changes',
    examples: [
      ['lectern change archive add-wish-list --dry-run', 'what would change'],
      ['lectern change archive add-wish-list', 'do it'],
    ],
    load: async () => (await import('./commands/change-edit.ts')).archive,
  },
];
