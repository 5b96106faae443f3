/** Counts for the part of a shared catalog that a caller can see, and the latest publications. */
import { integer, list, object } from '../../core/fields/field.ts';
import { memo } from '../../core/memo.ts';
import { compareText } from '../../core/text.ts';
import type { View } from '../../hub/view.ts';
import { defineOperation } from '../../operations/define.ts';
import { factsOf, SOURCE } from './list-sources.ts';

const LATELY = 8;

export const catalogOverview = defineOperation({
  name: 'catalog_overview',
  title: 'Overview of a shared catalog',
  summary: 'Show counts for a shared catalog and the latest publications',
  params: {},
  output: {
    skills: integer(),
    disabled: integer('How many of these are disabled'),
    specs: integer(),
    changes: integer('Active changes'),
    sources: integer(),
    own: integer('Sources of the caller’s teams'),
    lately: list(object(SOURCE), 'Latest publications, newest first'),
  },
  reads: 'none',
  run: async (_, view: View) => overviewOf(view),
});

/** Cached for the lifetime of a view, which callers with the same access share. */
export const overviewOf = memo(async (view: View) => {
  const { snapshot, sources } = view;
  const { skills } = snapshot.all;
  const { specs, changes } = await snapshot.specs();
  const published = sources.filter(({ source }) => source.stored.published);
  const at = ({ source }: (typeof sources)[number]): string => source.stored.published?.at ?? '';
  return {
    skills: skills.length,
    disabled: skills.filter(({ disabled }) => disabled).length,
    specs: specs.length,
    changes: changes.length,
    sources: sources.length,
    own: sources.filter(({ isOwn }) => isOwn).length,
    lately: published
      .toSorted((a, b) => compareText(at(b), at(a)))
      .slice(0, LATELY)
      .map(factsOf),
  };
});
