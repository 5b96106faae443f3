/**
 * Every feature of Lectern is an operation: one table of plain data and one function. Commands, flags, help, completion,
 * MCP tools, library methods and reference pages derive from the registry in `index.ts`.
 */
import type { ServerAnswer } from '../agents/context/servers.ts';
import type { ServerStart } from '../clients/server-start.ts';
import type { Field, Fields, InputOf, ObjectOf } from '../core/fields/field.ts';
import type { SettingGroup, Toolset } from '../workspace/settings-table.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Join } from './join.ts';

export type Face = 'cli' | 'mcp' | 'web' | 'library';

/** Kinds of names that shells complete. */
export type NameKind = 'skills' | 'enabled' | 'disabled' | 'specs' | 'changes' | 'requirements';

/** A parameter: a field and its spelling on the command line. */
export type Param = Field & {
  /** Makes the parameter an argument instead of a flag. `words` joins the remaining arguments with spaces. */
  readonly positional?: true | 'words';
  /** The flag and its aliases. Defaults to `--` and the key in kebab case. */
  readonly flags?: readonly [string, ...string[]];
  /** Switches that each select one value of a choice, instead of one flag with a value. */
  readonly switches?: Readonly<Record<string, { readonly value: string; readonly help: string }>>;
  /** Name of the value in help, such as `dir` for `<dir>`. */
  readonly placeholder?: string;
  /** Hint for an invalid value. */
  readonly hintIfWrong?: string;
  /** The value is a path or a list of paths. A leading `~/` is the home folder. */
  readonly isPath?: boolean;
  /** Allows an empty value. By default it is refused, because it usually comes from an unset shell variable. */
  readonly mayBeEmpty?: boolean;
  /** The value is passed through unparsed to another command. */
  readonly passedOn?: boolean;
  /** Kind of the names that complete it, for flags and for arguments after the first. */
  readonly completes?: NameKind;
  /** The face itself sets the value, so there is no flag. */
  readonly hidden?: boolean;
  /** The flag is accepted, but help and completion do not list it. */
  readonly unlisted?: boolean;
  /** Faces that have this parameter. Defaults to all. */
  readonly faces?: readonly Face[];
};
export type Params = Readonly<Record<string, Param>>;

/** Headings of `lectern --help`, in order. */
export const GROUPS = ['Look', 'Check', 'Change', 'Specs and changes', 'Connect', 'Shared catalog'] as const;

/** The group of the commands for the operators of a shared catalog. `lectern help serve` lists them instead of `lectern --help`. */
export const OPERATORS_GROUP: (typeof GROUPS)[number] = 'Shared catalog';

export type Examples = readonly (readonly [command: string, about: string])[];

/** An operation on the command line. */
export interface CommandFace {
  /** One word, or two as in `spec list`. Empty for `lectern` without a command. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: (typeof GROUPS)[number];
  /** Kind of the first argument, for completion. */
  readonly completes?: NameKind;
  readonly examples: Examples;
}

/** Options and callbacks that a face passes to a running operation. */
export interface RunContext {
  /** Shows a message to the user while the operation runs. */
  notice?(message: string): void;
  progress?(step: { phase: 'embedding'; done: number; total: number }): void;
  /** Reports the number of bytes received. */
  received?(bytes: number): void;
  signal?: AbortSignal;
  /** Prompts for the user at a terminal. Undefined if there is no terminal. */
  person?: Person;
  /** Only the rendered result is shown, so details that it omits need not be computed. */
  isForText?: boolean;
  /** Whether the user set a parameter, as opposed to its default. */
  isSet?(param: string): boolean;
  /** The result is shown as a page of the web interface, so the fields that only pages need are added. */
  isForPage?: boolean;
  /** Default number of items in a list. */
  pageSize?: number;
  /** Whether search results have complete descriptions, and an excerpt of the body even if the description contains all words. */
  completeTexts?: boolean;
  /** Maximum length of a page as JSON, if the face can request the next page. */
  replyCharacters?: number;
  /** Folder that relative paths start from. Defaults to the project folder. */
  workingDir?: string;
  /** Starts or calls an MCP server and lists its tools. Only the command line does. */
  askServer?(
    start: ServerStart,
    options: { timeoutMs: number; environment: RunContext['environment']; signal: AbortSignal },
  ): Promise<ServerAnswer>;
  /** Environment variables, for secrets that must not be in files or flags. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/** Prompts for the user. Each returns an answer or fails with INTERRUPTED. */
export interface Person {
  /** Shows the plan and prompts for confirmation. Defaults to no if the plan is dangerous. */
  confirm(plan: object, question: string, dangerous: boolean): Promise<boolean>;
  /** Prompts for a selection. Returns the keys of the selected options. */
  pickSome(question: string, options: readonly PickOption[]): Promise<string[]>;
  pickOne(question: string, options: readonly PickOption[]): Promise<string>;
}

export interface PickOption {
  key: string;
  label: string;
  hint?: string;
  /** Whether the option is selected at first, if several can be selected. */
  isSelected?: boolean;
}

/** Thrown by `run` for an input that fits its table but cannot be used. `perform` words it for the face. */
export class InvalidInput extends Error {
  readonly param: string;

  /** `problem` completes a sentence that starts with the name of the parameter, without a final period. */
  constructor(param: string, problem: string) {
    super(problem);
    this.param = param;
  }
}

export interface Operation<
  P extends Params = Params,
  O extends Fields = Fields,
  L extends string = string,
  N extends string = string,
> {
  /** Stable name of the MCP tool, and of the operation in messages and docs. */
  readonly name: N;
  readonly title: string;
  /** One line for the help of the command, the description of the tool and the docs. No final period. */
  readonly summary: string;
  /** Additional description of the tool for models. */
  readonly details?: string;
  readonly params: P;
  readonly output: O;
  /** The files to scan. `none` if the operation does not concern the project. */
  readonly reads: 'skills' | 'specs' | 'all' | 'none';
  /** The settings that affect the result, which the command accepts as flags. Defaults to none. */
  readonly settings?: readonly SettingGroup[];
  /** The operation examines the files itself and does not need the catalog. */
  readonly surveys?: true;
  /** Includes the skills of a skill repository, which no agent reads from there. */
  readonly collections?: true;
  /** The parameter with the name of the only skill that the operation uses, so that no others have to be found. */
  readonly looksUp?: string;
  /** Set if the operation changes files: those of the project, or only the search index. */
  readonly writes?: 'project' | 'index';
  /** On a terminal, the operation shows progress, can be stopped and may prompt. */
  readonly interactive?: true;
  readonly command?: CommandFace;
  /** MCP toolset of the tool. */
  readonly tool?: Toolset;
  /** How its results join with those of a shared catalog. Every operation with a tool has this row. */
  readonly join?: Join;
  /** Name of the library method, such as `list` or `specs.list`. */
  readonly library?: L;
  /** Operations that need more than a reader, such as write access, take a `Workspace`. Shared catalogs do not offer these. */
  run(input: InputOf<P>, workspace: Reader, context: RunContext): Promise<ObjectOf<O>>;
  /** Whether the operation succeeded but the content has errors, for exit code 1. */
  hasErrors?(output: ObjectOf<O>): boolean;
  /** Describes the result in one sentence, without a final period. Other results have an entry in `render/`. */
  sentence?(output: ObjectOf<O>): string;
  /** A command that usually follows, shown below the sentence. */
  next?(output: ObjectOf<O>): string;
}

/** A tool without a `join` row would answer from local files only, although a shared catalog is configured. */
type ToolRows = { readonly tool: Toolset; readonly join: Join } | { readonly tool?: never; readonly join?: never };

export function defineOperation<
  const P extends Params,
  const O extends Fields,
  const L extends string = never,
  const N extends string = string,
>(operation: Operation<P, O, L, N> & ToolRows): Operation<P, O, L, N> {
  return operation;
}

/** An operation with any parameters and results. */
// oxlint-disable-next-line typescript/no-explicit-any -- `run` takes its own input, so only `any` fits every operation.
export type AnyOperation = Operation<any, any, string>;

export function paramsFor(face: Face, { params }: { params: Params }): Params {
  return Object.fromEntries(
    Object.entries(params).filter(([, { faces }]) => faces === undefined || faces.includes(face)),
  );
}
