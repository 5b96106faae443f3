/**
 * Splits text for keyword search into runs of letters and digits and runs of other characters, in lower case. A query token
 * contains no blanks, so it is inside one run or spans adjacent ones.
 */
const RUN = /[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}\s]+/gu;

export const LINE_FEED = 10;

export function runsIn(lowerCase: string): string[] {
  return lowerCase.match(RUN) ?? [];
}

/** Each run of the texts once, one per line, in UTF-8. */
export function runsOfTexts(texts: readonly string[]): Uint8Array {
  const runs = new Set<string>();
  for (const text of texts) for (const run of runsIn(text.toLowerCase())) runs.add(run);
  return Buffer.from([...runs].join('\n'));
}
