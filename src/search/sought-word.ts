/** Words looked for in bytes: thousands of texts, one after the other. */

/** Bytes that can be asked where others occur in them. */
export interface SearchableBytes {
  readonly [index: number]: number;
  readonly length: number;
  indexOf(bytes: Uint8Array, from?: number): number;
}

/** A word, and a short piece of it that begins with a rare letter: looking for that stops at far fewer places on the way. */
export interface SoughtWord {
  bytes: Buffer;
  piece: Buffer;
  pieceAt: number;
}

/** Shorter pieces occur in too many other words; for longer ones the engine prepares tables at every call. */
const PIECE_MIN = 3;
const PIECE_MAX = 7;

/** Letters by how often English has them, the most frequent first; what is not among them is rarer. */
const FREQUENT = Buffer.from('etaoinsrhldcumfpgwybvkxjqz');

export function soughtWord(bytes: Buffer): SoughtWord {
  let pieceAt = 0;
  const rarity = (index: number): number => {
    const place = FREQUENT.indexOf(bytes[index] ?? 0);
    return place === -1 ? FREQUENT.length : place;
  };
  for (let index = 1; index <= bytes.length - PIECE_MIN; index++) if (rarity(index) > rarity(pieceAt)) pieceAt = index;
  return { bytes, piece: bytes.subarray(pieceAt, pieceAt + PIECE_MAX), pieceAt };
}

/** Where the word first stands at or after a place; -1 where it does not. */
export function placeOf({ bytes: word, piece, pieceAt }: SoughtWord, bytes: SearchableBytes, from: number): number {
  for (let at = bytes.indexOf(piece, from + pieceAt); at !== -1; at = bytes.indexOf(piece, at + 1)) {
    const start = at - pieceAt;
    let same = 0;
    while (same < word.length && bytes[start + same] === word[same]) same += 1;
    if (same === word.length) return start;
  }
  return -1;
}
