/** Turns an operation into an MCP tool: derives schemas from its tables, renders text for models and translates errors. */
import type { CallToolResult, ContentBlock, Tool } from '@modelcontextprotocol/server';
import { Failure } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { inputSchema, outputSchema } from '../core/fields/json-schema.ts';
import type { Fields, ObjectOf } from '../core/fields/field.ts';
import { type Operation, type Params, paramsFor, type RunContext } from '../operations/define.ts';
import { perform } from '../operations/perform.ts';
import { renderFailure } from '../render/agents/replies.ts';
import type { Toolset } from '../workspace/settings-table.ts';
import type { Reader } from '../workspace/reader.ts';
import type { CatalogPart, Data, JoinedOutcome, Outcome } from './outcome.ts';
import { replyWithData, replyWithError, replyWithText } from './reply.ts';
import type { ServedWorkspace, ServerSettings } from './served-workspace.ts';

export interface ServedTool {
  toolset: Toolset;
  /** Whether the tool writes. A shared catalog offers only tools that do not. */
  writes: boolean;
  name: string;
  list(served: ServedWorkspace, client?: string): Promise<Tool>;
  /** Runs the operation for a program. Never rejects. */
  run(args: unknown, served: ServedWorkspace): Promise<Outcome>;
  /** Runs the operation for a model. */
  call(args: unknown, served: ServedWorkspace, client?: string): Promise<CallToolResult>;
}

/** Customizations of a tool. */
export interface ToolExtras<O extends Fields> {
  /** Renders the text of the reply. Defaults to the result as JSON. */
  render?(output: ObjectOf<O>, served: ServedWorkspace, args: Readonly<Record<string, unknown>>): string;
  /** The description of the tool is the list of skills. */
  describesSkills?: boolean;
  /** Replaces the details in a shared catalog. */
  sharedDetails?: string;
  /** Returns additional content blocks, such as a file. */
  attach?(output: ObjectOf<O>): ContentBlock[];
  /** Converts accepted arguments that are not in the schema to those of the schema. */
  accept?(args: unknown): unknown;
  /** Returns the text of a failed call, or undefined for the default text. */
  explainFailure?(failure: Failure, served: ServedWorkspace, client: string | undefined): Promise<string | undefined>;
  meta?: Record<string, unknown>;
  /** Returns defaults that depend on the server, by parameter. The schema names them. */
  defaults?(settings: ServerSettings): Readonly<Record<string, string>>;
  /** Called after the operation succeeds. */
  done?(output: ObjectOf<O>, served: ServedWorkspace): void;
  /**
   * Returns data for programs if the model must read the reply as text. Some agents show structured content as JSON instead of
   * the text, so these replies carry the data in `_meta`.
   */
  factsOf?(output: ObjectOf<O>): Record<string, unknown>;
}

/** Leaves room for the fields around a list. */
const REPLY_CHARACTERS = LIMITS.replyCharacters.value - 2_000;

export function serveOperation<P extends Params, O extends Fields>(
  operation: Operation<P, O>,
  toolset: Toolset,
  extras: ToolExtras<O> = {},
): ServedTool {
  const { name, summary, details, writes } = operation;
  const definition = definitionOf(operation, extras);
  const accepted = (args: unknown): unknown => (extras.accept ? extras.accept(args ?? {}) : (args ?? {}));
  const run = (args: unknown, served: ServedWorkspace) => runOn(served, operation, extras, args);
  const reply = (joined: { output: Data } & CatalogPart, served: ServedWorkspace, args: unknown): CallToolResult => {
    // A join keeps the shape that the table describes.
    const output = joined.output as ObjectOf<O>;
    const text = extras.render?.(output, served, isRecord(args) ? args : {});
    if (!extras.factsOf) return replyWithData(joined.output, text, joined);
    const content: ContentBlock[] = [{ type: 'text', text: text ?? '' }, ...(extras.attach?.(output) ?? [])];
    return replyWithText(content, extras.factsOf(output), joined);
  };
  const describe = (more: string | undefined): string => `${summary}.${more === undefined ? '' : ` ${more}`}`;
  return {
    toolset,
    writes: writes !== undefined,
    name,
    list: async (served, client) => ({
      name: served.listedName(name),
      description: extras.describesSkills
        ? await served.skillDescription(client)
        : describe(served.settings.isShared ? (extras.sharedDetails ?? details) : details),
      ...definition,
      ...(extras.defaults
        ? { inputSchema: inputSchema(withDefaults(operation, extras.defaults(served.settings))) }
        : {}),
    }),
    run,
    async call(args, served, client) {
      const given = accepted(args);
      const local = (input: unknown) => run(input, served);
      const joined: JoinedOutcome = served.catalog
        ? await served.catalog.join({ operation, args: given, served, local })
        : await local(given);
      let error: unknown;
      try {
        if ('output' in joined) return reply(joined, served, given);
        ({ error } = joined);
      } catch (thrown) {
        error = thrown;
      }
      served.calls.failed(served.listedName(name), error);
      const text = error instanceof Failure ? await extras.explainFailure?.(error, served, client) : undefined;
      return replyWithError(error, text ?? renderFailure(error, served.budgetFor(client)), joined);
    },
  };
}

async function runOn<P extends Params, O extends Fields>(
  served: ServedWorkspace,
  operation: Operation<P, O>,
  { done }: Pick<ToolExtras<O>, 'done'>,
  args: unknown,
): Promise<Outcome<ObjectOf<O>>> {
  try {
    const { output } = await perform(operation, args, () => openFresh(operation, served), {
      face: 'mcp',
      // Models write "5" for 5.
      fromText: true,
      context: contextOf(served),
      wording: { code: 'USAGE', prefix: 'Invalid params (-32602): ', whole: 'the arguments', unknown: 'parameter' },
    });
    done?.(output, served);
    return { output };
  } catch (error) {
    return { error };
  }
}

function definitionOf<P extends Params, O extends Fields>(
  operation: Operation<P, O>,
  extras: ToolExtras<O>,
): Omit<Tool, 'name' | 'description'> {
  return {
    title: operation.title,
    inputSchema: inputSchema(paramsFor('mcp', operation)),
    ...(extras.factsOf ? {} : { outputSchema: outputSchema(operation.output) }),
    annotations: {
      readOnlyHint: operation.writes === undefined,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    ...(extras.meta === undefined ? {} : { _meta: extras.meta }),
  };
}

function withDefaults(operation: { params: Params }, defaults: Readonly<Record<string, string>>): Params {
  return Object.fromEntries(
    Object.entries(paramsFor('mcp', operation)).map(([key, param]) => [
      key,
      param.type === 'choice' && defaults[key] !== undefined ? { ...param, default: defaults[key] } : param,
    ]),
  );
}

function contextOf({ settings: { pageSize, completeTexts } }: ServedWorkspace): RunContext {
  return {
    replyCharacters: REPLY_CHARACTERS,
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(completeTexts === undefined ? {} : { completeTexts }),
  };
}

/** Rescans specs for each call. Skill tools control their own rescans. */
async function openFresh({ reads }: { reads: Operation['reads'] }, served: ServedWorkspace): Promise<Reader> {
  const workspace = await served.workspace();
  if (reads === 'specs') await workspace.freshSpecs();
  if (reads === 'all') await workspace.fresh();
  return workspace;
}
