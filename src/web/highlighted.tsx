/** A line of text from a file: marked ranges, and the inline code and bold words of Markdown. */
import type { Child } from 'hono/jsx';
import type { Html } from './html.tsx';

type Ranges = readonly (readonly number[])[];

interface Props {
  text: string;
  /** In order. A range inside an earlier one is skipped. */
  marks?: Ranges;
  as?: 'mark' | 'del' | 'ins';
  /** Changes the text between marks. */
  between?: (text: string) => string;
}

/** The whole of Markdown is for texts with paragraphs; this is for one sentence in a heading, a row or a clause. */
export function Highlighted({ text, marks = [], as = 'mark', between = (part) => part }: Props): Html {
  return (
    <>
      {piecesOf(text).map(({ from, to, kind }) => {
        const shown = marked({ text, marks, as, between: kind === undefined ? between : (part) => part }, from, to);
        return kind === 'code' ? <code>{shown}</code> : kind === 'bold' ? <b>{shown}</b> : shown;
      })}
    </>
  );
}

/** The description of an item, below its heading. */
export function Lede({ text }: { text: string }): Html {
  return (
    <p class="lede" dir="auto">
      <Highlighted text={text} />
    </p>
  );
}

function marked({ text, marks, as, between }: Required<Props>, from: number, to: number): Child[] {
  const parts: Child[] = [];
  let at = from;
  for (const [start = 0, end = 0] of marks) {
    const [first, last] = [Math.max(start, from), Math.min(end, to)];
    if (first < at || first >= last) continue;
    const words = text.slice(first, last);
    parts.push(between(text.slice(at, first)));
    parts.push(as === 'del' ? <del>{words}</del> : as === 'ins' ? <ins>{words}</ins> : <mark>{words}</mark>);
    at = last;
  }
  parts.push(between(text.slice(at, to)));
  return parts;
}

interface Piece {
  from: number;
  to: number;
  kind?: 'code' | 'bold';
}

/** Code and bold words without their delimiters, and the text between them. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { index, 0: all } of text.matchAll(/`[^`\n]{1,300}`|\*\*[^*\n]{1,300}\*\*/gu)) {
    const isCode = all.startsWith('`');
    const delimiter = isCode ? 1 : 2;
    pieces.push({ from: at, to: index });
    pieces.push({ from: index + delimiter, to: index + all.length - delimiter, kind: isCode ? 'code' : 'bold' });
    at = index + all.length;
  }
  pieces.push({ from: at, to: text.length });
  return pieces;
}
