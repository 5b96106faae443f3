/** The sources of a shared catalog that a caller can see. Not in the registry, because only the web interface has it. */
import { flag, integer, list, object, type ObjectOf, optional, text } from '../../core/fields/field.ts';
import { pageFrom } from '../../core/cursor.ts';
import { LIMITS } from '../../core/limits.ts';
import { memo } from '../../core/memo.ts';
import type { SharedSource } from '../../hub/shared-source.ts';
import type { View, VisibleSource } from '../../hub/view.ts';
import { defineOperation } from '../../operations/define.ts';
import { NEXT_CURSOR, PAGE } from '../../operations/shapes.ts';

export const SOURCE = {
  source: text('team/name'),
  own: flag('Owned by one of the caller’s teams; otherwise granted'),
  skills: integer(),
  specs: integer(),
  changes: integer('Active changes'),
  files: integer(),
  bytes: integer(),
  version: integer('Snapshot of the last change; 0 if nothing was published yet'),
  published: optional(
    object({ at: text('ISO 8601'), actor: text(), commit: optional(text()) }, 'How this version was published'),
  ),
} as const;
export type SourceFacts = ObjectOf<typeof SOURCE>;

export const listSources = defineOperation({
  name: 'list_sources',
  title: 'Sources',
  summary: 'List the sources of a shared catalog',
  params: {
    query: {
      type: 'text',
      filled: true,
      max: LIMITS.queryCharacters.value,
      help: 'Words that the name must contain',
    },
    ...PAGE,
  },
  output: { sources: list(object(SOURCE)), total: integer(), own: integer(), nextCursor: NEXT_CURSOR },
  reads: 'none',
  async run({ query = '', limit, cursor }, view: View) {
    const words = query.toLowerCase().split(/\s+/u);
    const found = view.sources.filter(({ source: { name } }) => words.every((word) => name.includes(word)));
    const { page, ...next } = pageFrom(found, { limit, cursor });
    return {
      sources: page.map(factsOf),
      total: found.length,
      own: found.filter(({ isOwn }) => isOwn).length,
      ...next,
    };
  },
});

export function factsOf({ source, isOwn }: VisibleSource): SourceFacts {
  const { name, stored } = source;
  const { version, published } = stored;
  return { source: name, own: isOwn, ...countsOf(source), version, ...(published ? { published } : {}) };
}

const countsOf = memo(({ files, specs, workspace }: SharedSource) => ({
  skills: workspace.snapshot.all.skills.length,
  specs: specs.specs.length,
  changes: specs.changes.length,
  files: files.length,
  bytes: files.reduce((sum, { size }) => sum + size, 0),
}));
