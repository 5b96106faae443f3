/** Lays out a list in columns with heads. Narrow terminals get the cells of a row below its first cell instead. */
import type { Style } from './style.ts';
import { fit, widthOf } from './width.ts';

export interface Column {
  head: string;
  isNumber?: true;
  /** Cuts the column to the rest of the line, or omits it if there is less room than this. Only for the last column. */
  fillsAtLeast?: number;
  /** Wording of a cell in a narrow terminal, where there are no heads. */
  inWords?(cell: string): string;
}

export interface Cell {
  text: string;
  paint?: (text: string) => string;
}

export interface Table {
  /** Undefined in a narrow terminal. */
  head: string | undefined;
  rows: string[];
}

const INDENT = '  ';
const GAP = '  ';
/** Limit of the last column if the output has no width, because its text may be pages long. */
const FILLED_COLUMNS = 160;

/** Every row has a cell for each column. Columns without any text are left out. */
export function layOut(columns: readonly Column[], rows: readonly (readonly Cell[])[], style: Style): Table {
  const used = columns.flatMap((column, index) =>
    rows.some((row) => row[index]?.text !== '' && row[index] !== undefined) ? [{ column, index }] : [],
  );
  const fixed = used.filter(({ column }) => column.fillsAtLeast === undefined);
  const filled = used.find(({ column }) => column.fillsAtLeast !== undefined);
  const [first, ...others] = fixed.map(({ column, index }) => ({
    column,
    index,
    width: Math.max(widthOf(column.head), ...rows.map((row) => widthOf(row[index]?.text ?? ''))),
  }));
  if (!first) return { head: undefined, rows: [] };
  const taken = INDENT.length + others.reduce((sum, { width }) => sum + GAP.length + width, 0);
  const room = (style.width ?? Number.POSITIVE_INFINITY) - taken;
  const isLong = (row: readonly Cell[]): boolean => widthOf(row[first.index]?.text ?? '') > room;
  if (room < widthOf(first.column.head) || rows.filter(isLong).length > rows.length / 2)
    return { head: undefined, rows: rows.map((row) => stacked(used, row, style)) };
  const firstWidth = Math.min(first.width, room);
  const left = style.width === undefined ? FILLED_COLUMNS : style.width - taken - firstWidth - GAP.length;
  const rest = filled && left >= (filled.column.fillsAtLeast ?? 0) ? filled : undefined;
  const line = (cellOf: (column: Column, index: number) => Cell | undefined): string => {
    const cells = [{ ...first, width: firstWidth }, ...others].map(({ column, index, width }) =>
      padded(cellOf(column, index) ?? { text: '' }, width, column.isNumber === true),
    );
    const last = rest && cellOf(rest.column, rest.index);
    if (last) cells.push(painted({ ...last, text: fit(last.text, left) }));
    return `${INDENT}${cells.join(GAP)}`.trimEnd();
  };
  return {
    head: style.dim(line((column) => ({ text: column.head }))),
    rows: rows.map((row) => {
      if (!isLong(row)) return line((_, index) => row[index]);
      // The name gets its own line, and the other cells stay below their heads.
      const name = row[first.index];
      return `${INDENT}${name ? painted(name) : ''}\n${line((_, index) => (index === first.index ? undefined : row[index]))}`;
    }),
  };
}

function painted({ text, paint }: Cell): string {
  return paint ? paint(text) : text;
}

function padded(cell: Cell, width: number, isNumber: boolean): string {
  const gap = ' '.repeat(Math.max(0, width - widthOf(cell.text)));
  return isNumber ? gap + painted(cell) : painted(cell) + gap;
}

function stacked(used: readonly { column: Column; index: number }[], row: readonly Cell[], style: Style): string {
  const [first, ...others] = used.map(({ column, index }) => ({ column, cell: row[index] ?? { text: '' } }));
  const facts = others.filter(({ column, cell }) => column.fillsAtLeast === undefined && cell.text !== '');
  const about = others.find(({ column, cell }) => column.fillsAtLeast !== undefined && cell.text !== '');
  const below = [
    facts.map(({ column, cell }) => painted({ ...cell, text: column.inWords?.(cell.text) ?? cell.text })).join(GAP),
    about ? painted({ ...about.cell, text: fit(about.cell.text, (style.width ?? FILLED_COLUMNS) - 4) }) : '',
  ].filter((text) => text !== '');
  return [`${INDENT}${first ? painted(first.cell) : ''}`, ...below.map((text) => `${INDENT}${INDENT}${text}`)].join(
    '\n',
  );
}
