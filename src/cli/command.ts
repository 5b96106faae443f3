import type { Readable, Writable } from 'node:stream';
import type { CommandFace, Params } from '../operations/define.ts';
import type { Style } from '../render/style.ts';
import type { OpenOptions } from '../workspace/settings.ts';
import type { SettingGroup } from '../workspace/settings-table.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Argument, argumentsOf, type Flag, flagsOf, type Given, settingFlags } from './flags.ts';

/** The result of a command. Commands print nothing themselves: one place decides between JSON and text. */
export interface Outcome {
  /** The document for --json. */
  json: object;
  text: (style: Style) => string | Promise<string>;
  /** 1 if the command succeeded but the content has errors. */
  exitCode?: 0 | 1;
  /** For people, on standard error, both for text and for --json. */
  notices?: (style: Style) => string;
  /** Printed byte for byte instead of the text, except on a terminal. */
  raw?: Uint8Array;
}

/** The result of a command that serves. */
export interface Service {
  /** Resolves when the server has stopped; the exit code is then 0. */
  until: Promise<void>;
}

/** Access to the process, for commands that serve and therefore print while they run. */
export interface ProcessEdge {
  input: Readable;
  output: Writable;
  /** One line on standard error. */
  say: (line: string) => void;
  /** One line on standard error for programs, as it is. */
  record: (line: string) => void;
  /** Whether somebody reads standard error on a terminal. */
  isWatched: () => boolean;
  environment: Readonly<Record<string, string | undefined>>;
  /** The path of the script that runs. */
  program: string;
  /** Called once, with the name of the signal; a second signal ends the process at once. */
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
  open: (how?: Partial<OpenOptions>) => Promise<Workspace>;
  verbose: boolean;
  /** The result is printed as JSON. */
  json: boolean;
  edge: ProcessEdge;
  /** Shows or removes a line of progress; undefined unless standard error is a terminal. */
  progress: ((line: ((style: Style) => string) | undefined) => void) | undefined;
  /** Aborted by Ctrl-C. Used only by commands that can stop halfway; the others end at once. */
  signal: () => AbortSignal;
}

export type RunCommand = (context: CommandContext) => Promise<Outcome | Service>;

/** A command as data. Parser, help, completion and the reference page derive from it. */
export interface Command extends CommandFace {
  summary: string;
  params: Params;
  /** The settings whose flags it accepts, besides the global ones. */
  settings: readonly SettingGroup[];
  /** Flags that matter first; help shows them above the others. */
  firstFlags?: readonly string[];
  /** Commands that are the same with other defaults. */
  presets?: readonly string[];
  /** It runs until it is stopped. A signal stops it properly from the first moment on. */
  serves?: true;
  /** For commands that write into the project, a deleted working folder is an error, not an empty project. */
  writes: boolean;
  run: RunCommand;
}

export function flagsOfCommand({ params, settings }: Command): Flag[] {
  return [...flagsOf(params), ...settingFlags(settings)];
}

export function argumentsOfCommand({ params }: Command): Argument[] {
  return argumentsOf(params);
}

/** `lectern list`, or `lectern` alone. */
export function shownName(name: string): string {
  return name === '' ? 'lectern' : `lectern ${name}`;
}
