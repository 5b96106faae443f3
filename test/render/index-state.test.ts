import { describe, expect, test } from 'vitest';
import { renderIndexBuilt, renderIndexProgress, renderIndexStatus } from '../../src/render/index-state.ts';
import { makeStyle } from '../../src/render/style.ts';

const plain = makeStyle({ color: false });

describe('progress of an index', () => {
  test('shows the progress, the speed and the time left', () => {
    expect(renderIndexProgress({ phase: 'embedding', done: 1_000, total: 40_000, perSecond: 30 }, plain)).toBe(
      'Indexing documents █░░░░░░░░░░░░░░░░░░░░░░░ 1,000/40,000 · 30/s · 22 min left',
    );
  });

  test('an empty index is complete, and a narrow terminal gets no bar', () => {
    expect(renderIndexProgress({ phase: 'embedding', done: 0, total: 0, perSecond: 0 }, plain)).toMatch(/█{24} 0\/0$/u);
    expect(
      renderIndexProgress(
        { phase: 'embedding', done: 1, total: 2, perSecond: 1 },
        makeStyle({ color: false, width: 40 }),
      ),
    ).not.toContain('█');
  });
});

test('the result shows the prepared documents, the model and the cache', () => {
  const data = { documents: 12, added: 2, model: 'm', dir: '/cache', bytes: 2_000 };
  expect(renderIndexBuilt(data, plain)).toBe(
    '✓ 12 documents can be searched: 2 prepared now\n  model: m\n  cache: 2 kB for all projects /cache\n',
  );
  expect(renderIndexBuilt({ ...data, added: 0, model: null, reason: 'the disk is full' }, plain)).toBe(
    '✓ 12 documents can be searched: everything was ready\n  model: none, words only\n  cache: nothing is cached: the disk is full\n',
  );
});

test('the status shows the prepared share and how to prepare the rest', () => {
  const data = {
    state: 'partly',
    documents: 3,
    ready: 1,
    model: 'm',
    built: false,
    dir: '/cache',
    entries: 5,
    bytes: 900,
  } as const;
  expect(renderIndexStatus(data, plain)).toBe(
    'Search 1 of 3 documents prepared\n  model: m\n  cache: 1 kB for all projects /cache\n\nThe first search prepares the rest, or `lectern index` does.\n',
  );
  expect(renderIndexStatus({ ...data, state: 'ready', ready: 3, oldIndex: '/p/.lectern/index' }, plain)).toContain(
    '/p/.lectern/index is from an earlier version and no longer used; remove it.',
  );
});
