/** Identifies the input texts of an archive plan, to detect later edits. */
import { createHash } from 'node:crypto';
import { type ChangeFolder, METADATA, PROPOSAL, TASKS } from './change-folder.ts';

/**
 * Computes a digest of the deltas, tasks, proposal and metadata of a change. Links are omitted: an absolute link into the folder
 * breaks when the folder moves, although no text has changed.
 */
export function digestOfInputs(change: ChangeFolder): string {
  const hash = createHash('sha256');
  const add = (...values: (string | undefined)[]): void => void hash.update(`${JSON.stringify(values)}\n`);
  for (const name of [PROPOSAL, TASKS, METADATA]) {
    const text = change.text(name)?.text;
    if (!change.isLink(name)) add(name, text);
  }
  const { specs, others, hasRootSpec } = change.specsWalk;
  const plain = new Set(specs.filter(({ file, readFrom }) => file === readFrom).map(({ id }) => id));
  for (const { capability, file } of change.deltas) if (plain.has(capability)) add('delta', capability, file.text);
  add('others', ...others, String(hasRootSpec));
  return hash.digest('hex');
}
