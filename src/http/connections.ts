/**
 * Bounds the number of connections. If the limit is reached, a new connection closes the one that has waited longest for its
 * client, so that idle sockets cannot lock out other clients.
 */
import type { Socket } from 'node:net';
import { LIMITS } from '../core/limits.ts';

export class Connections {
  readonly #max: number;
  /** The number of pending requests of each connection. */
  readonly #answering = new Map<Socket, number>();
  /** Connections that have not sent a complete request yet, oldest first. */
  readonly #silent = new Set<Socket>();
  /** Connections between two requests, in the order of their last reply. */
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
    // The connection may already be closed.
    if (before === undefined) return;
    this.#answering.set(socket, before + by);
    this.#silent.delete(socket);
    if (before + by > 0) this.#idle.delete(socket);
    else this.#idle.add(socket);
  }

  /** Returns false if all connections are in use. */
  #makeRoom(): boolean {
    for (const waiting of [this.#silent, this.#idle]) {
      for (const socket of waiting) {
        socket.destroy();
        // Removed before the `close` event, because several connections can arrive before it.
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

/** Half of the process's open-file limit is reserved for skills and specs. */
export function maxConnections(): number {
  const most = LIMITS.httpConnections.value;
  const report: { userLimits?: { open_files?: { soft?: unknown } } } = process.report.getReport();
  const files = report.userLimits?.open_files?.soft;
  return typeof files === 'number' ? Math.min(most, Math.max(1, Math.floor(files / 2))) : most;
}
