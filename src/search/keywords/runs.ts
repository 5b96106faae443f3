/**
 * What keyword search looks for: runs of letters and digits, and runs of other characters, in lower case. A token of a query has no
 * blanks, so it lies within one run or goes over several neighboring ones.
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
