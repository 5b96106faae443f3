/** Describes the shared catalog's contribution to a result: sentences for models, `_meta` for programs. */
import { oneLine } from '../../core/text.ts';
import { CATALOG_KEY, SNAPSHOT_KEY } from '../meta-keys.ts';
import type { Data, JoinedOutcome } from '../outcome.ts';
import type { Answered, RemoteAnswer, RemoteCatalog } from './remote-catalog.ts';

/** Explains why a result has no current data from the shared catalog. Returns undefined if it has. */
export function noteOn({ url }: RemoteCatalog, answer: RemoteAnswer): string | undefined {
  const catalog = `The shared catalog at ${url}`;
  if (answer.kind === 'unreachable') return `${catalog} ${answer.reason}, so only local items were searched.`;
  if (answer.cached)
    return `${catalog} ${answer.cached.reason}; this is a cached answer of ${answer.cached.at.toISOString()}, snapshot ${answer.snapshot}.`;
  if ('output' in answer) return undefined;
  return `${catalog} failed, so only local items were searched: ${oneLine(answer.error.message)}`;
}

export function metaOf({ url }: RemoteCatalog, answer: RemoteAnswer): Data {
  if (answer.kind === 'unreachable') return { [CATALOG_KEY]: { url, silent: answer.reason } };
  const { snapshot, cached } = answer;
  return {
    [SNAPSHOT_KEY]: snapshot,
    [CATALOG_KEY]: { url, snapshot, ...(cached ? { keptAt: cached.at.toISOString() } : {}) },
  };
}

/** Turns an answer of the shared catalog into a result of this server. */
export function passedOn(catalog: RemoteCatalog, answer: Answered): JoinedOutcome {
  const outcome = 'output' in answer ? { output: answer.output } : { error: answer.error };
  return { ...outcome, note: answer.cached && noteOn(catalog, answer), meta: metaOf(catalog, answer) };
}
