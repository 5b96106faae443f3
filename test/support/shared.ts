/** A shared catalog in memory, without a database: the sources, who may read them, and a view for each team. */
import { createHash } from 'node:crypto';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import { openSource, type SharedSource } from '../../src/hub/shared-source.ts';
import { sharedBodies } from '../../src/hub/view.ts';
import { openSharedSearch } from '../../src/workspace/open-search.ts';

export type SourceFiles = Record<string, string | Uint8Array>;

export interface TestSource {
  files: SourceFiles;
  /** Teams besides its own; `*` for everyone. */
  readers?: readonly string[];
}

async function sharedSource(name: string, files: SourceFiles, id = 1): Promise<SharedSource> {
  const contents = new Map<string, Uint8Array>();
  const stored = Object.entries(files).map(([path, text]) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    contents.set(sha256, bytes);
    return { path, sha256, size: bytes.length, executable: false };
  });
  const [team = '', short = ''] = name.split('/');
  return openSource({ id, team, name: short, version: 1 }, stored, ({ sha256 }) => contents.get(sha256));
}

/** By `team/name`. */
export async function sharedCatalog(sources: Record<string, TestSource>): Promise<SharedCatalog> {
  const named = Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1));
  const opened = await Promise.all(named.map(([name, { files }], index) => sharedSource(name, files, index + 1)));
  const grants = named.flatMap(([, { readers = [] }], index) =>
    readers.map((reader) => ({ sourceId: index + 1, reader })),
  );
  const search = openSharedSearch(memoryDisk(), '/cache');
  return new SharedCatalog(
    { number: 1, teams: [], sources: opened, grants, tokens: [] },
    { search, bodies: sharedBodies() },
  );
}
