/** Scores are compared in this many steps, so that rounding in the tenth decimal does not matter. */
const STEPS = 2 ** 30;
/** More documents than any index has. Score and document together fit exactly into one number. */
const DOCUMENTS_MAX = 2 ** 22;

/**
 * Sorts documents by score (0 to 1), best first, and equal ones by number. Score and number become one number, because sorting
 * plain numbers is ten times as fast as calling a comparison function, and a query may match every document.
 */
export function bestFirst(documents: ArrayLike<number>, scoreOf: (document: number) => number): Uint32Array {
  const keys = new Float64Array(documents.length);
  for (let index = 0; index < documents.length; index++) {
    const document = documents[index] ?? 0;
    const score = Math.min(1, Math.max(0, scoreOf(document)));
    keys[index] = (STEPS - Math.round(score * STEPS)) * DOCUMENTS_MAX + document;
  }
  keys.sort();
  return Uint32Array.from(keys, (key) => key % DOCUMENTS_MAX);
}
