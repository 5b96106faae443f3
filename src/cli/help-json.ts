/** Help for programs, from the same data as the parser and the help for people. */
import type { CommandDefinition } from './command.ts';
import { COMMANDS, OVERVIEW } from './commands.ts';
import { type Flag, GLOBAL_FLAGS, HELP_FLAGS } from './flags.ts';
import { commandsBelow, firstSteps, usageOf } from './help.ts';

interface FlagHelp {
  names: readonly string[];
  value?: string;
  choices?: readonly string[];
  repeatable?: true;
  about: string;
}

interface ExampleHelp {
  command: string;
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
  /** Where several commands are meant, each with what it is for. */
  commands?: CommandEntry[];
  flags: FlagHelp[];
  globalFlags: FlagHelp[];
  examples: ExampleHelp[];
}

export function programHelpDocument(): HelpDocument {
  return {
    ...commandHelpDocument(OVERVIEW),
    usage: 'lectern [command] [flags]',
    commands: COMMANDS.map(entryOf),
    examples: firstSteps().map(exampleOf),
  };
}

export function groupHelpDocument(first: string): HelpDocument {
  const commands = commandsBelow(first);
  return {
    command: `lectern ${first}`,
    usage: `lectern ${first} <command> [flags]`,
    summary: commands.map(({ name }) => name).join(', '),
    commands: commands.map(entryOf),
    flags: [],
    globalFlags: globalFlags(),
    examples: commands.flatMap(({ examples }) => examples.slice(0, 1)).map(exampleOf),
  };
}

export function commandHelpDocument(command: CommandDefinition): HelpDocument {
  return {
    command: fullName(command.name),
    usage: `${fullName(usageOf(command))} [flags]`,
    summary: command.summary,
    ...(command.aliases?.length ? { aliases: command.aliases.map(fullName) } : {}),
    ...(command.arguments?.length ? { arguments: command.arguments.map(({ form, about }) => ({ form, about })) } : {}),
    flags: command.flags.map(flagHelp),
    globalFlags: globalFlags(),
    examples: command.examples.map(exampleOf),
  };
}

function fullName(words: string): string {
  return words === '' ? 'lectern' : `lectern ${words}`;
}

function entryOf(command: CommandDefinition): CommandEntry {
  return {
    command: fullName(command.name),
    usage: fullName(usageOf(command)),
    summary: command.summary,
    group: command.group,
  };
}

function exampleOf([command, about]: readonly [string, string]): ExampleHelp {
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
