/** Determines the effect of archiving one change before another by applying both deltas in order. */
import { applyDelta, type Refused } from './apply.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import { blockLines } from './parse-delta.ts';
import { type EditableSpec, editableSpec } from './structure.ts';

export interface ArchiveOrder {
  first: string;
  second: string;
  /**
   * blocked: one of them cannot be applied in this order, even alone. refused: the second no longer applies. replaces: the
   * second overwrites the text of the first. kept: nothing is lost.
   */
  outcome: 'blocked' | 'refused' | 'replaces' | 'kept';
  message: string;
}

export function archiveOrder(
  catalog: SpecCatalog,
  { first, second }: { first: ChangeFolder; second: ChangeFolder },
  capability: string,
  requirement: string,
): ArchiveOrder | undefined {
  const current = catalog.specFor(first.root, capability)?.editable;
  const apply = (change: ChangeFolder, spec: EditableSpec | undefined) => {
    const delta = change.deltas.find((each) => each.capability === capability);
    return delta && applyDelta(delta.parsed, spec, { capability, change: change.name });
  };
  const ids = { first: first.id, second: second.id };
  const blocked = (change: ChangeFolder, { message }: Refused): ArchiveOrder => ({
    ...ids,
    outcome: 'blocked',
    message: `${change.id} cannot be archived as it is: ${message}`,
  });
  const [afterFirst, alone] = [apply(first, current), apply(second, current)];
  if (!afterFirst || !alone) return undefined;
  if (afterFirst.kind === 'refused') return blocked(first, afterFirst);
  const between = editableSpec(afterFirst.text());
  const afterBoth = apply(second, between);
  if (afterBoth === undefined) return undefined;
  if (afterBoth.kind === 'refused' && alone.kind === 'refused') return blocked(second, alone);
  if (afterBoth.kind === 'refused')
    return { ...ids, outcome: 'refused', message: `${second.id} is then refused: ${afterBoth.message}` };
  if (alone.kind === 'refused')
    return { ...ids, outcome: 'kept', message: `${second.id} can only be archived after ${first.id}` };
  const isKept = textOf(editableSpec(afterBoth.text()), requirement) === textOf(between, requirement);
  return isKept
    ? { ...ids, outcome: 'kept', message: `${second.id} keeps what ${first.id} wrote` }
    : { ...ids, outcome: 'replaces', message: `${second.id} then replaces what ${first.id} wrote` };
}

function textOf(spec: EditableSpec, name: string): string | undefined {
  const block = spec.section?.blocks.findLast((each) => each.name === name);
  return block && blockLines(spec.outline, block).join('\n');
}
