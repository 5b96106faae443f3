/**
 * Renders any result as names and values, for operations without a specific rendering. Lists of objects become tables.
 */
import { isRecord } from '../core/json-file.ts';
import { safe, type Style } from './style.ts';
import { padEnd, widthOf } from './width.ts';

export function renderData(data: object, style: Style): string {
  return `${linesOf(data, style).join('\n')}\n`;
}

function linesOf(value: object, style: Style): string[] {
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const width = Math.max(0, ...entries.map(([key]) => key.length));
  return entries.flatMap(([key, item]: [string, unknown]) => {
    if (!isRecord(item) && !Array.isArray(item))
      return [`${style.bold(safe(key.padEnd(width)))}  ${safe(String(item))}`];
    const items: unknown[] = Array.isArray(item) ? item : [item];
    if (Object.keys(item).length === 0) return [`${style.bold(safe(key.padEnd(width)))}  ${style.dim('none')}`];
    const below = Array.isArray(item) && items.every(isFlat) ? tableOf(items, style) : items.flatMap(eachOf(style));
    return [style.bold(safe(key)), ...below.map((line) => `  ${line}`)];
  });
}

function eachOf(style: Style): (item: unknown) => string[] {
  return (item) => (isRecord(item) ? linesOf(item, style) : [safe(String(item))]);
}

/** Whether all values of an object fit into cells. */
function isFlat(item: unknown): item is Record<string, unknown> {
  return (
    isRecord(item) &&
    Object.values(item).every((value) => !isRecord(value) && !(Array.isArray(value) && value.some(isRecord)))
  );
}

function tableOf(rows: readonly Record<string, unknown>[], style: Style): string[] {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => keys.map((key) => cellOf(row[key])));
  const widths = keys.map((key, column) =>
    Math.max(widthOf(inWords(key)), ...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const numeric = keys.map((key) => rows.every((row) => row[key] === undefined || typeof row[key] === 'number'));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return numeric[column] ? ' '.repeat(width - widthOf(cell)) + cell : padEnd(cell, width);
      })
      .join('  ')
      .trimEnd();
  return [style.dim(lineOf(keys.map(inWords))), ...cells.map(lineOf)];
}

/** Returns `publishedAt` as `published at`. */
function inWords(key: string): string {
  return key.replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  // Omit seconds to keep tables narrow.
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/u.exec(String(value));
  if (time) return `${time[1]} ${time[2]}Z`;
  return safe(Array.isArray(value) ? value.join(', ') : String(value));
}
