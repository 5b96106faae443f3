const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;

/** Whether it has a letter or a digit. */
export function isWord(text: string): boolean {
  return WORD_CHARACTER.test(text);
}

/** Whether the character at this position, of which it may be the second half, is a letter or a digit. The text is in lower case. */
export function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (Number.isNaN(code)) return false;
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  const isSecondHalf = code >= 0xdc_00 && code <= 0xdf_ff;
  return WORD_CHARACTER.test(String.fromCodePoint(text.codePointAt(isSecondHalf ? index - 1 : index) ?? code));
}
