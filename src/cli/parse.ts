/**
 * A command line into a command, its arguments and its flags. Node's own parser splits the words; everything a person sees
 * when something does not fit is said here.
 */
import { parseArgs } from 'node:util';
import { Failure } from '../core/failure.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import { VERSION } from '../core/version.ts';
import type { CommandDefinition } from './command.ts';
import { COMMANDS, OVERVIEW } from './commands.ts';
import { type Flag, type FlagValues, GLOBAL_FLAGS, HELP_FLAGS } from './flags.ts';
import { commandHelpDocument, groupHelpDocument, programHelpDocument } from './help-json.ts';
import { renderCommandHelp, renderGroupHelp, renderProgramHelp } from './help.ts';

export type Parsed =
  | { kind: 'command'; command: CommandDefinition; arguments: string[]; flags: FlagValues }
  | { kind: 'print'; text: () => string; json: () => object };

/** What a command line asks for; a Failure where it cannot be understood. Runs nothing. */
export function parseCommandLine(argv: readonly string[]): Parsed {
  const words = plainWords(argv);
  const group = groupAskedFor(argv, words);
  if (group !== undefined)
    return { kind: 'print', text: () => renderGroupHelp(group), json: () => groupHelpDocument(group) };
  const { command, rest } = findCommand(argv, words);
  const known = [...command.flags, ...GLOBAL_FLAGS, ...HELP_FLAGS];
  const { flags, positionals } = readWords(rest, known, command);
  if (flags['version'] === true)
    return { kind: 'print', text: () => `${VERSION}\n`, json: () => ({ version: VERSION }) };
  if (flags['help'] === true) {
    return command === OVERVIEW
      ? { kind: 'print', text: renderProgramHelp, json: programHelpDocument }
      : { kind: 'print', text: () => renderCommandHelp(command), json: () => commandHelpDocument(command) };
  }
  checkArguments(command, positionals);
  return { kind: 'command', command, arguments: positionals, flags };
}

interface Word {
  text: string;
  /** Where it stands on the command line. */
  at: number;
}

/** The words that are neither flags nor their values, up to `--`. Which command it is, these tell; so every flag of every command counts. */
export function plainWords(argv: readonly string[]): Word[] {
  const takesValue = new Set(
    [OVERVIEW, ...COMMANDS]
      .flatMap(({ flags }) => [...flags, ...GLOBAL_FLAGS])
      .flatMap((flag) => (flag.value === undefined ? [] : [...flag.names])),
  );
  const words: Word[] = [];
  for (let at = 0; at < argv.length; at++) {
    const text = argv[at] ?? '';
    if (text === '--') break;
    if (takesValue.has(text)) at += 1;
    else if (!text.startsWith('-') || text === '-') words.push({ text, at });
  }
  return words;
}

/** The command's words may stand anywhere among the flags; a name of two words is tried before its first word alone. */
function findCommand(
  argv: readonly string[],
  [first, second, ...more]: readonly Word[],
): { command: CommandDefinition; rest: string[] } {
  if (first === undefined) return { command: OVERVIEW, rest: [...argv] };
  // `lectern help list` is `lectern list --help`.
  if (first.text === 'help') {
    if (second === undefined) return { command: OVERVIEW, rest: ['--help'] };
    return { command: named(second, more[0]).command, rest: ['--help'] };
  }
  const { command, words } = named(first, second);
  return { command, rest: argv.filter((_, at) => !words.some((word) => word.at === at)) };
}

function named(first: Word, second: Word | undefined): { command: CommandDefinition; words: Word[] } {
  const pair = second && commandNamed(`${first.text} ${second.text}`);
  if (second && pair) return { command: pair, words: [first, second] };
  const command = commandNamed(first.text);
  if (!command) throw unknownCommand(first.text, second?.text);
  return { command, words: [first] };
}

/** `lectern spec --help` and `lectern help spec` name no command, but several. */
function groupAskedFor(argv: readonly string[], words: readonly Word[]): string | undefined {
  const wantsHelp = words[0]?.text === 'help' || argv.includes('--help') || argv.includes('-h');
  const [first, second] = words[0]?.text === 'help' ? words.slice(1) : words;
  const isGroup = first !== undefined && second === undefined && !commandNamed(first.text) && isFirstWord(first.text);
  return wantsHelp && isGroup ? first.text : undefined;
}

function isFirstWord(word: string): boolean {
  return COMMANDS.some(({ name }) => name.startsWith(`${word} `));
}

function commandNamed(name: string): CommandDefinition | undefined {
  return COMMANDS.find((command) => command.name === name || command.aliases?.includes(name));
}

function readWords(
  words: string[],
  known: readonly Flag[],
  command: CommandDefinition,
): { flags: FlagValues; positionals: string[] } {
  const byName = new Map(known.flatMap((flag) => flag.names.map((name): [string, Flag] => [name, flag])));
  const options = Object.fromEntries(
    [...byName]
      .filter(([name]) => name.startsWith('--'))
      .map(([name, flag]) => {
        const short = flag.names.find((each) => /^-[A-Za-z]$/u.test(each));
        return [
          name.slice(2),
          {
            type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
            ...(short === undefined ? {} : { short: short.slice(1) }),
          },
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

const UNSET_HINT = 'Perhaps a variable of the shell is not set. It is written:';

function setFlag(
  flags: Record<string, string | boolean | string[]>,
  flag: Flag,
  value: string | undefined,
  inline: boolean,
  name: string,
): void {
  if (flag.value === undefined) {
    if (value !== undefined) throw new Failure('USAGE', `${name} takes no value.`);
    flags[flag.key] = !flag.negates;
    return;
  }
  if (value === undefined || (!inline && value.startsWith('-') && value.length > 1)) {
    throw new Failure('USAGE', `${name} needs a value: ${name} <${flag.value}>.`, {
      hint: `For a value that begins with a dash write ${name}=…`,
    });
  }
  // An unset variable of the shell must not stand for the working folder, for no token or for every address.
  if (!flag.mayBeEmpty && /^(?:\s*|\?scope=.*)$/u.test(value))
    throw new Failure('USAGE', `${name} was given an empty value.`, { hint: `${UNSET_HINT} ${name} <${flag.value}>` });
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
    throw new Failure(
      'USAGE',
      `${shown(command)} needs ${missing.form}: ${missing.about.charAt(0).toLowerCase()}${missing.about.slice(1)}.`,
      {
        hint: `For example: ${command.examples[0]?.[0] ?? shown(command)}`,
      },
    );
  }
  const empty = given.findIndex(
    (word, index) => /^[\s,]*$/u.test(word) && (wanted[index] ?? wanted.at(-1))?.passedOn !== true,
  );
  if (empty !== -1) {
    const form = (wanted[empty] ?? wanted.at(-1))?.form ?? 'argument';
    throw new Failure('USAGE', `${shown(command)}: the ${form} given is empty.`, {
      hint: `${UNSET_HINT} ${command.examples[0]?.[0] ?? shown(command)}`,
    });
  }
  const takesMany = wanted.at(-1)?.form.includes('...') === true;
  const extra = given[wanted.length];
  if (extra !== undefined && !takesMany)
    throw new Failure('USAGE', `${shown(command)} does not take "${echo(extra)}".`, {
      hint: `Run ${shown(command)} --help.`,
    });
}

function shown(command: CommandDefinition): string {
  return command.name === '' ? 'lectern' : `lectern ${command.name}`;
}

function unknownCommand(first: string, second: string | undefined): Failure {
  const names = ['help', ...COMMANDS.flatMap((command) => [command.name, ...(command.aliases ?? [])])];
  const below = names.filter((name) => name.startsWith(`${first} `));
  if (below.length > 0) {
    const oneOf = `One of: ${below.map((name) => `lectern ${name}`).join(', ')}.`;
    if (second === undefined)
      return new Failure('USAGE', `lectern ${first} needs one more word.`, { suggestions: below, hint: oneOf });
    // They all share the first word, so only the second tells them apart.
    const meant = nearest(
      second,
      below.map((name) => name.slice(first.length + 1)),
    ).map((each) => `${first} ${each}`);
    return new Failure('USAGE', `Unknown command "${echo(`${first} ${second}`)}".`, {
      suggestions: meant,
      hint: meant.length > 0 ? `Did you mean ${meant.map((each) => `lectern ${each}`).join(' or ')}?` : oneOf,
    });
  }
  const near = nearest(first, names);
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((each) => `lectern ${each}`).join(' or ')}?`
      : 'Run lectern --help to see the commands.';
  return new Failure('USAGE', `Unknown command "${echo(first)}".`, { suggestions: near, hint });
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
