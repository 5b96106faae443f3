/** Inserts a missing closing fence, but only if the end of the keys is beyond doubt. */
import { BLOCK_HEADER } from './repair-lines.ts';

/** Header keys are lower case. A line such as `Note: …` is probably text. */
const HEADER_KEY = /^[a-z][a-z0-9_-]*[ \t]*:(?:[ \t]+(\S.*))?$/u;
const ANY_KEY = /^[A-Za-z_][\w.-]*[ \t]*:(?:[ \t]|$)/u;
const INDENTED = /^[ \t]+\S/u;

/** Takes a text with an opening fence. Returns undefined if the keys could end in several places. */
export function closeFence(text: string): string | undefined {
  const rows = text.split('\n');
  const opening = rows.findIndex((row) => row.trim() !== '');
  const ending = rows[opening]?.endsWith('\r') ? '\r' : '';
  const end = endOfKeys(rows, opening + 1);
  if (end === undefined) return undefined;
  const before = rows.slice(0, end);
  const after = rows.slice(end);
  const isLast = after.length === 0;
  const last = before.at(-1) ?? '';
  if (isLast && !last.endsWith('\r')) before[before.length - 1] = last + ending;
  return [...before, `---${ending}`, ...(isLast ? [''] : after)].join('\n');
}

/** Returns the index of the row after the last key. */
function endOfKeys(rows: readonly string[], start: number): number | undefined {
  const textOf = (index: number): string => (rows[index] ?? '').trimEnd();
  let end = start;
  /** Whether the last key may have lines below it: a block scalar, a list or a map. */
  let isOpen = false;
  let index = start;
  for (; index < rows.length; index++) {
    const row = textOf(index);
    if (row === '') {
      const next = nextFilled(rows, index);
      // An indented line after a blank one continues the value, or is a code block of the body.
      if (next === undefined || !INDENTED.test(textOf(next))) break;
      if (!isOpen) return undefined;
      index = next - 1;
      continue;
    }
    const key = HEADER_KEY.exec(row);
    if (key) {
      const value = key[1] ?? '';
      isOpen = value === '' || BLOCK_HEADER.test(value);
    } else if (!INDENTED.test(row) && !(isOpen && row.startsWith('- '))) break;
    end = index + 1;
  }
  // Another key in the next paragraph may belong to the frontmatter.
  for (let at = nextFilled(rows, index - 1) ?? rows.length; at < rows.length && textOf(at) !== ''; at++)
    if (ANY_KEY.test(textOf(at))) return undefined;
  return end;
}

function nextFilled(rows: readonly string[], after: number): number | undefined {
  for (let index = after + 1; index < rows.length; index++) if ((rows[index] ?? '').trim() !== '') return index;
  return undefined;
}
