/** A rewritten text that still knows where each part came from. */

/** A part of a text and its replacement. */
export interface Edit {
  start: number;
  end: number;
  text: string;
  /** The text was made unreadable on purpose, so finding something dangerous in it is a finding of its own. */
  hidden?: boolean;
}

/** A piece of the rewritten text: a copy of the original, or a replacement of a part of it. */
interface Piece {
  /** Offset in the rewritten text. */
  at: number;
  /** Offset in the original text. */
  source: number;
  isCopy: boolean;
}

export interface HiddenPart {
  start: number;
  end: number;
}

export class MappedText {
  readonly text: string;
  /** Parts that were unreadable before. */
  readonly hidden: readonly HiddenPart[];
  readonly #pieces: readonly Piece[];

  private constructor(text: string, pieces: readonly Piece[], hidden: readonly HiddenPart[]) {
    this.text = text;
    this.#pieces = pieces;
    this.hidden = hidden;
  }

  static of(text: string): MappedText {
    return new MappedText(text, [{ at: 0, source: 0, isCopy: true }], []);
  }

  /** Offset in the original text. Every offset in a replacement is the start of the replaced part. */
  sourceOf(offset: number): number {
    const { at, source, isCopy } = this.#pieces[this.#pieceAt(offset)] ?? { at: 0, source: 0, isCopy: true };
    return isCopy ? source + offset - at : source;
  }

  /** Applies edits in ascending order. Edits that overlap an earlier one are skipped. */
  replace(edits: readonly Edit[]): MappedText {
    const parts: string[] = [];
    const pieces: Piece[] = [];
    const hidden: HiddenPart[] = [];
    let [at, length, nextHidden] = [0, 0, 0];
    const copy = (end: number): void => {
      if (end <= at) return;
      this.#copyPieces(at, end, length, pieces);
      for (let part = this.hidden[nextHidden]; part && part.start < end; part = this.hidden[nextHidden]) {
        if (part.start >= at && part.end <= end)
          hidden.push({ start: part.start - at + length, end: part.end - at + length });
        nextHidden += 1;
      }
      parts.push(this.text.slice(at, end));
      length += end - at;
    };
    for (const edit of edits) {
      if (edit.start < at) continue;
      copy(edit.start);
      pieces.push({ at: length, source: this.sourceOf(edit.start), isCopy: false });
      if (edit.hidden === true) hidden.push({ start: length, end: length + edit.text.length });
      parts.push(edit.text);
      length += edit.text.length;
      at = edit.end;
    }
    copy(this.text.length);
    return new MappedText(parts.join(''), pieces, hidden);
  }

  #copyPieces(start: number, end: number, to: number, pieces: Piece[]): void {
    for (let index = this.#pieceAt(start); index < this.#pieces.length; index++) {
      const piece = this.#pieces[index];
      if (!piece || piece.at >= end) break;
      const from = Math.max(piece.at, start);
      const source = piece.isCopy ? piece.source + from - piece.at : piece.source;
      pieces.push({ at: to + from - start, source, isCopy: piece.isCopy });
    }
  }

  #pieceAt(offset: number): number {
    let [from, to] = [0, this.#pieces.length];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if ((this.#pieces[middle]?.at ?? 0) <= offset) from = middle;
      else to = middle;
    }
    return from;
  }
}
