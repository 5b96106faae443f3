import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { ChangeFolder } from '../specs/change-folder.ts';
import { getChange } from '../specs/lookup.ts';
import type { Overlap, OverlapClaim } from '../specs/overlap.ts';
import { COMPARED, OPERATIONS, REQUIREMENT } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';
import { CHANGE_ID, NAME, OVERLAPS_LEFT_OUT } from './shapes.ts';

/** A requirement that two changes touch, with the version of each. */
export const SHARED = {
  capability: text(),
  requirement: text(),
  spec_id: optional(text('The current spec')),
  current: optional(object(REQUIREMENT, 'Current requirement; missing if there is none')),
  versions: list(
    object({
      change: text(),
      operation: choice(OPERATIONS),
      to: optional(text('The new name of a rename')),
      reason: optional(text('Of a removal')),
      migration: optional(text('Of a removal')),
      diff: text('Unified, against the current text'),
      ...COMPARED,
    }),
    'The version of each change',
  ),
  orders: list(
    object({
      first: text(),
      second: text(),
      outcome: choice(
        ['blocked', 'refused', 'replaces', 'kept'],
        'blocked: one of them cannot be applied in this order, even alone; replaces: the second overwrites the text of the first',
      ),
      message: text(),
    }),
    'Outcome of each archiving order',
  ),
} as const;

export const changeOverlaps = defineOperation({
  name: 'change_overlap',
  title: 'Overlapping changes',
  summary: 'Find requirements that several active changes touch, or compare two of these changes',
  params: {
    change_id: { ...CHANGE_ID, required: false, help: 'Only the overlaps of this change' },
    other_id: {
      ...CHANGE_ID,
      required: false,
      placeholder: 'other',
      completes: 'changes',
      help: 'Compare with this change',
    },
    requirement: { ...NAME, completes: 'requirements', help: 'Only the requirement with this name' },
  },
  output: {
    overlaps: list(
      object({
        capability: text(),
        requirement: text(),
        claims: list(object({ change: text(), operation: choice(OPERATIONS), file: text(), line: integer() })),
        left_out: OVERLAPS_LEFT_OUT,
      }),
    ),
    compared: optional(list(object(SHARED), 'With two changes: each requirement that both touch')),
  },
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'change overlap',
    group: 'Specs and changes',
    completes: 'changes',
    examples: [
      ['lectern change overlap', 'find conflicts early; exit code 1 if there are any'],
      ['lectern change overlap add-wish-list faster-checkout', 'compare how two changes modify the same requirement'],
    ],
  },
  library: 'specs.overlaps',
  async run({ change_id, other_id, requirement }, workspace) {
    const { foldRequirement } = await import('../specs/words.ts');
    const catalog = await workspace.snapshot.specs();
    const changes = [change_id, other_id].flatMap((id) => (id === undefined ? [] : [activeChange(catalog, id)]));
    const [first, second] = changes;
    const ofSecond = second && new Set(catalog.overlapsOf(second).map(({ overlap }) => overlap));
    const overlaps = (first ? catalog.overlapsOf(first).map(({ overlap }) => overlap) : catalog.overlaps).filter(
      (overlap) =>
        (ofSecond === undefined || ofSecond.has(overlap)) &&
        (requirement === undefined || foldRequirement(requirement) === foldRequirement(overlap.requirement)),
    );
    const named = overlaps.map((overlap) => namedClaims(overlap, changes));
    if (!first || !second) return { overlaps: named };
    if (first === second)
      throw new Failure('USAGE', `Both changes are "${first.id}".`, { hint: 'Name two different changes.' });
    return { overlaps: named, compared: await compare(catalog, first, second, overlaps) };
  },
  hasErrors: ({ overlaps }) => overlaps.length > 0,
});

/** Returns the first claims. Claims of requested changes come before all others. */
function namedClaims({ claims, ...overlap }: Overlap, asked: readonly ChangeFolder[]): Overlap & { left_out?: number } {
  const isAsked = ({ change }: OverlapClaim): boolean => asked.some(({ id }) => id === change);
  const most = LIMITS.overlapChanges.value;
  if (claims.length <= most) return { ...overlap, claims };
  const first = asked.length === 0 ? [] : claims.filter(isAsked);
  const named = [...first, ...claims.slice(0, most + first.length).filter((claim) => !first.includes(claim))].slice(
    0,
    most,
  );
  return { ...overlap, claims: named, left_out: claims.length - named.length };
}

function activeChange(catalog: SpecCatalog, id: string): ChangeFolder {
  const change = getChange(catalog, id);
  if (!change.isArchived) return change;
  throw new Failure('REFUSED', `"${change.id}" is archived, so it overlaps with nothing.`, { path: change.dir });
}

async function compare(
  catalog: SpecCatalog,
  first: ChangeFolder,
  second: ChangeFolder,
  overlaps: readonly Overlap[],
): Promise<ObjectOf<typeof SHARED>[]> {
  const [{ diffChange, versionOf }, { archiveOrder }, { requirementAsData }, { foldRequirement }] = await Promise.all([
    import('../specs/diff.ts'),
    import('../specs/archive-order.ts'),
    import('../specs/as-data.ts'),
    import('../specs/words.ts'),
  ]);
  const diffs = [first, second].map((change) => ({ change: change.id, capabilities: diffChange(catalog, change) }));
  return overlaps.map(({ capability, requirement }) => {
    const spec = catalog.specFor(first.root, capability);
    const current = versionOf(spec, requirement);
    const name = foldRequirement(requirement);
    const versions = diffs.flatMap(({ change, capabilities }) =>
      capabilities
        .filter((each) => each.capability === capability)
        .flatMap(({ requirements }) => requirements)
        .filter((each) => [each.requirement, each.to ?? each.requirement].some((of) => foldRequirement(of) === name))
        .map(
          ({
            overlaps: _overlaps,
            overlaps_left_out: _more,
            missing: _missing,
            nearest: _nearest,
            requirement: _requirement,
            ...rest
          }) => ({
            change,
            ...rest,
          }),
        ),
    );
    const orders = [
      { first, second },
      { first: second, second: first },
    ].flatMap((pair) => archiveOrder(catalog, pair, capability, requirement) ?? []);
    return {
      capability,
      requirement,
      ...(spec ? { spec_id: spec.id } : {}),
      ...(current ? { current: requirementAsData(current.source, current.requirement) } : {}),
      versions,
      orders,
    };
  });
}
