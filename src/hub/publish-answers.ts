/** What a replica answers to those who publish. The client checks it by these tables, and the operations pass it on. */
import { choice, flag, integer, list, object, optional, text } from '../core/fields/field.ts';

export const CHANGES = {
  added: list(text()),
  changed: list(text()),
  removed: list(text()),
} as const;

export const CHECKED = { base: integer(), missing: list(text()), ...CHANGES } as const;

export const UPLOADED = { sha256: text() } as const;

export const PUBLISHED = { outcome: choice(['published', 'unchanged']), number: integer(), ...CHANGES } as const;

/** What a rollback would do. `number` is the version that is current. */
export const ROLLBACK_PLAN = { number: integer(), ...CHANGES } as const;

export const HISTORY = {
  versions: list(
    object({
      number: integer(),
      at: text(),
      actor: text('The team and the name of the token'),
      action: text('publish or rollback'),
      restored: optional(integer('The version that a rollback brought back')),
      commit: optional(text()),
      added: integer(),
      changed: integer(),
      removed: integer(),
      pruned: optional(flag('It cannot be restored any more')),
    }),
    'The last one first',
  ),
} as const;

export const REPLICAS = {
  head: integer(),
  replicas: list(object({ id: text(), number: integer() })),
} as const;
