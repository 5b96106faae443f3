/** Opens the specs of a workspace. Loaded on first use. */
import type { FileTree } from '../core/disk/tree.ts';
import { SpecCatalog } from '../specs/catalog.ts';
import { type SpecPlaces, specRootOptions } from './spec-layout.ts';

export function openSpecs(files: FileTree, places: SpecPlaces, before: SpecCatalog | undefined): SpecCatalog {
  return new SpecCatalog(files, specRootOptions(files, places), before);
}
