/** A model that makes one call and is done: its first turn calls a tool of the server under test, its second ends. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DIALECTS, type ShownTool, type Turn } from './dialects.ts';

/** One request of an agent to its model, as far as it concerns us. */
export interface Asked {
  path: string;
  body: unknown;
  tools: ShownTool[];
  results: string[];
}

export interface FakeModel extends AsyncDisposable {
  url: string;
  /** Every request that a model would have answered, in order. */
  asked: Asked[];
}

export interface FakeModelOptions {
  /** The tool to call, among those that are shown; undefined if the agent has not got ours yet. */
  find(tools: readonly ShownTool[]): ShownTool | undefined;
  input: Record<string, unknown>;
  /** Where an agent lets its model call tools only from programs: the tool that runs one, and the program. */
  program?: { tool: string; script: string };
}

export async function startFakeModel({ find, input, program }: FakeModelOptions): Promise<FakeModel> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = new URL(request.url ?? '/', 'http://model').pathname;
      const dialect = request.method === 'POST' ? DIALECTS.find((each) => each.path.test(path)) : undefined;
      if (!dialect) {
        response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":{"message":"not here"}}');
        return;
      }
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const [tools, results] = [dialect.tools(body), dialect.results(body)];
      asked.push({ path, body, tools, results });
      const call = find(tools);
      const runner = tools.find(({ name }) => name === program?.tool);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const work: Turn | undefined = call
        ? { call, input }
        : runner && program
          ? { call: runner, script: program.script }
          : undefined;
      response.end(dialect.stream(work && results.length === 0 ? work : { say: 'Done.' }));
    });
  });
  // It is the agent's proxy too, and lets nothing through.
  server.on('connect', (_, socket) => socket.on('error', () => undefined).end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
