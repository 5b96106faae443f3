/** Reads the command line, runs one command, prints once, and sets the exit code. The only place that talks to the process. */
import os from 'node:os';
import path from 'node:path';
import { explain, Failure, type ExplainedError } from '../core/failure.ts';
import { jsonText } from '../core/text.ts';
import { makeStyle, safe, type Style } from '../render/style.ts';
import type { CommandContext, Outcome, ProcessEdge, Service } from './command.ts';
import { COMMANDS } from './commands.ts';
import { complete } from './completion.ts';
import { type FlagValues, isSet, listFlag, switchedOff, textFlag } from './flags.ts';
import { EXIT_FAILED, streamOf, terminal, write } from './output.ts';
import { parseCommandLine } from './parse.ts';

const EXIT_BUG = 70;
const EXIT_INTERRUPTED = 130;

export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (argv[0] === '__complete') return printCompletions(argv.slice(argv.indexOf('--') + 1));
  const wantsJson = argv.includes('--json') || argv.includes('--sarif');
  try {
    const parsed = parseCommandLine(argv);
    if (parsed.kind === 'print')
      return argv.includes('--json') ? printJson(parsed.json()) : write('stdout', parsed.text());
    requireWorkingFolder(parsed.command.writes === true, parsed.flags);
    const run = await parsed.command.load();
    const outcome = await run({
      workspace: async (options) =>
        (await import('../workspace/workspace.ts')).Workspace.open({
          ...workspaceOptions(parsed.flags),
          alone: true,
          ...options,
        }),
      options: () => workspaceOptions(parsed.flags),
      edge: PROCESS_EDGE,
      arguments: parsed.arguments,
      flags: parsed.flags,
      progress: progressLine(parsed.flags),
      signal: interruption,
    });
    if ('until' in outcome) await finish(outcome);
    else print(outcome, parsed.flags);
  } catch (error) {
    printError(error, wantsJson, argv.includes('--verbose'), argv.includes('--no-color'));
  }
}

const PROCESS_EDGE: ProcessEdge = {
  get input() {
    return process.stdin;
  },
  get output() {
    return streamOf('stdout');
  },
  say: (line) => void streamOf('stderr').write(`lectern: ${safe(line)}\n`),
  environment: process.env,
  onStop: (stop) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(0);
        asked = true;
        stop(signal);
      });
    }
  },
  hideArguments: () => void (process.title = 'lectern'),
};

/** What is left open after a server has ended must not keep the process. */
const LINGER_MS = 500;

async function finish({ until }: Service): Promise<void> {
  try {
    await until;
    process.exitCode = 0;
  } finally {
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

function print(outcome: Outcome, flags: FlagValues): void {
  const noColor = switchedOff(flags, 'color');
  process.exitCode = outcome.exitCode ?? 0;
  write('stderr', outcome.notices?.(styleFor('stderr', noColor)) ?? '');
  if (isSet(flags, 'json')) printJson(outcome.json);
  else if (outcome.raw && !terminal('stdout')) write('stdout', outcome.raw);
  else write('stdout', outcome.text(styleFor('stdout', noColor)));
}

function printJson(data: object): void {
  write('stdout', `${jsonText(data, terminal('stdout') ? 2 : undefined)}\n`);
}

function printError(error: unknown, json: boolean, verbose: boolean, noColor: boolean): void {
  const explained = explain(error);
  const style = styleFor('stderr', noColor);
  process.exitCode = !(error instanceof Failure)
    ? EXIT_BUG
    : error.code === 'INTERRUPTED'
      ? EXIT_INTERRUPTED
      : EXIT_FAILED;
  if (json) write('stdout', `${jsonText({ error: explained })}\n`);
  const place = placeOf(explained);
  const shownPlace = place === '' ? '' : ` ${style.dim(`(${safe(place)})`)}`;
  write(
    'stderr',
    `${style.red('lectern:')} ${safe(explained.message)}${shownPlace}\n${explained.hint === undefined ? '' : `  ${safe(explained.hint)}\n`}`,
  );
  if (verbose && !(error instanceof Failure))
    write('stderr', `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

/** Where it is, unless the sentence has said so. */
function placeOf({ message, path: file, line }: ExplainedError): string {
  if (file === undefined) return '';
  if (message.includes(file)) return line === undefined ? '' : `line ${line}`;
  return line === undefined ? file : `${file}:${line}`;
}

/** One line on a terminal's standard error, written over and over; nothing in a pipe or beside JSON. */
function progressLine(flags: FlagValues): CommandContext['progress'] {
  if (isSet(flags, 'json') || !terminal('stderr')) return undefined;
  const style = styleFor('stderr', switchedOff(flags, 'color'));
  const clearLine = '\r\u001b[2K';
  return (line) => write('stderr', line === undefined ? clearLine : clearLine + line(style));
}

/** The first Ctrl-C asks the work to stop, the second ends the process. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}

function styleFor(name: 'stdout' | 'stderr', noColor: boolean): Style {
  const stream = terminal(name);
  const { NO_COLOR, FORCE_COLOR, TERM, COLUMNS } = process.env;
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  const unwanted = noColor || (!forced && (Boolean(NO_COLOR) || TERM === 'dumb' || FORCE_COLOR !== undefined));
  const columns = stream ? stream.columns : Number.parseInt(COLUMNS ?? '', 10);
  return makeStyle({
    color: !unwanted && (forced || stream !== undefined),
    width: Number.isInteger(columns) && columns > 0 ? columns : undefined,
  });
}

export function workspaceOptions(flags: FlagValues) {
  const cwd = workingFolder();
  const given = textFlag(flags, 'userDir');
  const userDir = given === undefined ? homeFolder() : path.resolve(cwd, given);
  return {
    projectDir: path.resolve(cwd, textFlag(flags, 'projectDir') ?? '.'),
    mustExist: textFlag(flags, 'projectDir') !== undefined,
    userDir,
    // A home given by hand is looked at as it is: the variables speak of the real one.
    environment: given === undefined ? process.env : {},
    skillDir: listFlag(flags, 'skillDir')?.map((dir) => path.resolve(cwd, dir)),
    root: resolved(cwd, textFlag(flags, 'root')),
    skipPlugins: switchedOff(flags, 'plugins') ? true : undefined,
    pluginsFile: resolved(cwd, textFlag(flags, 'pluginsFile')),
    pluginsRoot: resolved(cwd, textFlag(flags, 'pluginsRoot')),
    scanDefaultDirs: switchedOff(flags, 'scanDefaultDirs') ? false : undefined,
    priority: textFlag(flags, 'priority') === 'project-first' ? ('project-first' as const) : undefined,
    specsDir: resolved(cwd, textFlag(flags, 'specsDir')),
    changesDir: resolved(cwd, textFlag(flags, 'changesDir')),
    include: listFlag(flags, 'include'),
    exclude: listFlag(flags, 'exclude'),
  };
}

function resolved(cwd: string, place: string | undefined): string | undefined {
  return place === undefined ? undefined : path.resolve(cwd, place);
}

/** The working folder may have been deleted under us; to a reader the file system's root then has no skills, and that is fine. */
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

/** Nothing is written into, or looked up from, a folder that nobody meant. */
function requireWorkingFolder(writes: boolean, flags: FlagValues): void {
  const projectDir = textFlag(flags, 'projectDir');
  const matters = projectDir === undefined ? writes : !path.isAbsolute(projectDir);
  if (!matters || findWorkingFolder() !== undefined) return;
  throw new Failure('NOT_FOUND', 'The working folder is gone.', {
    hint: 'Change to a folder that exists, or give --project-dir with a whole path.',
  });
}

function homeFolder(): string | undefined {
  const home = process.env['HOME'] ?? process.env['USERPROFILE'];
  if (home !== undefined) return path.isAbsolute(home) ? home : undefined;
  try {
    return os.homedir();
  } catch {
    return undefined;
  }
}

async function printCompletions(words: readonly string[]): Promise<void> {
  try {
    const candidates = await complete(words, COMMANDS, async (kind, flags) => {
      const { Workspace } = await import('../workspace/workspace.ts');
      const isSpecs = kind === 'specs' || kind === 'changes';
      const { snapshot } = await Workspace.open({
        ...workspaceOptions(flags),
        once: true,
        ...(isSpecs ? { skills: false } : {}),
      });
      if (isSpecs) return (await snapshot.specs())[kind].map(({ id }) => id);
      const catalog = snapshot.view(kind === 'skills' ? 'all' : kind);
      return catalog.skills.map((skill) => catalog.displayName(skill));
    });
    write('stdout', candidates.map((candidate) => `${safe(candidate)}\n`).join(''));
  } catch {
    // A shell that completes wants silence, not an explanation.
  }
}
