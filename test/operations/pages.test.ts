import { describe, expect, test } from 'vitest';
import { changeStates } from '../../src/operations/change-states.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { search } from '../../src/operations/search.ts';
import { showSpec } from '../../src/operations/show-spec.ts';
import { specCounts } from '../../src/operations/spec-counts.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { ask } from '../support/ask.ts';
import { project } from '../support/project.ts';
import { requirement } from '../support/spec-text.ts';

const NAMES = Array.from({ length: 7 }, (_, index) => `skill-${index}`);
const SPEC = `# Big\n\n## Purpose\nMany requirements in one spec, so that it takes several pages.\n\n## Requirements\n\n${NAMES.map((name) => requirement(`Need ${name}`)).join('\n\n')}\n\n### Requirement: Bare\nIt SHALL have no scenario.\n`;
const FILES = {
  ...Object.fromEntries(
    NAMES.map((name) => [
      `project/.claude/skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: Handles invoices of kind ${name}. Use for invoices.\nodd-key: x\n---\nBody.\n`,
    ]),
  ),
  'project/openspec/specs/big/spec.md': SPEC,
  'project/openspec/changes/touching/proposal.md': '## Why\nInvoices.\n\n## What Changes\n- More\n',
  'project/openspec/changes/touching/specs/big/spec.md': `## MODIFIED Requirements\n\n${requirement('Need skill-2')}\n\n## ADDED Requirements\n\n${requirement('New')}\n`,
  ...Object.fromEntries(
    ['2026-01-01-a', '2026-03-01-c', '2026-02-01-b'].map((name) => [
      `project/openspec/changes/archive/${name}/proposal.md`,
      '## Why\nDone.\n',
    ]),
  ),
};

const countsOf = ({ errors, warnings, info }: Record<'errors' | 'warnings' | 'info', unknown[]>) => ({
  errors: errors.length,
  warnings: warnings.length,
  info: info.length,
});

/** Follows the cursors, two at a time. */
async function follow<Item>(part: (cursor?: string) => Promise<{ items: Item[]; nextCursor?: string | undefined }>) {
  const pages: Item[][] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await part(cursor);
    pages.push(items);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe('a long list in parts', () => {
  test('skills, findings, requirements and hits: the parts together are the whole', async () => {
    const workspace = await project(FILES).open();
    const paged = async (page: { limit?: number; cursor?: string }) => {
      const { skills, nextCursor } = await ask(listSkills, page, workspace);
      return { items: skills.map(({ name }) => name), nextCursor };
    };
    const skills = await follow((cursor) => paged({ limit: 2, ...(cursor === undefined ? {} : { cursor }) }));
    expect(skills.map((page) => page.length)).toEqual([2, 2, 2, 1]);
    expect(skills.flat()).toEqual((await paged({})).items);

    const whole = await ask(validateSkills, { all: true }, workspace);
    const findings = await follow(async (cursor) => {
      const part = await ask(
        validateSkills,
        { all: true, limit: 2, ...(cursor === undefined ? {} : { cursor }) },
        workspace,
      );
      expect(part.counts).toEqual(countsOf(whole));
      expect(part.items.length).toBeLessThanOrEqual(2);
      return { items: [...part.errors, ...part.warnings, ...part.info], nextCursor: part.nextCursor };
    });
    expect(findings.flat()).toEqual([...whole.errors, ...whole.warnings, ...whole.info]);
    expect(findings.length).toBeGreaterThan(2);

    const shown = await follow(async (cursor) => {
      const part = await ask(
        showSpec,
        { spec_id: 'big', limit: 3, ...(cursor === undefined ? {} : { cursor }) },
        workspace,
      );
      return { items: part.requirements.map(({ name }) => name), nextCursor: part.nextCursor };
    });
    expect(shown.map((page) => page.length)).toEqual([3, 3, 2]);

    for (const mode of ['auto', 'keyword'] as const) {
      const all = await ask(search, { query: 'invoices', mode, limit: 100 }, workspace);
      const hits = await follow(async (cursor) => {
        const part = await ask(
          search,
          { query: 'invoices', mode, limit: 3, ...(cursor === undefined ? {} : { cursor }) },
          workspace,
        );
        return { items: part.results, nextCursor: part.nextCursor };
      });
      expect(hits.flat()).toEqual(all.results);
      expect(all.total).toBe(all.results.length);
    }
  });

  test('findings of one severity or kind, with the counts of all', async () => {
    const workspace = await project(FILES).open();
    const all = await ask(validateSkills, { all: true }, workspace);
    const warnings = await ask(validateSkills, { all: true, only: 'warning' }, workspace);
    expect(warnings).toMatchObject({ errors: [], warnings: all.warnings, counts: countsOf(all), valid: all.valid });
    const specs = await ask(validateSkills, { all: true, in: ['specs'] }, workspace);
    expect(new Set(specs.items.map(({ type }) => type))).toEqual(new Set(['spec']));
    await expect(ask(validateSkills, { in: ['specs'] }, workspace)).rejects.toThrow('--in needs --all');
  });
});

test('a spec marks requirements that are touched or have no scenario', async () => {
  const workspace = await project(FILES).open();
  const { specs } = await ask(specCounts, {}, workspace);
  expect(specs).toMatchObject([{ id: 'big', requirements: 8, touched: [2], untested: [7] }]);
  const { heads, requirements, total } = await ask(showSpec, { spec_id: 'big', heads: true }, workspace);
  expect(requirements).toEqual([]);
  expect(total).toBe(8);
  expect(heads?.[2]).toMatchObject({ name: 'Need skill-2', changes: [{ change: 'touching', operation: 'modified' }] });
  const one = await ask(showSpec, { spec_id: 'big', heads: true, requirement: 'Bare' }, workspace);
  expect(one.requirements.map(({ name }) => name)).toEqual(['Bare']);
});

test('changes come with their counts, and with the newest archived ones on request', async () => {
  const workspace = await project(FILES).open();
  const { changes, archived_total } = await ask(changeStates, { with_archived: 2 }, workspace);
  expect(changes.map(({ id }) => id)).toEqual(['touching', '2026-03-01-c', '2026-02-01-b']);
  expect(archived_total).toBe(3);
  expect(changes[0]).toMatchObject({ counts: { added: 1, modified: 1, removed: 0, renamed: 0 }, overlaps: [] });
});

describe('search explanations', () => {
  test('each hit has the words it matched and how near its meaning is; corrections are data', async () => {
    const workspace = await project(FILES).open();
    const answer = await ask(search, { query: 'inboices of kind', limit: 3 }, workspace);
    expect(answer.corrections).toEqual([{ typed: 'inboices', meant: 'invoices' }]);
    expect(answer.results[0]?.words).toContain('invoices');
    expect(answer.results[0]?.meaning).toBeGreaterThan(0);
    const [start = 0, end = 0] = answer.results[0]?.marks[0] ?? [];
    expect(answer.results[0]?.snippet.slice(start, end)).toBe('invoices');
    expect(answer.searched).toEqual({ skill: 7, requirement: 8, change: 1 });
    expect(answer.totals.skill).toBe(7);
  });

  test('if nothing has every word, the nearest results are returned', async () => {
    const workspace = await project(FILES).open();
    const { results, near } = await ask(search, { query: 'invoices zebra', mode: 'keyword' }, workspace);
    expect(results).toEqual([]);
    expect(near).toHaveLength(3);
  });
});
