/** Help from the same data as the parser. */
import type { CommandDefinition } from './command.ts';
import { COMMANDS, GROUPS, OVERVIEW } from './commands.ts';
import { type Flag, GLOBAL_FLAGS, HELP_FLAGS } from './flags.ts';

/** Terminals narrower than this are rare, and pipes have no width: one form for all keeps help quotable. */
const WIDTH = 96;
const TERM_COLUMNS = 30;
/** Commands whose examples stand in the help of the program; the others have them in their own. */
const FIRST_STEPS = new Set([
  '',
  'list',
  'show',
  'search',
  'validate',
  'doctor',
  'spec list',
  'change show',
  'mcp',
  'setup',
]);

export function renderProgramHelp(): string {
  const groups = GROUPS.map((group) =>
    section(
      group,
      COMMANDS.filter((command) => command.group === group).map((command) => [usageOf(command), command.summary]),
    ),
  );
  return `${[
    'lectern: skills and specs for every coding agent.',
    'Usage: lectern [command] [flags]\n\nWithout a command: what was found here, what needs attention, what to do next.',
    ...groups,
    section('Global flags', [...GLOBAL_FLAGS, ...HELP_FLAGS].map(flagRow)),
    section('Examples', firstSteps()),
    'Run lectern <command> --help for the flags and examples of one command.',
  ].join('\n\n')}\n`;
}

export function firstSteps(): (readonly [string, string])[] {
  return [OVERVIEW, ...COMMANDS]
    .filter(({ name }) => FIRST_STEPS.has(name))
    .flatMap(({ examples: [first] }) => (first ? [first] : []));
}

/** The commands that share a first word: `lectern spec`. */
export function commandsBelow(first: string): CommandDefinition[] {
  return COMMANDS.filter(({ name }) => name === first || name.startsWith(`${first} `));
}

export function renderGroupHelp(first: string): string {
  const commands = commandsBelow(first);
  return `${section(
    `lectern ${first}`,
    commands.map((command) => [usageOf(command), command.summary]),
  )}\n\nRun lectern ${first} <command> --help for the flags and examples of one of them.\n`;
}

export function renderCommandHelp(command: CommandDefinition): string {
  const aliases = command.aliases?.length
    ? `Also: ${command.aliases.map((alias) => `lectern ${alias}`).join(', ')}`
    : undefined;
  return `${[
    `${command.summary}.`,
    `Usage: lectern ${usageOf(command)} [flags]`,
    ...(aliases === undefined ? [] : [aliases]),
    ...(command.arguments?.length
      ? [
          section(
            'Arguments',
            command.arguments.map(({ form, about }) => [form, about]),
          ),
        ]
      : []),
    ...(command.flags.length > 0 ? [section('Flags', command.flags.map(flagRow))] : []),
    section('Global flags', [...GLOBAL_FLAGS, ...HELP_FLAGS].map(flagRow)),
    section('Examples', command.examples),
  ].join('\n\n')}\n`;
}

export function usageOf(command: CommandDefinition): string {
  return [command.name, ...(command.arguments ?? []).map(({ form }) => form)].join(' ');
}

function flagRow(flag: Flag): [string, string] {
  const [name, ...aliases] = flag.names;
  const short = aliases.filter((alias) => !alias.startsWith('--'));
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  return [[...short, name + value].join(', '), flag.repeatable ? `${flag.about} (repeatable)` : flag.about];
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const columns = Math.min(TERM_COLUMNS, Math.max(...rows.map(([term]) => term.length)));
  const lines = rows.flatMap(([term, about]) => {
    const [first = '', ...rest] = wrapWords(about, WIDTH - columns - 4);
    const indent = ' '.repeat(columns + 4);
    const head = term.length > columns ? [`  ${term}`, indent + first] : [`  ${term.padEnd(columns)}  ${first}`];
    return [...head, ...rest.map((line) => indent + line)];
  });
  return `${title}:\n${lines.join('\n')}`;
}

function wrapWords(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
