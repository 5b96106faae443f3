import type { Readable, Writable } from 'node:stream';
import type { CommandFace, Params } from '../operations/define.ts';
import type { Style } from '../render/style.ts';
import type { OpenOptions } from '../workspace/settings.ts';
import type { SettingGroup } from '../workspace/settings-table.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Argument, argumentsOf, type Flag, flagsOf, type Given, settingFlags } from './flags.ts';

/** The result of a command. Commands do not print anything themselves: one place decides between JSON and text. */
export interface Outcome {
  /** The document for --json. */
  json: object;
  text: (style: Style) => string | Promise<string>;
  /** 1 if the command succeeded but the content has errors; 2 if the result shows why it could not do its work. */
  exitCode?: 0 | 1 | 2;
  /** Text for people on standard error. With --json, it has only problems that the document does not contain. */
  notices?: (style: Style) => string;
  /** Printed byte for byte instead of the text, except on a terminal. */
  raw?: Uint8Array;
}

/** The result of a server command. */
export interface Service {
  /** Resolves when the server has stopped. The exit code is then 0. */
  until: Promise<void>;
}

/** Access to the process, for server commands, which print while they run. */
export interface ProcessEdge {
  input: Readable;
  output: Writable;
  /** Prints one line on standard error. */
  say: (line: string) => void;
  /** Prints one line on standard error for programs, unchanged. */
  record: (line: string) => void;
  /** Whether standard error is a terminal. */
  isWatched: () => boolean;
  environment: Readonly<Record<string, string | undefined>>;
  workingDir: string;
  /** The path of the running script. */
  program: string;
  /** Registers a handler that is called once, with the name of the signal. A second signal ends the process immediately. */
  onStop: (stop: (signal: string) => void) => void;
  /** Hides the command line, which may contain a secret, from process lists. */
  hideArguments: () => void;
}

export interface CommandContext {
  /** The values of the command's own parameters, unchecked. */
  given: Given;
  /** The options from the flags, checked. */
  options: () => OpenOptions;
  /** Opens the workspace with these options. */
  open: (how?: Partial<OpenOptions> & { lookUp?: string | undefined }) => Promise<Workspace>;
  verbose: boolean;
  /** Whether the result is printed as JSON. */
  json: boolean;
  edge: ProcessEdge;
  /** Shows or removes a line of progress. Undefined unless standard error is a terminal. */
  progress: ((line: ((style: Style) => string) | undefined) => void) | undefined;
  /** Prints a result, for commands that print several. On a terminal, it replaces the one before. */
  show: (outcome: Outcome) => Promise<void>;
  /** Aborted by Ctrl-C. Used only by commands that can stop halfway. Others end immediately. */
  signal: () => AbortSignal;
}

export type RunCommand = (context: CommandContext) => Promise<Outcome | Service>;

/** Describes a command as data. Parser, help, completion and the reference page are derived from it. */
export interface Command extends CommandFace {
  summary: string;
  params: Params;
  /** The settings whose flags it accepts, in addition to the global ones. */
  settings: readonly SettingGroup[];
  /** The most important flags. Help shows them above the others. */
  firstFlags?: readonly string[];
  /** Variants of this command with other defaults. */
  presets?: readonly string[];
  /** Describes the JSON document of a command that is not an operation. */
  document?: string;
  /** The command runs until it is stopped. A signal stops it cleanly even during startup. */
  serves?: true;
  /** Set for commands that write into the project: a deleted working folder is an error instead of an empty project. */
  writes: boolean;
  run: RunCommand;
}

export function flagsOfCommand({ params, settings }: Command): Flag[] {
  return [...flagsOf(params), ...settingFlags(settings)];
}

export function argumentsOfCommand({ params }: Command): Argument[] {
  return argumentsOf(params);
}

/** Pages of `lectern help` that are not about one command. */
export const HELP_TOPICS = ['flags', 'serve'] as const;
export type HelpTopic = (typeof HELP_TOPICS)[number];

/** Returns `lectern list`, or `lectern` for an empty name. */
export function shownName(name: string): string {
  return name === '' ? 'lectern' : `lectern ${name}`;
}
