/**
 * Writes to standard output and standard error without making streams of them: in a pipe that costs a short command a tenth
 * of its time. A terminal gets its stream, for its width and because it may be slow.
 */
import { isPlainDescriptor, writeDescriptor } from '../core/descriptor.js';
import { systemCode } from '../core/system-code.js';

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;
type Name = keyof typeof DESCRIPTORS;

/** The stream of a terminal; undefined for a pipe or a file. */
export function terminal(name: Name): NodeJS.WriteStream | undefined {
  if (isPlainDescriptor(DESCRIPTORS[name])) return undefined;
  return process[name].isTTY ? process[name] : undefined;
}

export function write(name: Name, data: string | Uint8Array): void {
  if (data.length === 0) return;
  const descriptor = DESCRIPTORS[name];
  if (!isPlainDescriptor(descriptor)) return void streamOf(name).write(data);
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  try {
    const written = writeDescriptor(descriptor, bytes);
    // Somebody made the pipe one that does not wait; the stream knows how to.
    if (written < bytes.length) streamOf(name).write(bytes.subarray(written));
  } catch (error) {
    leaveQuietly(error);
  }
}

const listened = new Set<Name>();

/** The stream itself, for what runs long; a reader that leaves ends the process until somebody listens for it instead. */
export function streamOf(name: Name): NodeJS.WriteStream {
  if (!listened.has(name)) process[name].on('error', leaveQuietly);
  listened.add(name);
  return process[name];
}

/** A reader that has seen enough (`| head -1`) is not an error. */
export function leaveQuietly(error: unknown): void {
  if (!['EPIPE', 'ERR_STREAM_DESTROYED'].includes(systemCode(error))) throw error;
  process.exit(process.exitCode ?? 0);
}
