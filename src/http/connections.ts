/**
 * Bounds the number of connections. One more closes the connection that has waited longest for its client, so nobody is locked
 * out by sockets that are opened and left alone.
 */
import type { Socket } from 'node:net';
import { LIMITS } from '../core/limits.ts';

export class Connections {
  readonly #max: number;
  /** The number of requests that each connection is answering. */
  readonly #answering = new Map<Socket, number>();
  /** Those that have not sent a whole request yet, oldest first. */
  readonly #silent = new Set<Socket>();
  /** Those between two requests, in the order of their last reply. */
  readonly #idle = new Set<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  add(socket: Socket): void {
    if (this.#answering.size >= this.#max && !this.#makeRoom()) return void socket.destroy();
    this.#answering.set(socket, 0);
    this.#silent.add(socket);
    socket.once('close', () => this.#forget(socket));
  }

  /** Marks the connection as in use until the returned function is called. */
  use(socket: Socket): () => void {
    this.#change(socket, 1);
    return () => this.#change(socket, -1);
  }

  #change(socket: Socket, by: 1 | -1): void {
    const before = this.#answering.get(socket);
    // It may be closed by now.
    if (before === undefined) return;
    this.#answering.set(socket, before + by);
    this.#silent.delete(socket);
    if (before + by > 0) this.#idle.delete(socket);
    else this.#idle.add(socket);
  }

  /** False if all connections are in use. */
  #makeRoom(): boolean {
    for (const waiting of [this.#silent, this.#idle]) {
      for (const socket of waiting) {
        socket.destroy();
        // Not only when the socket says so: several connections can arrive before that.
        this.#forget(socket);
        return true;
      }
    }
    return false;
  }

  #forget(socket: Socket): void {
    this.#answering.delete(socket);
    this.#silent.delete(socket);
    this.#idle.delete(socket);
  }
}

/** Half of the files that the process may open at once stay free for skills and specs. */
export function maxConnections(): number {
  const most = LIMITS.httpConnections.value;
  const report: { userLimits?: { open_files?: { soft?: unknown } } } = process.report.getReport();
  const files = report.userLimits?.open_files?.soft;
  return typeof files === 'number' ? Math.min(most, Math.max(1, Math.floor(files / 2))) : most;
}
