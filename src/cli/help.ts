/** Help, derived from the same tables as the parser: a document for programs, and its text for people. */
import { argumentsOfCommand, type Command, flagsOfCommand, shownName } from './command.ts';
import { type Flag, GLOBAL_FLAGS, HELP_FLAGS } from './flags.ts';

interface FlagHelp {
  names: readonly string[];
  value?: string;
  choices?: readonly string[];
  repeatable?: true;
  about: string;
}

interface CommandEntry {
  command: string;
  usage: string;
  summary: string;
  group: string;
}

export interface HelpDocument {
  command: string;
  usage: string;
  summary: string;
  aliases?: string[];
  arguments?: { form: string; about: string }[];
  commands?: CommandEntry[];
  /** Variants of this command with other defaults. */
  presets?: CommandEntry[];
  /** Names of the most important flags. */
  firstFlags?: readonly string[];
  flags: FlagHelp[];
  globalFlags: FlagHelp[];
  examples: { command: string; about: string }[];
}

/** Commands whose first example is part of `lectern --help`. */
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

/** Returns help for `of`: a command, the first word of several commands, or undefined for the whole program. */
export function helpFor(of: Command | string | undefined, commands: readonly Command[]): HelpDocument {
  if (of === undefined) return programHelp(commands);
  return typeof of === 'string' ? groupHelp(of, commands) : commandHelp(of, commands);
}

function programHelp(commands: readonly Command[]): HelpDocument {
  return {
    command: 'lectern',
    usage: 'lectern [command] [flags]',
    summary: 'See, check and share the skills and specs your coding agents use',
    commands: commands.filter(({ name }) => name !== '').map(entryOf),
    flags: [],
    globalFlags: globalFlags(),
    examples: firstExamples(commands.filter(({ name }) => FIRST_STEPS.has(name))),
  };
}

/** Returns help for the commands that share a first word, such as `lectern spec`. */
function groupHelp(first: string, commands: readonly Command[]): HelpDocument {
  const below = commands.filter(({ name }) => name === first || name.startsWith(`${first} `));
  return {
    command: `lectern ${first}`,
    usage: `lectern ${first} <command> [flags]`,
    summary: below.map(({ name }) => name).join(', '),
    commands: below.map(entryOf),
    flags: [],
    globalFlags: globalFlags(),
    examples: firstExamples(below),
  };
}

function commandHelp(command: Command, commands: readonly Command[]): HelpDocument {
  const presets = commands.filter(({ name }) => command.presets?.includes(name));
  const args = argumentsOfCommand(command);
  return {
    command: shownName(command.name),
    usage: `${usageOf(command)} [flags]`,
    summary: command.summary,
    ...(command.aliases?.length ? { aliases: command.aliases.map(shownName) } : {}),
    ...(args.length > 0 ? { arguments: args.map(({ form, about }) => ({ form, about })) } : {}),
    ...(presets.length > 0 ? { presets: presets.map(entryOf) } : {}),
    ...(command.firstFlags ? { firstFlags: command.firstFlags } : {}),
    flags: flagsOfCommand(command)
      .filter(({ unlisted }) => !unlisted)
      .map(flagHelp),
    globalFlags: globalFlags(),
    examples: command.examples.map(exampleOf),
  };
}

function usageOf(command: Command): string {
  return [shownName(command.name), ...argumentsOfCommand(command).map(({ form }) => form)].join(' ');
}

function entryOf(command: Command): CommandEntry {
  const { name, summary, group } = command;
  return { command: shownName(name), usage: usageOf(command), summary, group };
}

function firstExamples(commands: readonly Command[]): HelpDocument['examples'] {
  return commands.flatMap(({ examples }) => examples.slice(0, 1)).map(exampleOf);
}

function exampleOf([command, about]: readonly [string, string]): { command: string; about: string } {
  return { command, about };
}

function globalFlags(): FlagHelp[] {
  return [...GLOBAL_FLAGS, ...HELP_FLAGS].map(flagHelp);
}

function flagHelp({ names, value, choices, repeatable, about }: Flag): FlagHelp {
  return {
    names,
    ...(value === undefined ? {} : { value }),
    ...(choices === undefined ? {} : { choices }),
    ...(repeatable ? { repeatable: true as const } : {}),
    about,
  };
}

/** Fixed, because narrower terminals are rare and the output is then the same everywhere. */
const WIDTH = 80;
const TERM_COLUMNS = 26;

export function renderHelp(help: HelpDocument): string {
  const { usage, summary, aliases = [], arguments: args = [], commands = [], presets = [], examples } = help;
  const { firstFlags = [] } = help;
  const isFirst = ({ names }: FlagHelp): boolean => names.some((name) => firstFlags.includes(name));
  const [first, flags] = [help.flags.filter(isFirst), help.flags.filter((flag) => !isFirst(flag))];
  const groups = [...new Set(commands.map(({ group }) => group))];
  return `${[
    wrap(`${summary}.`, WIDTH).join('\n'),
    `Usage: ${usage}`,
    ...(aliases.length > 0 ? [`Also: ${aliases.join(', ')}`] : []),
    ...groups.map((group) =>
      section(
        group,
        commands
          .filter((entry) => entry.group === group)
          .map((entry) => [entry.usage.replace(/^lectern /u, ''), entry.summary]),
      ),
    ),
    ...(args.length > 0
      ? [
          section(
            'Arguments',
            args.map(({ form, about }) => [form, about]),
          ),
        ]
      : []),
    ...(presets.length > 0
      ? [
          section(
            'Presets',
            presets.map((entry) => [entry.usage, entry.summary]),
          ),
        ]
      : []),
    ...(first.length > 0 ? [section('Flags to start with', first.map(flagRow))] : []),
    ...(flags.length > 0 ? [section(first.length > 0 ? 'More flags' : 'Flags', flags.map(flagRow))] : []),
    section('Global flags', help.globalFlags.map(flagRow)),
    examplesSection(examples),
    ...(commands.length > 0 ? [`Run ${help.command} <command> --help for the flags and examples of one command.`] : []),
  ].join('\n\n')}\n`;
}

function flagRow({ names: [name = '', ...aliases], value, repeatable, about }: FlagHelp): [string, string] {
  const short = aliases.filter((alias) => !alias.startsWith('--'));
  const withValue = value === undefined ? name : `${name} <${value}>`;
  return [[...short, withValue].join(', '), repeatable ? `${about} (repeatable)` : about];
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const columns = Math.min(TERM_COLUMNS, Math.max(...rows.map(([term]) => term.length)));
  const indent = ' '.repeat(columns + 4);
  const lines = rows.flatMap(([term, about]) => {
    const [first = '', ...rest] = wrap(about, WIDTH - indent.length);
    const head = term.length > columns ? [`  ${term}`, indent + first] : [`  ${term.padEnd(columns)}  ${first}`];
    return [...head, ...rest.map((line) => indent + line)];
  });
  return `${title}:\n${lines.join('\n')}`;
}

/** Never wraps a command line, so that people can copy it. */
function examplesSection(examples: HelpDocument['examples']): string {
  return `Examples:\n${examples.map(({ command, about }) => `  ${command}\n      ${about}`).join('\n')}`;
}

function wrap(text: string, columns: number): string[] {
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
