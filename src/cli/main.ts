/** Parses the command line, runs one command, prints its result, and sets the exit code. Only this file uses `process`. */
import os from 'node:os';
import path from 'node:path';
import { expandHome } from '../core/home-path.ts';
import { explain, Failure, type ExplainedError } from '../core/failure.ts';
import { jsonText } from '../core/text.ts';
import { makeStyle, safe, type Style, VERBATIM } from '../render/style.ts';
import { VERSION } from '../core/version.ts';
import { type GivenSettings, SETTINGS, type SettingDefinition } from '../workspace/settings-table.ts';
import type { OpenOptions } from '../workspace/settings.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import { Workspace } from '../workspace/workspace.ts';
import { checkSettings } from './check.ts';
import type { CommandContext, Outcome, ProcessEdge, Service } from './command.ts';
import { COMMANDS } from './commands.ts';
import type { Given, GivenByTarget } from './flags.ts';
import { homeFolder } from './home-folder.ts';
import { EXIT_FAILED, streamOf, terminal, write } from './output.ts';
import { parseCommandLine } from './parse.ts';
import { typedName, withTypedName } from './typed-name.ts';

const EXIT_BUG = 70;
const EXIT_INTERRUPTED = 130;

/** Clears the screen and the lines scrolled off it, and moves the cursor to the top. */
const CLEAR_SCREEN = '\u001b[2J\u001b[3J\u001b[H';

/** Maximum size of buffered lines on standard error. */
const UNREAD_MAX_BYTES = 1024 * 1024;

export async function main(argv: readonly string[], signals?: HeldSignals): Promise<void> {
  if (argv[0] === '__complete') return printCompletions(argv.slice(argv.indexOf('--') + 1));
  const wantsJson = argv.includes('--json') || wantsSarif(argv);
  let showsStack = argv.includes('--verbose');
  try {
    const parsed = parseCommandLine(argv, COMMANDS);
    if (parsed.kind === 'command' && parsed.command.serves) signals?.passTo(stopEarly);
    else if (signals) await signals.release();
    if (parsed.kind === 'version') {
      if (!wantsJson) return write('stdout', `${VERSION}\n`);
      const { aboutLectern } = await import('./about.ts');
      return printJson(aboutLectern(openOptions({ global: {}, setting: {}, param: {} }), process.argv[1] ?? ''));
    }
    if (parsed.kind === 'help') {
      const { helpFor, renderHelp } = await import('./help.ts');
      const help = helpFor(parsed.of, COMMANDS);
      const { width } = styleFor('stdout', true);
      return printEither(argv, help, () => renderHelp(help, { width, typed }));
    }
    const { command, given } = parsed;
    requireWorkingFolder(command.writes, given.global);
    const options = openOptions(given);
    const outcome = await command.run({
      given: given.param,
      options: () => options,
      open: ({ lookUp, ...how } = {}) =>
        lookUp === undefined
          ? Workspace.open({ ...options, ...how })
          : Workspace.openFor(lookUp, { ...options, ...how }),
      verbose: given.global['verbose'] === true,
      json: given.global['json'] === true,
      edge: processEdge(signals),
      progress: progressLine(given.global, options.userDir),
      show: async (outcome) => {
        if (terminal('stdout')) write('stdout', CLEAR_SCREEN);
        await print(outcome, given.global, options.userDir);
      },
      signal: interruption,
    });
    // A client that restarts a server has no way to add --verbose.
    showsStack ||= 'until' in outcome;
    if ('until' in outcome) await finish(outcome);
    else await print(outcome, given.global, options.userDir);
  } catch (error) {
    await printError(error, wantsJson, showsStack, argv.includes('--no-color'));
  }
}

function printEither(argv: readonly string[], json: object, text: () => string): void {
  if (argv.includes('--json')) printJson(json);
  else write('stdout', text());
}

/** Signals that arrived while the program was loading, and later ones. */
interface HeldSignals {
  passTo(listener: (signal: NodeJS.Signals) => void): void;
  /** Restores the default actions. */
  release(): Promise<void>;
}

function processEdge(signals: HeldSignals | undefined): ProcessEdge {
  return {
    get input() {
      return process.stdin;
    },
    get output() {
      return streamOf('stdout');
    },
    say,
    record: sayLine,
    isWatched: () => terminal('stderr') !== undefined,
    environment: process.env,
    workingDir: workingFolder(),
    program: process.argv[1] ?? '',
    onStop: (stop) => {
      let stopping = false;
      signals?.passTo((signal) => {
        if (stopping) void leave();
        stopping = true;
        stop(signal);
      });
    },
    hideArguments: () => void (process.title = 'lectern'),
  };
}

/** A server that is not running yet does not need a cleanup. */
function stopEarly(signal: NodeJS.Signals): void {
  say(`${signal}: shutting down`);
  say('stopped');
  process.exitCode = 0;
  void leave();
}

function say(line: string): void {
  sayLine(`lectern: ${typed(safe(line))}`);
}

function sayLine(line: string): void {
  const stream = streamOf('stderr');
  // Standard error may have no reader. Unread lines must not fill the memory.
  if (stream.writableLength < UNREAD_MAX_BYTES) stream.write(`${line}\n`);
}

/** Open handles must not keep the process alive after a server has stopped. */
const LINGER_MS = 500;
/** How long pending file operations may take after that. */
const FILES_GRACE_MS = 1_000;

async function finish({ until }: Service): Promise<void> {
  try {
    await until;
    process.exitCode = 0;
  } finally {
    setTimeout(() => void leave(), LINGER_MS).unref();
  }
}

function wantsSarif(argv: readonly string[]): boolean {
  return argv.some(
    (word, index) => /^--(?:sarif|format=sarif)$/u.test(word) || argv[index - 1] + word === '--formatsarif',
  );
}

/** Exits the process. A normal exit waits for every file operation, so a hanging file system would block it forever. */
async function leave(): Promise<void> {
  const end = performance.now() + FILES_GRACE_MS;
  while (isUsingFiles() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  if (isUsingFiles()) process.kill(process.pid, 'SIGKILL');
  else process.exit(process.exitCode ?? 0);
}

function isUsingFiles(): boolean {
  return process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq'));
}

/** Prints a result. Notices come last, so that they stay on the screen after a long list. */
async function print(outcome: Outcome, flags: Given, home: string | undefined): Promise<void> {
  const style = (stream: 'stdout' | 'stderr'): Style => styleFor(stream, flags['color'] === false, home);
  process.exitCode = outcome.exitCode ?? 0;
  if (flags['json'] === true) printJson(outcome.json);
  else if (outcome.raw && !terminal('stdout')) write('stdout', outcome.raw);
  else await printText('stdout', await outcome.text(style('stdout')), style('stdout'));
  await printText('stderr', outcome.notices?.(style('stderr')) ?? '', style('stderr'));
}

async function printText(stream: 'stdout' | 'stderr', text: string, { width }: Style): Promise<void> {
  const named = typed(text);
  const wrapped =
    width === undefined || text === '' ? named : (await import('../render/width.ts')).reflow(named, width);
  write(stream, wrapped.replaceAll(VERBATIM, ''));
}

/** Writes the commands in a text as this program was started. JSON keeps `lectern`. */
function typed(text: string): string {
  return withTypedName(text, typedName(process.env), (word) => word === 'help' || FIRST_WORDS.has(word));
}

const FIRST_WORDS: ReadonlySet<string> = new Set(
  COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]).map((name) => name.split(' ')[0] ?? ''),
);

function printJson(data: object): void {
  write('stdout', `${jsonText(data, terminal('stdout') ? 2 : undefined)}\n`);
}

async function printError(error: unknown, json: boolean, showsStack: boolean, noColor: boolean): Promise<void> {
  const explained = explain(error);
  const style = styleFor('stderr', noColor, homeFolder());
  process.exitCode = !(error instanceof Failure)
    ? EXIT_BUG
    : error.code === 'INTERRUPTED'
      ? EXIT_INTERRUPTED
      : EXIT_FAILED;
  if (json) write('stdout', `${jsonText({ error: explained })}\n`);
  const place = placeOf(explained, style);
  const shownPlace = place === '' ? '' : ` ${style.dim(`(${place})`)}`;
  const [head = '', ...items] = (await import('../render/listed.ts')).listed(explained);
  const lines = items.map((item) => `  - ${style.say(item)}\n`).join('');
  await printText(
    'stderr',
    `${style.red('lectern:')} ${style.say(head)}${shownPlace}\n${lines}${explained.hint === undefined ? '' : `  ${style.say(explained.hint)}\n`}`,
    style,
  );
  if (showsStack && !(error instanceof Failure))
    write('stderr', `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

/** Returns the file and line, omitting the file if the message already contains it. */
function placeOf({ message, path: file, line }: ExplainedError, style: Style): string {
  if (file === undefined) return '';
  if (message.includes(file)) return line === undefined ? '' : `line ${line}`;
  return style.place(file, line);
}

/** Returns a function that updates a line on standard error, or undefined without a terminal or with --json. */
function progressLine(flags: Given, home: string | undefined): CommandContext['progress'] {
  if (flags['json'] === true || !terminal('stderr')) return undefined;
  const style = styleFor('stderr', flags['color'] === false, home);
  const clearLine = '\r\u001b[2K';
  return (line) => write('stderr', line === undefined ? clearLine : clearLine + line(style).replaceAll(VERBATIM, ''));
}

/** Returns a signal that the first Ctrl-C aborts. The second Ctrl-C ends the process. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    say('stopping; finished work is kept. Press Ctrl-C again to stop immediately.');
    controller.abort();
  });
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}

function styleFor(name: 'stdout' | 'stderr', noColor: boolean, home?: string): Style {
  const stream = terminal(name);
  const { NO_COLOR, FORCE_COLOR, TERM, COLUMNS } = process.env;
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  const unwanted = noColor || (!forced && (Boolean(NO_COLOR) || TERM === 'dumb' || FORCE_COLOR !== undefined));
  const columns = stream ? stream.columns : Number.parseInt(COLUMNS ?? '', 10);
  return makeStyle({
    color: !unwanted && (forced || stream !== undefined),
    width: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    cwd: findWorkingFolder(),
    home,
  });
}

/** Returns the options from the flags. Relative paths start at the working folder, not at the project. */
export function openOptions({ global, setting }: GivenByTarget): OpenOptions {
  const cwd = workingFolder();
  const { projectDir = '.', userDir: givenHome } = global;
  const home = homeFolder();
  const userDir = givenHome === undefined ? home : path.resolve(cwd, expandHome(String(givenHome), home));
  const settings = checkSettings(setting);
  return {
    ...settings,
    ...pathsFrom(cwd, userDir, settings),
    projectDir: path.resolve(cwd, expandHome(String(projectDir), userDir)),
    mustExist: global['projectDir'] !== undefined,
    userDir,
    // The environment's variables describe the real home, not one given by a flag.
    environment: givenHome === undefined ? process.env : {},
  };
}

function pathsFrom(cwd: string, home: string | undefined, given: GivenSettings): GivenSettings {
  const definitions: Readonly<Record<string, SettingDefinition>> = SETTINGS;
  const resolve = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(resolve) : path.resolve(cwd, expandHome(String(value), home));
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (definitions[name]?.isPath ? [[name, resolve(value)]] : [])),
  );
}

/**
 * Returns the working folder. It may have been deleted: commands that only read then use the file system's root, which has no
 * skills.
 */
function workingFolder(): string {
  return findWorkingFolder() ?? path.parse(os.tmpdir()).root;
}

function findWorkingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Prevents a command from using this fallback if it writes, or if a relative --project-dir depends on it. */
function requireWorkingFolder(writes: boolean, { projectDir }: Given): void {
  const matters = projectDir === undefined ? writes : !path.isAbsolute(String(projectDir));
  if (!matters || findWorkingFolder() !== undefined) return;
  throw new Failure('NOT_FOUND', 'The working folder no longer exists.', {
    hint: 'Change to an existing folder, or set --project-dir to an absolute path.',
  });
}

async function printCompletions(words: readonly string[]): Promise<void> {
  try {
    const { complete } = await import('./completion.ts');
    const candidates = await complete(words, COMMANDS, async (kind, { arguments: [spec], flags }) => {
      const isSpecs = kind === 'specs' || kind === 'changes' || kind === 'requirements';
      const { snapshot } = await Workspace.open({
        ...openOptions(flags),
        oneShot: true,
        skills: !isSpecs,
        collections: kind === 'skills',
      });
      if (kind === 'requirements') return requirementNames(await snapshot.specs(), spec);
      if (isSpecs) return (await snapshot.specs())[kind].map(({ id }) => id);
      const catalog = snapshot.view(kind === 'skills' ? 'all' : kind);
      return catalog.skills.map((skill) => catalog.displayName(skill));
    });
    write('stdout', candidates.map((candidate) => `${safe(candidate)}\n`).join(''));
  } catch {
    // A message would appear in the middle of the line that is being typed.
  }
}

/** Returns the requirements of the typed spec. If the first argument is not a spec, those that several changes touch. */
function requirementNames(catalog: SpecCatalog, typed: string | undefined): string[] {
  const spec = typed === undefined ? undefined : catalog.findSpec(typed);
  if (spec?.kind === 'found') return spec.item.parsed.requirements.map(({ name }) => name);
  return catalog.overlaps.map(({ requirement }) => requirement);
}
