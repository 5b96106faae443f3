/**
 * Applies a delta to a main spec: RENAMED, then REMOVED, MODIFIED and ADDED. Pure and deterministic. Only the blocks named in the
 * delta change. Every other byte, including line ends and blank lines, is preserved. Deltas that OpenSpec's archive refuses are
 * refused here for the same reasons, above all a MODIFIED that would lose a scenario.
 */
import { COMMENT_START, type Outline } from '../core/headings.ts';
import { blockScenarios, missingNames } from './blocks.ts';
import { deltaConflicts } from './delta-conflicts.ts';
import { newSpecText } from './new-spec.ts';
import { blockLines, type DeltaBlock, deltaToApply, type ParsedDelta } from './parse-delta.ts';
import { type EditedBlock, writeEdits } from './write-edits.ts';
import { type EditableSpec, editableSpec, specToEdit } from './structure.ts';
import { foldRequirement, type Operation } from './words.ts';

export interface Applied {
  kind: 'applied';
  /** Returns the new spec. Computed on call, because validation needs only the verdict. */
  text(): string;
  /** Number of entries that changed the spec. Entries that the spec already matches do not count. */
  counts: Record<Operation, number>;
  /** Notes for the user, such as an entry for a missing requirement. */
  notes: string[];
  /** Indexes of lines of the current spec that would be lost although the delta does not name them. */
  lost: readonly number[];
  /** True if no requirement is left. */
  isEmptied: boolean;
}

export interface Refused {
  kind: 'refused';
  reason:
    | 'delta-invalid'
    | 'spec-invalid'
    | 'target-missing'
    | 'target-exists'
    | 'name-near'
    | 'scenario-lost'
    | 'spec-gone';
  message: string;
  /** Line index in the delta. */
  line: number;
}

export function applyDelta(
  read: ParsedDelta,
  current: EditableSpec | undefined,
  names: { capability: string; change: string },
): Applied | Refused {
  const delta = deltaToApply(read);
  const invalid = refuseInvalid(delta, current === undefined);
  if (invalid) return invalid;
  const fresh = current ? undefined : newSpecText(names, delta);
  const base = current ? specToEdit(current) : editableSpec(fresh?.text ?? '');
  const [problem] = base.problems;
  if (problem) {
    const message = `"${problem.heading}" is in the wrong place on line ${problem.line + 1} of the current spec`;
    return { kind: 'refused', reason: 'spec-invalid', message, line: 0 };
  }
  const spec = new SpecEdit(base);
  const counts = { added: 0, modified: 0, removed: 0, renamed: 0 };
  spec.notes.push(...(fresh?.notes ?? []), ...commentedOut(read, delta));
  try {
    for (const { from, to, line } of delta.renamed.filter(({ canonical }) => canonical))
      counts.renamed += spec.rename(from, to, line);
    for (const { name, line } of delta.removed.filter(({ canonical }) => canonical))
      counts.removed += spec.remove(name, line, fresh !== undefined);
    for (const block of delta.blocks)
      if (block.canonical && block.operation === 'modified') counts.modified += spec.modify(delta.outline, block);
    for (const block of delta.blocks)
      if (block.canonical && block.operation === 'added') counts.added += spec.add(delta.outline, block);
  } catch (error) {
    if (error instanceof Refusal) return error.refused;
    throw error;
  }
  return {
    kind: 'applied',
    text: () => writeEdits(base, spec.slots),
    counts,
    notes: spec.notes,
    lost: spec.lost,
    isEmptied: spec.size === 0,
  };
}

/** Finds entries inside comments, which OpenSpec reads. */
function commentedOut({ blocks, removed, renamed }: ParsedDelta, { outline }: ParsedDelta): string[] {
  const names = [...blocks, ...removed, ...renamed.map(({ from, ...entry }) => ({ ...entry, name: from }))]
    .filter(({ line, canonical }) => canonical && outline.commented?.[line] === 1)
    .map(({ name }) => `"${name}"`);
  return names.length === 0 ? [] : [`commented out, so not applied: ${names.join(', ')}`];
}

function refuseInvalid(delta: ParsedDelta, isNew: boolean): Refused | undefined {
  const refused = (message: string, line: number): Refused => ({
    kind: 'refused',
    reason: 'delta-invalid',
    message,
    line,
  });
  const [unpaired] = delta.unpaired;
  if (unpaired) return refused(`${unpaired.side}: "${unpaired.name}" has no other half`, unpaired.line);
  const [conflict] = deltaConflicts(delta);
  if (conflict) return refused(conflict.message, conflict.line);
  const entries = [...delta.blocks, ...delta.removed, ...delta.renamed].filter(({ canonical }) => canonical);
  if (entries.length === 0) return refused('there is nothing to apply', 0);
  if (!isNew) return undefined;
  const modified = delta.blocks.find(({ canonical, operation }) => canonical && operation === 'modified');
  const first = modified ?? delta.renamed.find(({ canonical }) => canonical);
  if (!first) return refuseGone(delta);
  const message =
    'the capability does not exist yet, so there is nothing to modify or rename; only ADDED can create it';
  return { kind: 'refused', reason: 'target-missing', message, line: first.line };
}

/** Refuses a delta that only removes requirements of a nonexistent spec, because applying it would create an empty spec. */
function refuseGone({ blocks, removed }: ParsedDelta): Refused | undefined {
  const isAdding = blocks.some(({ canonical }) => canonical);
  const first = removed.find(({ canonical }) => canonical);
  if (isAdding || !first) return undefined;
  const message = 'the spec no longer exists, so there is nothing to remove';
  return { kind: 'refused', reason: 'spec-gone', message, line: first.line };
}

class Refusal extends Error {
  readonly refused: Refused;
  constructor(reason: Refused['reason'], message: string, line: number) {
    super(message);
    this.refused = { kind: 'refused', reason, message, line };
  }
}

/** A rendered heading at the level of a requirement or above. */
const FOREIGN_HEADING = /^ {0,3}(?:#{1,3}(?:[ \t]|$)|<h[1-3]\b)/iu;

/** One requirement of the spec while the delta is applied. */
interface Slot extends EditedBlock {
  name: string;
}

class SpecEdit {
  /** Requirements in spec order, followed by new ones. */
  readonly slots: Slot[];
  readonly notes: string[] = [];
  readonly lost: number[] = [];
  readonly #outline: Outline;
  readonly #byName = new Map<string, Slot>();
  /** Requirement names by their form without case and extra spaces. Built on first use. */
  #spellings: Map<string, Set<string>> | undefined;

  constructor({ outline, section }: EditableSpec) {
    this.#outline = outline;
    this.slots = (section?.blocks ?? []).map((block) => ({ name: block.name, block }));
    for (const slot of this.slots) this.#byName.set(slot.name, slot);
  }

  get size(): number {
    return this.#byName.size;
  }

  rename(from: string, to: string, line: number): number {
    const slot = this.#byName.get(from);
    if (!slot) {
      const near = this.#near(from, to);
      if (this.#byName.has(to) && near === undefined) return 0;
      if (near !== undefined)
        throw new Refusal('name-near', `RENAMED from "${from}": the spec spells it "${near}"`, line);
      throw new Refusal('target-missing', `RENAMED from "${from}": the spec has no such requirement`, line);
    }
    if (this.#byName.has(to))
      throw new Refusal('target-exists', `RENAMED to "${to}": the spec already has that requirement`, line);
    const near = this.#near(to, from);
    if (near !== undefined)
      throw new Refusal(
        'name-near',
        `RENAMED to "${to}": the spec has "${near}", which differs only in case or spaces`,
        line,
      );
    this.#forget(slot);
    this.#name(slot, to);
    const [header = '', ...body] = this.#linesOf(slot);
    if (slot.block) slot.header = renamedHeader(header, from, to);
    else slot.lines = [renamedHeader(header, from, to), ...body];
    return 1;
  }

  remove(name: string, line: number, isNew: boolean): number {
    const slot = this.#byName.get(name);
    if (!slot) {
      const near = this.#near(name);
      if (near !== undefined && !isNew)
        throw new Refusal('name-near', `REMOVED "${name}": the spec spells it "${near}"`, line);
      this.notes.push(`REMOVED "${name}": the spec does not have it`);
      return 0;
    }
    this.#loseForeign(slot, []);
    this.#forget(slot);
    slot.isGone = true;
    return 1;
  }

  modify(outline: Outline, block: DeltaBlock): number {
    const slot = this.#byName.get(block.name);
    if (!slot)
      throw new Refusal('target-missing', `MODIFIED "${block.name}": the spec has no such requirement`, block.line);
    const lost = slot.block
      ? missingNames(blockScenarios(this.#outline, slot.block), blockScenarios(outline, block))
      : [];
    if (lost.length > 0) {
      const list = lost.map((name) => `"${name}"`).join(', ');
      throw new Refusal('scenario-lost', `MODIFIED "${block.name}" would lose ${list}`, block.line);
    }
    const lines = linesToWrite(outline, block);
    if (sameText(this.#linesOf(slot), lines)) return 0;
    this.#loseForeign(slot, lines);
    slot.lines = lines;
    return 1;
  }

  add(outline: Outline, block: DeltaBlock): number {
    const lines = linesToWrite(outline, block);
    const slot = this.#byName.get(block.name);
    if (slot && sameText(this.#linesOf(slot), lines)) return 0;
    if (slot)
      throw new Refusal(
        'target-exists',
        `ADDED "${block.name}": the spec already has it with a different text`,
        block.line,
      );
    const near = this.#near(block.name);
    if (near !== undefined) {
      throw new Refusal(
        'name-near',
        `ADDED "${block.name}": the spec has "${near}", which differs only in case or spaces`,
        block.line,
      );
    }
    const added: Slot = { name: block.name, lines };
    this.slots.push(added);
    this.#name(added, block.name);
    return 1;
  }

  #linesOf(slot: Slot): readonly string[] {
    if (slot.lines) return slot.lines;
    const lines = slot.block ? blockLines(this.#outline, slot.block) : [];
    return slot.header === undefined ? lines : [slot.header, ...lines.slice(1)];
  }

  #name(slot: Slot, name: string): void {
    slot.name = name;
    this.#byName.set(name, slot);
    if (this.#spellings) addSpelling(this.#spellings, name);
  }

  #forget(slot: Slot): void {
    this.#byName.delete(slot.name);
    this.#spellings?.get(foldRequirement(slot.name))?.delete(slot.name);
  }

  /** Finds another requirement whose name differs only in case or spaces. */
  #near(name: string, except?: string): string | undefined {
    if (!this.#spellings) {
      this.#spellings = new Map();
      for (const known of this.#byName.keys()) addSpelling(this.#spellings, known);
    }
    for (const other of this.#spellings.get(foldRequirement(name)) ?? [])
      if (other !== except && other !== name) return other;
    return undefined;
  }

  /**
   * A heading inside the block, such as `### Notes` after the last scenario, starts text that is not part of the requirement.
   * That text would be lost too, unless the new block has the same heading.
   */
  #loseForeign({ block }: Slot, replacement: readonly string[]): void {
    if (!block) return;
    const { lines, fenced, commented } = this.#outline;
    const kept = new Set(replacement.map((line) => line.trim()));
    let isLost = false;
    for (let index = block.line + 1; index < block.end; index++) {
      const line = lines[index] ?? '';
      const isHidden = fenced[index] === 1 && commented?.[index] !== 1;
      if (!isHidden && FOREIGN_HEADING.test(line)) isLost = !kept.has(line.trim());
      if (isLost && line.trim() !== '') this.lost.push(index);
    }
  }
}

/** Returns the lines of a delta block, without commented-out entries below it. */
function linesToWrite(outline: Outline, block: DeltaBlock): string[] {
  const { lines, commented } = outline;
  let end = block.end;
  for (let index = block.end - 1; index > block.line; index--) {
    const line = lines[index] ?? '';
    if (commented?.[index] !== 1 && line.trim() !== '') break;
    if (FOREIGN_HEADING.test(line)) {
      while (commented?.[index - 1] === 1 && !COMMENT_START.test(lines[index] ?? '')) index -= 1;
      end = index;
    }
  }
  return blockLines(outline, { ...block, end });
}

function addSpelling(spellings: Map<string, Set<string>>, name: string): void {
  const folded = foldRequirement(name);
  const known = spellings.get(folded);
  if (known) known.add(name);
  else spellings.set(folded, new Set([name]));
}

function renamedHeader(line: string, from: string, to: string): string {
  const at = line.lastIndexOf(from);
  return at === -1 || from === '' ? `### Requirement: ${to}` : line.slice(0, at) + to + line.slice(at + from.length);
}

function sameText(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index] || line.trimEnd() === b[index]?.trimEnd());
}
