/**
 * Prints the figures that this code is kept by: sizes, casts and the habits of its English.
 *
 *     npm run figures               the table
 *     npm run figures -- what       each comment and string with that habit
 *     npm run figures -- functions  the longest functions, those with many branches and many parameters
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { castsIn, functionsIn } from './figures/code.ts';
import { commentsIn, type Habit, HABIT_NAMES, languageOf, share, stringsIn } from './figures/language.ts';
import { parseSources } from './figures/sources.ts';

const root = path.join(path.dirname(process.argv[1] ?? ''), '..');
const src = path.join(root, 'src');
const sources = parseSources(src);
const functions = sources.flatMap(functionsIn);
const comments = languageOf(sources.flatMap(commentsIn));
const strings = languageOf(sources.flatMap(stringsIn));

const [topic] = process.argv.slice(2);
if (topic === undefined) printTable();
else if (topic === 'functions') printFunctions();
else if (isHabit(topic)) printPassages(topic);
else {
  console.error(`Unknown topic ${topic}. Choose one of: functions, ${HABIT_NAMES.join(', ')}.`);
  process.exitCode = 2;
}

function isHabit(word: string): word is Habit {
  return (HABIT_NAMES as string[]).includes(word);
}

function printTable(): void {
  const lines = sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const casts = sources.flatMap(castsIn).length;
  const subjects = commitSubjects();
  const rows: [string, string][] = [
    ['lines of TypeScript in src', String(lines)],
    ['lines of CSS in src', String(cssLines())],
    ['casts per 1,000 lines', ((casts * 1000) / lines).toFixed(1)],
    ['functions over 60 lines', String(functions.filter((each) => each.lines > 60).length)],
    ['functions with complexity over 15', String(functions.filter(({ complexity }) => complexity > 15).length)],
    ['functions with five or more parameters', String(functions.filter(({ parameters }) => parameters >= 5).length)],
    ['files over 450 lines', String(sources.filter(({ text }) => text.split('\n').length > 451).length)],
    ...HABIT_NAMES.map((habit): [string, string] => [`comments: ${habit}`, `${share(comments, habit).toFixed(1)} %`]),
    ...HABIT_NAMES.map((habit): [string, string] => [`strings: ${habit}`, `${share(strings, habit).toFixed(1)} %`]),
    ['commit subjects over 72 characters (last 100)', `${subjects.filter(({ length }) => length > 72).length}`],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, value] of rows) console.log(`${label.padEnd(width)}  ${value.padStart(8)}`);
}

function printPassages(habit: Habit): void {
  for (const { file, line, text } of [...comments.found[habit], ...strings.found[habit]])
    console.log(`src/${file}:${line}  ${text}`);
}

function printFunctions(): void {
  for (const { file, line, lines, parameters, complexity } of functions.toSorted((a, b) => b.lines - a.lines))
    if (lines > 60 || complexity > 15 || parameters >= 5)
      console.log(`src/${file}:${line}  ${lines} lines, complexity ${complexity}, ${parameters} parameters`);
}

function cssLines(): number {
  return fs
    .readdirSync(src, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.css'))
    .reduce((sum, name) => sum + fs.readFileSync(path.join(src, name), 'utf8').split('\n').length - 1, 0);
}

/** Empty outside a git checkout. */
function commitSubjects(): string[] {
  try {
    return execFileSync('git', ['log', '-100', '--format=%s'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  } catch {
    return [];
  }
}
