/** Shared parts of the operations that change an agent's own settings. */
import { SETTING_SCOPES } from '../agents/names.ts';
import {
  anything,
  choice,
  integer,
  list,
  number,
  object,
  type ObjectOf,
  optional,
  text,
} from '../core/fields/field.ts';

/** Description of a changed settings file in a result. */
const SETTING_FILE = {
  agent: text(),
  title: text('Name of the agent'),
  scope: choice(SETTING_SCOPES),
  file: text('The agent’s settings file'),
  state: choice(['created', 'changed', 'unchanged', 'would-create', 'would-change']),
  diff: optional(text('The change as a unified diff')),
} as const;
export type ChangedSetting = ObjectOf<typeof SETTING_FILE>;

/** Skills that a setting disables or enables. */
export const SWITCHED = {
  ...SETTING_FILE,
  skills: list(
    object({
      name: text(),
      fullName: text(),
      path: text('Folder of the copy'),
      key: text('Key of the setting'),
      value: text('Value of the setting that disables the skill'),
      status: choice(['changed', 'unchanged']),
      reason: optional(text('Why nothing changed, or why the skill is still disabled')),
      fix: optional(text()),
    }),
  ),
} as const;
export type Switched = ObjectOf<typeof SWITCHED>;

/** Numbers of skills in an agent's list after a change. */
export const EFFECT = {
  kept: integer('Skills then listed with their full description'),
  shortened: integer(),
  nameOnly: integer(),
  dropped: integer('Not listed because the list is full'),
  tokens: integer('Estimated tokens that each session needs in addition; negative if it needs fewer'),
} as const;

/** A way to show more of a full list. */
export const REMEDY = {
  id: choice(['limit', 'built-in', 'shorten', 'unused']),
  fix: text('The remedy in one sentence'),
  command: optional(text('Command that applies the remedy, or shows how')),
  setting: optional(object({ file: text(), key: text(), value: anything() })),
  gains: integer('Number of additional full descriptions'),
  ...EFFECT,
  share: optional(number('limit: fraction of the context window')),
  to: optional(integer('shorten: maximum characters per description')),
  skills: optional(integer('shorten, unused: number of affected skills')),
} as const;

/** The changed setting for the length of an agent's list. */
export const LIMITED = {
  ...SETTING_FILE,
  key: text('Key of the setting'),
  value: optional(number('Missing if the setting was removed')),
  limit: integer('New length of the list'),
  share: number('Fraction of the context window'),
  ...EFFECT,
} as const;
