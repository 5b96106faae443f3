/** Characters that are invisible on the rendered page but readable by a model. */

const INVISIBLE =
  // oxlint-disable-next-line no-misleading-character-class -- Each character is matched individually.
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2069\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');

/**
 * Legitimate uses: in emoji and flags, after ideographs, in scripts that need joiners, and at the beginning of a file.
 */
const PROPER =
  // oxlint-disable-next-line no-misleading-character-class -- Each character is matched individually.
  /\p{RI}\p{RI}|\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0e|\ufe0f)?\p{Emoji_Modifier}?(?:\u200d(?=\p{Extended_Pictographic}))?|[\p{So}\p{Sm}\p{Po}]\ufe0f|[\p{Script=Han}\p{Script=Mongolian}\p{Script=Phags_Pa}\p{Sm}][\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Tibetan}\p{Mn}\p{Mc}])[\u200c\u200d]|(?<=[\p{Script=Thai}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Lao}\p{Mn}\p{Mc}])\u200b|(?<=[\p{Script=Hebrew}\p{Script=Arabic}\p{P}\p{N}\s])[\u200e\u200f]/gu;

export function isInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

export function withoutInvisible(text: string): string {
  return text.replace(ALL_INVISIBLE, '');
}

/** Returns the invisible characters of a line that have no legitimate use there. */
export function strayCharacters(line: string): string[] {
  if (!INVISIBLE.test(line)) return [];
  return line.replace(PROPER, '').match(ALL_INVISIBLE) ?? [];
}
