/**
 * Everything Lectern can do is an operation: one table of plain data and one function. Commands, flags, help, completion,
 * MCP tools, library methods and reference pages derive from the registry in `index.ts`.
 */
import type { Field, Fields, InputOf, ObjectOf } from '../core/fields/field.ts';
import type { Toolset } from '../workspace/settings-table.ts';
import type { Reader } from '../workspace/reader.ts';

export type Face = 'cli' | 'mcp' | 'web' | 'library';

/** A parameter: a field, and how the command line spells it. */
export type Param = Field & {
  /** An argument instead of a flag. `words` joins the remaining arguments with spaces. */
  readonly positional?: true | 'words';
  /** The flag and its aliases; by default `--` and the key in kebab case. */
  readonly flags?: readonly [string, ...string[]];
  /** For a choice: switches that select one value each, instead of one flag with a value. */
  readonly switches?: Readonly<Record<string, { readonly value: string; readonly help: string }>>;
  /** The name of the value in help, such as `dir` for `<dir>`. */
  readonly placeholder?: string;
  /** The next step for those who gave a value that does not fit. */
  readonly hintIfWrong?: string;
  /** A path, or a list of paths: a leading `~/` is the home. */
  readonly isPath?: boolean;
  /** An empty value is valid. By default it is refused, because it usually comes from an unset shell variable. */
  readonly mayBeEmpty?: boolean;
  /** Passed through unparsed to another command. */
  readonly passedOn?: boolean;
  /** Set by the face itself, so it has no flag. */
  readonly hidden?: boolean;
  /** The faces that have this parameter; by default all of them. */
  readonly faces?: readonly Face[];
};
export type Params = Readonly<Record<string, Param>>;

/** The headings of `lectern --help`, in order. */
export const GROUPS = ['Look', 'Check', 'Change', 'Specs and changes', 'Serve', 'Share', 'More'] as const;

export type Examples = readonly (readonly [command: string, about: string])[];

/** How an operation appears on the command line. */
export interface CommandFace {
  /** One word, or two as in `spec list`; empty for `lectern` without a command. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: (typeof GROUPS)[number];
  /** What the first argument is, for completion. */
  readonly completes?: 'skills' | 'enabled' | 'disabled' | 'specs' | 'changes';
  readonly examples: Examples;
}

/** What a face may pass to a running operation. */
export interface RunContext {
  /** Reports something to people while the operation runs. */
  notice?(message: string): void;
  progress?(step: { phase: 'embedding'; done: number; total: number }): void;
  /** Bytes received, and what is being done. */
  received?(bytes: number): void;
  signal?: AbortSignal;
  /** The person in front of a terminal; undefined if nobody can be asked. */
  person?: Person;
  /** Only the rendering of the result is shown, so what it leaves out need not be found. */
  isForText?: boolean;
  /** How many items a list has if the request does not say. */
  pageSize?: number;
  /** Whether results of a search have an excerpt of the body even if names or description have all words. */
  alwaysExcerpt?: boolean;
  /** How long a part of a list may be as JSON, if the face can ask for the next part. */
  replyCharacters?: number;
  /** The variables of the process, for secrets that no file and no flag should have. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/** Questions to a person. Each is answered, or fails with INTERRUPTED. */
export interface Person {
  /** Shows what would be done, and asks whether to do it. The default is no if it is dangerous. */
  confirm(plan: object, question: string, dangerous: boolean): Promise<boolean>;
  /** Picks some of many, or one. Returns their keys. */
  pickSome(question: string, options: readonly PickOption[]): Promise<string[]>;
  pickOne(question: string, options: readonly PickOption[]): Promise<string>;
}

export interface PickOption {
  key: string;
  label: string;
  hint?: string;
}

export interface Operation<P extends Params = Params, O extends Fields = Fields, L extends string = string> {
  /** Stable: the name of the MCP tool, and of the operation in messages and docs. */
  readonly name: string;
  readonly title: string;
  /** One line: the help of the command, the description of the tool, the docs. No final period. */
  readonly summary: string;
  /** What a model needs to know beyond the summary, for tools. */
  readonly details?: string;
  readonly params: P;
  readonly output: O;
  /** Decides which settings apply and what is scanned; `none` if it is not about the project. */
  readonly reads: 'skills' | 'specs' | 'all' | 'none';
  /** Looks at the files itself, so the catalog is not needed. */
  readonly surveys?: true;
  /** Also sees the skills of a repository of skills, which no agent reads from there. */
  readonly collections?: true;
  /** Set if it changes files: the project's, or only the search index. */
  readonly writes?: 'project' | 'index';
  /** On a terminal it shows progress, can be stopped, and may ask a person. */
  readonly interactive?: true;
  readonly command?: CommandFace;
  /** The MCP toolset that the tool belongs to. */
  readonly tool?: Toolset;
  /** The name of the library method, such as `list` or `specs.list`. */
  readonly library?: L;
  /** One that needs more than a reader, such as files to write, says `workspace: Workspace`, and no shared catalog offers it. */
  run(input: InputOf<P>, workspace: Reader, context: RunContext): Promise<ObjectOf<O>>;
  /** The operation succeeded, but the content has errors: exit code 1. */
  hasErrors?(output: ObjectOf<O>): boolean;
}

export function defineOperation<const P extends Params, const O extends Fields, const L extends string = never>(
  operation: Operation<P, O, L>,
): Operation<P, O, L> {
  return operation;
}

/** An operation whose parameters and results are not known in detail. */
// oxlint-disable-next-line typescript/no-explicit-any -- `run` takes its own input, so only `any` fits every operation.
export type AnyOperation = Operation<any, any, string>;

export function paramsFor(face: Face, { params }: { params: Params }): Params {
  return Object.fromEntries(
    Object.entries(params).filter(([, { faces }]) => faces === undefined || faces.includes(face)),
  );
}
