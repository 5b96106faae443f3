/** A real embeddings endpoint: a text's vector counts its letters, so it is the same every time. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingsEndpoint extends AsyncDisposable {
  url: string;
  /** How often each text was embedded. */
  asked: Map<string, number>;
  /** What it does with a request: answer, fail for all, or never answer. */
  mood: 'fine' | 'down' | 'silent';
  /** Requests with a text that has this word are refused. */
  refuses: string | undefined;
}

const DIMENSIONS = 24;

export async function embeddingsEndpoint(): Promise<EmbeddingsEndpoint> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[] };
      if (endpoint.mood === 'silent') return;
      const { refuses } = endpoint;
      const isRefused = refuses !== undefined && input.some((text) => text.includes(refuses));
      const status = endpoint.mood === 'down' ? 503 : isRefused ? 400 : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      if (status !== 200) return void response.end(JSON.stringify({ error: { message: 'no' } }));
      for (const text of input) endpoint.asked.set(text, (endpoint.asked.get(text) ?? 0) + 1);
      response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const endpoint: EmbeddingsEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: new Map(),
    mood: 'fine',
    refuses: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  return endpoint;
}

function vectorOf(text: string): number[] {
  const counts = Array.from({ length: DIMENSIONS }, () => 0.01);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) counts[at % DIMENSIONS] = (counts[at % DIMENSIONS] ?? 0) + 1;
  }
  return counts;
}
