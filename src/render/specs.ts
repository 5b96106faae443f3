import type { specCounts } from '../operations/spec-counts.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, grouped } from '../core/text.ts';
import { safe, type Style } from './style.ts';
import { fit, padEnd, widthOf } from './width.ts';

type SpecIndex = AnswerOf<typeof specCounts>;

const ID_COLUMNS_MAX = 40;
const PURPOSE_COLUMNS_MIN = 20;
/** Limit if the output has no width, because a purpose may be pages long. */
const PURPOSE_CHARACTERS = 160;

export function renderSpecs({ specs, folders = ['openspec/specs'] }: SpecIndex, style: Style): string {
  if (specs.length === 0) {
    const places = folders.map((folder) => `${safe(folder)}/<capability>/spec.md`).join(' or ');
    return `No specs found.\n\n${style.dim(`Specs live in ${places}; see`)} lectern doctor\n`;
  }
  const ids = specs.map(({ id }) => safe(id));
  const columns = Math.min(ID_COLUMNS_MAX, Math.max(...ids.map(widthOf)));
  // Requirements and scenarios, such as `12 / 31`.
  const sizes = specs.map(({ requirements, scenarios }) => `${grouped(requirements)} / ${grouped(scenarios)}`);
  const sizeColumns = Math.max(...sizes.map(({ length }) => length));
  const rows = specs.map(({ title, purpose }, index) => {
    const id = ids[index] ?? '';
    const size = (sizes[index] ?? '').padStart(sizeColumns);
    const text = safe((purpose || title).replaceAll(/\s+/gu, ' '));
    const textColumns =
      style.width === undefined ? PURPOSE_CHARACTERS : style.width - Math.max(columns, widthOf(id)) - sizeColumns - 6;
    const about = textColumns < PURPOSE_COLUMNS_MIN ? '' : fit(text, textColumns);
    return `  ${style.cyan(padEnd(id, columns))}  ${style.dim(size)}  ${about}`.trimEnd();
  });
  const total = (key: 'requirements' | 'scenarios'): number => specs.reduce((sum, spec) => sum + spec[key], 0);
  const counts = `${count(specs.length, 'spec')}: ${count(total('requirements'), 'requirement')} / ${count(total('scenarios'), 'scenario')}`;
  return `${rows.join('\n')}\n\n${style.dim(counts)}\n`;
}
