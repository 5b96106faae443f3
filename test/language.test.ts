/** Keeps the English of the code, and its casts, from getting worse. `npm run figures -- <habit>` lists the passages. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { castsIn } from '../scripts/figures/code.ts';
import { commentsIn, type Habit, HABIT_NAMES, languageOf, share, stringsIn } from '../scripts/figures/language.ts';
import { parseSources } from '../scripts/figures/sources.ts';
import { PACKAGE_DIR } from './support/run-lectern.ts';

/** The highest share of passages with each habit, in percent. Lower these numbers when the text gets better; never raise them. */
const HIGHEST: Record<'comments' | 'strings', Record<Habit, number>> = {
  comments: { what: 0.5, speech: 0.4, fragment: 0.5, persons: 0.2, filler: 0.4 },
  strings: { what: 0.7, speech: 0.5, fragment: 0.5, persons: 0.4, filler: 0.3 },
};
const MOST_CASTS_PER_1000_LINES = 1.6;

/** Lower the number in this file when the figure has fallen by more than this. */
const SLACK = 0.5;

const sources = parseSources(path.join(PACKAGE_DIR, 'src'));
const measured = {
  comments: languageOf(sources.flatMap(commentsIn)),
  strings: languageOf(sources.flatMap(stringsIn)),
};

test.each((['comments', 'strings'] as const).flatMap((kind) => HABIT_NAMES.map((habit) => [kind, habit] as const)))(
  'the share of %s with the habit "%s" does not rise',
  (kind, habit) => {
    const found = Number(share(measured[kind], habit).toFixed(1));
    const highest = HIGHEST[kind][habit];
    const examples = measured[kind].found[habit].slice(-5).map(({ file, line, text }) => `src/${file}:${line} ${text}`);
    expect(found, `npm run figures -- ${habit} lists them all, such as\n${examples.join('\n')}\n`).toBeLessThanOrEqual(
      highest,
    );
    expect(highest - found, 'The text got better: lower the number in this test.').toBeLessThanOrEqual(SLACK);
  },
);

test('the number of casts does not rise', () => {
  const lines = sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const casts = (sources.flatMap(castsIn).length * 1000) / lines;
  expect(casts).toBeLessThanOrEqual(MOST_CASTS_PER_1000_LINES);
  expect(MOST_CASTS_PER_1000_LINES - casts, 'Lower the number in this test.').toBeLessThanOrEqual(SLACK);
});
