/** The scenarios of the spec tools, through a real client, whichever way it comes. docs/requirements.md names each of them. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { LIMITS } from '../../src/core/limits.ts';
import { getScenario } from '../../src/operations/get-scenario.ts';
import { getSpecRequirements } from '../../src/operations/get-spec-requirements.ts';
import { listSpecs } from '../../src/operations/list-specs.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { connect, errorOf, type Session, textOf, WAYS } from '../support/connect.ts';
import { CHANGES, PROPOSAL, SPECS } from '../support/spec-files.ts';
import { ask as perform } from '../support/ask.ts';
import { project } from '../support/project.ts';

const SERVE = { command: ['mcp', 'serve'] };
const READ_TOOLS = [
  'list_specs',
  'get_spec_requirements',
  'get_scenario',
  'search_specs',
  'list_changes',
  'get_change',
  'validate_spec',
  'validate_change',
];

const BROKEN = {
  'project/openspec/specs/bad/spec.md':
    '# Bad\n\n## Purpose\nToo short.\n\n## Requirements\n\n### Requirement: Alone\nThe system SHALL stand alone.\n',
  'project/openspec/specs/good/spec.md': SPECS['project/openspec/specs/billing/spec.md'],
  'project/openspec/changes/empty-handed/proposal.md':
    '# Empty\n\n## Why\nNobody knows.\n\n## What Changes\n- Nothing.\n',
  'project/openspec/changes/halfway/proposal.md': PROPOSAL,
  'project/openspec/changes/halfway/tasks.md': '- [ ] 1.1 Start\n',
  'project/openspec/changes/halfway/specs/good/spec.md':
    '## ADDED Requirements\n\n### Requirement: Bare\nThe system SHALL be bare.\n',
};

const SearchAnswer = z.object({
  results: z.array(
    z.strictObject({ spec_id: z.string(), requirement: z.string(), score: z.number(), snippet: z.string() }),
  ),
});
const Report = z.object({
  valid: z.boolean(),
  errors: z.array(
    z.object({ item: z.string(), file: z.string(), section: z.string(), description: z.string(), fix: z.string() }),
  ),
});

/** What a tool answered: the same as text and as structured content. */
function answerOf(result: CallToolResult): unknown {
  const parsed: unknown = JSON.parse(textOf(result));
  expect(parsed).toEqual(result.structuredContent);
  return parsed;
}

function failureOf(result: CallToolResult): unknown {
  return { error: errorOf(result) };
}

describe.each(WAYS)('over %s', (way) => {
  let session: Session;
  let none: Session;
  let broken: Session;
  let indexed: Session;
  const ask = async (tool: string, args: Record<string, unknown> = {}) => answerOf(await session.call(tool, args));

  beforeAll(async () => {
    [session, none, broken, indexed] = await Promise.all([
      connect(way, { ...SPECS, ...CHANGES }, SERVE),
      connect(way, {}, SERVE),
      connect(way, BROKEN, SERVE),
      connect(way, { ...SPECS, ...CHANGES }, SERVE),
    ]);
    await indexed.call('rebuild_index', {});
  });
  afterAll(async () => {
    await Promise.all([session, none, broken, indexed].map((each) => each[Symbol.asyncDispose]()));
  });

  test('tools delegate to operations: the answer is theirs, as JSON', async () => {
    const workspace = await Workspace.open({ projectDir: session.folder.at('project'), readConfig: false });
    expect(await ask('list_specs')).toEqual(await perform(listSpecs, {}, workspace));
    const input = { spec_id: 'identity/login', requirement: 'Password check' };
    expect(await ask('get_scenario', input)).toEqual(await perform(getScenario, input, workspace));
  });

  test('errors of operations become tool errors with a message', async () => {
    expect(failureOf(await session.call('get_change', { change_id: 'add-cod' }))).toEqual({
      error: {
        code: 'NOT_FOUND',
        message: "Change 'add-cod' not found.",
        hint: 'Did you mean: add-code?',
        suggestions: ['add-code'],
      },
    });
    // Where things lie on the disk is no business of whoever asks.
    expect(failureOf(await broken.call('get_change', { change_id: 'halfway', section: 'design' }))).toEqual({
      error: { code: 'NOT_FOUND', message: "Change 'halfway' has no design.md." },
    });
  });

  test('initialize answers with capabilities that include tools', () => {
    expect(session.client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {}, completions: {} });
    expect(session.client.getServerCapabilities()?.prompts).toBeUndefined();
  });

  test('the server is called spox and has instructions for its use', () => {
    expect(session.client.getServerVersion()?.name).toBe('spox');
    const instructions = session.client.getInstructions() ?? '';
    for (const tool of ['list_specs', 'search_specs', 'get_change', 'validate_spec'])
      expect(instructions).toContain(tool);
    expect(instructions).not.toContain('skill');
  });

  test('the tools have names, titles, strict schemas and annotations', async () => {
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...READ_TOOLS, 'rebuild_index']);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/u);
      expect([title, description]).toEqual([expect.stringMatching(/\w/u), expect.stringMatching(/\w/u)]);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema?.type).toBe('object');
      expect(annotations).toEqual({
        readOnlyHint: name !== 'rebuild_index',
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
    expect((await none.client.listTools()).tools).toEqual(tools);
  });

  test('a parameter that is missing, empty or unknown is named', async () => {
    const wrong = [
      [{}, 'Invalid params (-32602): spec_id is required.'],
      [{ spec_id: '' }, 'Invalid params (-32602): spec_id is required and must not be empty.'],
      [{ spec_id: 'billing', loud: 1 }, 'Invalid params (-32602): "loud" is not a known parameter.'],
    ] as const;
    for (const [args, message] of wrong) {
      expect(failureOf(await session.call('get_spec_requirements', args))).toMatchObject({
        error: { code: 'USAGE', message },
      });
    }
    await expect(session.call('list-specs', {})).rejects.toMatchObject({ code: -32602 });
    expect(await ask('list.specs')).toEqual(await ask('list_specs'));
  });

  test('list_specs: id, title and purpose of all specs, and no requirements', async () => {
    expect(await ask('list_specs')).toEqual({
      specs: [
        {
          id: 'billing',
          title: 'Billing',
          purpose: 'Invoices are written once a month and sent to whoever ordered something.',
        },
        {
          id: 'identity/login',
          title: 'Login',
          purpose: 'People prove who they are before they reach anything that belongs to them.',
        },
      ],
    });
  });

  test('list_specs: no specs are an empty array', async () => {
    expect(answerOf(await none.call('list_specs', {}))).toEqual({ specs: [] });
  });

  test('get_spec_requirements: texts and names of scenarios, and no bodies', async () => {
    expect(await ask('get_spec_requirements', { spec_id: 'identity/login' })).toEqual({
      spec_id: 'identity/login',
      requirements: [
        {
          name: 'Password check',
          text: 'The system SHALL compare the password with the stored hash.',
          scenario_count: 2,
          scenarios: ['Right password', 'Wrong password'],
        },
        { name: 'Lock after failures', text: expect.any(String), scenario_count: 1, scenarios: [expect.any(String)] },
      ],
    });
  });

  test('get_spec_requirements: a spec that is not there', async () => {
    expect(failureOf(await session.call('get_spec_requirements', { spec_id: 'identity/logon' }))).toMatchObject({
      error: { code: 'NOT_FOUND', message: "Spec 'identity/logon' not found.", suggestions: ['identity/login'] },
    });
  });

  test('get_scenario: one scenario with its clauses and its requirement', async () => {
    const asked = { spec_id: 'identity/login', requirement: 'password CHECK', scenario: 'wrong password' };
    expect(await ask('get_scenario', asked)).toEqual({
      spec_id: 'identity/login',
      requirement: 'Password check',
      requirement_description: 'The system SHALL compare the password with the stored hash.',
      name: 'Wrong password',
      given: [],
      when: 'a wrong password is sent',
      when_clauses: ['a wrong password is sent'],
      then: ['the request is refused'],
    });
  });

  test('get_scenario: the first one by default', async () => {
    expect(await ask('get_scenario', { spec_id: 'identity/login', requirement: 'Password check' })).toMatchObject({
      name: 'Right password',
      given: ['a known person'],
      when_clauses: ['the right password is sent', 'the account is open'],
      then: ['a session begins', 'the failure counter is cleared'],
    });
  });

  test('get_scenario: a scenario or requirement that is not there', async () => {
    const asked = { spec_id: 'identity/login', requirement: 'Password check' };
    expect(failureOf(await session.call('get_scenario', { ...asked, scenario: 'Wrong pasword' }))).toMatchObject({
      error: {
        code: 'NOT_FOUND',
        message: expect.stringMatching(/^Scenario 'Wrong pasword' not found/u),
        suggestions: ['Wrong password'],
      },
    });
    expect(failureOf(await session.call('get_scenario', { ...asked, requirement: 'Nothing' }))).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
  });

  test('search_specs: ranked results with spec, requirement, score and snippet', async () => {
    const answer = answerOf(
      await indexed.call('search_specs', { query: 'wrong password', queries: ['account locked'] }),
    );
    expect(answer).toMatchObject({ mode: 'auto' });
    const { results } = SearchAnswer.parse(answer);
    expect(
      results
        .slice(0, 2)
        .map(({ spec_id, requirement }) => [spec_id, requirement])
        .sort(),
    ).toEqual([
      ['identity/login', 'Lock after failures'],
      ['identity/login', 'Password check'],
    ]);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const { snippet } of results.slice(0, 2)) expect(snippet.toLowerCase()).toMatch(/password|account/u);
  });

  test('search_specs: without an index it fails and explains how to build one', async () => {
    const failure = failureOf(await session.call('search_specs', { query: 'password' }));
    expect(failure).toMatchObject({
      error: { code: 'NO_INDEX', message: 'There is no search index yet; it must be built first.' },
    });
    expect(JSON.stringify(failure)).toMatch(/lectern index.*rebuild_index/u);
  });

  test('search_specs: nothing above the threshold is an empty array', async () => {
    for (const query of ['volcanic zebra', 'bake a sourdough loaf', 'zzqqxx'])
      expect([query, answerOf(await indexed.call('search_specs', { query }))]).toMatchObject([query, { results: [] }]);
  });

  test('list_changes: id, title and task progress of every active change', async () => {
    expect(await ask('list_changes')).toEqual({
      changes: [{ id: 'add-code', title: 'Ask for a code', task_progress: { completed: 1, total: 3 } }],
    });
  });

  test('list_changes: no changes are an empty array and no error', async () => {
    const result = await none.call('list_changes', {});
    expect([result.isError ?? false, answerOf(result)]).toEqual([false, { changes: [] }]);
  });

  test('get_change: proposal, tasks, design and deltas by capability', async () => {
    expect(await ask('get_change', { change_id: 'add-code' })).toEqual({
      change_id: 'add-code',
      proposal: PROPOSAL,
      tasks: CHANGES['project/openspec/changes/add-code/tasks.md'],
      design: 'By mail.\n',
      deltas: {
        'identity/login': {
          added: [
            {
              name: 'One-time code',
              description: 'The system SHALL ask for a one-time code.',
              scenarios: [
                expect.objectContaining({
                  name: 'Code asked',
                  when: 'the password was right',
                  then: ['a code is asked for'],
                }),
              ],
            },
          ],
          modified: [expect.objectContaining({ name: 'Lock after failures' })],
          removed: [],
          renamed: [],
        },
      },
    });
  });

  test('get_change: one section alone', async () => {
    const sections = ['proposal', 'tasks', 'design', 'deltas'];
    for (const section of sections) {
      expect(Object.keys(Object(await ask('get_change', { change_id: 'add-code', section })))).toEqual([
        'change_id',
        section,
      ]);
    }
    const other = failureOf(await session.call('get_change', { change_id: 'add-code', section: 'notes' }));
    expect(other).toMatchObject({ error: { code: 'USAGE', message: expect.stringContaining('section') } });
  });

  test('get_change: a change that is not there', async () => {
    expect(failureOf(await session.call('get_change', { change_id: 'nothing' }))).toMatchObject({
      error: { code: 'NOT_FOUND', message: "Change 'nothing' not found." },
    });
  });

  test('validate_spec: all specs, with errors, warnings and a summary', async () => {
    expect(answerOf(await broken.call('validate_spec', {}))).toMatchObject({
      items: [
        { type: 'spec', id: 'bad', valid: false },
        { type: 'spec', id: 'good', valid: true },
      ],
      errors: [{ code: 'requirement-scenario-missing' }],
      warnings: [{ code: 'spec-purpose-short' }],
      summary: '1 of 2 specs not valid.',
    });
  });

  test('validate_spec: one spec alone', async () => {
    expect(answerOf(await broken.call('validate_spec', { spec_id: 'good' }))).toMatchObject({
      items: [{ id: 'good' }],
      valid: true,
    });
  });

  test('validate_spec: a spec that is not there', async () => {
    expect(failureOf(await session.call('validate_spec', { spec_id: 'nothing' }))).toMatchObject({
      error: { code: 'NOT_FOUND', message: "Spec 'nothing' not found." },
    });
  });

  test('validate_spec: sound specs are valid, without errors, and counted in the summary', async () => {
    expect(await ask('validate_spec')).toMatchObject({ valid: true, errors: [], summary: '2 specs valid.' });
  });

  test('validate_spec: a broken spec is not valid, and each error has its file, line, description and fix', async () => {
    const report = answerOf(await broken.call('validate_spec', { spec_id: 'bad' }));
    expect(report).toMatchObject({
      valid: false,
      errors: [
        {
          item: 'bad',
          file: broken.folder.at('project/openspec/specs/bad/spec.md'),
          line: 8,
          description: expect.stringMatching(/scenario/u),
          fix: expect.stringMatching(/\w/u),
        },
      ],
    });
  });

  test('validate_change: all active changes, with errors, warnings and a summary', async () => {
    expect(answerOf(await broken.call('validate_change', {}))).toMatchObject({
      items: [
        { type: 'change', id: 'empty-handed', valid: false },
        { type: 'change', id: 'halfway', valid: false },
      ],
      warnings: expect.any(Array),
      summary: '2 of 2 changes not valid.',
    });
  });

  test('validate_change: one change alone', async () => {
    expect(answerOf(await broken.call('validate_change', { change_id: 'halfway' }))).toMatchObject({
      items: [{ id: 'halfway', valid: false }],
    });
  });

  test('validate_change: a change that is not there', async () => {
    expect(failureOf(await session.call('validate_change', { change_id: 'nothing' }))).toMatchObject({
      error: { code: 'NOT_FOUND', message: "Change 'nothing' not found." },
    });
  });

  test('validate_change: a sound change is valid, without errors, and counted in the summary', async () => {
    expect(await ask('validate_change')).toMatchObject({ valid: true, errors: [], summary: '1 change valid.' });
  });

  test('validate_change: a broken change is not valid, and each error has its file, section, description and fix', async () => {
    const { valid, errors } = Report.parse(answerOf(await broken.call('validate_change', {})));
    expect([valid, errors.map(({ item }) => item)]).toEqual([false, ['empty-handed', 'halfway']]);
    for (const { item, file, section, description, fix } of errors) {
      expect(file).toContain(broken.folder.at(`project/openspec/changes/${item}`));
      for (const text of [section, description, fix]) expect(text).toMatch(/\w/u);
    }
  });

  test('without an index everything but the search works', async () => {
    expect(await ask('list_specs')).toMatchObject({ specs: [{ id: 'billing' }, { id: 'identity/login' }] });
    expect(await ask('get_spec_requirements', { spec_id: 'billing' })).toMatchObject({
      requirements: [{ name: 'Monthly invoice' }],
    });
    expect(await ask('get_scenario', { spec_id: 'billing', requirement: 'Monthly invoice' })).toMatchObject({
      name: 'End of the month',
    });
    expect((await session.call('search_specs', { query: 'invoice' })).isError).toBe(true);
  });
});

/** Every client carries these texts along in every conversation: smaller is better, and larger wants a reason. */
const DEFINITIONS_MAX_BYTES = 14_700;

test('the definitions of the spec tools keep within their budget', async () => {
  await using session = await connect('memory', {}, SERVE);
  const { tools } = await session.client.listTools();
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(DEFINITIONS_MAX_BYTES);
});

/** Every page of a tool, each checked against the limits of a reply. */
async function everyPage(session: Session, tool: string, args: object): Promise<Record<string, unknown>[]> {
  const pages: Record<string, unknown>[] = [];
  for (let cursor: unknown; ;) {
    const reply = await session.call(tool, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    const text = textOf(reply);
    expect(text.length).toBeLessThanOrEqual(LIMITS.replyCharacters.value);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMITS.replyBytes.value);
    pages.push(reply.structuredContent as Record<string, unknown>);
    cursor = pages.at(-1)?.['nextCursor'];
    if (cursor === undefined) return pages;
  }
}

describe('a spec that is too long for one reply', () => {
  const count = 2_000;
  const requirements = Array.from(
    { length: count },
    (_, at) =>
      `### Requirement: "Quoted" ${at}\nIt SHALL work 一二三四.\n\n#### Scenario: S${at}\n- **WHEN** a\n- **THEN** b\n`,
  );
  const files = {
    'project/openspec/specs/huge/spec.md': `# Huge\n\n## Purpose\nMany.\n\n## Requirements\n\n${requirements.join('\n')}`,
    'project/openspec/specs/wide/spec.md': `# Wide\n\n## Requirements\n\n### Requirement: One\n${'It SHALL work. '.repeat(9_000)}\n\n${Array.from({ length: 4_000 }, (_, at) => `#### Scenario: A name ${at}\n- **WHEN** a\n- **THEN** b\n`).join('\n')}`,
  };
  const names = (pages: Record<string, unknown>[], key: string): unknown[] =>
    pages.flatMap((page) => (page[key] as { name: string }[]).map(({ name }) => name));

  test('get_spec_requirements comes in pages within the limit, with every requirement once', async () => {
    await using session = await connect('memory', files);
    const pages = await everyPage(session, 'get_spec_requirements', { spec_id: 'huge' });
    expect(pages.length).toBeGreaterThan(3);
    expect(names(pages, 'requirements')).toEqual(Array.from({ length: count }, (_, at) => `"Quoted" ${at}`));
  });

  test('get_spec_requirements cuts one requirement that is too long by itself, and counts the characters left out', async () => {
    await using session = await connect('memory', files);
    const [page, ...more] = await everyPage(session, 'get_spec_requirements', { spec_id: 'wide' });
    expect(more).toEqual([]);
    expect(page).toMatchObject({
      requirements: [{ name: 'One', scenario_count: 4_000, left_out: expect.any(Number) }],
    });
  });

  test('get_scenario with * comes in pages, too', async () => {
    await using session = await connect('memory', files);
    const all = await everyPage(session, 'get_scenario', { spec_id: 'huge', requirement: '*' });
    expect(names(all, 'requirements')).toHaveLength(count);
    const one = await everyPage(session, 'get_scenario', { spec_id: 'wide', requirement: 'One', scenario: '*' });
    expect(names(one, 'scenarios')).toHaveLength(4_000);
  });

  test('the library returns it whole', async () => {
    using target = project(files);
    const output = await perform(getSpecRequirements, { spec_id: 'huge' }, await target.open());
    expect(output.requirements).toHaveLength(count);
    expect(output).not.toHaveProperty('nextCursor');
  });
});
