import { describe, expect, test } from 'vitest';
import { archiveChange } from '../../src/operations/archive-change.ts';
import { changeOverlaps } from '../../src/operations/change-overlaps.ts';
import { diffChange } from '../../src/operations/diff-change.ts';
import { renderOverlapReport } from '../../src/render/diff.ts';
import { makeStyle } from '../../src/render/style.ts';
import { ask } from '../support/ask.ts';
import { project, type ProjectFiles } from '../support/project.ts';

const CURRENT = `# Checkout

## Purpose
Everything between a full basket and a paid order, in the order in which it happens.

## Requirements

### Requirement: Reserving copies
The shop SHALL reserve each copy for fifteen minutes, because most books exist only once. It tells nobody.

- one list item
- another list item

#### Scenario: Two customers
- **GIVEN** one copy
- **WHEN** a second customer pays
- **THEN** the second customer is told
- **AND** is offered a notice

#### Scenario: Time runs out
- **WHEN** fifteen minutes pass
- **THEN** the copy is offered again

### Requirement: Paying an order
The shop SHALL accept cards.

#### Scenario: Paid
- **WHEN** the card is accepted
- **THEN** the order is complete
`;

const PROPOSAL = '## Why\nBecause customers have been asking for it for a very long time.\n\n## What Changes\n- Much\n';

function withChanges(changes: Record<string, string>, spec = CURRENT): ProjectFiles {
  return {
    'project/openspec/specs/checkout/spec.md': spec,
    ...Object.fromEntries(
      Object.entries(changes).flatMap(([name, delta]) => [
        [`project/openspec/changes/${name}/proposal.md`, PROPOSAL],
        [`project/openspec/changes/${name}/tasks.md`, '- [x] done\n'],
        [`project/openspec/changes/${name}/specs/checkout/spec.md`, delta],
      ]),
    ),
  };
}

async function compared(delta: string) {
  const workspace = await project(withChanges({ change: delta })).open();
  const { capabilities } = await ask(diffChange, { change_id: 'change' }, workspace);
  return capabilities[0]?.requirements ?? [];
}

const modified = (body: string, name = 'Reserving copies'): string =>
  `## MODIFIED Requirements\n\n### Requirement: ${name}\n${body}`;

const REWRITTEN =
  modified(`The shop SHALL reserve each copy for fifteen minutes, and tell those who wish for it. It tells nobody.

- one list item
- another list item

#### Scenario: Two customers
- **GIVEN** one copy
- **WHEN** a second customer pays
- **THEN** the second customer is told
- **AND** is offered the wish list

#### Scenario: Time runs out
- **WHEN** fifteen minutes pass
- **THEN** the copy is offered again
- **AND** customers are told

#### Scenario: A new one
- **WHEN** something else happens
- **THEN** so be it
`);

describe('a change beside the current spec', () => {
  test('is compared by paragraph, scenario and clause, and summed up in words', async () => {
    const [requirement] = await compared(REWRITTEN);
    expect(requirement?.summary).toBe('1 sentence, 1 clause changed, 1 clause, 1 scenario added');
    expect(requirement?.text.map(({ change }) => change)).toEqual(['changed', 'same', 'same']);
    const [first] = requirement?.text ?? [];
    const words = ({ text, marks }: { text: string; marks: number[][] }) => marks.map(([a, b]) => text.slice(a, b));
    expect(first?.before && words(first.before)).toEqual(['because most books exist only once']);
    expect(first?.after && words(first.after)).toEqual(['and tell those who wish for it']);
    expect(requirement?.scenarios.map(({ name, change }) => [name, change])).toEqual([
      ['Two customers', 'changed'],
      ['Time runs out', 'changed'],
      ['A new one', 'added'],
    ]);
    expect(requirement?.scenarios[1]?.clauses.map(({ keyword, change }) => [keyword, change])).toEqual([
      ['when', 'same'],
      ['then', 'same'],
      ['and', 'added'],
    ]);
    expect(requirement?.scenarios[1]?.clauses[0]).not.toHaveProperty('before');
  });

  test('a scenario that the change leaves out is shown where it was', async () => {
    const [requirement] = await compared(
      modified(
        'The shop SHALL reserve each copy.\n\n#### Scenario: Time runs out\n- **WHEN** fifteen minutes pass\n- **THEN** the copy is offered again\n',
      ),
    );
    expect(requirement?.scenarios.map(({ name, change }) => [name, change])).toEqual([
      ['Two customers', 'removed'],
      ['Time runs out', 'same'],
    ]);
    expect(requirement?.summary).toBe('1 sentence changed, 3 sentences, 1 scenario removed');
  });

  test('the same text counts as unchanged, however it is wrapped', async () => {
    const same = CURRENT.slice(CURRENT.indexOf('The shop SHALL reserve'), CURRENT.indexOf('### Requirement: Paying'));
    const [requirement] = await compared(modified(same.replace('because most', 'because\nmost')));
    expect(requirement?.summary).toBe('no word changed');
  });

  test('a keyword that changed is a changed clause', async () => {
    const same = CURRENT.slice(CURRENT.indexOf('The shop SHALL reserve'), CURRENT.indexOf('### Requirement: Paying'));
    const [requirement] = await compared(modified(same.replace('**AND** is offered', '**BUT** is offered')));
    expect(requirement?.scenarios[0]?.clauses[3]).toMatchObject({
      keyword: 'but',
      keyword_before: 'and',
      change: 'changed',
    });
  });

  test('a modified requirement that does not exist is compared with the nearest one', async () => {
    const [requirement] = await compared(REWRITTEN.replace('Reserving copies', 'Holding a book back'));
    expect(requirement).toMatchObject({
      missing: true,
      nearest: { spec_id: 'checkout', requirement: 'Reserving copies' },
    });
    expect(requirement?.text[0]?.change).toBe('changed');
    const [byName] = await compared(modified('Nothing alike here at all.\n', 'Paying order'));
    expect(byName?.nearest?.requirement).toBe('Paying an order');
  });

  test('a removal has its reason and migration, and a rename the new name and its text under the old one', async () => {
    const entries = await compared(
      [
        '## REMOVED Requirements\n\n### Requirement: Paying an order\n**Reason**: Nobody pays.\n**Migration**: Give it away.\n',
        '## RENAMED Requirements\n- FROM: `### Requirement: Reserving copies`\n- TO: `### Requirement: Holding copies`\n',
        REWRITTEN.replace('Reserving copies', 'Holding copies'),
      ].join('\n'),
    );
    expect(entries).toMatchObject([
      { operation: 'removed', reason: 'Nobody pays.', migration: 'Give it away.', summary: '1 scenario' },
      { operation: 'renamed', requirement: 'Reserving copies', to: 'Holding copies' },
      { operation: 'modified', requirement: 'Holding copies' },
    ]);
    expect(entries[2]).not.toHaveProperty('missing');
    expect(entries[2]?.text[0]?.change).toBe('changed');
  });
});

describe('two changes that touch one requirement', () => {
  const OTHER =
    modified(`The shop SHALL reserve each copy for thirty minutes, because most books exist only once. It tells nobody.

#### Scenario: Two customers
- **GIVEN** one copy
- **WHEN** a second customer pays
- **THEN** the second customer is told

#### Scenario: Time runs out
- **WHEN** thirty minutes pass
- **THEN** the copy is offered again
`);

  test('stand beside the current text, and both orders of archiving are tried', async () => {
    const workspace = await project(withChanges({ wishes: REWRITTEN, faster: OTHER })).open();
    const answer = await ask(changeOverlaps, { change_id: 'wishes', other_id: 'faster' }, workspace);
    const [shared] = answer.compared ?? [];
    expect(shared).toMatchObject({
      requirement: 'Reserving copies',
      spec_id: 'checkout',
      current: { name: 'Reserving copies' },
      versions: [{ change: 'wishes' }, { change: 'faster' }],
      orders: [
        // `wishes` adds a scenario that `faster` does not have.
        { first: 'wishes', outcome: 'refused', message: expect.stringContaining('"A new one"') },
        { first: 'faster', outcome: 'replaces' },
      ],
    });
    const text = renderOverlapReport(answer, makeStyle({ color: false }));
    expect(text).toContain('If wishes is archived first: faster is then refused');
    expect(text).toContain('+The shop SHALL reserve each copy for thirty minutes');
    const { capabilities } = await ask(diffChange, { change_id: 'wishes' }, workspace);
    expect(capabilities[0]?.requirements[0]?.overlaps).toEqual(['faster']);
  });

  test('archiving in both orders gives the predicted results', async () => {
    using folder = project(withChanges({ wishes: REWRITTEN, faster: OTHER }), 'disk');
    const workspace = await folder.open();
    await ask(archiveChange, { change_id: 'faster' }, workspace);
    await ask(archiveChange, { change_id: 'wishes' }, workspace);
    expect(folder.read('project/openspec/specs/checkout/spec.md')).not.toContain('thirty');

    using again = project(withChanges({ wishes: REWRITTEN, faster: OTHER }), 'disk');
    const second = await again.open();
    await ask(archiveChange, { change_id: 'wishes' }, second);
    await expect(ask(archiveChange, { change_id: 'faster' }, second)).rejects.toThrow('A new one');
  });

  test('a change that cannot be applied blocks both orders, and changes without a common requirement have no comparison', async () => {
    const workspace = await project(
      withChanges({
        broken: `${modified('Gone.\n', 'Not there')}\n${OTHER.replace('## MODIFIED Requirements\n', '')}`,
        other: OTHER,
        apart:
          '## ADDED Requirements\n\n### Requirement: New\nIt SHALL be new.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n',
      }),
    ).open();
    const { compared: both = [] } = await ask(changeOverlaps, { change_id: 'broken', other_id: 'other' }, workspace);
    expect(both[0]?.orders.map(({ outcome }) => outcome)).toEqual(['blocked', 'blocked']);
    expect(await ask(changeOverlaps, { change_id: 'apart', other_id: 'other' }, workspace)).toEqual({
      overlaps: [],
      compared: [],
    });
    await expect(ask(changeOverlaps, { change_id: 'other', other_id: 'other' }, workspace)).rejects.toThrow(
      'Both changes',
    );
  });
});

test('a dry run shows the whole spec as it will be, and so does the real one afterwards', async () => {
  using folder = project(withChanges({ wishes: REWRITTEN }), 'disk');
  const workspace = await folder.open();
  const planned = await ask(archiveChange, { change_id: 'wishes', dry_run: true, full: true }, workspace);
  expect(planned.specs[0]?.content).toContain('offered the wish list');
  expect(folder.read('project/openspec/specs/checkout/spec.md')).toBe(CURRENT);
  await ask(archiveChange, { change_id: 'wishes' }, workspace);
  expect(folder.read('project/openspec/specs/checkout/spec.md')).toBe(planned.specs[0]?.content);
});
