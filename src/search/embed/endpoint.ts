import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '../../core/ask.ts';
import { Failure } from '../../core/failure.ts';
import { tryParseJson } from '../../core/json-file.ts';
import { clip, oneLine, trimSlashes } from '../../core/text.ts';
import type { Embedder, Purpose } from './embedder.ts';

export interface EndpointOptions {
  /** URL of the server: its root, its `/v1`, or the full path to `/embeddings`. */
  url: string;
  model: string;
  /** Sent as a bearer token, never shown. */
  key?: string;
  /** Some models expect a prefix before queries and documents (`search_query: `). */
  queryPrefix?: string;
  documentPrefix?: string;
  batch?: number;
  parallel?: number;
  timeoutMs?: number;
  attempts?: number;
  /** Pause before the second attempt. It doubles after each attempt. */
  pauseMs?: number;
}

const DEFAULTS = { batch: 32, parallel: 2, timeoutMs: 30_000, attempts: 4, pauseMs: 500 } as const;

/** Longest pause, even if the server requests a longer one: a user is waiting. */
const LONGEST_PAUSE_MS = 20_000;

/** A reply with 32 vectors of 4,096 dimensions in decimal notation is far smaller. */
const REPLY_MAX_BYTES = 64 * 1024 * 1024;

const WORTH_RETRYING = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** Uses any server with an OpenAI-compatible `/v1/embeddings`: Ollama, LM Studio, vLLM and others. */
export function endpointEmbedder(options: EndpointOptions): Embedder {
  const url = endpointUrl(options.url);
  const settings: Settings = { ...DEFAULTS, ...options, url };
  return {
    name: options.model,
    parallel: settings.parallel,
    batch: settings.batch,
    url: url.href,
    async embed(texts, purpose, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += settings.batch) {
        vectors.push(...(await askWithRetries(settings, texts.slice(at, at + settings.batch), purpose, signal)));
      }
      return vectors;
    },
  };
}

type Settings = Omit<EndpointOptions, 'url'> & { url: URL } & Record<keyof typeof DEFAULTS, number>;

export function endpointUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Failure('INVALID_CONFIG', 'The address of the embeddings endpoint is not a URL.', {
      hint: 'For example: http://127.0.0.1:11434/v1',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Failure('INVALID_CONFIG', 'The embeddings endpoint must be an http or https address.', {
      hint: 'For example: http://127.0.0.1:11434/v1',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure('INVALID_CONFIG', 'The address of the embeddings endpoint must not contain a password.', {
      hint: 'Put the key into an environment variable.',
    });
  }
  const path = trimSlashes(url.pathname);
  url.pathname = path.endsWith('/embeddings')
    ? path
    : path.endsWith('/v1')
      ? `${path}/embeddings`
      : `${path}/v1/embeddings`;
  return url;
}

/** An error that a retry may resolve. The message continues a sentence that starts with the URL. */
class Temporary extends Error {
  readonly pauseMs: number | undefined;

  constructor(message: string, pauseMs?: number) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

async function askWithRetries(
  settings: Settings,
  texts: readonly string[],
  purpose: Purpose,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  let last = '';
  for (let attempt = 0; attempt < settings.attempts; attempt++) {
    try {
      return await askOnce(settings, texts, purpose, signal);
    } catch (error) {
      if (!(error instanceof Temporary)) throw error;
      last = error.message;
      if (attempt + 1 === settings.attempts) break;
      const pause = error.pauseMs ?? settings.pauseMs * 2 ** attempt * (0.75 + Math.random() / 2);
      await wait(Math.min(LONGEST_PAUSE_MS, pause), undefined, signal ? { signal } : {});
    }
  }
  throw unavailable(settings, `${last} (tried ${settings.attempts === 1 ? 'once' : `${settings.attempts} times`})`);
}

async function askOnce(
  settings: Settings,
  texts: readonly string[],
  purpose: Purpose,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const prefix = (purpose === 'query' ? settings.queryPrefix : settings.documentPrefix) ?? '';
  const answer = await ask(settings.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    // Some servers reject an empty text but accept a blank one.
    body: JSON.stringify({
      model: settings.model,
      input: texts.map((text) => prefix + text || ' '),
      encoding_format: 'float',
    }),
    token: settings.key || undefined,
    timeoutMs: settings.timeoutMs,
    maxBytes: REPLY_MAX_BYTES,
    signal,
  });
  if (answer.kind === 'too-long')
    throw new Failure('MODEL_UNAVAILABLE', 'The reply of the embeddings endpoint is too large.');
  if (answer.kind === 'away') {
    signal?.throwIfAborted();
    const { reason, hint, lasts, isSlow } = answer;
    if (lasts) throw unavailable(settings, reason, hint);
    throw new Temporary(isSlow ? `cannot be used: no answer within ${settings.timeoutMs} ms` : reason);
  }
  const { status, headers, text } = answer;
  if (status === 200) return vectorsOf(settings, text, texts.length);
  const message = `it answered ${status}${complaintOf(text)}`;
  if (!WORTH_RETRYING.has(status)) throw refused(settings, message);
  const retryAfter = headers.get('retry-after');
  const seconds = Number(retryAfter);
  throw new Temporary(
    `cannot be used: ${message}`,
    retryAfter !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined,
  );
}

function vectorsOf(settings: Settings, body: string, expected: number): Float32Array[] {
  const reply = tryParseJson(body);
  if (reply === undefined) throw refused(settings, 'its reply is not JSON');
  const data: unknown = typeof reply === 'object' && reply !== null && 'data' in reply ? reply.data : undefined;
  if (!Array.isArray(data) || data.length !== expected)
    throw refused(settings, `it sent ${Array.isArray(data) ? data.length : 'no'} vectors for ${expected} texts`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: expected }, () => undefined);
  data.forEach((item: unknown, position) => {
    if (typeof item !== 'object' || item === null || !('embedding' in item) || !Array.isArray(item.embedding)) return;
    if (!item.embedding.every((value: unknown) => typeof value === 'number' && Number.isFinite(value))) return;
    const index = 'index' in item && typeof item.index === 'number' ? item.index : position;
    vectors[index] = Float32Array.from(item.embedding);
  });
  return vectors.map((vector) => {
    if (!vector || vector.length === 0) throw refused(settings, 'it sent a vector with values that are not numbers');
    return vector;
  });
}

function refused(settings: Settings, problem: string): Failure {
  return unavailable(settings, `cannot be used: ${problem}`);
}

function unavailable({ url, model }: Settings, reason: string, hint?: string): Failure {
  return new Failure('MODEL_UNAVAILABLE', `The embeddings endpoint ${url.href} ${reason}.`, {
    hint:
      hint ??
      `Check that the server runs and serves the model "${model}"; \`lectern search --mode keyword\` needs neither.`,
  });
}

/** Error message of the server, shortened to fit into a sentence. */
function complaintOf(body: string): string {
  const found =
    /"message"\s*:\s*("(?:[^"\\]|\\.)*")/u.exec(body.slice(0, 10_000))?.[1] ??
    /"error"\s*:\s*("(?:[^"\\]|\\.)*")/u.exec(body.slice(0, 10_000))?.[1];
  if (found === undefined) return '';
  try {
    return `: ${clip(oneLine(String(JSON.parse(found))), 200).replace(/\.$/u, '')}`;
  } catch {
    return '';
  }
}
