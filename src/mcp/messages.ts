/**
 * What a client sends, checked before any work is done with it. The tools check their own arguments against their tables; all
 * other texts of a message, and its size as a whole, are bounded here, over every transport.
 */
import { isJSONRPCNotification, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/server';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;

export interface MessageProblem {
  code: number;
  message: string;
  /** Of the request, if it can be told. */
  id: RequestId | null;
}

const [COMMA, BRACKET, BRACE] = [',', '[', '{'].map((character) => character.charCodeAt(0));

/** A character takes at most six bytes, as an escape. The rest is for brackets and quotes. */
const MAX_BYTES = 8 * LIMITS.requestCharacters.value;

/** The JSON in some bytes. A short text can hold so many values that parsing it stops the server, so these are counted first. */
export function parseJson(bytes: Uint8Array): { value: unknown } | MessageProblem {
  if (bytes.length > MAX_BYTES)
    return { code: INVALID_REQUEST, message: 'Invalid request: the message is too long', id: null };
  let marks = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) marks += 1;
  }
  if (marks > LIMITS.requestMarks.value)
    return { code: INVALID_REQUEST, message: 'Invalid request: the message has too many values', id: null };
  try {
    return { value: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) };
  } catch {
    return { code: PARSE_ERROR, message: 'Parse error: the message is not JSON', id: null };
  }
}

/** What is too much in a message, or in one message of a batch; undefined if nothing is. */
export function findExcess(value: unknown): MessageProblem | undefined {
  if (!Array.isArray(value)) return excessOf(value);
  if (value.length <= LIMITS.requestBatch.value) return value.map(excessOf).find((excess) => excess !== undefined);
  const message = `Invalid request: a batch may have at most ${LIMITS.requestBatch.value} messages.`;
  return { code: INVALID_REQUEST, message, id: null };
}

function excessOf(message: unknown): MessageProblem | undefined {
  if (!isRecord(message)) return undefined;
  const { id: given, method, params, ...others } = message;
  const [id, max] = [idOf(message), LIMITS.nameCharacters.value];
  for (const [name, text] of Object.entries({ id: given, method }))
    if (typeof text === 'string' && text.length > max)
      return { code: INVALID_REQUEST, message: `Invalid request: ${tooLong(name, max)}`, id };
  const excess = new Measure(method).excessOf(method === undefined ? others : params, []);
  return excess === undefined ? undefined : { code: INVALID_PARAMS, message: `Invalid params: ${excess}`, id };
}

/** The id of a message, unless it is too long to be repeated. */
export function idOf(message: unknown): RequestId | null {
  const id = isRecord(message) ? message['id'] : undefined;
  if (typeof id === 'string' && id.length <= LIMITS.nameCharacters.value) return id;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}

function tooLong(place: string, max: number): string {
  return `${place} must be at most ${max} characters long.`;
}

/** Goes through the values of one message until it finds one too many. */
class Measure {
  readonly #method: unknown;
  #values = 0;
  #characters = 0;

  constructor(method: unknown) {
    this.#method = method;
  }

  excessOf(value: unknown, path: readonly string[]): string | undefined {
    this.#values += 1;
    if (this.#values > LIMITS.requestValues.value)
      return `a message may have at most ${LIMITS.requestValues.value} values.`;
    if (typeof value === 'string') return this.#excessOfText(value, this.#maxAt(path), path);
    if (typeof value !== 'object' || value === null) return undefined;
    for (const [key, each] of Object.entries(value)) {
      const excess =
        this.#excessOfText(key, LIMITS.nameCharacters.value, path) ?? this.excessOf(each, [...path.slice(0, 2), key]);
      if (excess !== undefined) return excess;
    }
    return undefined;
  }

  #excessOfText(text: string, max: number, path: readonly string[]): string | undefined {
    if (text.length > max) return tooLong(echo(path.join('.')), max);
    this.#characters += text.length;
    if (this.#characters <= LIMITS.requestCharacters.value) return undefined;
    return `a message may have at most ${LIMITS.requestCharacters.value} characters.`;
  }

  #maxAt([first = '', second = '']: readonly string[]): number {
    const { nameCharacters, promptCharacters, inputCharacters, uriCharacters } = LIMITS;
    if (first === 'arguments') {
      if (this.#method === 'tools/call') return Infinity;
      if (this.#method === 'prompts/get') return (second === 'name' ? nameCharacters : promptCharacters).value;
    }
    // Icons of a client may be pictures. Cursors are ours, and as long as the names in them.
    if (first === 'clientInfo' || second.endsWith('/clientInfo') || first === 'cursor') return Infinity;
    if (first === 'uri' || second === 'uri' || second === 'resourceSubscriptions') return uriCharacters.value;
    return (first === 'name' || (first === 'ref' && second === 'name') ? nameCharacters : inputCharacters).value;
  }
}

/** The request that a message cancels. */
export function canceledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
