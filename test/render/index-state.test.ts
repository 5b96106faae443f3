import { describe, expect, test } from 'vitest';
import { renderIndexBuilt, renderIndexProgress, renderIndexStatus } from '../../src/render/index-state.ts';
import { makeStyle } from '../../src/render/style.ts';

const plain = makeStyle({ color: false });

describe('progress of an index', () => {
  test('tells how far, how fast and how long still', () => {
    expect(renderIndexProgress({ phase: 'embedding', done: 1_000, total: 40_000, perSecond: 30 }, plain)).toBe(
      'Embedding texts █░░░░░░░░░░░░░░░░░░░░░░░ 1,000/40,000 · 30/s · 22 min left',
    );
  });

  test('nothing to do is done, and a narrow terminal gets no bar', () => {
    expect(renderIndexProgress({ phase: 'reading', done: 0, total: 0, perSecond: 0 }, plain)).toMatch(/█{24} 0\/0$/u);
    expect(
      renderIndexProgress(
        { phase: 'reading', done: 1, total: 2, perSecond: 1 },
        makeStyle({ color: false, width: 40 }),
      ),
    ).not.toContain('█');
  });
});

test('an index of words only says why', () => {
  const data = {
    written: true,
    documents: 1,
    added: 1,
    changed: 0,
    removed: 0,
    embedded: 0,
    model: null,
    reason: 'The embedding model is not installed.',
    bytes: 10,
    builtAt: '',
  };
  expect(renderIndexBuilt(data, plain)).toBe(
    '✓ 1 document indexed: 1 added\n  model: words only: The embedding model is not installed.\n  size:  1 kB\n',
  );
});

test('a state that needs work says what to do', () => {
  expect(renderIndexStatus({ state: 'damaged', reason: 'vectors.bin is missing', dir: '/p' }, plain)).toBe(
    'Search index damaged (vectors.bin is missing)\n  folder:    /p\n\nRun `lectern index` to build or update it.\n',
  );
});
