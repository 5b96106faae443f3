/** The only file that knows the parser of command lines. */
import { Command, CommanderError, Option } from 'commander';
import { Failure } from '../core/failure.js';
import { nearest } from '../core/near.js';
import { echo } from '../core/text.js';
import { VERSION } from '../core/version.js';
import type { CommandDefinition } from './command.js';
import { COMMANDS, OVERVIEW } from './commands.js';
import { type Flag, type FlagValues, GLOBAL_FLAGS } from './flags.js';

export type Parsed = { kind: 'command'; command: CommandDefinition; arguments: string[]; flags: FlagValues } | { kind: 'print'; text: string };

/** What a command line asks for; a Failure where it cannot be understood. Runs nothing. */
export function parseCommandLine(argv: readonly string[]): Parsed {
  let parsed: Parsed | undefined;
  let printed = '';
  const program = buildProgram((command, args, flags) => {
    parsed = { kind: 'command', command, arguments: args, flags };
  });
  const output = { writeOut: (text: string) => void (printed += text), writeErr: () => undefined, outputError: () => undefined };
  for (const command of [program, ...program.commands]) command.exitOverride().configureOutput(output);
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'print', text: printed };
    throw usageFailure(error, argv);
  }
  return parsed ?? { kind: 'print', text: program.helpInformation() };
}

type Chosen = (command: CommandDefinition, args: string[], flags: FlagValues) => void;

export function buildProgram(chosen: Chosen): Command {
  const program = new Command('lectern')
    .description('One catalogue of skills for every coding agent.')
    .version(VERSION, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .showSuggestionAfterError(false)
    .enablePositionalOptions()
    .argument('[command]')
    .usage('[command] [flags]');
  addDefinition(program, OVERVIEW, chosen);
  program.addHelpText('after', `\nExamples:\n${examples([OVERVIEW, ...COMMANDS].map(({ examples: [first] }) => first ?? ['', '']))}`);
  for (const definition of COMMANDS) {
    const command = program
      .command(definition.name)
      .description(definition.summary)
      .aliases([...(definition.aliases ?? [])]);
    command.helpGroup(`${definition.group}:`).helpOption('-h, --help', 'Show help').showSuggestionAfterError(false);
    for (const { form, about } of definition.arguments ?? []) command.argument(form, about);
    addDefinition(command, definition, chosen);
    command.addHelpText('after', `\nExamples:\n${examples(definition.examples)}`);
  }
  return program;
}

function addDefinition(command: Command, definition: CommandDefinition, chosen: Chosen): void {
  for (const flag of definition.flags) addFlag(command, flag, 'Flags:');
  for (const flag of GLOBAL_FLAGS) addFlag(command, flag, 'Global flags:');
  command.action(() => {
    const [unexpected] = definition === OVERVIEW ? command.args : [];
    if (unexpected !== undefined) throw unknownCommand(unexpected);
    chosen(definition, command.args, readFlags(command, [...definition.flags, ...GLOBAL_FLAGS]));
  });
}

function addFlag(command: Command, flag: Flag, group: string): void {
  for (const [index, name] of flag.names.entries()) {
    const option = new Option(flag.value === undefined ? name : `${name} <${flag.value}>`, flag.about).helpGroup(group);
    if (flag.repeatable) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    if (flag.choices) option.choices([...flag.choices]);
    if (index > 0) option.hideHelp();
    command.addOption(option);
  }
}

/** Every spelling of a flag ends under its key. */
function readFlags(command: Command, flags: readonly Flag[]): FlagValues {
  const values: Record<string, string | boolean | string[] | undefined> = {};
  const given = command.opts<Record<string, string | boolean | string[] | undefined>>();
  for (const flag of flags) {
    for (const name of flag.names) {
      const attribute = new Option(flag.value === undefined ? name : `${name} <v>`).attributeName();
      if (command.getOptionValueSource(attribute) !== 'cli') continue;
      values[flag.key] = flag.negates ? false : given[attribute];
    }
  }
  return values;
}

function examples(list: readonly (readonly [string, string])[]): string {
  const columns = Math.max(...list.map(([command]) => command.length));
  return list.map(([command, about]) => `  ${command.padEnd(columns)}  ${about}`).join('\n');
}

function unknownCommand(name: string): Failure {
  const near = nearest(
    name,
    COMMANDS.flatMap((command) => [command.name, ...(command.aliases ?? [])]),
  );
  return new Failure('USAGE', `Unknown command "${echo(name)}".`, {
    suggestions: near,
    hint: near.length > 0 ? `Did you mean ${near.map((each) => `lectern ${each}`).join(' or ')}?` : 'Run lectern --help to see the commands.',
  });
}

function usageFailure(error: CommanderError, argv: readonly string[]): Failure {
  const quoted = /'([^']*)'/u.exec(error.message)?.[1] ?? '';
  const command = COMMANDS.find(({ name, aliases = [] }) => argv.some((word) => word === name || aliases.includes(word)));
  const help = command ? `lectern ${command.name} --help` : 'lectern --help';
  if (error.code === 'commander.unknownOption') {
    const flags = [...(command ?? OVERVIEW).flags, ...GLOBAL_FLAGS].flatMap(({ names }) => names).concat('--help', '--version');
    const near = nearest(quoted.split('=')[0] ?? quoted, flags, 3);
    return new Failure('USAGE', `Unknown flag "${echo(quoted)}".`, {
      suggestions: near,
      hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Run ${help}.`,
    });
  }
  const message = error.message.replace(/^error: /u, '');
  return new Failure('USAGE', `${echo(message.charAt(0).toUpperCase() + message.slice(1))}`, { hint: `Run ${help}.` });
}
