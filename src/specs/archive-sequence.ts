/**
 * Finds an order in which open changes can be archived. The rule: changes that touch nothing that others touch come first. Of two
 * changes that touch one requirement, the one goes first after which the other still applies, or keeps its text. Otherwise the
 * change with more finished tasks goes first. Changes that would be refused in any order come last.
 */
import type { Failure } from '../core/failure.ts';
import { compareText } from '../core/text.ts';
import { applyDelta } from './apply.ts';
import { archiveOrder, type ArchiveOrder } from './archive-order.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import { archiveRefused, specGone, targetMissing } from './rules/delta-target.ts';
import type { STEP_KINDS } from './state-names.ts';
import { type EditableSpec, editableSpec } from './structure.ts';

export interface ArchiveStep {
  change: string;
  /**
   * free: touches nothing that another open change touches. ordered: meets others, and nothing is lost in this order.
   * conflict: it would replace the text of an earlier change. refused: cannot be archived as it is.
   */
  kind: (typeof STEP_KINDS)[number];
  /** Changes to archive before this one. */
  after: string[];
  reason?: string;
}

/** Two changes that touch one requirement are compared by applying both. Further pairs count as free. */
const PAIRS_MAX = 500;
const MEETING_MAX = 20;

const RANKS = { kept: 0, replaces: 1, refused: 2, blocked: 3 } as const satisfies Record<
  ArchiveOrder['outcome'],
  number
>;

/** Refusals that an earlier change can resolve. */
const RESOLVABLE: ReadonlySet<unknown> = new Set([archiveRefused.code, specGone.code, targetMissing.code]);

interface Relation {
  first: ChangeFolder;
  second: ChangeFolder;
  /** False if the order makes no difference. */
  isNeeded: boolean;
  /** Set if something is lost although this is the better order. */
  loss?: string;
}

/** `refusals` are the reasons why a change cannot be archived now, apart from open tasks. */
export function archiveSequence(
  catalog: SpecCatalog,
  changes: readonly ChangeFolder[],
  refusals: ReadonlyMap<ChangeFolder, readonly Failure[]>,
): ArchiveStep[] {
  const relations = relationsOf(catalog, changes);
  const sorted = sortedBy(changes, relations);
  const simulation = new Simulation(catalog);
  const possible: ArchiveStep[] = [];
  const refused: ArchiveStep[] = [];
  const done = new Set<ChangeFolder>();
  for (const change of sorted) {
    const own = relations.filter(({ first, second }) => first === change || second === change);
    const before = own.flatMap((relation) => earlierOf(relation, change, sorted));
    const after = [...new Set(before.map(({ other }) => other.id))];
    const reason = hardReason(refusals.get(change) ?? []) ?? simulation.apply(change);
    if (reason !== undefined) {
      refused.push({ change: change.id, kind: 'refused', after, reason });
      continue;
    }
    done.add(change);
    const loss = before.find(({ other, relation }) => relation.loss !== undefined && done.has(other))?.relation.loss;
    const kind = own.length === 0 ? 'free' : loss === undefined ? 'ordered' : 'conflict';
    possible.push({ change: change.id, kind, after, ...(loss === undefined ? {} : { reason: loss }) });
  }
  const isFree = ({ kind }: ArchiveStep): boolean => kind === 'free';
  return [...possible.filter(isFree), ...possible.filter((step) => !isFree(step)), ...refused];
}

/** The other change of a relation, if it is to be archived earlier for a reason. */
function earlierOf(
  relation: Relation,
  change: ChangeFolder,
  sorted: readonly ChangeFolder[],
): { other: ChangeFolder; relation: Relation }[] {
  const other = relation.first === change ? relation.second : relation.first;
  if (sorted.indexOf(other) > sorted.indexOf(change)) return [];
  return relation.isNeeded || relation.loss !== undefined ? [{ other, relation }] : [];
}

/** A refusal that no earlier change resolves. */
function hardReason(refusals: readonly Failure[]): string | undefined {
  return refusals.find(({ facts }) => !RESOLVABLE.has(facts['reason']))?.message;
}

/** Compares each pair of changes that touch one requirement. */
function relationsOf(catalog: SpecCatalog, changes: readonly ChangeFolder[]): Relation[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const pairs = new Map<string, { a: ChangeFolder; b: ChangeFolder; shared: [string, string][] }>();
  for (const { capability, requirement, claims } of catalog.overlaps) {
    const meeting = claims.slice(0, MEETING_MAX).flatMap(({ change }) => byId.get(change) ?? []);
    for (const [index, a] of meeting.entries())
      for (const b of meeting.slice(index + 1)) {
        const key = `${a.id}\0${b.id}`;
        const known = pairs.get(key) ?? { a, b, shared: [] };
        if (pairs.size < PAIRS_MAX || pairs.has(key)) pairs.set(key, known);
        known.shared.push([capability, requirement]);
      }
  }
  return [...pairs.values()].map(({ a, b, shared }) => {
    const worst = (first: ChangeFolder, second: ChangeFolder): ArchiveOrder | undefined =>
      shared
        .flatMap(([capability, requirement]) => archiveOrder(catalog, { first, second }, capability, requirement) ?? [])
        .reduce<ArchiveOrder | undefined>(
          (known, each) => (known && RANKS[known.outcome] >= RANKS[each.outcome] ? known : each),
          undefined,
        );
    return related(a, b, worst(a, b), worst(b, a));
  });
}

function related(
  a: ChangeFolder,
  b: ChangeFolder,
  forward: ArchiveOrder | undefined,
  backward: ArchiveOrder | undefined,
): Relation {
  const [there, back] = [forward, backward].map((order) => (order ? RANKS[order.outcome] : 0));
  const isBackward = (back ?? 0) < (there ?? 0);
  const better = isBackward ? backward : forward;
  const isLoss = better !== undefined && (better.outcome === 'replaces' || better.outcome === 'refused');
  return {
    ...(isBackward ? { first: b, second: a } : { first: a, second: b }),
    isNeeded: there !== back,
    ...(isLoss ? { loss: better.message } : {}),
  };
}

/** Sorts by the needed order of pairs, then by finished tasks. In a cycle, finished tasks decide. */
function sortedBy(changes: readonly ChangeFolder[], relations: readonly Relation[]): ChangeFolder[] {
  const share = ({ progress: { completed, total } }: ChangeFolder): number => (total === 0 ? 0 : completed / total);
  const left = changes.toSorted((a, b) => share(b) - share(a) || compareText(a.id, b.id));
  const needed = relations.filter(({ isNeeded }) => isNeeded);
  const sorted: ChangeFolder[] = [];
  const done = new Set<ChangeFolder>();
  while (left.length > 0) {
    const next = left.findIndex((change) =>
      needed.every(({ first, second }) => second !== change || done.has(first) || !left.includes(first)),
    );
    const [change] = left.splice(Math.max(0, next), 1);
    if (!change) break;
    done.add(change);
    sorted.push(change);
  }
  return sorted;
}

/** Applies deltas one after another, without writing anything. */
class Simulation {
  readonly #catalog: SpecCatalog;
  readonly #specs = new Map<string, EditableSpec>();

  constructor(catalog: SpecCatalog) {
    this.#catalog = catalog;
  }

  /** Applies all deltas of a change, or none. Returns the reason if they do not apply. */
  apply({ root, name, deltas }: ChangeFolder): string | undefined {
    const next = new Map<string, EditableSpec>();
    for (const { capability, parsed } of deltas) {
      const key = `${root.specsDir}\0${capability}`;
      const current = this.#specs.get(key) ?? this.#catalog.specFor(root, capability)?.editable;
      const applied = applyDelta(parsed, current, { capability, change: name });
      if (applied.kind === 'refused') return `The delta for ${capability} does not apply: ${applied.message}.`;
      next.set(key, editableSpec(applied.text()));
    }
    for (const [key, spec] of next) this.#specs.set(key, spec);
    return undefined;
  }
}
