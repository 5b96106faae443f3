/** Output schemas of scenarios, requirements and deltas. Separate from the code that fills them, which most commands never load. */
import { choice, integer, list, map, object, optional, text } from '../core/fields/field.ts';

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
  'Changes by capability',
);

/** A text with marks for the words that differ from the other version. */
const MARKED = object({ text: text(), marks: list(list(integer()), 'Start and end of the difference') });

const COMPARED_TEXT = {
  change: choice(['same', 'changed', 'added', 'removed']),
  before: optional(MARKED),
  after: optional(MARKED),
} as const;

const KEYWORD = choice(['given', 'when', 'then', 'and', 'but']);

/** Two versions of a requirement. `before` is omitted for unchanged parts. */
export const COMPARED = {
  summary: text('Summary of the change'),
  text: list(object(COMPARED_TEXT), 'The description, by paragraph'),
  scenarios: list(
    object({
      name: text(),
      change: COMPARED_TEXT.change,
      clauses: list(
        object({
          keyword: optional({ ...KEYWORD, help: 'Missing for text that is not a clause' }),
          keyword_before: optional({ ...KEYWORD, help: 'Earlier name, if it was renamed' }),
          ...COMPARED_TEXT,
        }),
      ),
    }),
  ),
} as const;
