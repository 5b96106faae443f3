/**
 * Checks messages of a client before they are processed. Tools validate their arguments against their tables. All other texts of a
 * message, and its total size, are limited here for every transport.
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
  /** ID of the request, if known. */
  id: RequestId | null;
}

const [COMMA, BRACKET, BRACE] = [',', '[', '{'].map((character) => character.charCodeAt(0));

/** An escaped character takes at most six bytes. The rest is for brackets and quotes. */
const MAX_BYTES = 8 * LIMITS.requestCharacters.value;

/** Parses JSON. Values are counted first, because even a short text can contain enough of them to block the server. */
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

/** Finds a limit that a message, or one message of a batch, exceeds. Returns undefined if there is none. */
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

/** Returns the ID of a message, unless it is too long to repeat. */
export function idOf(message: unknown): RequestId | null {
  const id = isRecord(message) ? message['id'] : undefined;
  if (typeof id === 'string' && id.length <= LIMITS.nameCharacters.value) return id;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}

function tooLong(place: string, max: number): string {
  return `${place} must be at most ${max} characters long.`;
}

/** Visits the values of one message until a limit is exceeded. */
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
    // Client icons may be images. Cursors come from this server and contain names, so they can be long.
    if (first === 'clientInfo' || second.endsWith('/clientInfo') || first === 'cursor') return Infinity;
    if (first === 'uri' || second === 'uri' || second === 'resourceSubscriptions') return uriCharacters.value;
    return (first === 'name' || (first === 'ref' && second === 'name') ? nameCharacters : inputCharacters).value;
  }
}

/** Returns the ID of the request that a message cancels. */
export function canceledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
