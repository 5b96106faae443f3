/**
 * Sends requests to several servers in turn, with a token, as a balancer in front of replicas does. A server that cannot be
 * reached is passed over; a call that was sent to one and lost is not sent again.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Spread extends AsyncDisposable {
  url: string;
  add(server: string): void;
  remove(server: string): void;
}

export async function spreadOver(urls: readonly string[], token: string): Promise<Spread> {
  const servers = [...urls];
  let turn = 0;
  const pass = (
    incoming: http.IncomingMessage,
    body: Buffer,
    outgoing: http.ServerResponse,
    [server, ...others]: readonly string[],
  ): void => {
    const target = new URL(incoming.url ?? '/', server);
    const headers = { ...incoming.headers, host: target.host, authorization: `Bearer ${token}` };
    const passed = http.request(target, { method: incoming.method ?? 'GET', headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && others.length > 0) pass(incoming, body, outgoing, others);
      else outgoing.destroy();
    });
    passed.end(body);
  };
  const server = http.createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const first = turn++ % servers.length;
      pass(incoming, Buffer.concat(chunks), outgoing, [...servers.slice(first), ...servers.slice(0, first)]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url) => void servers.push(url),
    remove: (url) => void servers.splice(servers.indexOf(url), 1),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
