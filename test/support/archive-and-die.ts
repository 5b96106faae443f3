/** Archives a change in a process of its own and kills that process before a given step, as nothing else can. */
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { archiveChange } from '../../src/specs/archive.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';
import { beforeWrites } from './watched-writes.ts';

const [, , dir = '', step = '0'] = process.argv;
let left = Number(step);

const disk = beforeWrites(nodeDisk, () => {
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
});

const open = (): SpecCatalog => new SpecCatalog(nodeDisk, { projectDir: dir, ancestors: [dir] });
const found = open().findChange('go');
if (found.kind !== 'found') throw new Error('no change');
archiveChange(open, found.item, { today: '2026-11-20', disk });
