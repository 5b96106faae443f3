/** How scenarios, requirements and deltas appear in answers. Apart from the code that fills them, which most commands never load. */
import { list, map, object, optional, text } from '../core/fields/field.ts';

export const OPERATIONS = ['added', 'modified', 'removed', 'renamed'] as const;

export const SCENARIO = {
  name: text(),
  given: list(text()),
  when: text('The WHEN with its ANDs, as one sentence'),
  when_clauses: list(text()),
  then: list(text()),
  notes: optional(text('Text that is not a clause')),
} as const;

export const REQUIREMENT = { name: text(), description: text(), scenarios: list(object(SCENARIO)) } as const;

export const DELTAS = map(
  object({
    added: list(object(REQUIREMENT)),
    modified: list(object(REQUIREMENT)),
    removed: list(object({ name: text(), reason: optional(text()), migration: optional(text()) })),
    renamed: list(object({ from: text(), to: text() })),
  }),
  'What changes, by capability',
);
