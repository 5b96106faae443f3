/** An operation as an MCP tool: schemas from its tables, text for models, and errors translated once. */
import type { CallToolResult, ContentBlock, Tool } from '@modelcontextprotocol/server';
import { explain, Failure, type ExplainedError } from '../core/failure.ts';
import { inputSchema, outputSchema } from '../core/fields/json-schema.ts';
import type { Fields, InputOf, ObjectOf } from '../core/fields/field.ts';
import { type Operation, type Params, paramsFor } from '../operations/define.ts';
import { perform } from '../operations/perform.ts';
import { renderError } from '../render/agents/replies.ts';
import type { Toolset } from '../workspace/settings-table.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Catalog } from './catalog.ts';

export interface ServedTool {
  toolset: Toolset;
  /** As it is listed by default; calls are understood in both spellings. */
  name: string;
  dotted: string;
  list(catalog: Catalog): Promise<Tool>;
  call(args: unknown, catalog: Catalog): Promise<CallToolResult>;
}

/** What is special about a tool; by default its text is the result as JSON. */
export interface ToolExtras<P extends Params, O extends Fields> {
  /** By default the name with dots for underscores. */
  dotted?: string;
  render?(output: ObjectOf<O>, catalog: Catalog, input: InputOf<P>): string;
  /** Its description is the list of skills. */
  describesSkills?: boolean;
  /** Further content blocks, such as a file. */
  attach?(output: ObjectOf<O>): ContentBlock[];
  /** What is tolerated besides the schema, brought into its form. */
  accept?(args: unknown): unknown;
  explainFailure?(error: ExplainedError, catalog: Catalog): Promise<string>;
  meta?: Record<string, unknown>;
  /**
   * For a reply that a model must read as text. Some agents show structured content, as JSON, instead of the text; so
   * there is none, and these facts go where only programs look.
   */
  factsOf?(output: ObjectOf<O>): Record<string, unknown>;
}

/** Where programs find the facts of a reply that has no structured content. */
const FACTS_KEY = 'lectern/facts';

export function serveOperation<P extends Params, O extends Fields>(
  operation: Operation<P, O>,
  toolset: Toolset,
  extras: ToolExtras<P, O> = {},
): ServedTool {
  const { name, title, summary, details, writes } = operation;
  const dotted = extras.dotted ?? name.replaceAll('_', '.');
  const definition: Omit<Tool, 'name' | 'description'> = {
    title,
    inputSchema: inputSchema(paramsFor('mcp', operation)),
    ...(extras.factsOf ? {} : { outputSchema: withError(outputSchema(operation.output)) }),
    annotations: {
      readOnlyHint: writes === undefined,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    ...(extras.meta === undefined ? {} : { _meta: extras.meta }),
  };
  const description = `${summary}.${details === undefined ? '' : ` ${details}`}`;
  return {
    toolset,
    name,
    dotted,
    list: async (catalog) => ({
      name: catalog.serving.toolNames === 'dotted' ? dotted : name,
      description: extras.describesSkills ? await catalog.skillDescription() : description,
      ...definition,
    }),
    async call(args, catalog) {
      try {
        const given = extras.accept ? extras.accept(args ?? {}) : (args ?? {});
        const { input, output } = await perform(operation, given, () => openFresh(operation, catalog), {
          face: 'mcp',
          wording: {
            code: 'USAGE',
            prefix: 'Invalid params (-32602): ',
            whole: 'the arguments',
            unknown: 'parameter',
          },
        });
        const text = extras.render ? extras.render(output, catalog, input) : JSON.stringify(output);
        const content: ContentBlock[] = [{ type: 'text', text }, ...(extras.attach?.(output) ?? [])];
        return extras.factsOf
          ? { content, _meta: { [FACTS_KEY]: extras.factsOf(output) } }
          : { content, structuredContent: { ...output } };
      } catch (error) {
        // Anything thrown past here reaches the model verbatim, paths and all.
        if (!(error instanceof Failure)) catalog.log.bug(error);
        return failed(error, catalog, toolset, extras.explainFailure);
      }
    },
  };
}

/** Specs are read as the files are now; the tools for skills decide themselves how current they need to be. */
async function openFresh({ reads }: { reads: Operation['reads'] }, catalog: Catalog): Promise<Workspace> {
  const workspace = await catalog.workspace();
  if (reads === 'specs') await workspace.freshSpecs();
  if (reads === 'all') await workspace.fresh();
  return workspace;
}

async function failed(
  error: unknown,
  catalog: Catalog,
  toolset: Toolset,
  explainFailure: ((error: ExplainedError, catalog: Catalog) => Promise<string>) | undefined,
): Promise<CallToolResult> {
  const explained = explain(error);
  // Paths stay here: a remote caller need not know where things are.
  const { path: _path, line: _line, ...told } = explained;
  const structuredContent = { error: told };
  const text = explainFailure
    ? await explainFailure(explained, catalog)
    : toolset === 'specs'
      ? JSON.stringify(structuredContent)
      : renderError(explained);
  return { isError: true, content: [{ type: 'text', text }], structuredContent };
}

/** A failed call is described too: some clients check its structured content against the schema as well. */
function withError({
  required = [],
  properties,
  ...rest
}: ReturnType<typeof outputSchema>): NonNullable<Tool['outputSchema']> {
  return {
    ...rest,
    properties: { ...(properties as Record<string, object>), error: ERROR_SCHEMA },
    anyOf: [{ required }, { required: ['error'] }],
  };
}

/** The hint and the suggestions that may come along need no description. */
const ERROR_SCHEMA = {
  type: 'object',
  description: 'Only when the call failed',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
};
