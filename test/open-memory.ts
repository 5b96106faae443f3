import { memoryDisk, type MemoryFile } from '../src/core/disk/memory-disk.ts';
import { Workspace } from '../src/workspace/workspace.ts';
import type { OpenOptions } from '../src/workspace/settings.ts';

export const PROJECT = '/repo/project';
export const HOME = '/home/someone';

/** A workspace over a record of strings: the project is `/repo/project`, the home `/home/someone`. */
export function openMemory(files: Record<string, MemoryFile>, options: Partial<OpenOptions> = {}): Promise<Workspace> {
  return Workspace.open({ projectDir: PROJECT, userDir: HOME, ...options }, memoryDisk(files));
}
