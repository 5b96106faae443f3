/** An operation as an MCP tool: schemas in, schemas out, and errors translated once. */
import type { CallToolResult, ContentBlock, Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { explain, Failure, type ExplainedError, type FailureDetails } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import type { Operation } from '../operations/define.ts';
import { renderError } from '../render/agents/replies.ts';
import type { Toolset } from '../workspace/server-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Catalog } from './catalog.ts';
import type { ToolEntry } from './tool-table.ts';

export interface ServedTool {
  toolset: Toolset;
  /** As it is listed by default; calls are understood in both spellings. */
  name: string;
  dotted: string;
  entry(): ToolEntry;
  call(args: unknown, catalog: Catalog): Promise<CallToolResult>;
}

export interface ToolParts<Input extends z.ZodType, Output extends z.ZodObject> {
  toolset: Toolset;
  dotted?: string;
  operation: Operation<Input, Output>;
  render(data: z.input<Output>, catalog: Catalog, input: z.output<Input>): string;
  /** Its description is the list of skills. */
  describesCatalog?: boolean;
  /** Brings what the operation reads up to date. */
  refresh?(workspace: Workspace): Promise<unknown>;
  /** Further content blocks, such as a file. */
  attach?(data: z.input<Output>): ContentBlock[];
  /** What is tolerated beside the schema, brought into its form. */
  accept?(args: unknown): unknown;
  renderFailure?(error: ExplainedError, catalog: Catalog, structured: FailedContent): Promise<string>;
  meta?: Record<string, unknown>;
  /**
   * For a reply that a model must read as it stands. Given structured content, some agents show that, as JSON, and not the
   * text; so there is none, and these facts go along where only programs look. A failure keeps its own: it is short.
   */
  factsAside?(data: z.input<Output>): Record<string, unknown>;
}

/** Of the facts of a reply that has no structured content. */
const FACTS_KEY = 'lectern/facts';

/** What a program reads of a failed call. */
interface FailedContent extends Record<string, unknown> {
  error: Pick<ExplainedError, 'code' | 'message' | 'hint' | 'suggestions'>;
}

export function serveOperation<Input extends z.ZodType, Output extends z.ZodObject>(
  parts: ToolParts<Input, Output>,
): ServedTool {
  const { operation, toolset } = parts;
  const dotted = parts.dotted ?? operation.name;
  return {
    toolset,
    name: operation.name,
    dotted,
    entry: () => ({
      toolset,
      name: operation.name,
      dotted,
      summary: operation.summary,
      describesCatalog: parts.describesCatalog ?? false,
      definition: {
        title: operation.title,
        inputSchema: inputSchemaOf(operation.input),
        ...(parts.factsAside ? {} : { outputSchema: outputSchemaOf(operation.output) }),
        annotations: {
          readOnlyHint: operation.readOnly,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        ...(parts.meta === undefined ? {} : { _meta: parts.meta }),
      },
    }),
    async call(args, catalog) {
      try {
        const input = parseInput(operation.input, parts.accept ? parts.accept(args ?? {}) : (args ?? {}));
        const workspace = await catalog.workspace();
        await parts.refresh?.(workspace);
        const data = await operation.run(input, workspace);
        const text = parts.render(data, catalog, input);
        const content: ContentBlock[] = [{ type: 'text', text }, ...(parts.attach?.(data) ?? [])];
        return parts.factsAside
          ? { content, _meta: { [FACTS_KEY]: parts.factsAside(data) } }
          : { content, structuredContent: toRecord(data) };
      } catch (error) {
        // Whatever is thrown past here reaches the model verbatim, paths and all.
        if (!(error instanceof Failure)) catalog.log.bug(error);
        return failed(error, catalog, parts.renderFailure);
      }
    },
  };
}

async function failed(
  error: unknown,
  catalog: Catalog,
  render: ToolParts<z.ZodType, z.ZodObject>['renderFailure'],
): Promise<CallToolResult> {
  const explained = explain(error);
  // Paths stay here: whoever may ask need not know where things lie.
  const { path: _path, line: _line, ...told } = explained;
  const structuredContent: FailedContent = { error: told };
  const text = render ? await render(explained, catalog, structuredContent) : renderError(explained);
  return { isError: true, content: [{ type: 'text', text }], structuredContent };
}

/** Input that does not fit is told to the model as a result, so that it can correct itself. */
function parseInput<Input extends z.ZodType>(schema: Input, args: unknown): z.output<Input> {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  // A parameter that is missing may be one that is misspelled.
  const unknown = parsed.error.issues.find((each) => each.code === 'unrecognized_keys');
  if (unknown) throw unknownParameters(unknown.keys, schema);
  const [issue] = parsed.error.issues;
  throw invalid(issue ? explainIssue(issue, args) : 'the arguments do not fit');
}

function invalid(reason: string, details?: FailureDetails): Failure {
  return new Failure('USAGE', `Invalid params (-32602): ${reason}`, details);
}

function unknownParameters(keys: readonly string[], schema: z.ZodType): Failure {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const near = [...new Set(keys.flatMap((key) => nearest(key, known)))];
  return invalid(
    `unknown parameter ${keys.map((key) => `"${echo(key)}"`).join(', ')}.`,
    near.length > 0 ? { hint: `Did you mean ${near.join(' or ')}?`, suggestions: near } : {},
  );
}

function explainIssue(issue: z.core.$ZodIssue, args: unknown): string {
  const place = issue.path.map(String).join('.');
  if (place === '') return `the arguments must be an object.`;
  const [key] = issue.path;
  const given = isRecord(args) && typeof key === 'string' && Object.hasOwn(args, key) ? args[key] : undefined;
  if (given === undefined) return `${echo(place)} is required.`;
  if (given === '') return `${echo(place)} is required and must not be empty.`;
  return `${echo(place)}: ${issue.message}.`;
}

function inputSchemaOf(schema: z.ZodType): Tool['inputSchema'] {
  return { ...jsonSchemaOf(schema, 'input'), type: 'object' };
}

/** A failed call is described too: some clients hold its structured content against the schema as well. */
function outputSchemaOf(schema: z.ZodObject): NonNullable<Tool['outputSchema']> {
  const { required, additionalProperties: _closed, properties, ...rest } = jsonSchemaOf(schema, 'output');
  return {
    ...rest,
    type: 'object',
    properties: { ...(isRecord(properties) ? properties : {}), error: ERROR_SCHEMA },
    anyOf: [{ required: Array.isArray(required) ? required : [] }, { required: ['error'] }],
  };
}

/** The hint and the suggestions that may come along need no description. */
const ERROR_SCHEMA = {
  type: 'object',
  description: 'Only when the call failed',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
};

/** Every client pays for these texts with room in its model's memory, so what says nothing is left out. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // What we answer is ours to extend; what we are asked is not.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (isRecord(jsonSchema.propertyNames) && jsonSchema.propertyNames['type'] === 'string')
        delete jsonSchema.propertyNames;
    },
  });
  return oneTypeEach(json);
}

/** `type: ["string", "null"]` is correct, but clients whose schemas know one type at a time drop it or refuse the tool. */
function oneTypeEach(schema: Record<string, unknown>): Record<string, unknown> {
  const within = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(within) : isRecord(value) ? oneTypeEach(value) : value;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === 'type' && Array.isArray(value)
        ? ['anyOf', value.map((type: unknown) => ({ type }))]
        : [key, within(value)],
    ),
  );
}

function toRecord(data: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data));
}
