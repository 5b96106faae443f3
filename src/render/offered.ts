import { quoteForBash } from '../core/quote-for-bash.ts';
import { count } from '../core/text.ts';
import type { listSource } from '../operations/list-source.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { safe, type Style } from './style.ts';
import { fit, padEnd, widthOf } from './width.ts';

const NAME_COLUMNS_MAX = 32;
const DESCRIPTION_COLUMNS_MIN = 20;

/** Renders the skills of a source and the commands that install them. `flags` are added to the commands. */
export function renderOffered(
  { source, commit, skills, notes = [] }: AnswerOf<typeof listSource>,
  style: Style,
  flags: readonly string[],
): string {
  const names = skills.map(({ name }) => safe(name));
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  // A name that several skills have does not select one of them, but the path does.
  const keys = skills.map(({ name, path }, index) => (repeated.has(names[index] ?? '') ? path : name));
  const columns = keys.reduce((widest, key) => Math.min(NAME_COLUMNS_MAX, Math.max(widest, widthOf(safe(key)))), 0);
  const rows = skills.map(({ description }, index) =>
    renderRow(safe(keys[index] ?? ''), safe(description), columns, style),
  );
  const command = (...words: string[]): string =>
    style.cyan(['lectern install', ...[source, ...words, ...flags].map((word) => quoteForBash(safe(word)))].join(' '));
  const [first] = keys;
  const next: [string, string][] =
    first === undefined || skills.length === 1
      ? [['Install it:', command()]]
      : [
          ['Install one:', command(first)],
          ['Install all:', command('--all')],
        ];
  return `${[
    `${style.bold(safe(source))} has ${count(skills.length, 'skill')}${commit === undefined ? '' : style.dim(` at ${commit.slice(0, 12)}`)}:`,
    '',
    ...rows,
    '',
    ...notes.map((note) => `${style.yellow('note:')} ${safe(note)}`),
    ...next.map(([label, line]) => `${style.dim(label)} ${line}`),
  ].join('\n')}\n`;
}

function renderRow(name: string, description: string, columns: number, { width, cyan, dim }: Style): string {
  const text = description === '' ? 'no description' : description;
  const room = width === undefined ? undefined : width - 2 - columns - 2;
  // A long name, or a narrow terminal: the description follows on the next line.
  const isBelow = widthOf(name) > columns || (room !== undefined && room < DESCRIPTION_COLUMNS_MIN);
  const shown = width === undefined ? text : fit(text, isBelow ? width - 4 : (room ?? 0));
  const painted = description === '' ? dim(shown) : shown;
  if (!isBelow) return `  ${cyan(name)}${padEnd('', columns - widthOf(name))}  ${painted}`;
  return `  ${cyan(width === undefined ? name : fit(name, width - 2))}\n    ${painted}`;
}
