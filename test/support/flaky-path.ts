/** A way to a server on which packets can vanish: nothing is closed, and nothing arrives. */
import net from 'node:net';

export interface FlakyPath extends AsyncDisposable {
  port: number;
  vanish(): void;
  restore(): void;
}

export async function flakyPath(to: { host: string; port: number }): Promise<FlakyPath> {
  let isGone = false;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(to);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => isGone || into.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!isGone) into.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    vanish: () => void (isGone = true),
    restore: () => void (isGone = false),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
