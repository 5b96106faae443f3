/** Response shapes of the publishing API. The client validates responses with these tables. */
import { choice, flag, integer, list, object, optional, text } from '../core/fields/field.ts';

export const CHANGES = {
  added: list(text()),
  changed: list(text()),
  removed: list(text()),
} as const;

export const CHECKED = { base: integer(), missing: list(text()), ...CHANGES } as const;

export const UPLOADED = { sha256: text() } as const;

export const PUBLISHED = { outcome: choice(['published', 'unchanged']), number: integer(), ...CHANGES } as const;

/** Preview of a rollback. `number` is the current version. */
export const ROLLBACK_PLAN = { number: integer(), ...CHANGES } as const;

export const HISTORY = {
  versions: list(
    object({
      number: integer(),
      at: text(),
      actor: text('Team and name of the token'),
      action: text('publish or rollback'),
      restored: optional(integer('Version restored by a rollback')),
      commit: optional(text()),
      added: integer(),
      changed: integer(),
      removed: integer(),
      skipped: optional(integer('Skills that were left out; missing if there are none')),
      pruned: optional(flag('Can no longer be restored')),
    }),
    'Newest first',
  ),
} as const;

export const REPLICAS = {
  head: integer(),
  replicas: list(object({ id: text(), number: integer() })),
} as const;
