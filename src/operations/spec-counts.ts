import { integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { pageFrom } from '../core/cursor.ts';
import { memo } from '../core/memo.ts';
import { compareText } from '../core/text.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { SpecFile } from '../specs/spec-file.ts';
import { defineOperation } from './define.ts';
import { SPEC_MAP, specMap } from './spec-map.ts';
import { NEXT_CURSOR, PACKAGE, packageOf, PAGE } from './shapes.ts';

const ONE = {
  id: text(),
  title: text(),
  purpose: text(),
  requirements: integer(),
  scenarios: integer(),
  touched: list(integer(), 'Indexes of the requirements that an active change touches'),
  untested: list(integer(), 'Indexes of the requirements without a scenario'),
  package: PACKAGE,
  root: optional(text('With by_root: the name of its root; in a shared catalog, the source')),
} as const;
type Counted = ObjectOf<typeof ONE>;

export const specCounts = defineOperation({
  name: 'spec_counts',
  title: 'Specs with their size',
  summary: 'List every spec with its purpose and the number of its requirements and scenarios',
  params: {
    largest: { type: 'flag', default: false, faces: ['web'], help: 'Most requirements first' },
    by_root: { type: 'flag', default: false, faces: ['web'], help: 'Group by root, your own first' },
    map: {
      type: 'flag',
      default: false,
      help: 'Show which open changes touch which specs, and the order in which to archive them',
    },
    limit: { ...PAGE.limit, faces: ['web'] },
    cursor: { ...PAGE.cursor, faces: ['web'] },
  },
  output: {
    specs: list(object(ONE)),
    totals: optional(
      object(
        { specs: integer(), requirements: integer(), touched: integer(), untested: integer() },
        'For a partial list: totals of all specs',
      ),
    ),
    folders: optional(list(text(), 'If there are no specs: the folders that are searched')),
    map: SPEC_MAP,
    nextCursor: NEXT_CURSOR,
  },
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'spec list',
    group: 'Specs and changes',
    examples: [
      ['lectern spec list', 'list the specs, with their number of requirements'],
      ['lectern spec list --map', 'see where open changes meet, and what to archive first'],
    ],
  },
  library: 'specs.counts',
  async run({ largest = false, by_root: byRoot = false, map, limit, cursor }, workspace) {
    const catalog = await workspace.snapshot.specs();
    const { specs: byId, bySize, inRoots, totals } = await countAll(catalog);
    const folders = byId.length === 0 ? catalog.foldersOf('spec') : [];
    const specs = byRoot ? inRoots() : largest ? bySize() : byId;
    const more = map ? { map: await specMap(catalog) } : {};
    if (limit === undefined && cursor === undefined)
      return { specs, ...(folders.length === 0 ? {} : { folders }), ...more };
    const { page, ...next } = pageFrom(specs, { limit, cursor });
    return { specs: page, totals, ...more, ...next };
  },
});

/** Counts once per catalog, because a shared catalog has many specs. */
const countAll = memo(async (catalog: SpecCatalog) => {
  const { changesTouching } = await import('../specs/touched.ts');
  const touching = changesTouching(catalog);
  const specs = catalog.specs.map((spec): Counted => {
    const { requirements } = spec.parsed;
    const changesOf = touching(spec);
    return {
      id: spec.id,
      title: spec.title,
      purpose: spec.purpose,
      requirements: requirements.length,
      scenarios: requirements.reduce((sum, { scenarios }) => sum + scenarios.length, 0),
      touched: requirements.flatMap(({ name }, index) => (changesOf(name).length > 0 ? [index] : [])),
      untested: requirements.flatMap(({ scenarios }, index) => (scenarios.length === 0 ? [index] : [])),
      ...packageOf(catalog, spec),
    };
  });
  const sum = (of: (spec: Counted) => number): number => specs.reduce((total, spec) => total + of(spec), 0);
  let sorted: typeof specs | undefined;
  let together: (Counted & { root: string })[] | undefined;
  return {
    specs,
    bySize: () => (sorted ??= specs.toSorted((a, b) => b.requirements - a.requirements)),
    inRoots: () =>
      (together ??= catalog.specs
        .map((file, index) => ({ file, counted: specs[index] as Counted }))
        .sort((a, b) => compareInRoots(a.file, b.file))
        .map(({ file, counted }) => ({ ...counted, root: file.root.name }))),
    totals: {
      specs: specs.length,
      requirements: sum(({ requirements }) => requirements),
      touched: sum(({ touched }) => touched.length),
      untested: sum(({ untested }) => untested.length),
    },
  };
});

function compareInRoots(a: SpecFile, b: SpecFile): number {
  const own = ({ root }: SpecFile): number => Number(root.isOwn ?? false);
  return own(b) - own(a) || compareText(a.root.name, b.root.name) || compareText(a.capability, b.capability);
}
