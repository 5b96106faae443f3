const BLANKS = /^[ \t]*/u;

/** Returns the width in columns of the leading whitespace, or of the first `length` characters. Tab stops are every four columns. */
export function columnsOf(line: string, length = BLANKS.exec(line)?.[0].length ?? 0): number {
  let columns = 0;
  for (const character of line.slice(0, length)) columns += character === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}
