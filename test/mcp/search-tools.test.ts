import { describe, expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { connect, errorOf, textOf } from '../support/connect.ts';

const SPEC = `# auth Specification

## Purpose
Who may come in.

## Requirements

### Requirement: Session Expiry
The system SHALL end a session after thirty minutes of inactivity.

#### Scenario: Idle
- **WHEN** nothing happens
- **THEN** the token is revoked
`;

/** Words only: what the model itself does is tested where it lives. */
const FILES = {
  'home/.config/lectern/config.json': '{"search":{"embeddings":"none"}}',
  'project/openspec/specs/auth/spec.md': SPEC,
  'project/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill interactive forms.' }),
};

describe('search by meaning over MCP', () => {
  test('search_specs without an index is an error that says what to call', async () => {
    await using session = await connect('memory', FILES);
    const result = await session.call('search_specs', { query: 'sign people out' });
    expect([textOf(result), errorOf(result)]).toMatchObject([
      expect.stringContaining('call rebuild_index'),
      { code: 'NO_INDEX' },
    ]);
  });

  test('rebuild_index builds it; then requirements come ranked, as JSON in text and as data', async () => {
    await using session = await connect('memory', FILES);
    expect(await session.call('rebuild_index', {})).toMatchObject({
      structuredContent: { written: true, documents: 2, model: null },
    });
    const answer = await session.call('search_specs', { query: 'session inactivity', queries: ['idle session'] });
    expect(answer.structuredContent).toMatchObject({
      mode: 'lexical',
      results: [
        {
          spec_id: 'auth',
          requirement: 'Session Expiry',
          score: expect.any(Number),
          snippet: expect.stringContaining('session'),
        },
      ],
    });
    const [block] = answer.content;
    expect(JSON.parse(block?.type === 'text' ? block.text : '')).toEqual(answer.structuredContent);
    expect(await session.call('search_specs', { query: 'quantum chromodynamics' })).toMatchObject({
      structuredContent: { results: [] },
    });
  });

  test('skills_search in hybrid mode ranks with the index and names the mode that ran', async () => {
    await using session = await connect('memory', FILES);
    await session.call('rebuild_index', {});
    expect(await session.call('skills_search', { query: 'filling a form', mode: 'hybrid' })).toMatchObject({
      structuredContent: {
        mode: 'lexical',
        reason: expect.stringContaining('No embedding model'),
        total: 1,
        results: [{ name: 'pdf' }],
      },
    });
  });

  test('rebuild_index alone is not read-only', async () => {
    await using session = await connect('memory', FILES);
    const { tools } = await session.client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)).toEqual([
      'rebuild_index',
    ]);
  });
});
