/**
 * Writes directly to the descriptors of standard output and standard error: creating a stream for a pipe takes a tenth of a
 * short command's time. Terminals use the stream, because it has the width and handles slow terminals.
 */
import { isPlainDescriptor, writeDescriptor } from '../core/disk/descriptor.ts';
import { explainWriteError, systemCode } from '../core/disk/reasons.ts';

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;
type Name = keyof typeof DESCRIPTORS;

const plain = new Map<Name, boolean>();

/** Checked once, because the target of a descriptor does not change. */
function isPlain(name: Name): boolean {
  const known = plain.get(name);
  if (known !== undefined) return known;
  const found = isPlainDescriptor(DESCRIPTORS[name]);
  plain.set(name, found);
  return found;
}

/** Returns the stream of a terminal, or undefined for a pipe or a file. */
export function terminal(name: Name): NodeJS.WriteStream | undefined {
  if (isPlain(name)) return undefined;
  return process[name].isTTY ? process[name] : undefined;
}

/** Outputs whose stream is in use. All further data goes through the stream, to keep it in order. */
const listened = new Set<Name>();

export function write(name: Name, data: string | Uint8Array): void {
  if (data.length === 0) return;
  if (listened.has(name) || !isPlain(name)) return void streamOf(name).write(data);
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  try {
    const written = writeDescriptor(DESCRIPTORS[name], bytes);
    // The pipe is non-blocking and full. The stream waits until it accepts more.
    if (written < bytes.length) streamOf(name).write(bytes.subarray(written));
  } catch (error) {
    giveUp(name, error);
  }
}

/** Returns the stream itself, for servers. */
export function streamOf(name: Name): NodeJS.WriteStream {
  if (!listened.has(name)) process[name].on('error', (error) => giveUp(name, error));
  listened.add(name);
  return process[name];
}

export const EXIT_FAILED = 2;

/**
 * A closed stderr does not stop the process. A reader that closes stdout early (`| head -1`) ends the process without an error.
 * Any other write error is reported on stderr.
 */
function giveUp(name: Name, error: unknown): void {
  if (name === 'stderr') return;
  if (['EPIPE', 'ERR_STREAM_DESTROYED'].includes(systemCode(error))) process.exit(process.exitCode ?? 0);
  write('stderr', `lectern: Cannot write the output: ${explainWriteError(error).text}\n`);
  process.exit(EXIT_FAILED);
}
