import type { Readable, Writable } from 'node:stream';
import type { Style } from '../render/style.ts';
import type { WorkspaceOptions } from '../workspace/settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Flag, FlagValues } from './flags.ts';

/** What a command leaves behind. It prints nothing itself: one place decides between JSON and text. */
export interface Outcome {
  /** The document for --json. */
  json: object;
  text: (style: Style) => string;
  /** 1 when the work was done and the content has errors. */
  exitCode?: 0 | 1;
  /** For people, on standard error, in either form. */
  notices?: (style: Style) => string;
  /** Printed instead of the text, byte for byte, unless a terminal would show it. */
  raw?: Uint8Array;
}

/** What a command that serves leaves behind: nothing to print, and an end to wait for. */
export interface Service {
  /** Ends the process with code 0; a Failure ends it as any other does. */
  until: Promise<void>;
}

/** The process, for commands that serve and therefore talk while they run. */
export interface ProcessEdge {
  input: Readable;
  output: Writable;
  /** One line on standard error. */
  say: (line: string) => void;
  environment: Readonly<Record<string, string | undefined>>;
  /** Called once, with the name of the signal; a second signal ends the process at once. */
  onStop: (stop: (signal: string) => void) => void;
  /** Hides the command line from lists of processes: it may hold a secret. */
  hideArguments: () => void;
}

export interface CommandContext {
  /** Opens the workspace that the flags describe; commands that need none do not pay for it. */
  workspace: (options?: { skills?: boolean; once?: boolean }) => Promise<Workspace>;
  /** The options behind it. */
  options: () => WorkspaceOptions;
  edge: ProcessEdge;
  arguments: readonly string[];
  flags: FlagValues;
  /** Shows one line while the work goes on, or removes it; undefined where nobody watches a terminal. */
  progress: ((line: ((style: Style) => string) | undefined) => void) | undefined;
  /** Aborted when somebody presses Ctrl-C. Asked for only by commands that can stop halfway; the others end at once. */
  signal: () => AbortSignal;
}

export type RunCommand = (context: CommandContext) => Promise<Outcome | Service>;

export interface CommandArgument {
  /** `<name>`, `[name]` or `<names...>`. */
  form: string;
  about: string;
  /** The words that fit, for completion; the command itself says what is wrong with others. */
  choices?: readonly string[];
  /** Words for somebody else, who judges them. */
  passedOn?: boolean;
}

/** A command as data. The code behind it is loaded only when it runs, so that --help stays instant. */
export interface CommandDefinition {
  /** One word, or two as in `spec list`. */
  name: string;
  aliases?: readonly string[];
  /** One of the headings of the help. */
  group: string;
  summary: string;
  arguments?: readonly CommandArgument[];
  flags: readonly Flag[];
  /** Writes into the project: a working folder that is gone is then a mistake, not an empty project. */
  writes?: boolean;
  /** What its first argument names, for completion; skills where nothing else is said. */
  completes?: 'specs' | 'changes';
  examples: readonly (readonly [command: string, about: string])[];
  load: () => Promise<RunCommand>;
}
