const BLANKS = /^[ \t]*/u;

/** How many columns the blanks at the start of a line take, or its first characters. A tab ends at a multiple of four. */
export function columnsOf(line: string, length = BLANKS.exec(line)?.[0].length ?? 0): number {
  let columns = 0;
  for (const character of line.slice(0, length)) columns += character === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}
