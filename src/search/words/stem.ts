/**
 * Porter's suffix stripping for English (M. F. Porter, 1980): `connections`, `connected` and `connecting` share `connect`.
 * Words that are not plain lower-case ASCII are returned unchanged.
 */
const CONSONANT = '[^aeiou]';
const VOWEL = '[aeiouy]';
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;

/** The stem has at least one, exactly one, more than one vowel-consonant pair; it has a vowel; it ends like `hop`. */
const SOME = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`, 'u');
const EXACTLY_ONE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`, 'u');
const SEVERAL = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`, 'u');
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?${VOWEL}`, 'u');
const SHORT_END = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`, 'u');

type Rule = readonly [suffix: string, replacement: string];

/** The rules by the last letter of their suffix, longest first, so that `ization` is tried before `ation`. */
type Rules = ReadonlyMap<string, readonly Rule[]>;

const STEP_2: Rules = rules(
  'ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log',
);
const STEP_3: Rules = rules('icate:ic ative: alize:al iciti:ic ical:ic ful: ness:');
const STEP_4: Rules = rules(
  'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: sion:s tion:t ou: ism: ate: iti: ous: ive: ize:',
);

function rules(list: string): Rules {
  const parsed = list.split(' ').map((rule): Rule => {
    const [suffix = '', replacement = ''] = rule.split(':');
    return [suffix, replacement];
  });
  const byLetter = new Map<string, Rule[]>();
  for (const rule of parsed.sort((a, b) => b[0].length - a[0].length)) {
    const letter = rule[0].slice(-1);
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), rule]);
  }
  return byLetter;
}

function applyFirst(word: string, table: Rules, condition: RegExp): string {
  for (const [suffix, replacement] of table.get(word.slice(-1)) ?? []) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    // `sion` and `tion` keep their first letter, so the condition includes it.
    return condition.test(replacement.length === 1 ? stem + replacement : stem) ? stem + replacement : word;
  }
  return word;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return SOME.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const stem = word.endsWith('ed') ? word.slice(0, -2) : word.endsWith('ing') ? word.slice(0, -3) : undefined;
  if (stem === undefined || !HAS_VOWEL.test(stem)) return word;
  if (/(?:at|bl|iz)$/u.test(stem)) return `${stem}e`;
  if (/([^aeiouylsz])\1$/u.test(stem)) return stem.slice(0, -1);
  return SHORT_END.test(stem) ? `${stem}e` : stem;
}

function withoutFinalE(word: string): string {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  return SEVERAL.test(stem) || (EXACTLY_ONE.test(stem) && !SHORT_END.test(stem)) ? stem : word;
}

/** British spellings become American ones: `optimise` and `optimize`, `colour` and `color` are the same. */
function inAmericanSpelling(word: string): string {
  if (word.length < 6 || !(word.includes('is') || word.includes('our'))) return word;
  return word
    .replace(/is(?=(?:e[drs]?|ing|ation|ations)$)/u, 'iz')
    .replace(/(?<=[a-z]{2}[lvbn])our(?=s|ed|ing|$)/u, 'or');
}

export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/u.test(word)) return word;
  let stemmed = withoutPast(withoutPlural(inAmericanSpelling(word)));
  if (stemmed.endsWith('y') && HAS_VOWEL.test(stemmed.slice(0, -1))) stemmed = `${stemmed.slice(0, -1)}i`;
  stemmed = applyFirst(stemmed, STEP_2, SOME);
  stemmed = applyFirst(stemmed, STEP_3, SOME);
  stemmed = withoutFinalE(applyFirst(stemmed, STEP_4, SEVERAL));
  return stemmed.endsWith('ll') && SEVERAL.test(stemmed.slice(0, -1)) ? stemmed.slice(0, -1) : stemmed;
}
