/**
 * Writes to standard output and standard error without making streams of them: in a pipe that costs a short command a tenth
 * of its time. A terminal gets its stream, for its width and because it may be slow.
 */
import { isPlainDescriptor, writeDescriptor } from '../core/disk/descriptor.ts';
import { reasonOf } from '../core/disk.ts';
import { systemCode } from '../core/disk/system-code.ts';

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;
type Name = keyof typeof DESCRIPTORS;

const plain = new Map<Name, boolean>();

/** Asked once: what a descriptor is does not change. */
function isPlain(name: Name): boolean {
  const known = plain.get(name);
  if (known !== undefined) return known;
  const found = isPlainDescriptor(DESCRIPTORS[name]);
  plain.set(name, found);
  return found;
}

/** The stream of a terminal; undefined for a pipe or a file. */
export function terminal(name: Name): NodeJS.WriteStream | undefined {
  if (isPlain(name)) return undefined;
  return process[name].isTTY ? process[name] : undefined;
}

/** Those whose stream was asked for: from then on it has everything, so that nothing overtakes what still waits in it. */
const listened = new Set<Name>();

export function write(name: Name, data: string | Uint8Array): void {
  if (data.length === 0) return;
  const descriptor = DESCRIPTORS[name];
  // The stream keeps what it is given, and the caller may use the bytes again.
  if (listened.has(name) || !isPlain(name))
    return void streamOf(name).write(typeof data === 'string' ? data : Buffer.from(data));
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  try {
    const written = writeDescriptor(descriptor, bytes);
    // Somebody made the pipe one that does not wait; the stream knows how to.
    if (written < bytes.length) streamOf(name).write(Buffer.from(bytes.subarray(written)));
  } catch (error) {
    giveUp(name, error);
  }
}

/** The stream itself, for what runs long. */
export function streamOf(name: Name): NodeJS.WriteStream {
  if (!listened.has(name)) process[name].on('error', (error) => giveUp(name, error));
  listened.add(name);
  return process[name];
}

export const EXIT_FAILED = 2;

/**
 * Notices that nobody can read are no reason to stop. A reader of the output that has seen enough (`| head -1`) is not an
 * error; an output that cannot be written is, and is said where it still can be.
 */
function giveUp(name: Name, error: unknown): void {
  if (name === 'stderr') return;
  if (['EPIPE', 'ERR_STREAM_DESTROYED'].includes(systemCode(error))) process.exit(process.exitCode ?? 0);
  write('stderr', `lectern: Cannot write the output: ${reasonOf(error)}\n`);
  process.exit(EXIT_FAILED);
}
