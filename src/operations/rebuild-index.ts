import * as z from 'zod';
import { Failure, inWords } from '../core/failure.ts';
import type { BuildProgress } from '../search/build/build.ts';
import { corpusToIndex } from '../workspace/search-documents.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';

export const RebuildIndexOutput = z.object({
  written: z.boolean().describe('false: the index was up to date already'),
  documents: z.int().describe('How many documents the index holds'),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  embedded: z.int().describe('Texts that got their vector in this run'),
  model: z.string().nullable().describe('The embedding model; null where the index holds words only'),
  reason: z.string().optional().describe('Why the index holds words only'),
  url: z.string().optional().describe('Where the texts were sent, when an endpoint is configured'),
  bytes: z.int(),
  builtAt: z.string(),
});
export type RebuildIndexOutput = z.output<typeof RebuildIndexOutput>;

export const rebuildIndex = defineOperation({
  name: 'rebuild_index',
  title: 'Rebuild the search index',
  summary:
    'Builds the index for search by meaning, or brings it up to date. Writes the index and nothing else; the first build can take minutes.',
  input: z.strictObject({ full: z.boolean().default(false).describe('Build from nothing, whatever is there') }),
  output: RebuildIndexOutput,
  readOnly: false,
  run: ({ full }, workspace) => buildWithProgress(workspace, { full }),
});

export interface BuildWatch {
  full: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: BuildProgress) => void;
}

/** The same with somebody watching: progress as it comes, and a way to stop it. */
export async function buildWithProgress(
  workspace: Workspace,
  { full, signal, onProgress }: BuildWatch,
): Promise<RebuildIndexOutput> {
  const room = await workspace.search();
  const options = {
    ...(await corpusToIndex(workspace)),
    full,
    pid: process.pid,
    now: Date.now,
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  let reason: string | undefined;
  const report = await room.build(options).catch((error: unknown) => {
    // The bundled model is optional: without it the words are indexed, and the answer says so. An endpoint that somebody
    // configured and that fails is an error.
    if (!(error instanceof Failure) || error.code !== 'MODEL_UNAVAILABLE' || room.url !== undefined) throw error;
    reason = inWords(error);
    return room.build({ ...options, wordsOnly: true });
  });
  const { manifest, written, documents, added, changed, removed, embedded } = report;
  const { documents: table, postings, vectors } = manifest.files;
  return {
    written,
    documents,
    added,
    changed,
    removed,
    embedded,
    model: manifest.model?.name ?? null,
    ...(reason === undefined ? {} : { reason }),
    ...(room.url === undefined ? {} : { url: room.url }),
    bytes: table.bytes + postings.bytes + (vectors?.bytes ?? 0),
    builtAt: manifest.builtAt,
  };
}
