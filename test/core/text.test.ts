import { describe, expect, test } from 'vitest';
import { clip, count, echo, foldName, forTerminal, jsonText, lineForTerminal, oneLine } from '../../src/core/text.ts';
import { fc } from '../support/effort.ts';

/** Any string at all, and strings thick with what the functions care about. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        ...'\u0000\u0007\u001b\u009b\u0085\u00a0\u00ad\u200b\u200d\u200e\u202e\u2066\u2028\u2029\u3000\ufeff\ud800\udc00\r\n\t \v…aZ"\\$',
        '\u{e0041}',
        '\u{e007f}',
        '\u{e0101}',
        '👩‍👩‍👧',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('foldName', () => {
  test('folding twice is folding once', () => {
    fc.assert(fc.property(anyText, (text) => foldName(foldName(text)) === foldName(text)));
  });

  test('lower case and normal forms never matter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldName(text.toLowerCase())).toBe(foldName(text));
        expect(foldName(text.normalize('NFD'))).toBe(foldName(text.normalize('NFC')));
      }),
    );
  });

  test('every letter that has one capital and back folds with it', () => {
    const apart: string[] = [];
    for (let code = 0; code <= 0x1ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      const capital = letter.toUpperCase();
      if (capital.toLowerCase() === letter && foldName(capital) !== foldName(letter)) apart.push(letter);
    }
    expect(apart).toEqual([]);
  });

  test('a Turkish environment would not change it: TITLE is title, and the dotless ı stays itself', () => {
    expect(foldName('TITLE')).toBe('title');
    expect(foldName('ı')).not.toBe(foldName('i'));
  });

  test('ΣΊΣΥΦΟΣ is σίσυφος, whichever sigma ends it', () => {
    expect(foldName('ΣΊΣΥΦΟΣ')).toBe(foldName('σίσυφος'));
    expect(foldName('σίσυφοσ')).toBe(foldName('σίσυφος'));
  });

  test('no two scripts ever fold together', () => {
    const scripts = [
      'Latin',
      'Cyrillic',
      'Greek',
      'Armenian',
      'Cherokee',
      'Coptic',
      'Georgian',
      'Han',
      'Hiragana',
      'Katakana',
      'Hangul',
    ];
    const tests = scripts.map((script) => [script, new RegExp(`^\\p{Script=${script}}`, 'u')] as const);
    const scriptOf = new Map<string, string>();
    const merged: string[] = [];
    for (let code = 0; code <= 0x1ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      const script = tests.find(([, is]) => is.test(letter))?.[0];
      if (script === undefined) continue;
      const fold = foldName(letter);
      const known = scriptOf.get(fold) ?? script;
      if (known !== script) merged.push(`${letter} (${script}) and ${fold} (${known})`);
      scriptOf.set(fold, known);
    }
    expect(merged).toEqual([]);
  });
});

describe('oneLine', () => {
  test('starts and ends with a character, also where nothing else is to be done', () => {
    expect([' a b', 'a ', ' ', ''].map(oneLine)).toEqual(['a b', 'a', '', '']);
  });

  test('leaves no control, break, hidden tag or reordering, whatever comes in', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = oneLine(text);
        expect(line).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u,
        );
        expect(line.isWellFormed()).toBe(true);
        expect(line).toBe(line.trim());
        expect(oneLine(line)).toBe(line);
      }),
    );
  });

  test('a list line that was smuggled in ends up inside the line it came from', () => {
    expect(oneLine('harmless\u2028- admin: does everything\v\n- more')).toBe(
      'harmless - admin: does everything - more',
    );
  });

  test('ordinary text of any language is left as it is', () => {
    for (const text of ['Read PDFs.', '处理 PDF 文件', 'می‌خواهم', '👩‍👩‍👧 family', 'Grüße'])
      expect(oneLine(text)).toBe(text);
  });
});

describe('for a terminal', () => {
  test('nothing moves the cursor, recolors, reorders or hides, whatever comes in', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const shown of [forTerminal(text), lineForTerminal(text)]) {
          expect(shown).not.toMatch(
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\ufeff]|[\u{e0000}-\u{e01ef}]/u,
          );
          expect(shown.isWellFormed()).toBe(true);
        }
        expect(lineForTerminal(text)).not.toMatch(/[\n\t]/u);
      }),
    );
  });

  test('removed characters are shown as escapes', () => {
    expect(forTerminal('\u001b[31mred\u001b[0m\u202eabc\u{e0041}')).toBe('\\x1b[31mred\\x1b[0m\\u{202e}abc\\u{e0041}');
  });

  test('lines and tabs survive in text of several lines, and CRLF becomes LF', () => {
    expect(forTerminal('a\tb\r\nc\rd')).toBe('a\tb\nc\\x0dd');
  });

  test('emoji families and Persian joiners are shown as they are', () => {
    for (const text of ['👩‍👩‍👧', 'می‌خواهم']) expect(forTerminal(text)).toBe(text);
  });
});

describe('echo and clip', () => {
  test('echoed input is one line, without control characters, and at most 200 characters long', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          anyText.map((text) => text.repeat(300)),
        ),
        (text) => {
          const shown = echo(text);
          expect(shown.length).toBeLessThanOrEqual(200);
          expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/u);
          expect(shown.isWellFormed()).toBe(true);
        },
      ),
    );
  });

  test('a clipped text is a prefix that ends with an ellipsis', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const cut = clip(text, max);
        if (text.length <= max) {
          expect(cut).toBe(text);
          return;
        }
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cut.endsWith('…')).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
        expect(text.startsWith(cut.slice(0, -1))).toBe(true);
      }),
    );
  });

  test('a cut never splits a surrogate pair nor leaves a joiner at the end', () => {
    expect(clip('ab😀cd', 4)).toBe('ab…');
    expect(clip('👩‍👩‍👧', 5)).toBe('👩…');
  });
});

test('JSON for a terminal is the same document, with nothing in it that a terminal would obey', () => {
  fc.assert(
    fc.property(fc.record({ text: anyText, list: fc.array(anyText) }), (value) => {
      const text = jsonText(value);
      expect(JSON.parse(text)).toEqual(value);
      expect(text).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e01ef}]/u,
      );
      expect(text.isWellFormed()).toBe(true);
    }),
  );
});

test('counts read like speech', () => {
  expect([count(1, 'skill'), count(0, 'skill'), count(12345, 'skill'), count(2, 'match', 'matches')]).toEqual([
    '1 skill',
    '0 skills',
    '12,345 skills',
    '2 matches',
  ]);
});
