/** Details that clients of other servers for specs rely on, through a real client. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connect, errorOf, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { CAP } from '../support/spec-text.ts';
import { skillText } from '../support/skill-text.ts';

const OPENSPEC = { 'project/openspec/specs/cap/spec.md': CAP };

describe.each(['stdio', 'http', 'sse'] as const)('over %s', (way) => {
  test('an error about invalid parameters has the code of JSON-RPC beside ours', async () => {
    await using session = await connect(way, {
      ...OPENSPEC,
      'project/skills/git/SKILL.md': skillText({ name: 'git' }),
    });
    for (const [tool, args] of [
      ['skill', {}],
      ['skill', { name: '' }],
      ['skill', { name: 'git', more: 1 }],
      ['skills_search', { query: ' ' }],
      ['skills_list', { cursor: 'nonsense' }],
      ['get_spec_requirements', {}],
      ['get_change', { change_id: 'x', section: 'all' }],
    ] as const)
      expect([tool, errorOf(await session.call(tool, args))]).toMatchObject([
        tool,
        { code: 'USAGE', jsonRpcCode: -32_602, message: expect.stringMatching(/^Invalid params \(-32602\): /u) },
      ]);
    for (const [tool, args] of [
      ['skill', { name: 'nonexistent' }],
      ['get_spec_requirements', { spec_id: 'nonexistent' }],
    ] as const)
      expect(errorOf(await session.call(tool, args))).not.toHaveProperty('jsonRpcCode');
  });

  test('search_specs takes top_k for limit', async () => {
    await using session = await connect(way, OPENSPEC);
    const found = async (args: object): Promise<number> => {
      const { structuredContent } = await session.call('search_specs', { query: 'system alpha beta', ...args });
      return z.object({ results: z.array(z.unknown()) }).parse(structuredContent).results.length;
    };
    expect([await found({}), await found({ top_k: 1 }), await found({ top_k: '1' })]).toEqual([2, 1, 1]);
    expect(errorOf(await session.call('search_specs', { query: 'x', top_k: 0 }))).toMatchObject({ code: 'USAGE' });
    expect(errorOf(await session.call('search_specs', { query: 'x', top_k: 1, limit: 1 }))).toMatchObject({
      code: 'USAGE',
    });
    const tools = await session.client.listTools();
    expect(JSON.stringify(tools)).not.toContain('top_k');
  });
});

test.each([
  ['openspec', { 'project/openspec/project.md': '# P\n' }, [], 'openspec/specs', 'openspec/changes'],
  ['Spec Oxide', { 'project/.spox/config.toml': '' }, [], 'specs', 'specs/_changes'],
  [
    'Spec Oxide with folders of its own',
    { 'project/.spox/config.toml': '[paths]\nspec_folder = "docs/specs"\nchanges_folder = "docs/open"\n' },
    [],
    'docs/specs',
    'docs/open',
  ],
  [
    'configured',
    { 'project/mine/a/x': '', 'project/mine/b/x': '' },
    ['--specs-dir', 'A', '--changes-dir', 'B'],
    'mine/a',
    'mine/b',
  ],
] as const)('without any spec, texts name the folder of the layout: %s', async (_, files, flags, specs, changes) => {
  const folder = project(files, 'disk');
  const given = flags.map((flag) =>
    flag === 'A' ? folder.at('project/mine/a') : flag === 'B' ? folder.at('project/mine/b') : flag,
  );
  await using session = await connect('memory', {}, { folder, command: ['mcp', 'serve'], flags: given });
  expect((await session.call('list_specs', {})).structuredContent).toEqual({ specs: [] });
  expect(textOf(await session.call('get_spec_requirements', { spec_id: 'x' }))).toContain(
    `Spec 'x' not found.\n\nThere are no specs in ${specs}.`,
  );
  expect(textOf(await session.call('get_change', { change_id: 'x' }))).toContain(`There are no changes in ${changes}.`);
  const { stdout } = await lectern(folder, ['spec', 'list', ...given]);
  expect(stdout).toContain(`Specs live in ${specs}/<capability>/spec.md`);
  folder[Symbol.dispose]();
});

test('validate_change and get_change read "### Requirement: Old -> New" in the same way', async () => {
  const renamed = (delta: string) => ({
    ...OPENSPEC,
    'project/openspec/changes/rename/proposal.md': '## Why\nBecause.\n\n## What Changes\n- A name.\n',
    'project/openspec/changes/rename/specs/cap/spec.md': delta,
  });
  const delta = '## RENAMED Requirements\n\n### Requirement: Alpha -> Gamma\n';
  await using session = await connect('memory', renamed(delta));
  const change = await session.call('get_change', { change_id: 'rename', section: 'deltas' });
  expect(change.structuredContent).toMatchObject({ deltas: { cap: { renamed: [{ from: 'Alpha', to: 'Gamma' }] } } });
  const { structuredContent } = await session.call('validate_change', { change_id: 'rename' });
  // The verdict is OpenSpec's, which does not apply a rename in this form.
  expect(structuredContent).toMatchObject({
    valid: false,
    errors: [
      { code: 'change-deltas-missing', description: 'the change has no delta in a form that OpenSpec reads' },
      {
        code: 'delta-entries-missing',
        description: expect.stringContaining('it renames "Alpha" to "Gamma" in another form'),
        fix: expect.stringContaining('FROM: `### Requirement: Alpha`'),
      },
    ],
    info: expect.arrayContaining([
      expect.objectContaining({
        description:
          '"### Requirement: Alpha -> Gamma" renames "Alpha" to "Gamma" in a form that OpenSpec does not read',
      }),
    ]),
  });
  expect(JSON.stringify(structuredContent)).not.toContain('is not a rename');
});
