import fs from 'node:fs';
import { systemCode } from './reasons.ts';

/** Whether a descriptor is a pipe, a socket or a file, and not a terminal or another device. */
export function isPlainDescriptor(descriptor: number): boolean {
  try {
    return !fs.fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Writes everything, waiting for a slow reader. Returns how many bytes were written if the descriptor refuses to wait. */
export function writeDescriptor(descriptor: number, bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += fs.writeSync(descriptor, bytes, written);
  } catch (error) {
    if (systemCode(error) !== 'EAGAIN') throw error;
  }
  return written;
}
