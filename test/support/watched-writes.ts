import type { Disk } from '../../src/core/disk/writes.ts';
import { WriteTrouble } from '../../src/core/disk/writes.ts';

/** The same disk, with something that happens before every write; it may throw. */
export function beforeWrites(disk: Disk, before: (method: string, path: string, content: unknown) => void): Disk {
  const watched =
    <Args extends [path: string, ...rest: unknown[]], Result>(method: string, run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      before(method, args[0], args[1]);
      return run(...args);
    };
  return {
    ...disk,
    create: watched('create', disk.create),
    replace: watched('replace', disk.replace),
    createFolder: watched('createFolder', disk.createFolder),
    createLink: watched('createLink', disk.createLink),
    append: watched('append', disk.append),
    move: watched('move', disk.move),
    remove: watched('remove', disk.remove),
    removeTree: watched('removeTree', disk.removeTree),
    removeEmptyFolders: watched('removeEmptyFolders', disk.removeEmptyFolders),
    lock: watched('lock', disk.lock),
  };
}

/** The same disk, full once this many bytes have been written. */
export function withRoom(disk: Disk, bytes: number): Disk {
  let room = bytes;
  return beforeWrites(disk, (method, path, content) => {
    if (!['create', 'replace', 'append'].includes(method)) return;
    room -= typeof content === 'string' ? Buffer.byteLength(content) : (content as Uint8Array).length;
    if (room < 0) throw new WriteTrouble('full', path);
  });
}
