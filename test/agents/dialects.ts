/** The four ways in which agents speak with their models: what of a request matters here, and how an answer is streamed. */
import { z } from 'zod';

/** A tool as the model is shown it. */
export interface ShownTool {
  name: string;
  description: string;
  /** Where tools come in groups, the group's name. */
  group?: string;
}

/** What the model does next: calls a tool, hands a tool a text of its own making, or speaks. */
export type Turn =
  | { call: ShownTool; input: Record<string, unknown> }
  | { call: ShownTool; script: string }
  | { say: string };

export interface Dialect {
  /** Of the path that requests go to. */
  path: RegExp;
  tools(body: unknown): ShownTool[];
  /** The results of tools that the conversation holds, as the model would read them. */
  results(body: unknown): string[];
  /** One answer as the events of a stream. */
  stream(turn: Turn): string;
}

const events = (list: readonly ({ type: string } & Record<string, unknown>)[]): string =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

/** Text, or blocks of text, or anything else as JSON. */
const Blocks = z.union([
  z.string(),
  z.array(z.looseObject({ text: z.string() })).transform((blocks) => blocks.map(({ text }) => text).join('\n')),
]);
const readText = (content: unknown): string => Blocks.safeParse(content).data ?? JSON.stringify(content);
const Named = z.object({ name: z.string(), description: z.string().default('') });
const loose = z.array(z.looseObject({})).default([]);

const argumentsOf = (turn: Turn): string => JSON.stringify('input' in turn ? turn.input : {});
const CALL_ID = 'call_1';
const MODEL = 'fake-model';

const anthropicMessages: Dialect = {
  path: /\/v1\/messages$/u,
  tools: (body) =>
    z
      .object({ tools: z.array(Named).default([]) })
      .parse(body)
      .tools.map(({ name, description }) => ({ name, description })),
  results(body) {
    const { messages } = z.object({ messages: z.array(z.object({ content: z.unknown() })) }).parse(body);
    return messages.flatMap(({ content }) =>
      (Array.isArray(content) ? content : []).flatMap((block: unknown) => {
        const result = z.object({ type: z.literal('tool_result'), content: z.unknown() }).safeParse(block);
        return result.success ? [readText(result.data.content)] : [];
      }),
    );
  },
  stream(turn) {
    const usage = { input_tokens: 10, output_tokens: 10 };
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    const [block, delta, reason] =
      'call' in turn
        ? [
            { type: 'tool_use', id: CALL_ID, name: turn.call.name, input: {} },
            { type: 'input_json_delta', partial_json: argumentsOf(turn) },
            'tool_use',
          ]
        : [{ type: 'text', text: '' }, { type: 'text_delta', text: turn.say }, 'end_turn'];
    return events([
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]);
  },
};

const openaiResponses: Dialect = {
  path: /\/v1\/responses$/u,
  tools(body) {
    const { tools, input } = z.object({ tools: loose, input: loose }).parse(body);
    // Newer models find the tools at the beginning of the conversation.
    const further = input.flatMap(
      (item) => z.object({ type: z.literal('additional_tools'), tools: loose }).safeParse(item).data?.tools ?? [],
    );
    return [...tools, ...further].flatMap((tool): ShownTool[] => {
      const group = z.object({ type: z.literal('namespace'), name: z.string(), tools: z.array(Named) }).safeParse(tool);
      if (group.success)
        return group.data.tools.map(({ name, description }) => ({ name, description, group: group.data.name }));
      const alone = Named.safeParse(tool);
      return alone.success ? [alone.data] : [];
    });
  },
  results(body) {
    const { input } = z.object({ input: loose }).parse(body);
    return input
      .filter(({ type }) => type === 'function_call_output' || type === 'custom_tool_call_output')
      .map(({ output }) => readText(output));
  },
  stream(turn) {
    const item =
      'script' in turn
        ? { type: 'custom_tool_call', id: 'ctc_1', call_id: CALL_ID, name: turn.call.name, input: turn.script }
        : 'call' in turn
          ? {
              type: 'function_call',
              id: 'fc_1',
              call_id: CALL_ID,
              name: turn.call.name,
              ...(turn.call.group === undefined ? {} : { namespace: turn.call.group }),
              arguments: argumentsOf(turn),
            }
          : { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: turn.say }] };
    const usage = {
      input_tokens: 10,
      input_tokens_details: null,
      output_tokens: 10,
      output_tokens_details: null,
      total_tokens: 20,
    };
    return events([
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'resp_1', output: [item], usage } },
    ]);
  },
};

const openaiChat: Dialect = {
  path: /\/v1\/chat\/completions$/u,
  tools: (body) =>
    z
      .object({ tools: z.array(z.object({ function: Named })).default([]) })
      .parse(body)
      .tools.map((tool) => tool.function),
  results(body) {
    const { messages } = z
      .object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) })
      .parse(body);
    return messages.filter(({ role }) => role === 'tool').map(({ content }) => readText(content));
  },
  stream(turn) {
    const chunk = (delta: object, reason: string | null) =>
      `data: ${JSON.stringify({ id: 'chat_1', object: 'chat.completion.chunk', created: 0, model: MODEL, choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
    const delta =
      'call' in turn
        ? {
            tool_calls: [
              {
                index: 0,
                id: CALL_ID,
                type: 'function',
                function: { name: turn.call.name, arguments: argumentsOf(turn) },
              },
            ],
          }
        : { content: turn.say };
    return `${chunk({ role: 'assistant', ...delta }, null)}${chunk({}, 'call' in turn ? 'tool_calls' : 'stop')}data: [DONE]\n\n`;
  },
};

const gemini: Dialect = {
  path: /:(?:streamGenerateContent|generateContent)$/u,
  tools(body) {
    const { tools } = z
      .object({ tools: z.array(z.object({ functionDeclarations: z.array(Named).default([]) })).default([]) })
      .parse(body);
    return tools.flatMap(({ functionDeclarations }) => functionDeclarations);
  },
  results(body) {
    const { contents } = z.object({ contents: z.array(z.object({ parts: loose })) }).parse(body);
    const responses = contents.flatMap(({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse ?? []));
    return responses.map((response) => {
      const output = z.object({ response: z.object({ output: z.string() }) }).safeParse(response);
      return output.success ? output.data.response.output : JSON.stringify(response);
    });
  },
  stream(turn) {
    const part =
      'call' in turn
        ? { functionCall: { name: turn.call.name, args: 'input' in turn ? turn.input : {} } }
        : { text: turn.say };
    const answer = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: MODEL,
    };
    return `data: ${JSON.stringify(answer)}\n\n`;
  },
};

export const DIALECTS: readonly Dialect[] = [anthropicMessages, openaiResponses, openaiChat, gemini];
