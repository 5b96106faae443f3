import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeStyle, sayFix, verbatim, VERBATIM } from '../../src/render/style.ts';
import { reflow, widthOf } from '../../src/render/width.ts';
import { fc, times } from '../support/effort.ts';

describe('paths', () => {
  const style = makeStyle({ color: false, cwd: path.resolve('/home/me/work'), home: path.resolve('/home/me') });
  const at = (place: string): string => path.resolve(place);

  test.each([
    ['/home/me/work/a/SKILL.md', 'a/SKILL.md'],
    ['/home/me/work', '.'],
    ['/home/me/.claude/skills', '~/.claude/skills'],
    ['/home/me', '~'],
    ['/home/meadow/x', '/home/meadow/x'],
    ['/srv/x', '/srv/x'],
  ])('%s is shown as %s', (file, shown) => {
    expect(style.place(at(file))).toBe(shown.startsWith('/') ? at(shown) : path.normalize(shown));
  });

  test('inside a sentence are also shortened, unless they are part of a longer path', () => {
    const sentence = `${at('/home/me/work/x')} hides ${at('/home/me/y')}; not ${at('/srv/home/me/z')}`;
    expect(style.say(sentence)).toBe(`x hides ${path.normalize('~/y')}; not ${at('/srv/home/me/z')}`);
  });

  test('in a command are shortened only where a shell understands them', () => {
    const command = (word: string): string => `mv ${word} ${at('/home/me/b')}`;
    const shown = `${path.normalize('~/b')}`;
    expect(style.say(command(`'${at('/home/me/a b')}'`))).toBe(`mv ${path.normalize('~/')}'a b' ${shown}`);
    expect(style.say(command(`'${at('/home/me/work/a b')}'`))).toBe(`mv 'a b' ${shown}`);
    expect(style.say(command(`'${at('/home/me/work/-a')}'`))).toBe(`mv ${path.normalize('~/')}'work/-a' ${shown}`);
    expect(style.say(command(at('/home/me/work/~a')))).toBe(`mv ${path.normalize('~/work/~a')} ${shown}`);
  });

  test('the root of the file system as working folder shortens nothing', () => {
    expect(makeStyle({ color: false, cwd: at('/') }).place(at('/srv/x'))).toBe(at('/srv/x'));
  });
});

describe('long lines', () => {
  test('are wrapped at words and keep their indentation', () => {
    expect(reflow('  one two three four\nshort', 12)).toBe('  one two\n    three\n    four\nshort');
  });

  test('colors take no room', () => {
    expect(reflow('\u001b[1mone two\u001b[22m three', 13)).toBe('\u001b[1mone two\u001b[22m three');
  });

  test('are not wrapped if they must be copied verbatim', () => {
    expect(reflow(verbatim('+ a long line of a diff\n- b'), 10)).toBe(
      `${VERBATIM}+ a long line of a diff\n${VERBATIM}- b`,
    );
  });

  test('with a command are wrapped so that a shell runs it as one', () => {
    const style = makeStyle({ color: false });
    const [command, sentence] = ['lectern share pdf', 'Delete it in a b'].map((fix) => `  fix: ${sayFix(fix, style)}`);
    expect(reflow(command ?? '', 12)).toBe('  fix: lectern \\\n    share \\\n    pdf');
    expect(reflow(`  ${sayFix(String.raw`mv 'a'\''s b' c`, style)}`, 14)).toBe("  mv \\\n    'a'\\''s b' \\\n    c");
    expect(reflow(`  ${sayFix("mv 'a b' 'c d' e", style)}`, 14)).toBe("  mv 'a b' \\\n    'c d' e");
    expect(reflow(sentence ?? '', 12)).toBe('  fix:\n    Delete\n    it in a\n    b');
  });

  test('no word is lost or broken, and no line with two words is too long', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zé漢]{1,12}$/u)), fc.integer({ min: 1, max: 60 }), (words, width) => {
        const lines = reflow(`  ${words.join(' ')}`, width).split('\n');
        expect(lines.flatMap((line) => line.trim().split(' ')).filter((word) => word !== '')).toEqual(words);
        for (const line of lines) expect(widthOf(line) <= width || !line.trim().includes(' ')).toBe(true);
      }),
      { numRuns: times(200) },
    );
  });
});
