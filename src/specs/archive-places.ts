/** Checks the paths that an archive run would write. Used for the plan, and repeated before anything is written. */
import path from 'node:path';
import type { FileTree } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import type { SpecRoot } from './roots.ts';
import { archivePlaceUnsafe } from './rules/archive.ts';

interface Places {
  change: string;
  archivedAs: string;
  specs: readonly { capability: string }[];
}

/** Folder names come from a repository, and a folder may be a link. Ensures that all paths stay within the specs and changes. */
export function checkPlaces(files: FileTree, root: SpecRoot, { change, archivedAs, specs }: Places): void {
  const segments = [change, archivedAs, ...specs.flatMap(({ capability }) => capability.split('/'))];
  const odd = segments.find((segment) => segment === '' || segment.startsWith('.') || /[\\/:\u0000]/u.test(segment));
  if (odd !== undefined)
    throw new Failure('REFUSED', `"${odd}" cannot be used as the name of a file or folder.`, {
      hint: 'Rename the folder.',
      facts: { reason: archivePlaceUnsafe.code },
    });
  for (const { capability } of specs) {
    let dir = root.specsDir;
    for (const segment of capability.split('/')) {
      dir = path.join(dir, segment);
      if (files.look(dir)?.kind === 'link') throw unsafe(dir, 'is a link, and Lectern does not write through links');
    }
  }
}

/** Returns where to write a spec. A linked spec.md is written at its target, if that is in the same folder. */
export function placeToWrite(files: FileTree, file: string): string {
  if (files.look(file)?.kind !== 'link') return file;
  const target = files.follow(file);
  const folder = files.follow(path.dirname(file));
  if (target && folder && isInside(folder.realPath, target.realPath)) return target.realPath;
  throw unsafe(file, 'is a link that leads out of its folder');
}

function unsafe(place: string, problem: string): Failure {
  return new Failure('REFUSED', `${place} ${problem}.`, {
    path: place,
    hint: archivePlaceUnsafe.fix,
    facts: { reason: archivePlaceUnsafe.code },
  });
}
