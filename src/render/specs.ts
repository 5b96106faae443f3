import type { listSpecs } from '../operations/list-specs.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count } from '../core/text.ts';
import { safe, type Style } from './style.ts';
import { fit, padEnd, widthOf } from './width.ts';

type SpecIndex = AnswerOf<typeof listSpecs>;

const ID_COLUMNS_MAX = 40;
const PURPOSE_COLUMNS_MIN = 20;
/** The limit if the output has no width: a purpose may be pages long. */
const PURPOSE_CHARACTERS = 160;

export function renderSpecs({ specs }: SpecIndex, style: Style): string {
  if (specs.length === 0)
    return `No specs found.\n\n${style.dim('Specs live in openspec/specs/<capability>/spec.md; see')} lectern doctor\n`;
  const ids = specs.map(({ id }) => safe(id));
  const columns = Math.min(ID_COLUMNS_MAX, Math.max(...ids.map(widthOf)));
  const rows = specs.map(({ title, purpose }, index) => {
    const id = ids[index] ?? '';
    const text = safe((purpose || title).replaceAll(/\s+/gu, ' '));
    const textColumns =
      style.width === undefined ? PURPOSE_CHARACTERS : style.width - Math.max(columns, widthOf(id)) - 4;
    const about = textColumns < PURPOSE_COLUMNS_MIN ? '' : fit(text, textColumns);
    return `  ${style.cyan(padEnd(id, columns))}  ${about}`.trimEnd();
  });
  return `${rows.join('\n')}\n\n${style.dim(count(specs.length, 'spec'))}\n`;
}
