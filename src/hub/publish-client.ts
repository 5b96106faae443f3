/** The other end of publishing: what `lectern publish` asks a replica for. */
import { Failure, FAILURE_CODES, type FailureCode } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import type { HistoryEntry, Published, StoredFile } from '../store/catalog-store.ts';
import type { Checked, Replicas } from './publishing.ts';

const ANSWER_MS = 120_000;

export interface PublishServer {
  /** Where a replica is, such as https://skills.example.com. */
  url: string;
  token: string;
}

export class PublishClient {
  readonly #server: PublishServer;

  constructor(server: PublishServer) {
    this.#server = server;
  }

  check(source: string, files: readonly StoredFile[]): Promise<Checked> {
    return this.#post(`api/sources/${source}/check`, { files }) as Promise<Checked>;
  }

  async upload(content: Uint8Array): Promise<void> {
    await this.#ask('api/contents', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(content),
    });
  }

  publish(
    source: string,
    body: { base: number; files: readonly StoredFile[]; commit: string | undefined },
  ): Promise<Exclude<Published, { outcome: 'conflict' }>> {
    return this.#post(`api/sources/${source}/publish`, body) as Promise<Exclude<Published, { outcome: 'conflict' }>>;
  }

  rollback(source: string, to: number): Promise<Exclude<Published, { outcome: 'conflict' }>> {
    return this.#post(`api/sources/${source}/rollback`, { to }) as Promise<Exclude<Published, { outcome: 'conflict' }>>;
  }

  async history(source: string): Promise<HistoryEntry[]> {
    return ((await this.#post(`api/sources/${source}/history`, {})) as { versions: HistoryEntry[] }).versions;
  }

  replicas(): Promise<Replicas> {
    return this.#ask('api/replicas', {}) as Promise<Replicas>;
  }

  #post(path: string, body: object): Promise<unknown> {
    return this.#ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #ask(path: string, request: RequestInit & { headers?: Record<string, string> }): Promise<unknown> {
    const { url, token } = this.#server;
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(new URL(path, url.endsWith('/') ? url : `${url}/`), {
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
        // A token must not follow to wherever a server sends it.
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      body = await response.json().catch(() => undefined);
    } catch (error) {
      throw new Failure('UNREACHABLE', `${url} does not answer.`, {
        hint: 'Check the address, and whether the server is running.',
        cause: error,
      });
    }
    if (response.ok) return body;
    const told = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
    const { code, message, hint, suggestions } = told;
    const isKnown = typeof code === 'string' && Object.hasOwn(FAILURE_CODES, code);
    throw new Failure(
      isKnown ? (code as FailureCode) : 'REFUSED',
      typeof message === 'string' ? message : `${url} answered ${response.status}.`,
      {
        ...(typeof hint === 'string' ? { hint } : {}),
        ...(Array.isArray(suggestions) ? { suggestions: suggestions.map(String) } : {}),
      },
    );
  }
}
