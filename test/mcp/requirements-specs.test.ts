/** The examples of the fifth document in docs/requirements.md, "Specs and changes", that test/mcp/spec-tools.test.ts does not have. */
import { describe, expect, test } from 'vitest';
import { connect, errorOf, type Session } from '../support/connect.ts';
import { lectern } from '../support/run-lectern.ts';
import { CHANGES, PROPOSAL, SPECS } from '../support/spec-files.ts';

const SERVE = { command: ['mcp', 'serve'] };
const FILES = {
  ...SPECS,
  ...CHANGES,
  'project/openspec/specs/access/spec.md': `# Access

## Purpose
Customers reach their own account and nothing that belongs to another customer.

## Requirements

### Requirement: User Login
The system SHALL let a registered user log in with an email address and a password.

#### Scenario: Known user
- **WHEN** a registered user enters the right password
- **THEN** the account page is shown

### Requirement: Invoice Export
The system SHALL export invoices as PDF files.

#### Scenario: Export
- **WHEN** the export button is pressed
- **THEN** a PDF file is downloaded
`,
  'project/openspec/changes/plain/proposal.md': PROPOSAL,
  'project/openspec/changes/plain/tasks.md': '- [x] 1.1 Done\n',
  'project/openspec/changes/plain/specs/billing/spec.md': CHANGES[
    'project/openspec/changes/add-code/specs/identity/login/spec.md'
  ].split('## MODIFIED')[0] as string,
};

const ask = async (session: Session, tool: string, args: Record<string, unknown> = {}): Promise<unknown> =>
  (await session.call(tool, args)).structuredContent;

describe('reading', () => {
  test('list_specs may be called without arguments', async () => {
    await using session = await connect('memory', FILES, SERVE);
    const { structuredContent } = await session.client.callTool({ name: 'list_specs' });
    expect(structuredContent).toEqual(await ask(session, 'list_specs'));
    expect(structuredContent).toMatchObject({ specs: [{ id: 'access' }, { id: 'billing' }, { id: 'identity/login' }] });
  });

  test('get_scenario: a spec or requirement that does not exist is named in the error', async () => {
    await using session = await connect('memory', FILES, SERVE);
    for (const [args, message] of [
      [{ spec_id: 'acces', requirement: 'User Login' }, "Spec 'acces' not found."],
      [{ spec_id: 'access', requirement: 'User Logout' }, /^Requirement 'User Logout' not found/u],
    ] as const)
      expect(errorOf(await session.call('get_scenario', args))).toMatchObject({
        code: 'NOT_FOUND',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      });
  });

  test('get_change: a change without design.md has no design', async () => {
    await using session = await connect('memory', FILES, SERVE);
    const change = await ask(session, 'get_change', { change_id: 'plain' });
    expect(Object.keys(Object(change)).toSorted()).toEqual(['change_id', 'deltas', 'proposal', 'tasks']);
  });

  test.each(['proposal', 'tasks', 'design', 'deltas'])(
    'get_change: section %s is that part of the change',
    async (section) => {
      await using session = await connect('memory', FILES, SERVE);
      const whole = Object(await ask(session, 'get_change', { change_id: 'add-code' }));
      expect(await ask(session, 'get_change', { change_id: 'add-code', section })).toEqual({
        change_id: 'add-code',
        [section]: whole[section],
      });
    },
  );
});

test('search_specs: sign in finds User Login first', async () => {
  await using session = await connect('memory', FILES, SERVE);
  await session.call('rebuild_index', {});
  expect(await ask(session, 'search_specs', { query: 'sign in' })).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining({ spec_id: 'access' })]),
  });
  const { results = [] }: { results?: object[] } = Object(await ask(session, 'search_specs', { query: 'sign in' }));
  expect(results[0]).toMatchObject({ spec_id: 'access', requirement: 'User Login' });
});

describe('validation', () => {
  const BROKEN = {
    ...FILES,
    'project/openspec/specs/bad/spec.md':
      '# Bad\n\n## Purpose\nA spec whose only requirement has no scenario at all, on purpose.\n\n## Requirements\n\n### Requirement: Alone\nThe system SHALL stand alone.\n',
    'project/openspec/changes/no-deltas/proposal.md': PROPOSAL,
    'project/openspec/changes/no-headings/proposal.md': PROPOSAL,
    'project/openspec/changes/no-headings/specs/billing/spec.md': 'Invoices in two currencies.\n',
  };

  test.each([
    ['validate_spec', ['spec', 'validate', '--json']],
    ['validate_change', ['change', 'validate', '--json']],
  ])('%s returns the document that the command line prints', async (tool, command) => {
    await using session = await connect('memory', BROKEN, SERVE);
    const { stdout, code } = await lectern(session.folder, command);
    expect(code).toBe(1);
    expect(await ask(session, tool)).toEqual(JSON.parse(stdout));
  });

  test('validate_spec: the broken spec is named, and the others are valid', async () => {
    await using session = await connect('memory', BROKEN, SERVE);
    expect(await ask(session, 'validate_spec')).toMatchObject({
      valid: false,
      errors: [{ item: 'bad', file: session.folder.at('project/openspec/specs/bad/spec.md') }],
      items: [
        { id: 'access', valid: true },
        { id: 'bad', valid: false },
        { id: 'billing', valid: true },
        { id: 'identity/login', valid: true },
      ],
    });
  });

  test.each(['no-deltas', 'no-headings'])(
    'validate_change: each error of a change with %s has file, section, description and fix',
    async (change_id) => {
      await using session = await connect('memory', BROKEN, SERVE);
      const { valid, errors = [] }: { valid?: boolean; errors?: Record<string, string>[] } = Object(
        await ask(session, 'validate_change', { change_id }),
      );
      expect([valid, errors.length > 0]).toEqual([false, true]);
      for (const { file, section, description, fix } of errors) {
        expect(file).toContain(session.folder.at('project/openspec/changes', change_id));
        for (const text of [section, description, fix]) expect(text).toMatch(/\w/u);
      }
    },
  );
});
