import { LIMITS } from '../limits.ts';

/** The range of the frontmatter of a text, or the reason why there is none. */
export type Split =
  | {
      kind: 'found';
      yaml: string;
      yamlStart: number;
      yamlLine: number;
      bodyStart: number;
      closer: '---' | '...';
      leadingBlank: boolean;
    }
  | { kind: 'empty' | 'missing' | 'unclosed' | 'only-fence' | 'too-large' | 'need-more'; line: number };

const LINE_FEED = 0x0a;
const FENCE = /^(?<indent>[ \t]*)---(?:(?<language>[^\s-][^\n]*)|[ \t]*)$/u;

/**
 * Finds the two fences. Accepts a byte order mark, CRLF, blank lines before the first fence and blanks around a fence. `complete:
 * false` means that the text is only the beginning of a file. If a fence is still open then, more of the file is needed.
 */
export function splitFrontmatter(text: string, { complete }: { complete: boolean }): Split {
  return splitPlainly(text) ?? splitLineByLine(text, complete);
}

/** Handles the form of nearly all files: both fences bare, and the first at the very start. */
function splitPlainly(text: string): Split | undefined {
  if (!text.startsWith('---\n')) return undefined;
  const end = text.indexOf('\n---', 3);
  if (end === -1 || text.charCodeAt(end + 4) !== LINE_FEED) return undefined;
  const early = text.indexOf('\n...', 3);
  if (early !== -1 && early < end) return undefined;
  if (isTooLarge(text, 4, end + 1)) return { kind: 'too-large', line: 1 };
  const yaml = text.slice(4, end + 1);
  return { kind: 'found', yaml, yamlStart: 4, yamlLine: 2, bodyStart: end + 5, closer: '---', leadingBlank: false };
}

/** Returns the text below the frontmatter, or the whole text if it has none. */
export function bodyOf(text: string): string {
  const split = splitFrontmatter(text, { complete: true });
  return split.kind === 'found' ? text.slice(split.bodyStart) : text;
}

function splitLineByLine(text: string, complete: boolean): Split {
  let position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let line = 1;
  const next = (): { text: string; end: number; cut: boolean } | undefined => {
    if (position >= text.length) return undefined;
    const newline = text.indexOf('\n', position);
    const end = newline === -1 ? text.length : newline + 1;
    // The text may end in the middle of a line, so `---` may not be the whole line.
    const cut = newline === -1 && !complete;
    return { text: stripCarriageReturn(text.slice(position, newline === -1 ? text.length : newline)), end, cut };
  };

  let current = next();
  while (current && current.text.trim() === '') {
    position = current.end;
    line += 1;
    current = next();
  }
  if (!current) return { kind: complete ? 'empty' : 'need-more', line: 1 };

  // `---js` names a language to evaluate. Lectern reads the text below as YAML and never evaluates it.
  const opening = FENCE.exec(current.text);
  if (!opening || current.text.length > 200)
    return { kind: complete || current.end < text.length || current.text.length > 200 ? 'missing' : 'need-more', line };
  const openIndent = opening.groups?.['indent']?.length ?? 0;
  const leadingBlank = line > 1;
  const openLine = line;
  position = current.end;
  line += 1;
  const yamlStart = position;
  const max = LIMITS.frontmatterBytes.value;
  let bytes = 0;

  for (current = next(); current && !current.cut; current = next()) {
    const closer = closerOf(current.text, openIndent > 0);
    if (closer) {
      if (isTooLarge(text, yamlStart, position)) return { kind: 'too-large', line: openLine };
      const yaml = text.slice(yamlStart, position);
      return { kind: 'found', yaml, yamlStart, yamlLine: openLine + 1, bodyStart: current.end, closer, leadingBlank };
    }
    // Counted line by line: measuring all lines so far each time would take quadratic time.
    bytes += Buffer.byteLength(text.slice(position, current.end));
    position = current.end;
    line += 1;
    if (bytes > max) return { kind: 'too-large', line: openLine };
  }
  // The frontmatter is too large no matter how the last line continues.
  if (current && isTooLarge(text, yamlStart, current.end)) return { kind: 'too-large', line: openLine };
  if (!complete) return { kind: 'need-more', line: openLine };
  return { kind: text.slice(yamlStart).trim() === '' ? 'only-fence' : 'unclosed', line: openLine };
}

/** The limit is in bytes. A UTF-16 unit has at most three, so short frontmatter does not have to be measured. */
function isTooLarge(text: string, start: number, end: number): boolean {
  const max = LIMITS.frontmatterBytes.value;
  if ((end - start) * 3 <= max) return false;
  return end - start > max || Buffer.byteLength(text.slice(start, end)) > max;
}

/** If the opening fence is indented, the closing one may be too. */
function closerOf(line: string, indented: boolean): '---' | '...' | undefined {
  if (!indented && !line.startsWith('---') && !line.startsWith('...')) return undefined;
  if (line.trimEnd() === '...') return '...';
  return (indented ? line.trim() : line.trimEnd()) === '---' ? '---' : undefined;
}

function stripCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
