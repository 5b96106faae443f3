/** Sends requests to several servers in turn, with a token, as a balancer in front of replicas does. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Spread extends AsyncDisposable {
  url: string;
}

export async function spreadOver(urls: readonly string[], token: string): Promise<Spread> {
  let turn = 0;
  const server = http.createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? '/', urls[turn++ % urls.length]);
    const headers = { ...incoming.headers, host: target.host, authorization: `Bearer ${token}` };
    const passed = http.request(target, { method: incoming.method ?? 'GET', headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
