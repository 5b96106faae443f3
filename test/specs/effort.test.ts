import { describe, expect, test } from 'vitest';
import { type CapabilityDiff, diffChange } from '../../src/specs/diff.ts';
import { project } from '../support/project.ts';

async function diffed(spec: string, delta: string): Promise<CapabilityDiff['requirements']> {
  const workspace = await project({
    'project/openspec/specs/shop/spec.md': `# Shop\n\n## Requirements\n\n${spec}`,
    'project/openspec/changes/more/proposal.md': '# More\n',
    'project/openspec/changes/more/specs/shop/spec.md': `## MODIFIED Requirements\n\n${delta}`,
  }).open();
  const catalog = await workspace.snapshot.specs();
  return catalog.changes.flatMap((change) => diffChange(catalog, change)).flatMap(({ requirements }) => requirements);
}

const times = (count: number, make: (index: number) => string, joint = '\n'): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(joint);

const words = (count: number, of: string): string => times(count, (index) => `${of}${(index * 7_919) % 1_009}`, ' ');

describe('the cost of a comparison', () => {
  test('a change of a hundred long requirements is compared to the last word', async () => {
    const requirement = (index: number, word: string): string =>
      `### Requirement: Order ${index}\n${times(10, (each) => `Item ${each} ${words(15, 'w')} is ${word}.`, '\n\n')}\n`;
    const found = await diffed(
      times(100, (index) => requirement(index, 'new')),
      times(100, (index) => requirement(index, 'old')),
    );
    expect(found).toHaveLength(100);
    for (const { text, summary, diff } of found) {
      expect(summary).toBe('10 sentences changed');
      expect(text.every(({ before, after }) => before?.marks.length === 1 && after?.marks.length === 1)).toBe(true);
      expect(diff.match(/^\+Item/gmu)).toHaveLength(10);
    }
  });

  test('ten thousand requirements that are not in a spec of ten thousand are not compared with each of them', async () => {
    const found = await diffed(
      times(10_000, (index) => `### Requirement: Old order ${index}\nIt SHALL ${words(18, `a${index % 99}`)}\n`),
      times(10_000, (index) => `### Requirement: Odd order ${index}\nIt SHALL ${words(18, `b${index % 99}`)}\n`),
    );
    expect(found).toHaveLength(10_000);
    expect(found[0]?.nearest).toBeDefined();
    expect(found.at(-1)).toMatchObject({ missing: true, text: [{ change: 'added' }] });
    expect(found.at(-1)?.nearest).toBeUndefined();
  });

  test('a long requirement that a delta repeats many times is not shown in full each time', async () => {
    const found = await diffed(
      `### Requirement: Order\n${words(20_000, 'w')}\n`,
      '### Requirement: Order\nIt SHALL be new.\n'.repeat(1_000),
    );
    expect(found).toHaveLength(1_000);
    expect(JSON.stringify(found).length).toBeLessThan(10 * 1024 * 1024);
  });

  test('a text that is too long to compare is shown as it was and as it becomes', async () => {
    const [old, fresh] = [`${words(20_000, 'w')} old`, `${words(20_000, 'w')} new`];
    const [found] = await diffed(`### Requirement: Order\n${old}\n`, `### Requirement: Order\n${fresh}\n`);
    expect(found?.text).toEqual([
      { change: 'changed', before: { text: old, marks: [] }, after: { text: fresh, marks: [] } },
    ]);
  });

  test('a diff of too many lines is one block', async () => {
    const lines = times(5_000, (index) => `- item ${index}`);
    const [found] = await diffed(`### Requirement: Order\n${lines}\n`, `### Requirement: Order\n- more\n${lines}\n`);
    expect(found?.diff.split('\n').slice(0, 4)).toEqual([
      '--- Order',
      '+++ Order',
      '@@ -1,5001 +1,5002 @@',
      '-### Requirement: Order',
    ]);
  });

  test('thousands of scenarios are paired by their names', async () => {
    const scenarios = (of: string): string => times(20_000, (index) => `#### Scenario: ${of} ${index}\n- x`);
    const [found] = await diffed(
      `### Requirement: Order\nIt SHALL.\n${scenarios('Old')}\n#### Scenario: Same\n- x\n`,
      `### Requirement: Order\nIt SHALL.\n#### Scenario: Same\n- x\n${scenarios('New')}\n`,
    );
    expect(found?.summary).toBe('20,000 scenarios added, 20,000 scenarios removed');
    expect(found?.scenarios[20_000]).toMatchObject({ name: 'Same', change: 'same' });
  });
});
