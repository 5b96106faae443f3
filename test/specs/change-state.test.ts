/** The state of a change promises the outcome of archiving it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { archiveChange } from '../../src/specs/archive.ts';
import { stateOfChange } from '../../src/specs/change-state.ts';
import { fc, times } from '../support/effort.ts';
import { project, type ProjectFiles } from '../support/project.ts';
import { CAP, requirement } from '../support/spec-text.ts';

const TODAY = '2026-11-20';
const CHANGE = 'project/openspec/changes/it';

/** Parts of deltas that apply, do not apply, are not valid, or would lose something. */
const PARTS = [
  `## ADDED Requirements\n${requirement('Gamma')}`,
  `## ADDED Requirements\n${requirement('Alpha')}`,
  '## ADDED Requirements\n### Requirement: Bare\nThe system SHALL work.',
  `## ADDED Requirements\n### Delta\nThe system SHALL work.\n\n${requirement('Epsilon')}`,
  `## MODIFIED Requirements\n${requirement('Alpha', { scenarios: ['One', 'Two'] })}`,
  `## MODIFIED Requirements\n${requirement('Alpha', { scenarios: ['One'] })}`,
  `## MODIFIED Requirements\n${requirement('Missing')}`,
  '## REMOVED Requirements\n### Requirement: Beta',
  '## REMOVED Requirements\n### Requirement: Alpha\n### Requirement: Beta',
  '## REMOVED Requirements\n### Requirement: Missing',
  '## RENAMED Requirements\n- FROM: `### Requirement: Beta`\n- TO: `### Requirement: Gamma`',
  '## RENAMED Requirements\n- FROM: `### Requirement: Beta`\n- TO: `### Requirement: Alpha`',
  '## Notes\n\nNothing to apply.',
  '## ADDED Requirements\n### Requirement: New\nThe system SHALL do what this change is about.\n#### Scenario: S\n- **WHEN** a\n- **THEN** b',
] as const;
const SPECS = [
  CAP,
  CAP.replace('### Requirement: Beta', 'A note between requirements.\n\n### Requirement: Beta'),
  CAP.replace('- **THEN** d', '- **THEN** d\n\n### Notes\n\nA runbook.'),
  `${CAP}\n## Notes\n\nA runbook.\n`,
  CAP.replace('## Purpose', '## Intent'),
] as const;
const METADATA = ['schema: spec-driven\n', 'retire_capabilities: true\n', 'skip_specs: true\n', 'a: [\n'] as const;

/** The first value in nine of ten cases. */
function mostly<T>(usual: T, ...others: readonly T[]) {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}

const files = fc
  .record({
    spec: fc.constantFrom(undefined, ...SPECS),
    deltas: fc.dictionary(
      fc.constantFrom('cap', 'new', 'a/b'),
      fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 2 }),
      { minKeys: 1, maxKeys: 2 },
    ),
    proposal: mostly(
      '# It\n\n## Why\nPeople need it.\n\n## What Changes\n- More\n',
      '## Why\nDescribe what is missing or wrong today, and for whom.\n',
    ),
    metadata: mostly('', ...METADATA),
    isTaken: mostly(false, true),
  })
  .map(({ spec, deltas, proposal, metadata, isTaken }): ProjectFiles => ({
    ...(spec === undefined ? {} : { 'project/openspec/specs/cap/spec.md': spec }),
    ...Object.fromEntries(
      Object.entries(deltas).map(([id, parts]) => [`${CHANGE}/specs/${id}/spec.md`, `${parts.join('\n\n')}\n`]),
    ),
    [`${CHANGE}/proposal.md`]: proposal,
    [`${CHANGE}/tasks.md`]: '- [x] 1.1 Do it\n',
    ...(metadata === '' ? {} : { [`${CHANGE}/.openspec.yaml`]: metadata }),
    ...(isTaken ? { [`project/openspec/changes/archive/${TODAY}-it/tasks.md`]: '- [x] 1.1 Done\n' } : {}),
  }));

describe('a change with all tasks done', () => {
  // The name in the archive has the date.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 20, 12) }));
  afterEach(() => void vi.useRealTimers());

  test('is ready to archive exactly if archiving succeeds, and is blocked exactly if it is refused', () => {
    const seen = { ready: 0, blocked: 0, codes: new Set<string>() };
    fc.assert(
      fc.property(files, (given) => {
        using target = project(given);
        const catalog = target.specs();
        const found = catalog.findChange('it');
        if (found.kind !== 'found') throw new Error('the change is there');
        const { state, blockedBy = [] } = stateOfChange(catalog, found.item);
        const before = target.state();
        let failure: unknown;
        try {
          archiveChange(() => target.specs(), found.item, {
            today: TODAY,
            disk: target.disk,
            records: target.records,
          });
        } catch (error) {
          failure = error;
        }
        if (failure === undefined) {
          expect([state, blockedBy]).toEqual(['ready to archive', []]);
          seen.ready += 1;
          return;
        }
        expect(failure).toBeInstanceOf(Failure);
        expect(state).toBe('blocked');
        expect(target.state()).toEqual(before);
        const [first] = blockedBy;
        expect((failure as Failure).hint).toBe(first?.fix);
        expect((failure as Failure).facts['reason']).toBe(first?.code);
        for (const { code, reason, fix } of blockedBy) {
          expect([code, reason, fix].every((text) => text !== '')).toBe(true);
          expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)+$/u);
          seen.codes.add(code);
        }
        seen.blocked += 1;
      }),
      { numRuns: times(300) },
    );
    // The generated changes have both outcomes, for many reasons.
    expect(seen.ready).toBeGreaterThan(10);
    expect(seen.blocked).toBeGreaterThan(50);
    expect(seen.codes.size).toBeGreaterThan(7);
  });

  test('is blocked by a folder of the specs that is a link, which archiving would not write through', () => {
    const { '/elsewhere/spec.md': elsewhere, ...rest } = {
      '/elsewhere/spec.md': CAP,
      'project/openspec/specs/other/spec.md': CAP,
      [`${CHANGE}/proposal.md`]: '## Why\nPeople need it.\n\n## What Changes\n- More\n',
      [`${CHANGE}/tasks.md`]: '- [x] 1.1 Do it\n',
      [`${CHANGE}/specs/cap/spec.md`]: `## ADDED Requirements\n${requirement('Gamma')}\n`,
    };
    using target = project({
      ...rest,
      '/elsewhere/spec.md': elsewhere,
      'project/openspec/specs/cap': { link: '/elsewhere' },
    });
    const catalog = target.specs();
    expect(catalog.changes.map((change) => stateOfChange(catalog, change))).toMatchObject([
      {
        state: 'blocked',
        blockedBy: [{ code: expect.stringMatching(/^(?:archive-place-unsafe|spec-unreadable)$/u) }],
      },
    ]);
  });
});
