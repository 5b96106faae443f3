/** Help, derived from the same tables as the parser: a document for programs, and its text for people. */
import { OPERATORS_GROUP } from '../operations/define.ts';
import { widthOf } from '../core/columns.ts';
import { DISCOVERY_GROUPS, type DiscoveryGroup } from '../workspace/settings-table.ts';
import { argumentsOfCommand, type Command, flagsOfCommand, type HelpTopic, shownName } from './command.ts';
import { type Flag, GLOBAL_FLAGS, HELP_FLAGS, settingFlags } from './flags.ts';

interface FlagHelp {
  names: readonly string[];
  value?: string;
  choices?: readonly string[];
  repeatable?: true;
  about: string;
  /** Set for the flags that many commands share. */
  group?: DiscoveryGroup;
}

interface CommandEntry {
  command: string;
  usage: string;
  summary: string;
  group: string;
  /** The command of which this one is a variant with other defaults. */
  presetOf?: string;
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
  /** For each group of shared flags: the commands that accept them. */
  acceptedBy?: Partial<Record<DiscoveryGroup, string[]>>;
  examples: { command: string; about: string }[];
  /** Other pages of the help. */
  seeAlso?: { command: string; about: string }[];
}

const FLAGS_PAGE = { command: 'lectern help flags', about: 'the flags that many commands accept' };
const OPERATORS_PAGE = {
  command: 'lectern help serve',
  about: 'the commands for operators of a shared catalog',
};

/** Returns help for `of`: a command, the first word of several commands, a topic, or undefined for the whole program. */
export function helpFor(
  of: Command | string | { topic: HelpTopic } | undefined,
  commands: readonly Command[],
): HelpDocument {
  if (of === undefined) return programHelp(commands);
  if (typeof of === 'string') return groupHelp(of, commands);
  if (!('topic' in of)) return commandHelp(of, commands);
  return of.topic === 'flags' ? flagsHelp(commands) : operatorsHelp(commands);
}

function programHelp(commands: readonly Command[]): HelpDocument {
  return {
    command: 'lectern',
    usage: 'lectern [command] [flags]',
    summary: 'See, check and share the skills and specs your coding agents use',
    commands: commands.filter(({ name }) => name !== '').map((command) => entryOf(command, commands)),
    flags: [],
    globalFlags: globalFlags(),
    examples: commands.filter(({ name }) => name === '').flatMap(({ examples }) => examples.map(exampleOf)),
    seeAlso: [
      { command: 'lectern <command> --help', about: 'the flags and examples of one command' },
      { command: 'lectern help flags|serve', about: 'flags of many commands; commands for operators' },
    ],
  };
}

/** Returns help for the commands that share a first word, such as `lectern spec`. */
function groupHelp(first: string, commands: readonly Command[]): HelpDocument {
  const below = commands.filter(({ name }) => name === first || name.startsWith(`${first} `));
  return {
    command: `lectern ${first}`,
    usage: `lectern ${first} <command> [flags]`,
    summary: below.map(({ name }) => name).join(', '),
    commands: below.map((command) => entryOf(command, commands)),
    flags: [],
    globalFlags: globalFlags(),
    examples: firstExamples(below),
    seeAlso: [{ command: `lectern ${first} <command> --help`, about: 'the flags and examples of one command' }],
  };
}

/** Returns help for the commands that run a shared catalog. */
function operatorsHelp(commands: readonly Command[]): HelpDocument {
  const own = commands.filter(({ group }) => group === OPERATORS_GROUP);
  return {
    command: OPERATORS_PAGE.command,
    usage: 'lectern <command> [flags]',
    summary: 'Run a shared catalog: serve it, publish to it, and manage its teams, sources, grants and tokens',
    commands: own.map((command) => entryOf(command, commands)),
    flags: [],
    globalFlags: globalFlags(),
    examples: own.slice(0, 1).flatMap(({ examples }) => examples.map(exampleOf)),
    seeAlso: [{ command: 'lectern <command> --help', about: 'the flags and examples of one command' }],
  };
}

/** Returns help for the flags that commands share. */
function flagsHelp(commands: readonly Command[]): HelpDocument {
  const groups = Object.keys(DISCOVERY_GROUPS) as DiscoveryGroup[];
  const accepting = (group: DiscoveryGroup): string[] =>
    commands.filter(({ settings }) => settings.includes(group)).map(({ name }) => (name === '' ? 'lectern' : name));
  return {
    command: FLAGS_PAGE.command,
    usage: 'lectern <command> [flags]',
    summary: 'Flags that many commands accept',
    flags: groups.flatMap((group) => listed(settingFlags([group]))),
    globalFlags: globalFlags(),
    acceptedBy: Object.fromEntries(groups.map((group) => [group, accepting(group)])),
    examples: [],
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
    ...(presets.length > 0 ? { presets: presets.map((preset) => entryOf(preset, commands)) } : {}),
    ...(command.firstFlags ? { firstFlags: command.firstFlags } : {}),
    flags: listed(flagsOfCommand(command)),
    globalFlags: globalFlags(),
    examples: command.examples.map(exampleOf),
    seeAlso: [
      {
        command: FLAGS_PAGE.command,
        about: command.settings.some(isDiscovery) ? 'discovery and global flags' : 'global flags',
      },
      ...(command.group === OPERATORS_GROUP ? [OPERATORS_PAGE] : []),
    ],
  };
}

function usageOf(command: Command): string {
  return [shownName(command.name), ...argumentsOfCommand(command).map(({ form }) => form)].join(' ');
}

function entryOf(command: Command, commands: readonly Command[]): CommandEntry {
  const { name, summary, group } = command;
  const origin = commands.find(({ presets }) => presets?.includes(name));
  const preset = origin ? { presetOf: shownName(origin.name) } : {};
  return { command: shownName(name), usage: usageOf(command), summary, group, ...preset };
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

function listed(flags: readonly Flag[]): FlagHelp[] {
  return flags.filter(({ unlisted }) => !unlisted).map(flagHelp);
}

function flagHelp({ names, value, choices, repeatable, about, group }: Flag): FlagHelp {
  return {
    names,
    ...(value === undefined ? {} : { value }),
    ...(choices === undefined ? {} : { choices }),
    ...(repeatable ? { repeatable: true as const } : {}),
    about,
    ...(group !== undefined && isDiscovery(group) ? { group } : {}),
  };
}

function isDiscovery(group: string): group is DiscoveryGroup {
  return Object.hasOwn(DISCOVERY_GROUPS, group);
}

export interface HelpLayout {
  /** Width in columns. Pipes have none and get the default. */
  width?: number | undefined;
  /** Replaces the name of the program by the words that started it. */
  typed?: (text: string) => string;
}

const DEFAULT_WIDTH = 80;
/** Longer lines are hard to read. */
const MAX_WIDTH = 100;
/** Narrower terminals get each description below its term. */
const COLUMNS_MIN_WIDTH = 64;
const TERM_COLUMNS = 26;

type Row = readonly [term: string, about: string];

export function renderHelp(
  help: HelpDocument,
  { width: wanted = DEFAULT_WIDTH, typed = (text) => text }: HelpLayout = {},
): string {
  const width = Math.min(wanted, MAX_WIDTH);
  const { usage, summary, aliases = [], arguments: args = [], presets = [], examples, seeAlso = [] } = help;
  const section = (title: string, rows: readonly Row[]): string[] =>
    rows.length === 0 ? [] : [`${title}:\n${table(rows, width).join('\n')}`];
  const isFirst = ({ names }: FlagHelp): boolean => names.some((name) => (help.firstFlags ?? []).includes(name));
  const first = help.flags.filter(isFirst);
  const own = help.flags.filter((flag) => !isFirst(flag) && flag.group === undefined);
  const command = ({ command: line, about }: { command: string; about: string }): Row => [typed(line), about];
  const isProgram = isOfProgram(help);
  return `${[
    [
      ...wrap(`${summary}.`, width),
      ...(isProgram ? [] : ['']),
      ...wrap(`Usage: ${typed(usage)}`, width, '       '),
    ].join('\n'),
    ...(aliases.length > 0 ? [wrap(`Also: ${aliases.map(typed).join(', ')}`, width, '      ').join('\n')] : []),
    ...commandSections(help, width).flatMap(([title, rows]) => section(title, rows)),
    ...section(
      'Arguments',
      args.map(({ form, about }) => [form, about]),
    ),
    ...section(
      'Presets',
      presets.map((entry) => [typed(entry.usage), entry.summary]),
    ),
    ...section('Flags to start with', first.map(flagRow)),
    ...section(first.length > 0 ? 'More flags' : 'Flags', own.map(flagRow)),
    ...(help.acceptedBy ? sharedSections(help, section) : []),
    ...(isProgram
      ? section('Examples', [...examples, ...seeAlso].map(command))
      : [...exampleSection(examples.map(command), width), ...seeAlso.map((each) => pointer(command(each), width))]),
  ].join('\n\n')}\n`;
}

function isOfProgram({ command, commands }: HelpDocument): boolean {
  return command === 'lectern' && commands !== undefined;
}

/** Returns the commands by group. The list of all commands has one line for each command or family of commands. */
function commandSections(help: HelpDocument, width: number): [string, Row[]][] {
  const { commands = [] } = help;
  const isProgram = isOfProgram(help);
  const shown = isProgram
    ? commands.filter(({ group, presetOf }) => group !== OPERATORS_GROUP && presetOf === undefined)
    : commands;
  const groups = [...new Set(shown.map(({ group }) => group))];
  return groups.map((group) => {
    const entries = shown.filter((entry) => entry.group === group);
    if (isProgram) return [group, briefRows(entries, width)];
    return [group, entries.map((entry): Row => [entry.usage.replace(/^lectern /u, ''), entry.summary])];
  });
}

function briefRows(entries: readonly CommandEntry[], width: number): Row[] {
  const words = entries.map(({ command }) => command.split(' ').slice(1));
  const families = new Map<string, string[]>();
  for (const [first = '', second] of words) {
    const known = families.get(first) ?? [];
    families.set(first, second === undefined ? known : [...known, second]);
  }
  const columns = width - BRIEF_TERM_COLUMNS - 4;
  return [...families].map(([first, seconds]): Row => {
    const summary = entries.find(({ command }) => command === `lectern ${first}`)?.summary;
    return [first, summary === undefined ? seconds.join(', ') : brief(summary, columns)];
  });
}

/** The longest one-word name of a command. */
const BRIEF_TERM_COLUMNS = 10;

/** Returns a summary that fits on one line, or its first clause. */
function brief(summary: string, columns: number): string {
  if (widthOf(summary) <= columns) return summary;
  const clause = /^(.+?)(?:: |, | \(|; )/u.exec(summary)?.[1] ?? summary.split(' or ', 1)[0] ?? summary;
  return clause.split(' ').length < MIN_CLAUSE_WORDS ? summary : clause;
}

/** A shorter clause is usually the start of an enumeration. */
const MIN_CLAUSE_WORDS = 3;

function sharedSections(
  { flags, globalFlags: global, acceptedBy = {} }: HelpDocument,
  section: (title: string, rows: readonly Row[]) => string[],
): string[] {
  const groups = Object.entries(DISCOVERY_GROUPS) as [DiscoveryGroup, string][];
  return [
    ...section('Global flags', global.map(flagRow)),
    ...groups.flatMap(([group, title]) =>
      section(title, [
        ...flags.filter((flag) => flag.group === group).map(flagRow),
        ['Accepted by', (acceptedBy[group] ?? []).join(', ')],
      ]),
    ),
  ];
}

function flagRow({ names: [name = '', ...aliases], value, repeatable, about }: FlagHelp): Row {
  const short = aliases.filter((alias) => !alias.startsWith('--'));
  const withValue = value === undefined ? name : `${name} <${value}>`;
  return [[...short, withValue].join(', '), repeatable ? `${about} (repeatable)` : about];
}

function table(rows: readonly Row[], width: number): string[] {
  const isNarrow = width < COLUMNS_MIN_WIDTH && rows.some(([term]) => term.length > BRIEF_TERM_COLUMNS);
  const columns = Math.min(TERM_COLUMNS, Math.max(...rows.map(([term]) => term.length)));
  const indent = ' '.repeat(isNarrow ? 6 : columns + 4);
  return rows.flatMap(([term, about]) => {
    const [first = '', ...rest] = wrap(about, width - indent.length);
    const isBelow = isNarrow || term.length > columns;
    const head = isBelow
      ? [...wrap(term, width - 2).map((line) => `  ${line}`), indent + first]
      : [`  ${term.padEnd(columns)}  ${first}`];
    return [...head, ...rest.map((line) => indent + line)];
  });
}

function exampleSection(examples: readonly Row[], width: number): string[] {
  return examples.length === 0 ? [] : [`Examples:\n${examples.flatMap((each) => example(each, width)).join('\n')}`];
}

/** Names another page of the help. */
function pointer([command, about]: Row, width: number): string {
  return wrap(`${about.charAt(0).toUpperCase()}${about.slice(1)}: ${command}`, width, '  ').join('\n');
}

/** Breaks long command lines with a backslash, so that they can still be copied. */
function example([command, about]: Row, width: number): string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/gu) ?? [];
  const [first = '', ...rest] = packed(words, width - EXAMPLE_INDENT.length - CONTINUED.length);
  const lines = [`  ${first}`, ...rest.map((line) => EXAMPLE_INDENT + line)];
  return [
    ...lines.map((line, index) => (index < lines.length - 1 ? line + CONTINUED : line)),
    ...wrap(about, width - 6).map((line) => `      ${line}`),
  ];
}

const EXAMPLE_INDENT = '    ';
const CONTINUED = ' \\';

function wrap(text: string, columns: number, indent = ''): string[] {
  const [first = '', ...rest] = packed(text.split(' '), columns, columns - indent.length);
  return [first, ...rest.map((line) => indent + line)];
}

/** Puts as many words on each line as fit. The lines after the first may be shorter. */
function packed(words: readonly string[], columns: number, later = columns): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const room = lines.length === 0 ? columns : later;
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
