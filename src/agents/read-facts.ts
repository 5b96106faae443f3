import { FileTrouble } from '../core/disk/tree.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { type FileFacts, factsOf, unreadableFacts } from '../skills/file-facts.ts';
import { knownHeader, readHeader, type ReadFiles } from '../skills/read-headers.ts';
import type { FoundFile } from '../skills/walk.ts';

/** Returns the facts about a `SKILL.md`, from the header that the catalog has read if there is one. */
export async function readFacts(
  tree: FileTree,
  found: Pick<FoundFile, 'file' | 'realFile' | 'stamp'>,
  known: ReadFiles | undefined,
): Promise<FileFacts> {
  try {
    return factsOf((known && knownHeader(known, found)) ?? (await readHeader(tree, found)));
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    return unreadableFacts(error.reason);
  }
}
