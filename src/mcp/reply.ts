/** Replies to tool calls: data, text or an error, with the shared catalog's contribution. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { explain, Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { ENVELOPE_BYTES, fitResult, jsonBytes } from './fit-reply.ts';
import { INVALID_PARAMS } from './messages.ts';
import { ERROR_KEY, FACTS_KEY } from './meta-keys.ts';
import type { CatalogPart, Data } from './outcome.ts';

const REPLY_BYTES = LIMITS.replyTotalBytes.value - ENVELOPE_BYTES;
/** Reduces the size a little more on each attempt, because the rest of a list may contain more quotes than average. */
const SAFETY = 0.98;

/**
 * Returns structured content with a text version, which defaults to JSON. Both contain the note, because some agents show only one
 * of them.
 */
export function replyWithData(output: Data, text: string | undefined, { note, meta }: CatalogPart): CallToolResult {
  const noted = note === undefined ? output : { ...output, note };
  const shown = text === undefined || note === undefined ? text : `${text}\n${note}`;
  return { ...fittingData(noted, shown), ...(meta ? { _meta: meta } : {}) };
}

function fittingData(output: Data, text: string | undefined): CallToolResult {
  for (let data = output; ;) {
    const result: CallToolResult = {
      content: [{ type: 'text', text: text ?? JSON.stringify(data) }],
      structuredContent: { ...data },
    };
    const size = jsonBytes(result);
    if (size <= REPLY_BYTES) return result;
    // Escaped quotes enlarge JSON inside JSON by an amount that is known only afterwards.
    data = fitResult(output, Math.floor(((jsonBytes(data) * REPLY_BYTES) / size) * SAFETY));
  }
}

/** Returns text for models with facts for programs, for the reason given at `factsOf` of a tool. */
export function replyWithText(
  [first, ...rest]: readonly ContentBlock[],
  ownFacts: Data,
  { note, facts, meta }: CatalogPart,
): CallToolResult {
  const text = first?.type === 'text' ? first.text : '';
  const result: CallToolResult = {
    content: [{ type: 'text', text: note === undefined ? text : `${text}\n\n[${note}]` }, ...rest],
    _meta: { ...meta, [FACTS_KEY]: { ...ownFacts, ...facts } },
  };
  // Local texts and files come in pages. A shared catalog may send more.
  if (meta && jsonBytes(result) > REPLY_BYTES)
    throw new Failure('TOO_LARGE', 'The answer of the shared catalog is too long for one reply.');
  return result;
}

export function replyWithError(error: unknown, text: string, part: CatalogPart): CallToolResult {
  const { note, suggestions = [], meta } = part;
  // Paths must not be revealed to remote callers.
  const { path: _path, line: _line, ...shareable } = explain(error, 'model');
  const hint = [shareable.hint, note].filter((each) => each !== undefined).join(' ');
  const details = {
    ...shareable,
    ...(shareable.code === 'USAGE' ? { jsonRpcCode: INVALID_PARAMS } : {}),
    ...(hint === '' ? {} : { hint }),
    ...(suggestions.length === 0 ? {} : { suggestions }),
  };
  const shown = note === undefined ? text : `${text}\n\n${note}`;
  return { isError: true, content: [{ type: 'text', text: shown }], _meta: { ...meta, [ERROR_KEY]: details } };
}
