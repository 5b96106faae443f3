/**
 * A command line into a command, its arguments and its flags. Node's own parser splits the words; everything a person sees
 * when something does not fit is said here.
 */
import { parseArgs } from 'node:util';
import { Failure } from '../core/failure.js';
import { nearest } from '../core/near.js';
import { echo } from '../core/text.js';
import { VERSION } from '../core/version.js';
import type { CommandDefinition } from './command.js';
import { COMMANDS, OVERVIEW } from './commands.js';
import { type Flag, type FlagValues, GLOBAL_FLAGS, HELP_FLAGS } from './flags.js';
import { commandHelpDocument, groupHelpDocument, programHelpDocument } from './help-json.js';
import { renderCommandHelp, renderGroupHelp, renderProgramHelp } from './help.js';

export type Parsed =
  | { kind: 'command'; command: CommandDefinition; arguments: string[]; flags: FlagValues }
  | { kind: 'print'; text: () => string; json: () => object };

/** What a command line asks for; a Failure where it cannot be understood. Runs nothing. */
export function parseCommandLine(argv: readonly string[]): Parsed {
  const group = groupAskedFor(argv);
  if (group !== undefined) return { kind: 'print', text: () => renderGroupHelp(group), json: () => groupHelpDocument(group) };
  const { command, rest } = findCommand(argv);
  const known = [...command.flags, ...GLOBAL_FLAGS, ...HELP_FLAGS];
  const { flags, positionals } = readWords(rest, known, command);
  if (flags['version'] === true) return { kind: 'print', text: () => `${VERSION}\n`, json: () => ({ version: VERSION }) };
  if (flags['help'] === true) {
    return command === OVERVIEW
      ? { kind: 'print', text: renderProgramHelp, json: programHelpDocument }
      : { kind: 'print', text: () => renderCommandHelp(command), json: () => commandHelpDocument(command) };
  }
  checkArguments(command, positionals);
  return { kind: 'command', command, arguments: positionals, flags };
}

/** The command's words may stand after flags; a name of two words is tried before its first word alone. */
function findCommand(argv: readonly string[]): { command: CommandDefinition; rest: string[] } {
  const takesValue = new Set(
    [OVERVIEW, ...COMMANDS].flatMap(({ flags }) => [...flags, ...GLOBAL_FLAGS]).flatMap((flag) => (flag.value === undefined ? [] : [...flag.names])),
  );
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] ?? '';
    if (word === '--') return { command: OVERVIEW, rest: [...argv] };
    if (!word.startsWith('-') || word === '-') break;
    at += takesValue.has(word) ? 2 : 1;
  }
  const [first, second] = [argv[at], argv[at + 1]];
  if (first === undefined) return { command: OVERVIEW, rest: [...argv] };
  if (first === 'help') return helpFor(argv.slice(at + 1));
  const pair = second === undefined ? undefined : commandNamed(`${first} ${second}`);
  const command = pair ?? commandNamed(first);
  if (!command) throw unknownCommand(first, second);
  return { command, rest: argv.filter((_, index) => index !== at && !(pair && index === at + 1)) };
}

/** `lectern spec --help` and `lectern help spec` name no command, but several. */
function groupAskedFor(argv: readonly string[]): string | undefined {
  const words = argv.filter((word) => !word.startsWith('-'));
  const wantsHelp = words[0] === 'help' || argv.includes('--help') || argv.includes('-h');
  const [first, second] = words[0] === 'help' ? words.slice(1) : words;
  const isGroup = first !== undefined && second === undefined && !commandNamed(first) && isFirstWord(first);
  return wantsHelp && isGroup ? first : undefined;
}

function isFirstWord(word: string): boolean {
  return COMMANDS.some(({ name }) => name.startsWith(`${word} `));
}

function commandNamed(name: string): CommandDefinition | undefined {
  return COMMANDS.find((command) => command.name === name || command.aliases?.includes(name));
}

/** `lectern help list` is `lectern list --help`. */
function helpFor(words: readonly string[]): { command: CommandDefinition; rest: string[] } {
  const names = words.filter((word) => !word.startsWith('-'));
  const [first] = names;
  if (first === undefined) return { command: OVERVIEW, rest: ['--help'] };
  const command = commandNamed(names.slice(0, 2).join(' ')) ?? commandNamed(first);
  if (!command) throw unknownCommand(first, names[1]);
  return { command, rest: ['--help'] };
}

function readWords(words: string[], known: readonly Flag[], command: CommandDefinition): { flags: FlagValues; positionals: string[] } {
  const byName = new Map(known.flatMap((flag) => flag.names.map((name): [string, Flag] => [name, flag])));
  const options = Object.fromEntries(
    [...byName]
      .filter(([name]) => name.startsWith('--'))
      .map(([name, flag]) => {
        const short = flag.names.find((each) => /^-[A-Za-z]$/u.test(each));
        return [
          name.slice(2),
          { type: flag.value === undefined ? ('boolean' as const) : ('string' as const), ...(short === undefined ? {} : { short: short.slice(1) }) },
        ];
      }),
  );
  const { tokens } = parseArgs({ args: words, options, strict: false, allowPositionals: true, tokens: true });
  const flags: Record<string, string | boolean | string[]> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = byName.get(token.rawName) ?? byName.get(`--${token.name}`);
    if (!flag) throw unknownFlag(token.rawName, known, command);
    setFlag(flags, flag, token.value, token.inlineValue === true, token.rawName);
  }
  return { flags, positionals };
}

function setFlag(flags: Record<string, string | boolean | string[]>, flag: Flag, value: string | undefined, inline: boolean, name: string): void {
  if (flag.value === undefined) {
    if (value !== undefined) throw new Failure('USAGE', `${name} takes no value.`);
    flags[flag.key] = !flag.negates;
    return;
  }
  if (value === undefined || (!inline && value.startsWith('-') && value.length > 1)) {
    throw new Failure('USAGE', `${name} needs a value: ${name} <${flag.value}>.`, { hint: `For a value that begins with a dash write ${name}=…` });
  }
  if (flag.choices && !flag.choices.includes(value)) {
    const near = nearest(value, flag.choices);
    throw new Failure('USAGE', `${name} must be one of ${flag.choices.join(', ')}, not "${echo(value)}".`, {
      suggestions: near,
      ...(near.length > 0 ? { hint: `Did you mean ${near.join(' or ')}?` } : {}),
    });
  }
  const before = flags[flag.key];
  flags[flag.key] = flag.repeatable ? [...(Array.isArray(before) ? before : []), value] : value;
}

function checkArguments(command: CommandDefinition, given: readonly string[]): void {
  const wanted = command.arguments ?? [];
  const missing = wanted[given.length];
  if (missing?.form.startsWith('<')) {
    throw new Failure('USAGE', `${shown(command)} needs ${missing.form}: ${missing.about.charAt(0).toLowerCase()}${missing.about.slice(1)}.`, {
      hint: `For example: ${command.examples[0]?.[0] ?? shown(command)}`,
    });
  }
  const takesMany = wanted.at(-1)?.form.includes('...') === true;
  const extra = given[wanted.length];
  if (extra !== undefined && !takesMany)
    throw new Failure('USAGE', `${shown(command)} does not take "${echo(extra)}".`, { hint: `Run ${shown(command)} --help.` });
}

function shown(command: CommandDefinition): string {
  return command.name === '' ? 'lectern' : `lectern ${command.name}`;
}

function unknownCommand(first: string, second: string | undefined): Failure {
  const names = COMMANDS.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  const beginsWell = isFirstWord(first);
  const asked = beginsWell && second !== undefined && !second.startsWith('-') ? `${first} ${second}` : first;
  if (beginsWell && asked === first) {
    const below = names.filter((name) => name.startsWith(`${first} `));
    return new Failure('USAGE', `lectern ${first} needs one more word.`, {
      suggestions: below,
      hint: `One of: ${below.map((name) => `lectern ${name}`).join(', ')}.`,
    });
  }
  const near = nearest(asked, beginsWell ? names.filter((name) => name.startsWith(`${first} `)) : names);
  const hint = near.length > 0 ? `Did you mean ${near.map((each) => `lectern ${each}`).join(' or ')}?` : 'Run lectern --help to see the commands.';
  return new Failure('USAGE', `Unknown command "${echo(asked)}".`, { suggestions: near, hint });
}

function unknownFlag(name: string, known: readonly Flag[], command: CommandDefinition): Failure {
  const near = nearest(
    name,
    known.flatMap(({ names }) => names).filter((each) => each.startsWith('--')),
    3,
  );
  return new Failure('USAGE', `Unknown flag "${echo(name)}".`, {
    suggestions: near,
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Run ${shown(command)} --help.`,
  });
}
