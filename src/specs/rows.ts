/** A text as lines that remember how they ended, so that an edit leaves every other line as it was. */
export interface Row {
  text: string;
  /** `\n`, `\r\n`, `\r`, or nothing at the end of the file. */
  end: string;
}

const LINE = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu;

export function rowsOf(text: string): Row[] {
  return (text.match(LINE) ?? []).map((line) => {
    const bare = line.endsWith('\r\n') ? line.slice(0, -2) : /[\r\n]$/u.test(line) ? line.slice(0, -1) : line;
    return { text: bare, end: line.slice(bare.length) };
  });
}

/** Rows to text; only the last may be without an end, and it is when the file was so before. */
export function joinRows(rows: readonly Row[], lastEnd: string, lineEnd: string): string {
  return rows.map(({ text, end }, index) => text + (index < rows.length - 1 ? end || lineEnd : lastEnd && (end || lineEnd))).join('');
}

/** The end that most lines have; a tie goes to CRLF, since a file that is half CRLF was meant to be. */
export function dominantLineEnd(text: string): string {
  let feeds = 0;
  let pairs = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    feeds += 1;
    if (text.charCodeAt(at - 1) === 13) pairs += 1;
  }
  return feeds > 0 && pairs * 2 >= feeds ? '\r\n' : '\n';
}
