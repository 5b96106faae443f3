/**
 * Function words of German, Spanish and French. They are rare in English documents, so they would count as much as the words that
 * matter, and some are one letter away from an English word (`darf` and `dark`).
 */

/** Words that show that a query is in another language. None of them is an English word. */
const TRIGGERS: ReadonlySet<string> = new Set(
  (
    'auch auf aus avec como cómo cette dans darf dass dem der dónde ein eine einem einen einer eines está für ich ihr ist kann kein keine ' +
    'más mein meine mis muss nach nicht noch nous nur oder ohne por pour que qué quoi sehr sich sie sind soll sont über una unas und unos ' +
    'unser unsere unter vom von vous wann warum welche wenn wer wie wir wird zu zum zur'
  ).split(' '),
);

/** Function words that are also English words, names or abbreviations, such as MIT or EST. They count only next to a trigger. */
const WITH_TRIGGER: ReadonlySet<string> = new Set(
  (
    'al am an bei ce ces con das de del den des die du el en er es est et hat im je la las le les lo los ma mes mi mit mon no o ob ou ' +
    'par para qui sans se sein ser sin so son su sur sus un vor war was wo y'
  ).split(' '),
);

/** Function words to ignore in a query of these words. Empty for an English query. */
export function foreignFunctionWords(words: readonly string[]): ReadonlySet<string> {
  const plain = words.map(plainForm);
  if (!plain.some((word) => TRIGGERS.has(word))) return new Set();
  return new Set(plain.filter((word) => TRIGGERS.has(word) || WITH_TRIGGER.has(word)));
}

/** Lower case with composed accents, which distinguish `für` from `fur`. */
export function plainForm(word: string): string {
  return word.normalize('NFC').toLowerCase();
}
