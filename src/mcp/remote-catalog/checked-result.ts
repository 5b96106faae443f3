/** Validates tool results of a shared catalog and keeps only known parts. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { FAILURE_CODES } from '../../core/failure.ts';
import { type Fields, integer, list, map, optional, text } from '../../core/fields/field.ts';
import { received } from '../../core/fields/received.ts';
import { isRecord } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';
import { OPERATIONS } from '../../operations/index.ts';
import { ENVELOPE_BYTES, jsonBytes, LEFT_OUT_KEY } from '../fit-reply.ts';
import { ERROR_KEY, FACTS_KEY, SNAPSHOT_KEY } from '../meta-keys.ts';

export interface CheckedResult {
  result: CallToolResult;
  /** Number of the snapshot that the result came from. */
  snapshot: number;
}

export interface ErrorFacts {
  code: string;
  message: string;
  hint?: string;
  suggestions?: string[];
}

const LEFT_OUT = optional(map(integer()));
const ERROR = { code: text(), message: text(), hint: optional(text()), suggestions: optional(list(text())) } as const;

/** Returns undefined if the result does not fit the tool. */
export function checkResult(tool: string, raw: unknown): CheckedResult | undefined {
  const output = OPERATIONS.find(({ name }) => name === tool)?.output as Fields | undefined;
  if (!output || !isRecord(raw) || !Array.isArray(raw['content'])) return undefined;
  const meta = isRecord(raw['_meta']) ? raw['_meta'] : {};
  const snapshot = meta[SNAPSHOT_KEY];
  const content = raw['content'].map(checkBlock);
  if (typeof snapshot !== 'number' || !Number.isSafeInteger(snapshot)) return undefined;
  if (content[0]?.type !== 'text' || content.includes(undefined)) return undefined;
  const known = content as ContentBlock[];
  if (raw['isError'] === true) {
    const error = received(ERROR, meta[ERROR_KEY]) as ErrorFacts | undefined;
    if (!error || !Object.hasOwn(FAILURE_CODES, error.code)) return undefined;
    return { snapshot, result: { isError: true, content: known, _meta: { [ERROR_KEY]: error } } };
  }
  const answer = toldIn(raw['structuredContent'], meta[FACTS_KEY], output);
  const result = answer && { content: known, ...answer };
  // Local replies are bounded by the same size.
  return result && jsonBytes(result) <= LIMITS.replyTotalBytes.value - ENVELOPE_BYTES
    ? { snapshot, result }
    : undefined;
}

/** Results with text for models carry facts in `_meta`; all others carry structured data. */
function toldIn(structured: unknown, meta: unknown, output: Fields): Partial<CallToolResult> | undefined {
  if (structured !== undefined) {
    const data = received({ ...output, [LEFT_OUT_KEY]: LEFT_OUT }, structured);
    return data && { structuredContent: data };
  }
  const facts = received(allOptional(output), meta);
  return facts && { _meta: { [FACTS_KEY]: facts } };
}

function allOptional(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, { ...field, optional: true }]));
}

/** Lectern's tools return text, images and files only. */
function checkBlock(raw: unknown): ContentBlock | undefined {
  if (!isRecord(raw)) return undefined;
  const { type, text: words, data, mimeType, resource } = raw;
  if (type === 'text' && typeof words === 'string') return { type, text: words };
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') return { type, data, mimeType };
  if (type !== 'resource' || !isRecord(resource)) return undefined;
  const { uri, blob, mimeType: kind } = resource;
  if (typeof uri !== 'string' || !uri.startsWith('lectern-file:///') || typeof blob !== 'string') return undefined;
  return { type, resource: { uri, blob, ...(typeof kind === 'string' ? { mimeType: kind } : {}) } };
}
