/** Renders any result as names and values, for operations without a rendering of their own. */
import { isRecord } from '../core/json-file.ts';
import { safe, type Style } from './style.ts';

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
    const below = items.flatMap((each) => (isRecord(each) ? linesOf(each, style) : [safe(String(each))]));
    return [style.bold(safe(key)), ...below.map((line) => `  ${line}`)];
  });
}
