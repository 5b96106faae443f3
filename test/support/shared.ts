/** A shared catalog in memory, without a database: the sources, who may read them, and a view for each team. */
import { createHash } from 'node:crypto';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import type { Collected } from '../../src/hub/collect.ts';
import { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import { openPublished, type SharedSource } from '../../src/hub/shared-source.ts';
import { type Shared, sharedBodies } from '../../src/hub/view.ts';
import type { Publication } from '../../src/store/catalog-store.ts';
import { openSharedSearch } from '../../src/workspace/open-search.ts';

export type SourceFiles = Record<string, string | Uint8Array>;

export interface TestSource {
  files: SourceFiles;
  /** Teams besides its own; `*` for everyone. */
  readers?: readonly string[];
  version?: number;
  published?: Publication;
}

/** What a publication says of files, and their contents by SHA-256. */
export function sourceFiles(given: SourceFiles): Pick<Collected, 'files' | 'contents'> {
  const contents = new Map<string, Uint8Array>();
  const files = Object.entries(given).map(([path, text]) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    contents.set(sha256, bytes);
    return { path, sha256, size: bytes.length, executable: false };
  });
  return { files, contents };
}

async function sharedSource(
  name: string,
  { files: given, version = 1, published }: TestSource,
  id = 1,
): Promise<SharedSource> {
  const { files, contents } = sourceFiles(given);
  const [team = '', short = ''] = name.split('/');
  const stored = { id, team, name: short, version, ...(published ? { published } : {}) };
  return openPublished(stored, files, ({ sha256 }) => contents.get(sha256));
}

/** What the catalogs of one replica have in common. */
export function sharedParts(): Shared {
  return { search: openSharedSearch(memoryDisk(), '/cache').search, bodies: sharedBodies(), sharedNames: {} };
}

/** By `team/name`. */
export async function sharedCatalog(
  sources: Record<string, TestSource>,
  number = 1,
  shared: Shared = sharedParts(),
): Promise<SharedCatalog> {
  const named = Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1));
  const opened = await Promise.all(named.map(([name, source], index) => sharedSource(name, source, index + 1)));
  const grants = named.flatMap(([, { readers = [] }], index) =>
    readers.map((reader) => ({ sourceId: index + 1, reader })),
  );
  return new SharedCatalog({ number, teams: [], sources: opened, grants, tokens: [] }, shared);
}
