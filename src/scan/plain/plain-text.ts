/**
 * The text of a file as a shell, an interpreter or a model reads it: words put together, encodings removed, look-alike letters
 * replaced. The rules read this second text like the first one, and report the lines of the original.
 */
import type { TextFile } from '../text-file.ts';
import { decodedRuns } from './decode.ts';
import { plainLetters } from './letters.ts';
import { type HiddenPart, MappedText } from './mapped.ts';
import { expandedShell } from './shell.ts';
import { joinedStrings } from './strings.ts';

/** How deep encodings may be nested. */
const MAX_DEPTH = 3;
/** Maximum growth of a text, so that nested constants cannot fill the memory. */
const MAX_GROWTH = 4;

/** Texts without any of these are read as they are. */
const UNUSUAL =
  /[^\u0000-\u007f]|\$[A-Za-z{@*(]|["'`]\s{0,40}\+|\+\s{0,40}["'`]|["']\s{0,20}\n\s{0,20}["']|\.join\(|\.replace|::-1|reverse\(|\\[xu0-7]|%[2-7][0-9a-fA-F][\w.]{0,10}%|&#|charcode|chr\(|[A-Za-z0-9+/]{12}|''|""|\w\\\w|["'] ?["'[]|\{[a-z_]\w{0,40}\}|\bbytes\(|uint8array|\brev\b|rot_?-?13|\btr\b|(?:\b\w ){5}/iu;

export interface PlainText {
  file: TextFile;
  hidden: readonly HiddenPart[];
}

/** Returns undefined if the file says the same without its tricks. */
export function plainTextOf(file: TextFile): PlainText | undefined {
  const { flat } = file;
  if (!UNUSUAL.test(flat)) return undefined;
  let mapped = MappedText.of(flat).replace(plainLetters(flat));
  const isShell =
    file.kind === 'prose' ||
    /\.(?:sh|bash|zsh|ksh|fish|command)$|^#![^\n]{0,40}sh\b/iu.test(`${file.path}`) ||
    /^#![^\n]{0,40}sh\b/u.test(file.text.slice(0, 60));
  const isProgram = file.kind !== 'prose' && !isShell;
  const isPython = /\.pyw?$/iu.test(file.path) || /^#![^\n]{0,40}python/u.test(file.text.slice(0, 60));
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const before = mapped;
    if (isShell) mapped = mapped.replace(expandedShell(mapped.text));
    if (isProgram || file.kind === 'prose') mapped = mapped.replace(joinedStrings(mapped.text, isPython));
    if (depth < MAX_DEPTH) mapped = mapped.replace(decodedRuns(mapped.text));
    if (mapped.text === before.text || mapped.text.length > flat.length * MAX_GROWTH + 100_000) break;
  }
  if (mapped.text === flat) return undefined;
  return { file: fileOf(file, mapped), hidden: mapped.hidden };
}

function fileOf(origin: TextFile, mapped: MappedText): TextFile {
  const { text } = mapped;
  return {
    ...origin,
    flat: text,
    low:
      text.toLowerCase().length === text.length
        ? text.toLowerCase()
        : text.replace(/[A-Z]+/gu, (part) => part.toLowerCase()),
    secrets: [],
    lineAt: (offset) => origin.lineAt(mapped.sourceOf(offset)),
    contextAt: (start, end) => origin.contextAt(mapped.sourceOf(start), mapped.sourceOf(end)),
    passageAt(offset) {
      const end = text.indexOf('\n', offset);
      return { start: text.lastIndexOf('\n', offset - 1) + 1, end: end === -1 ? text.length : end };
    },
    quote: (start, end) => origin.quote(mapped.sourceOf(start), mapped.sourceOf(end)),
  };
}
