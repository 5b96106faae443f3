const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;

/** Whether the text contains a letter or a digit. */
export function isWord(text: string): boolean {
  return WORD_CHARACTER.test(text);
}

/** Whether the character at this position is a letter or a digit. The position may be a low surrogate. The text is lower case. */
export function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (Number.isNaN(code)) return false;
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  const isSecondHalf = code >= 0xdc_00 && code <= 0xdf_ff;
  return WORD_CHARACTER.test(String.fromCodePoint(text.codePointAt(isSecondHalf ? index - 1 : index) ?? code));
}
