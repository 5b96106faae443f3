import { choice, flag, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';

const KINDS = ['cache', 'state', 'configuration', 'completion', 'client', 'list', 'lock', 'skill', 'backup'] as const;

export const OWN_FILE = {
  kind: choice(KINDS, 'client: an entry in the configuration of an MCP client; list: a managed block of skills'),
  path: text(),
  isPart: optional(flag('Only an entry or a block in this file is Lectern’s')),
  name: optional(text('Name of the entry or the skill')),
} as const;
export type OwnFile = ObjectOf<typeof OWN_FILE>;

export const OWN_FILES = list(object(OWN_FILE), 'Files and parts of files that Lectern wrote');
