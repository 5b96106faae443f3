/** A way to a server on which packets can be late, or not arrive at all, without anybody closing a connection. */
import net from 'node:net';

export interface FlakyPath extends AsyncDisposable {
  port: number;
  /** The same URL, on this way. */
  through(url: string): string;
  /** Nothing arrives, until `restore` or `forget`. */
  vanish(): void;
  /** What was on the way arrives after all. */
  restore(): void;
  /** New connections work again. Those from before stay silent for ever, as after the restart of a router. */
  forget(): void;
  /** From now on everything arrives so much later. */
  delay(ms: number): void;
  /** From now on nobody hears a notification of PostgreSQL, as behind a pooler that shares connections. */
  swallow(): void;
  /** Ends all connections. */
  cut(): void;
}

interface Way {
  from: net.Socket;
  into: net.Socket;
  waiting: Buffer[];
  hasEnded: boolean;
  isForgotten: boolean;
}

/** To the server that a URL names. */
export async function flakyPathTo(url: string): Promise<FlakyPath> {
  const { hostname: host, port: to } = new URL(url);
  let isGone = false;
  let delayMs = 0;
  let isDeaf = false;
  const ways = new Set<Way>();
  const deliver = (way: Way): void => {
    if (isGone || way.isForgotten) return;
    for (const chunk of way.waiting.splice(0)) if (!way.into.destroyed) way.into.write(chunk);
    if (way.hasEnded) way.into.end();
  };
  // Half open, because who closes a connection is not heard either while packets vanish.
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect({ host, port: Number(to), allowHalfOpen: true });
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      const way: Way = { from, into, waiting: [], hasEnded: false, isForgotten: false };
      ways.add(way);
      const unheard = from === far ? withoutNotifications() : undefined;
      from.on('data', (chunk) => {
        const rest = unheard?.(chunk, isDeaf) ?? chunk;
        way.waiting.push(rest);
        if (delayMs === 0) deliver(way);
        else setTimeout(() => deliver(way), delayMs).unref();
      });
      from.on('error', () => undefined);
      from.on('end', () => {
        way.hasEnded = true;
        deliver(way);
      });
      from.on('close', () => {
        ways.delete(way);
        if (!isGone && !way.isForgotten) into.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const cut = (): void => {
    for (const { from } of ways) from.destroy();
  };
  const restore = (): void => {
    isGone = false;
    for (const way of ways) deliver(way);
  };
  return {
    port,
    through: (given) => Object.assign(new URL(given), { host: `127.0.0.1:${port}` }).href,
    vanish: () => void (isGone = true),
    restore,
    forget() {
      for (const way of ways) way.isForgotten = true;
      isGone = false;
    },
    delay: (ms) => void (delayMs = ms),
    swallow: () => void (isDeaf = true),
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const NOTIFICATION = 'A'.charCodeAt(0);

/** Splits what a server says into its messages (a letter, the length, the rest) and leaves notifications out if asked to. */
function withoutNotifications(): (chunk: Buffer, isDeaf: boolean) => Buffer {
  let held = Buffer.alloc(0);
  return (chunk, isDeaf) => {
    held = Buffer.concat([held, chunk]);
    const passed: Buffer[] = [];
    for (;;) {
      const length = held.length < 5 ? Infinity : 1 + held.readUInt32BE(1);
      if (held.length < length) return Buffer.concat(passed);
      if (!isDeaf || held[0] !== NOTIFICATION) passed.push(held.subarray(0, length));
      held = held.subarray(length);
    }
  };
}
