import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { listSpecs } from '../../src/operations/list-specs.ts';
import { isServed, SERVED_OPERATIONS } from '../../src/server/operations-api.ts';
import { performShared } from '../support/shared-mcp.ts';
import { sharedCatalog } from '../support/shared.ts';
import { skillText } from '../support/skill-text.ts';
import { CAP } from '../support/spec-text.ts';

const catalog = () =>
  sharedCatalog({
    'a/one': {
      files: {
        'skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Read a PDF.' }),
        'skills/pdf/notes.txt': 'Notes.',
        'openspec/specs/checkout/spec.md': CAP,
      },
    },
    'b/two': { files: { 'skills/secret/SKILL.md': skillText({ name: 'secret' }) } },
  });

test('exactly these operations are served', () => {
  expect([...SERVED_OPERATIONS].sort()).toEqual([
    'get_change',
    'get_scenario',
    'get_spec_requirements',
    'list_changes',
    'list_specs',
    'search_specs',
    'skill',
    'skill_file',
    'skills_list',
    'skills_search',
    'validate_change',
    'validate_spec',
  ]);
});

test('an operation that takes a path, or does not join, is not served', () => {
  const served = { ...listSpecs, params: { id: { type: 'text', help: 'An ID' } } } as const;
  expect(isServed(served)).toBe(true);
  expect(isServed({ ...served, params: { dir: { type: 'text', isPath: true, help: 'A folder' } } })).toBe(false);
  expect(isServed({ ...served, join: 'none' })).toBe(false);
});

describe('POST /api/operations/<name>', () => {
  test('the output has the shape of the table, with the number of the snapshot', async () => {
    const shared = await catalog();
    const perform = performShared(shared);
    expect(await perform(['a'], 'skill', { name: 'PDF' })).toEqual({
      status: 200,
      body: {
        snapshot: shared.number,
        output: expect.objectContaining({
          fullName: 'a/one:pdf',
          source: 'a/one',
          content: expect.stringContaining('Read a PDF.'),
        }),
      },
    });
    expect((await perform(['a'], 'list_specs')).body.output.specs.map(({ id }: { id: string }) => id)).toEqual([
      'checkout',
    ]);
  });

  test('every other operation, and every other name, is 404', async () => {
    const perform = performShared(await catalog());
    const others = OPERATIONS.map(({ name }) => name).filter((name) => !SERVED_OPERATIONS.includes(name));
    for (const name of [...others, 'nothing', 'constructor', '__proto__', 'SKILL', 'skills.list'])
      expect({ name, status: (await perform(['a'], name)).status }).toEqual({ name, status: 404 });
  });

  test('an item of another team looks like one that does not exist', async () => {
    const perform = performShared(await catalog());
    const without = performShared(await sharedCatalog({ 'a/one': { files: {} } }));
    for (const name of ['secret', 'b/two:secret']) {
      const hidden = (await perform(['a'], 'skill', { name })).body.error;
      const unknown = (await perform(['a'], 'skill', { name: name.replace('secret', 'absent') })).body.error;
      expect(hidden).toMatchObject({ code: 'NOT_FOUND' });
      expect(JSON.stringify(hidden).replaceAll('secret', 'absent')).toBe(JSON.stringify(unknown));
      expect((await without(['a'], 'skill', { name })).body.error.message).toBe(hidden.message);
    }
    expect((await perform(['b'], 'skill', { name: 'secret' })).body.output.fullName).toBe('b/two:secret');
    expect(JSON.stringify(await perform(['a'], 'skills_list'))).not.toContain('secret');
  });

  test('an error has a code, a message, names that exist, and no path of this machine', async () => {
    const perform = performShared(await catalog());
    const { status, body } = await perform(['a'], 'skill_file', { name: 'pdf', path: 'note.txt' });
    expect(status).toBe(200);
    expect(body.error).toEqual({
      code: 'NOT_FOUND',
      message: "Skill 'pdf' has no file 'note.txt'.",
      hint: 'Did you mean: notes.txt?',
      suggestions: ['notes.txt'],
      available: { noun: 'files', names: expect.arrayContaining(['SKILL.md', 'notes.txt']) },
    });
    const scenario = { spec_id: 'checkout', requirement: 'nothing' };
    expect(Object.keys((await perform(['a'], 'get_scenario', scenario)).body.error)).not.toContain('path');
  });

  test('parameters are checked, and those of other faces are unknown', async () => {
    const perform = performShared(await catalog());
    for (const input of [{}, { name: 'pdf', copy: '/etc' }, { name: 'x'.repeat(100_000) }])
      expect((await perform(['a'], 'skill_file', input)).body.error).toMatchObject({ code: 'USAGE' });
  });

  test('a body that is not an object, or has too many values, is refused', async () => {
    const perform = performShared(await catalog());
    const many = `{"name":[${'1,'.repeat(LIMITS.requestValues.value)}1]}`;
    for (const body of ['', '[]', 'null', '"x"', '{"name":', many, `[${'['.repeat(LIMITS.requestMarks.value)}`])
      expect((await perform(['a'], 'skill', body)).status).toBe(400);
  });

  test('a reply is no longer than one of MCP, and counts the omitted items', async () => {
    const title = 'x'.repeat(2_000);
    const files = Object.fromEntries(
      Array.from({ length: 700 }, (_, index) => [`openspec/specs/s${index}/spec.md`, `# ${title}\n\n## Purpose\nP\n`]),
    );
    const perform = performShared(await sharedCatalog({ 'a/one': { files } }));
    const { body } = await perform(['a'], 'list_specs');
    expect(JSON.stringify(body).length).toBeLessThanOrEqual(LIMITS.replyTotalBytes.value);
    expect(body.output.specs.length + body.output.left_out.specs).toBe(700);
  });
});
