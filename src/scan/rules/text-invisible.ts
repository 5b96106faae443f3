import { lineFeeds } from '../../core/text.ts';
import { strayCharacters } from '../invisible.ts';
import { type Hit, scanRule } from '../rule.ts';
import type { TextFile } from '../text-file.ts';

export const textInvisible = scanRule({
  code: 'text-invisible',
  category: 'hidden-text',
  level: 'high',
  nature: 'fact',
  title: 'Invisible characters',
  about:
    'Tag characters, direction controls, zero-width characters and variation selectors are invisible to people but readable by models. They can contain hidden instructions or disguise text. Emoji, flags and scripts that need joiners are fine.',
  fix: 'Remove the characters in the given line.',
  bad: 'description: "Fills in forms\u{e0072}\u{e0075}\u{e006e}"',
  good: 'description: "Fills in forms 👩‍💻"',
  *find({ texts }) {
    for (const file of texts) yield* findInvisible(file);
  },
});

/** Longer runs of zero-width characters are encoded text, not an accident. */
const CODED_RUN = 8;

function* findInvisible(file: TextFile): Iterable<Hit> {
  if (!/[^\u0000-\u007f]/u.test(file.text)) {
    yield* findEscaped(file);
    return;
  }
  const lines = file.text.split(/\r\n?|\n/u);
  for (const [index, line] of lines.entries()) {
    const stray = strayCharacters(index === 0 ? line.replace(/^\ufeff/u, '') : line);
    if (stray.length > 0) yield { path: file.path, line: index + 1, ...describe(stray, SPLITS.test(line)) };
  }
  yield* findEscaped(file);
}

/** Frontmatter values may escape such characters. */
function* findEscaped({ frontmatter, text, path }: TextFile): Iterable<Hit> {
  for (const [key, value] of Object.entries(frontmatter?.data ?? {})) {
    if (typeof value !== 'string') continue;
    const stray = strayCharacters(value);
    if (stray.length > 0 && !text.includes(stray.join('')) && lineFeeds(value) < 1_000)
      yield { path, line: frontmatter?.lines.get(key), ...describe(stray) };
  }
}

/** A zero-width character between two letters splits a word. At the edge of a word it is a leftover of an editor. */
const SPLITS = /\p{L}(?:\u200b|\u200c|\u200d|\u2060|\ufeff|\u00ad)\p{L}/u;

function describe(stray: readonly string[], isSplit = true): Pick<Hit, 'message' | 'level' | 'evidence'> {
  const codes = stray.map((character) => character.codePointAt(0) ?? 0);
  const evidence = [...new Set(codes)]
    .slice(0, 8)
    .map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
  const tags = codes.filter((code) => code >= 0xe0020 && code <= 0xe007e);
  if (tags.length > 0) {
    const hidden = String.fromCodePoint(...tags.slice(0, 60).map((code) => code - 0xe0000));
    return { level: 'high', message: `tag characters hide the text "${hidden}"`, evidence };
  }
  if (codes.some((code) => code >= 0xe0100 && code <= 0xe01ef))
    return { level: 'high', message: `${codes.length} variation selectors can hide a text`, evidence };
  if (codes.some((code) => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)))
    return { level: 'high', message: 'direction controls disguise the text', evidence };
  return codes.length >= CODED_RUN
    ? { level: 'high', message: `${codes.length} zero-width characters in one line can hide a text`, evidence }
    : { level: isSplit ? 'medium' : 'low', message: 'zero-width characters hide or split words', evidence };
}
