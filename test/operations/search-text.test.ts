import { describe, expect, test } from 'vitest';
import { perform } from '../../src/operations/perform.ts';
import { search } from '../../src/operations/search.ts';
import { renderSearch } from '../../src/render/search.ts';
import { makeStyle } from '../../src/render/style.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { project, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const style = makeStyle({ color: false, cwd: '/repo/project' });

/** Twelve skills, a requirement and a change, all of which match. */
const FILES: ProjectFiles = {
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `project/.claude/skills/invoice-${index}/SKILL.md`,
      skillText({ name: `invoice-${index}`, description: 'Writes an invoice', body: 'The body mentions nothing.\n' }),
    ]),
  ),
  'project/openspec/specs/billing/spec.md':
    '# Billing\n\n## Purpose\nMoney.\n\n## Requirements\n\n### Requirement: Yearly report\nThe shop SHALL count every invoice.\n\n#### Scenario: End of year\n- **WHEN** the year ends\n- **THEN** a report is written\n',
  'project/openspec/changes/add-reports/proposal.md':
    '# Change: Add reports\n\n## Why\nPeople lose track of an invoice.\n\n## What Changes\n- Reports\n',
};

async function found(workspace: Workspace, given: object, isForText = true) {
  const { output } = await perform(search, given, () => Promise.resolve(workspace), {
    face: 'cli',
    wording: { code: 'USAGE', whole: 'the input', unknown: 'key' },
    context: { isForText, isSet: (param) => param in given },
  });
  return output;
}

describe.each(['auto', 'keyword'])('search as text, mode %s', (mode) => {
  test('shows five of each kind, skills first, and how to see the rest', async () => {
    const workspace = await project(FILES).open();
    const answer = await found(workspace, { query: 'invoice', mode });
    expect(answer.results.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 5 }, () => 'skill'),
      'requirement',
      'change',
    ]);
    expect(answer.total).toBe(14);
    const text = renderSearch(answer, style);
    expect(text).toMatch(
      /^Skills, the 5 best of 12\n {2}invoice-0\n {4}Writes an invoice\n {4}\.claude\/skills\/invoice-0\/SKILL\.md\n/u,
    );
    expect(text).toContain('\n\nRequirements\n  Yearly report of billing\n');
    expect(text).toContain('\n\nChanges\n  ');
    expect(text).toContain('\n7 of 14 matches; --limit 14 shows all\n');
  });

  test('honors a limit that is set, and JSON keeps its limit of ten', async () => {
    const workspace = await project(FILES).open();
    expect((await found(workspace, { query: 'invoice', mode, limit: 8 })).results).toHaveLength(8);
    expect((await found(workspace, { query: 'invoice', mode, limit: 10 })).results).toHaveLength(10);
    const json = await found(workspace, { query: 'invoice', mode }, false);
    expect(json.results).toHaveLength(10);
    expect(json.nextCursor).toBe('10');
  });
});

describe('a result as text', () => {
  test('marks the words of the query in the description', async () => {
    const workspace = await project(FILES).open();
    const { results } = await found(workspace, { query: 'invoices' });
    expect(results[0]).toMatchObject({ snippet: 'Writes an invoice', marks: [[10, 17]] });
    const color = makeStyle({ color: true });
    expect(renderSearch(await found(workspace, { query: 'invoices' }), color)).toContain(
      `Writes an ${color.yellow('invoice')}`,
    );
  });

  test('shows the sentence with the words if the description of a requirement lacks them', async () => {
    const workspace = await project(FILES).open();
    const { results } = await found(workspace, { query: 'year ends', mode: 'keyword' });
    expect(results[0]?.snippet).toContain('the year ends');
  });

  test('has a score only with --verbose', async () => {
    const answer = await found(await project(FILES).open(), { query: 'invoice' });
    expect(renderSearch(answer, style)).not.toMatch(/\d\.\d\d/u);
    expect(renderSearch(answer, style, true)).toMatch(/invoice-0 0\.\d\d\n/u);
  });

  test('is called a weak match if the confidence is low', async () => {
    const answer = await found(await project(FILES).open(), { query: 'invoice' });
    expect(renderSearch({ ...answer, confidence: 'low' }, style)).toContain(
      '7 of 14 weak matches; --limit 14 shows all',
    );
    expect(
      renderSearch({ ...answer, results: answer.results.slice(0, 1), total: 1, confidence: 'low' }, style),
    ).toContain('\n1 weak match\n');
  });
});
