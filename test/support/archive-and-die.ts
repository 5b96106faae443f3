/**
 * Archives a change in a process of its own and kills that process before a given step, as nothing else can. A step is a
 * write of the disk, or with `inside` a call of the file system, so that the process also dies in the middle of a write.
 */
import fs from 'node:fs';
import path from 'node:path';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { archiveChange } from '../../src/specs/archive.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';
import { beforeWrites } from './watched-writes.ts';

const [, , dir = '', step = '0', inside] = process.argv;
let left = Number(step);

function dieInTime(): void {
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
}

const records = { stateDir: path.resolve(dir, '../home/.local/state/lectern'), project: dir };
const open = (): SpecCatalog => new SpecCatalog(nodeDisk, { projectDir: dir, ancestors: [dir], records });
const found = open().findChange('go');
if (found.kind !== 'found') throw new Error('no change');

const CALLS = ['renameSync', 'linkSync', 'unlinkSync', 'rmSync', 'rmdirSync', 'mkdirSync', 'writeFileSync'] as const;
if (inside !== undefined) {
  for (const call of CALLS) {
    const original = fs[call] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [call]: (...args: unknown[]) => {
        dieInTime();
        return original(...args);
      },
    });
  }
}
const disk = inside === undefined ? beforeWrites(nodeDisk, dieInTime) : nodeDisk;
archiveChange(open, found.item, { today: '2026-11-20', disk, records });
