import { nodeFiles } from './node-tree.ts';
import { nodeWrites } from './node-writes.ts';
import type { Disk } from './writes.ts';

/** The real file system. */
export const nodeDisk: Disk = { ...nodeFiles, ...nodeWrites };
