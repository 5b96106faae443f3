/** Letters of other scripts that stand for Latin ones, and words whose letters are spaced out. */
import type { Edit } from './mapped.ts';

const FROM = 'аеорсухѕіјһԁԛԝмткнвАВЕКМНОРСТУХІЈЅαοενικρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧօհոսɑɡıⅼℓ';
const TO = 'aeopcyxsijhdqwmtkhbABEKMHOPCTYXIJSaoevikptuxABEZHIKMNOPTYXohnuagill';
const LATIN = new Map([...FROM].map((letter, index) => [letter, TO.charAt(index)]));

/** Edits that turn look-alike letters in Latin words into Latin letters, and close up words written as single letters. */
export function plainLetters(text: string): Edit[] {
  const edits: Edit[] = [];
  if (/[^\u0000-\u007f]/u.test(text))
    for (const match of text.matchAll(/[\p{L}\d]{2,60}/gu)) {
      const [word] = match;
      if (!/[A-Za-z]/u.test(word) || !/[^\u0000-\u007f]/u.test(word)) continue;
      const plain = [...word].map((letter) => LATIN.get(letter) ?? letter).join('');
      if (plain !== word && /^[A-Za-z\d]+$/u.test(plain))
        edits.push({ start: match.index, end: match.index + word.length, text: plain, hidden: true });
    }
  for (const match of text.matchAll(/(?<![\w.-])(?:[A-Za-z] ){5,200}[A-Za-z](?![\w.-])/gu)) {
    // Two blanks end a word that is spaced out.
    const plain = match[0].replaceAll(' ', '');
    edits.push({ start: match.index, end: match.index + match[0].length, text: plain, hidden: true });
  }
  return edits.sort((a, b) => a.start - b.start);
}
