/** Search through the tools, and a search that follows the files of a running server. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFixture } from '../../bench/search/fixture.ts';
import { connect, type Session, textOf } from '../support/connect.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { BILLING, CHANGES, SPECS } from '../support/spec-files.ts';

const FILES = {
  ...SPECS,
  ...CHANGES,
  'project/skills/forms/SKILL.md': skillText({ name: 'forms', description: 'Fill in the fields of a PDF document.' }),
  'project/skills/bisect/SKILL.md': skillText({ name: 'bisect', description: 'Find the commit that broke the build.' }),
};
const SERVE = { command: ['mcp', 'serve'] };

/** Every file below a folder, with its content. */
function contentOf(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const places = files.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(places.map((place) => [path.relative(dir, place), readFileSync(place, 'latin1')]));
}

async function firstRequirement(session: Session, query: string): Promise<string | undefined> {
  const { structuredContent } = await session.call('search_specs', { query });
  const { results = [] }: { results?: { requirement: string }[] } = structuredContent ?? {};
  return results[0]?.requirement;
}

async function firstSkill(session: Session, query: string): Promise<string | undefined> {
  const { structuredContent } = await session.call('skills_search', { query });
  const { results = [] }: { results?: { name: string }[] } = structuredContent ?? {};
  return results[0]?.name;
}

describe('a server', () => {
  test('searches immediately, by words and meaning', async () => {
    await using session = await connect('stdio', FILES);
    expect(await firstSkill(session, 'complete an electronic questionnaire')).toBe('forms');
    expect(await firstRequirement(session, 'sign in with secret credentials')).toBe('Password check');
  });

  test('gives requirements best first, as JSON in text and as data', async () => {
    await using session = await connect('memory', FILES);
    const answer = await session.call('search_specs', { query: 'monthly invoice', queries: ['bill of the month'] });
    const { results = [] }: { results?: object[] } = answer.structuredContent ?? {};
    expect(answer.structuredContent).toMatchObject({ mode: 'auto', total: results.length });
    expect(results[0]).toEqual({
      spec_id: 'billing',
      requirement: 'Monthly invoice',
      score: expect.any(Number),
      snippet: expect.stringContaining('invoice'),
    });
    expect(JSON.parse(textOf(answer))).toEqual(answer.structuredContent);
  });

  test('marks results that may not answer the question, in data and in words', async () => {
    const { documents } = readFixture('test/fixtures/search');
    const skills = documents.filter(({ kind }) => kind === 'skill');
    const files = skills.map(({ id, description, body }) => [
      `project/skills/${id}/SKILL.md`,
      skillText({ name: id, description: JSON.stringify(description), body: body() }),
    ]);
    await using session = await connect('memory', Object.fromEntries(files));
    const weak = await session.call('skills_search', { query: 'who won the football world cup in 1998' });
    expect(weak.structuredContent).toMatchObject({ confidence: 'low' });
    expect(textOf(weak)).toContain('may not answer the question');
    const good = await session.call('skills_search', { query: skills[0]?.description });
    expect(good.structuredContent).not.toHaveProperty('confidence');
    expect(textOf(good)).not.toContain('may not answer');
  });

  test('finds files that are added while it runs', async () => {
    await using session = await connect('memory', FILES);
    expect(await firstRequirement(session, 'print a parcel label')).not.toBe('Return label');
    session.folder.write({
      'project/openspec/specs/returns/spec.md': BILLING.replace('Monthly invoice', 'Return label').replaceAll(
        'invoice',
        'parcel',
      ),
      'project/skills/labels/SKILL.md': skillText({ name: 'labels', description: 'Print adhesive labels.' }),
    });
    await expect.poll(() => firstRequirement(session, 'print a parcel label')).toBe('Return label');
    expect(await firstSkill(session, 'adhesive')).toBe('labels');
  });

  test('writes nothing into the project, and only the cache into the home folder', async () => {
    await using session = await connect('memory', FILES);
    const before = contentOf(session.folder.at('project'));
    await firstSkill(session, 'broke build');
    await firstRequirement(session, 'invoice');
    await session.call('rebuild_index', {});
    expect(contentOf(session.folder.at('project'))).toEqual(before);
    const kept = Object.keys(contentOf(session.folder.at('home')));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter((file) => !file.startsWith('.cache/lectern/'))).toEqual([]);
  });

  test('calls only rebuild_index a tool that writes', async () => {
    await using session = await connect('memory', FILES);
    const { tools } = await session.client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)).toEqual([
      'rebuild_index',
    ]);
  });

  test('recommends rephrasings in the descriptions of its search tools', async () => {
    await using session = await connect('memory', FILES);
    const { tools } = await session.client.listTools();
    for (const name of ['skills_search', 'search_specs'])
      expect(tools.find((tool) => tool.name === name)?.description).toMatch(/2 or 3 rephrasings/u);
    expect(tools.find((tool) => tool.name === 'search_specs')?.description).toMatch(
      /technical words that a requirement would use\. If none fits, read the spec of the nearest/u,
    );
  });
});

describe('a server that waits for the index', () => {
  test.each([
    ['mcp serve', SERVE],
    ['mcp --no-auto-index', { flags: ['--no-auto-index'] }],
  ])('%s: search_specs is an error until rebuild_index has run', async (_, options) => {
    await using session = await connect('memory', FILES, options);
    expect(await session.call('search_specs', { query: 'invoice' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/lectern index.*rebuild_index/u) }],
    });
    expect((await session.call('rebuild_index', {})).structuredContent).toMatchObject({ model: 'lectern-words-2' });
    expect(await firstRequirement(session, 'invoice')).toBe('Monthly invoice');
  });

  test('notices `lectern index` and `lectern index --clear` while it runs', async () => {
    await using session = await connect('stdio', FILES, SERVE);
    expect(await firstRequirement(session, 'invoice')).toBeUndefined();
    await lectern(session.folder, ['index']);
    expect(await firstRequirement(session, 'invoice')).toBe('Monthly invoice');
    await lectern(session.folder, ['index', '--clear']);
    expect((await session.call('search_specs', { query: 'invoice' })).isError).toBe(true);
  });

  test('rebuild_index of a server for specs alone prepares them, and the skills stay prepared', async () => {
    await using session = await connect('memory', FILES, SERVE);
    await lectern(session.folder, ['index']);
    await session.call('rebuild_index', { full: true });
    const { stdout } = await lectern(session.folder, ['index', '--status', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'ready' });
  });
});
