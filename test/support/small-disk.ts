/** A disk that is really full: a file system in memory of a few hundred kilobytes, which only root on Linux can mount. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { type TempFolder, tempFolder } from './temp-folder.ts';

/** With `remount`, another size or other rights for a disk that is there already. */
export function mount(place: string, kilobytes: number, ...more: string[]): boolean {
  fs.mkdirSync(place, { recursive: true });
  return (
    spawnSync('mount', ['-t', 'tmpfs', '-o', [`size=${kilobytes}k`, ...more].join(','), 'tmpfs', place]).status === 0
  );
}

export function smallDisk(kilobytes: number): TempFolder & { disk: string } {
  const folder = tempFolder();
  const disk = folder.at('project');
  if (!mount(disk, kilobytes)) throw new Error('not mounted');
  return {
    ...folder,
    disk,
    [Symbol.dispose]() {
      spawnSync('umount', ['--lazy', disk]);
      folder[Symbol.dispose]();
    },
  };
}

export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  using folder = tempFolder();
  const isMounted = mount(folder.at('probe'), 64);
  if (isMounted) spawnSync('umount', [folder.at('probe')]);
  return isMounted;
}
