/** Parses a command line into a command and its values. Node's own parser splits the words, but all error messages are ours. */
import { parseArgs } from 'node:util';
import { Failure } from '../core/failure.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import { argumentsOfCommand, type Command, flagsOfCommand, HELP_TOPICS, type HelpTopic, shownName } from './command.ts';
import { type Argument, type Flag, type Given, type GivenByTarget, GLOBAL_FLAGS, HELP_FLAGS } from './flags.ts';

export type Parsed =
  | { kind: 'command'; command: Command; given: GivenByTarget }
  /** Help for one command, for the commands that share a first word, for a topic, or for the program. */
  | { kind: 'help'; of: Command | string | { topic: HelpTopic } | undefined }
  | { kind: 'version' };

/** Throws a Failure if the command line is invalid. */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[]): Parsed {
  const words = plainWords(argv, commands);
  const topic = topicAskedFor(words);
  if (topic !== undefined) return { kind: 'help', of: { topic } };
  const group = groupAskedFor(argv, words, commands);
  if (group !== undefined) return { kind: 'help', of: group };
  const { command, rest } = findCommand(argv, words, commands);
  const { given, positionals } = readWords(rest, command);
  const { version, help } = given.global;
  if (version === true) return { kind: 'version' };
  if (help === true) return { kind: 'help', of: command.name === '' ? undefined : command };
  takeArguments(command, positionals, given.param);
  return { kind: 'command', command, given };
}

interface Word {
  text: string;
  /** The index of the word on the command line. */
  at: number;
}

/**
 * Returns the words before `--` that are neither flags nor their values. The command is not known yet, so the flags of all
 * commands count.
 */
export function plainWords(argv: readonly string[], commands: readonly Command[]): Word[] {
  let flags: Flag[] | undefined;
  const takesValue = (name: string): boolean => {
    flags ??= [...commands.flatMap(flagsOfCommand), ...GLOBAL_FLAGS];
    return flags.some(({ names, value }) => value !== undefined && names.includes(name));
  };
  const words: Word[] = [];
  for (let at = 0; at < argv.length; at++) {
    const text = argv[at] ?? '';
    if (text === '--') break;
    if (!text.startsWith('-') || text === '-') words.push({ text, at });
    else if (at + 1 < argv.length && takesValue(text)) at += 1;
  }
  return words;
}

/** The command's words may be anywhere among the flags. Names of two words are tried first. */
function findCommand(
  argv: readonly string[],
  [first, second, ...more]: readonly Word[],
  commands: readonly Command[],
): { command: Command; rest: string[] } {
  const overview = commands.find(({ name }) => name === '');
  if (first === undefined && overview) return { command: overview, rest: [...argv] };
  // `lectern help list` is the same as `lectern list --help`.
  if (first?.text === 'help' && overview) {
    if (second === undefined) return { command: overview, rest: ['--help'] };
    return { command: namedTopic(commands, second, more[0]), rest: ['--help'] };
  }
  const { command, words } = named(commands, first ?? { text: '', at: 0 }, second);
  return { command, rest: argv.filter((_, at) => !words.some((word) => word.at === at)) };
}

function named(
  commands: readonly Command[],
  first: Word,
  second: Word | undefined,
): { command: Command; words: Word[] } {
  const pair = second && commandNamed(commands, `${first.text} ${second.text}`);
  if (second && pair) return { command: pair, words: [first, second] };
  const command = commandNamed(commands, first.text);
  if (!command) throw unknownCommand(commands, first.text, second?.text);
  return { command, words: [first] };
}

/** Like `named`, with suggestions for `lectern help`. */
function namedTopic(commands: readonly Command[], first: Word, second: Word | undefined): Command {
  try {
    return named(commands, first, second).command;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const topics = nearest(first.text, HELP_TOPICS);
    const near = [...new Set([...topics, ...(error.suggestions ?? [])])];
    throw new Failure(
      'USAGE',
      `No help for "${echo([first, ...(second ? [second] : [])].map(({ text }) => text).join(' '))}".`,
      {
        suggestions: near,
        hint:
          near.length > 0
            ? `Did you mean ${near.map((each) => `lectern help ${each}`).join(' or ')}?`
            : 'Run lectern help to see the commands.',
      },
    );
  }
}

/** `lectern help serve` is a page of its own, unlike `lectern serve --help`. */
function topicAskedFor([first, second, third]: readonly Word[]): HelpTopic | undefined {
  if (first?.text !== 'help' || third !== undefined) return undefined;
  return HELP_TOPICS.find((topic) => topic === second?.text);
}

/** `lectern spec --help` and `lectern help spec` show the help of several commands. */
function groupAskedFor(
  argv: readonly string[],
  words: readonly Word[],
  commands: readonly Command[],
): string | undefined {
  const wantsHelp = words[0]?.text === 'help' || argv.includes('--help') || argv.includes('-h');
  const [first, second] = words[0]?.text === 'help' ? words.slice(1) : words;
  if (!wantsHelp || first === undefined || second !== undefined || commandNamed(commands, first.text)) return undefined;
  return commands.some(({ name }) => name.startsWith(`${first.text} `)) ? first.text : undefined;
}

export function commandNamed(commands: readonly Command[], wanted: string): Command | undefined {
  if (wanted === '') return undefined;
  return commands.find(({ name, aliases }) => name === wanted || aliases?.includes(wanted));
}

function readWords(words: string[], command: Command): { given: GivenByTarget; positionals: string[] } {
  const known = [...flagsOfCommand(command), ...GLOBAL_FLAGS, ...HELP_FLAGS];
  const byName = new Map(known.flatMap((flag) => flag.names.map((name): [string, Flag] => [name, flag])));
  const options = Object.fromEntries(
    [...byName]
      .filter(([name]) => name.startsWith('--'))
      .map(([name, flag]) => {
        const short = flag.names.find((each) => /^-[A-Za-z]$/u.test(each));
        const type = flag.value === undefined ? ('boolean' as const) : ('string' as const);
        return [name.slice(2), { type, ...(short === undefined ? {} : { short: short.slice(1) }) }];
      }),
  );
  const { tokens } = parseArgs({ args: words, options, strict: false, allowPositionals: true, tokens: true });
  const given: GivenByTarget = { param: {}, setting: {}, global: {} };
  const positionals: string[] = [];
  const spelled = new Map<Flag, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = byName.get(token.rawName) ?? byName.get(`--${token.name}`);
    if (!flag) throw unknownFlag(token.rawName, known, command);
    const before = given[flag.target][flag.key];
    setFlag(given[flag.target], flag, token);
    refuseTwoSpellings(flag, token, { name: spelled.get(flag), value: before });
    spelled.set(flag, token.rawName);
  }
  return { given, positionals };
}

/** A flag on the command line. */
interface GivenFlag {
  /** As written by the user, with its dashes. */
  rawName: string;
  value: string | undefined;
  /** True for `--flag=value`. */
  inlineValue: boolean | undefined;
}

/**
 * A repeated flag replaces the earlier value. A repetition under an alias with a different value is refused, because it is more
 * likely a mistake.
 */
function refuseTwoSpellings(
  flag: Flag,
  { rawName: name, value }: GivenFlag,
  earlier: { name: string | undefined; value: unknown },
): void {
  if (earlier.name === undefined || earlier.name === name || flag.repeatable) return;
  if (earlier.value === value || value === undefined) return;
  throw new Failure('USAGE', `${earlier.name} and ${name} mean the same, but have different values.`, {
    hint: `Leave one of them out: ${name} <${flag.value ?? ''}>.`,
  });
}

const UNSET_HINT = 'A shell variable may be unset. Usage:';

function setFlag(given: Given, flag: Flag, { rawName: name, value, inlineValue }: GivenFlag): void {
  if (flag.value === undefined) {
    if (value !== undefined) throw new Failure('USAGE', `${name} takes no value.`);
    const before = given[flag.key];
    const isOther = typeof flag.sets === 'string' && before !== undefined && before !== flag.sets;
    if (isOther) throw new Failure('USAGE', `${name} contradicts another flag: ${echo(String(before))}.`);
    given[flag.key] = flag.sets ?? true;
    return;
  }
  if (value === undefined || (!inlineValue && value.startsWith('-') && value.length > 1)) {
    throw new Failure('USAGE', `${name} needs a value: ${name} <${flag.value}>.`, {
      hint: `If the value begins with a dash, write ${name}=…`,
    });
  }
  // An unset shell variable must not be mistaken for the working folder, for no token or for all addresses.
  if (!flag.mayBeEmpty && /^(?:\s*|\?scope=.*)$/u.test(value))
    throw new Failure('USAGE', `The value of ${name} is empty.`, {
      hint: `${UNSET_HINT} ${name} <${flag.value}>`,
    });
  const before = given[flag.key];
  given[flag.key] = flag.repeatable ? [...(Array.isArray(before) ? before : []), value] : value;
}

/** Assigns the words to the arguments. */
function takeArguments(command: Command, words: readonly string[], given: Given): void {
  const wanted = argumentsOfCommand(command);
  checkArguments(command, wanted, words);
  for (const [index, { key, takesMany, joins }] of wanted.entries()) {
    const [word, ...more] = words.slice(index);
    if (word === undefined) return;
    given[key] = !takesMany ? word : joins ? [word, ...more].join(' ') : [word, ...more];
  }
}

function checkArguments(command: Command, wanted: readonly Argument[], given: readonly string[]): void {
  const shown = shownName(command.name);
  const example = command.examples[0]?.[0] ?? shown;
  const missing = wanted[given.length];
  if (missing?.form.startsWith('<')) {
    throw new Failure(
      'USAGE',
      `${shown} needs ${missing.form}: ${missing.about.charAt(0).toLowerCase()}${missing.about.slice(1)}.`,
      {
        hint: `For example: ${example}`,
      },
    );
  }
  const empty = given.findIndex(
    (word, index) => /^[\s,]*$/u.test(word) && (wanted[index] ?? wanted.at(-1))?.passedOn !== true,
  );
  if (empty !== -1) {
    const form = (wanted[empty] ?? wanted.at(-1))?.form ?? 'argument';
    throw new Failure('USAGE', `${shown}: ${form} is empty.`, {
      hint: `${UNSET_HINT} ${example}`,
    });
  }
  const takesMany = wanted.at(-1)?.takesMany === true;
  const extra = given[wanted.length];
  if (extra !== undefined && !takesMany)
    throw new Failure('USAGE', `${shown} does not accept the argument "${echo(extra)}".`, {
      hint: `Run ${shown} --help.`,
    });
}

/** Words of other tools, and the equivalent commands, best first. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  add: ['install', 'new'],
  cat: ['show'],
  check: ['validate'],
  create: ['new'],
  delete: ['remove', 'disable'],
  find: ['search'],
  get: ['show'],
  lint: ['validate'],
  ls: ['list'],
  off: ['disable'],
  on: ['enable'],
  read: ['show'],
  rm: ['remove', 'disable'],
  serve: ['mcp'],
  start: ['mcp'],
  status: ['doctor', 'change status'],
  uninstall: ['remove', 'disable'],
  view: ['show'],
};

/** Commands of other tools that have no counterpart, with the commands for each purpose. */
const EXPLAINED: Readonly<Record<string, { suggestions: readonly string[]; hint: string }>> = {
  init: {
    suggestions: ['change new', 'setup'],
    hint: 'Lectern needs no initialization. Use lectern change new <name> for specs (it creates openspec/), openspec init for OpenSpec’s own agent files, or lectern setup <client> to connect an agent.',
  },
};

function unknownCommand(commands: readonly Command[], first: string, second: string | undefined): Failure {
  const names = ['help', ...commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])].filter(
    (name) => name !== '',
  );
  const below = names.filter((name) => name.startsWith(`${first} `));
  if (below.length > 0) {
    const words = below.map((name) => name.slice(first.length + 1));
    const usage = `Usage: lectern ${first} ${words.join(' | ')}`;
    const oneOf = `One of: ${below.map((name) => `lectern ${name}`).join(', ')}.`;
    if (second === undefined) return new Failure('USAGE', usage, { suggestions: below });
    // All candidates share the first word.
    const meant = nearest(second, words).map((each) => `${first} ${each}`);
    return new Failure('USAGE', `Unknown command "${echo(`${first} ${second}`)}".`, {
      suggestions: meant,
      hint: meant.length > 0 ? `Did you mean ${meant.map((each) => `lectern ${each}`).join(' or ')}?` : oneOf,
    });
  }
  const explained = EXPLAINED[first.toLowerCase()];
  if (explained) return new Failure('USAGE', `There is no command "${echo(first)}".`, explained);
  const known = (SYNONYMS[first.toLowerCase()] ?? []).filter((name) => names.includes(name)).slice(0, 2);
  const near = known.length > 0 ? known : nearest(first, names);
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((each) => `lectern ${each}`).join(' or ')}?`
      : 'Run lectern --help to see the commands.';
  return new Failure('USAGE', `Unknown command "${echo(first)}".`, { suggestions: near, hint });
}

function unknownFlag(name: string, known: readonly Flag[], command: Command): Failure {
  // Compared without the dashes, which all flags have in common.
  const near = nearest(
    name.replace(/^-+/u, ''),
    known.flatMap(({ names }) => names).flatMap((each) => (each.startsWith('--') ? [each.slice(2)] : [])),
    3,
  ).map((each) => `--${each}`);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : whereFlagsAre(name, command);
  return new Failure('USAGE', `Unknown flag "${echo(name)}".`, { suggestions: near, hint });
}

function whereFlagsAre(name: string, command: Command): string {
  const shown = shownName(command.name);
  const args = argumentsOfCommand(command);
  if (!args.some(({ passedOn }) => passedOn)) return `Run ${shown} --help.`;
  const own = args.filter(({ passedOn }) => !passedOn).map(({ form }) => form);
  return `Put flags of the server after two hyphens: ${[shown, ...own].join(' ')} -- ${echo(name)}`;
}
