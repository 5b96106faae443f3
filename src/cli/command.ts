import type { Readable, Writable } from 'node:stream';
import type { CommandFace, Params } from '../operations/define.ts';
import type { Style } from '../render/style.ts';
import type { OpenOptions } from '../workspace/settings.ts';
import type { SettingGroup } from '../workspace/settings-table.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Argument, argumentsOf, type Flag, flagsOf, type Given, settingFlags } from './flags.ts';

/** What a command leaves behind. It prints nothing itself: one place decides between JSON and text. */
export interface Outcome {
  /** The document for --json. */
  json: object;
  text: (style: Style) => string;
  /** 1 if the work was done and the content has errors. */
  exitCode?: 0 | 1;
  /** For people, on standard error, with either output. */
  notices?: (style: Style) => string;
  /** Printed instead of the text, byte for byte, unless a terminal would show it. */
  raw?: Uint8Array;
}

/** What a command that serves leaves behind: nothing to print, and an end to wait for. */
export interface Service {
  /** Ends the process with code 0; a Failure ends it like any other. */
  until: Promise<void>;
}

/** The process, for commands that serve and therefore talk while they run. */
export interface ProcessEdge {
  input: Readable;
  output: Writable;
  /** One line on standard error. */
  say: (line: string) => void;
  environment: Readonly<Record<string, string | undefined>>;
  /** The file that was started. */
  program: string;
  /** Called once, with the name of the signal; a second signal ends the process at once. */
  onStop: (stop: (signal: string) => void) => void;
  /** Hides the command line from lists of processes: it may hold a secret. */
  hideArguments: () => void;
}

export interface CommandContext {
  /** The values of the command's own parameters, unchecked. */
  given: Given;
  /** The options that the flags describe, checked. */
  options: () => OpenOptions;
  /** Opens the workspace that the flags describe. */
  open: (how?: Partial<OpenOptions>) => Promise<Workspace>;
  verbose: boolean;
  edge: ProcessEdge;
  /** Shows one line while the work goes on, or removes it; undefined unless a terminal shows it. */
  progress: ((line: ((style: Style) => string) | undefined) => void) | undefined;
  /** Aborted by Ctrl-C. Used only by commands that can stop halfway; the others end at once. */
  signal: () => AbortSignal;
}

export type RunCommand = (context: CommandContext) => Promise<Outcome | Service>;

/** A command as data. Parser, help, completion and the reference page are made from it. */
export interface Command extends CommandFace {
  summary: string;
  params: Params;
  /** The settings whose flags it takes, besides the global ones. */
  settings: readonly SettingGroup[];
  /** Writes into the project: a working folder that is gone is then a mistake, not an empty project. */
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
