import { type Block, blockScenarios, missingNames } from './blocks.ts';
import type { DeltaBlock, ParsedDelta } from './parse-delta.ts';
import type { EditableSpec } from './structure.ts';

/** Finds MODIFIED blocks that lack scenarios of the current spec. A block renamed by the same delta is looked up by its old name. */
export function lostScenarios(delta: ParsedDelta, current: EditableSpec): { block: DeltaBlock; missing: string[] }[] {
  const modified = delta.blocks.filter(({ canonical, operation }) => canonical && operation === 'modified');
  if (modified.length === 0) return [];
  const blocks = new Map((current.section?.blocks ?? []).map((block) => [block.name, block]));
  const renamed = delta.renamed.filter(({ canonical }) => canonical);
  const oldNames = new Map(renamed.map(({ from, to }) => [to, from]));
  const renamedAway = new Set(renamed.map(({ from }) => from));
  const currentBlock = (name: string): Block | undefined => {
    // Renames may form a chain, or even a cycle.
    const seen = new Set<string>();
    for (let key: string | undefined = name; key !== undefined && !seen.has(key); key = oldNames.get(key)) {
      const block = blocks.get(key);
      if (block) return block;
      seen.add(key);
    }
    return undefined;
  };
  return modified.flatMap((block) => {
    const target = renamedAway.has(block.name) ? undefined : currentBlock(block.name);
    const missing = target
      ? missingNames(blockScenarios(current.outline, target), blockScenarios(delta.outline, block))
      : [];
    return missing.length > 0 ? [{ block, missing }] : [];
  });
}
