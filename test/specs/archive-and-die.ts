/** Archives a change in a process of its own and kills that process before a given step, as nothing else can. */
import type { DurableWrites } from '../../src/core/durable-writes.ts';
import { nodeDurableWrites } from '../../src/core/node-durable-writes.ts';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { archiveChange } from '../../src/specs/archive.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';

const [, , dir = '', step = '0'] = process.argv;
let left = Number(step);

function mortal<Args extends unknown[], Result>(run: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    left -= 1;
    return run(...args);
  };
}

const { claim, replace, move, remove, prune, removeTree, isAlive } = nodeDurableWrites;
const writes: DurableWrites = {
  claim: mortal(claim),
  replace: mortal(replace),
  move: mortal(move),
  remove: mortal(remove),
  prune: mortal(prune),
  removeTree: mortal(removeTree),
  isAlive,
};

const open = (): SpecCatalog => new SpecCatalog(nodeFiles, { projectDir: dir, ancestors: [dir] });
const found = open().findChange('go');
if (found.kind !== 'found') throw new Error('no change');
archiveChange(open, found.item, { today: '2026-11-20', writes, pid: process.pid });
