/** Search by meaning through the tools, and an index that follows the files of a running server. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { rebuildIndex } from '../../src/operations/rebuild-index.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { skillText } from '../support/skill-text.ts';
import { connect, type Session, textOf } from '../support/connect.ts';
import { BILLING, CHANGES, SPECS, WORDS_ONLY } from '../support/spec-files.ts';
import { ask } from '../support/ask.ts';

const SKILLS = {
  'project/skills/forms/SKILL.md': skillText({ name: 'forms', description: 'Fill in the fields of a PDF document.' }),
  'project/skills/bisect/SKILL.md': skillText({ name: 'bisect', description: 'Find the commit that broke the build.' }),
};
const FILES = { ...SPECS, ...CHANGES, ...SKILLS };
const WORDS = { ...FILES, ...WORDS_ONLY };

/** Every file of the project with its content, but those of the index. */
function state(session: Session): Record<string, string> {
  const root = session.folder.dir;
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const places = files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((place) => !place.includes('.lectern/index'));
  return Object.fromEntries(places.sort().map((place) => [path.relative(root, place), readFileSync(place, 'utf8')]));
}

async function requirementsFound(session: Session, query: string): Promise<string[]> {
  const result = await session.call('search_specs', { query });
  if (result.isError) return [textOf(result)];
  const { results }: { results: { requirement: string }[] } = JSON.parse(textOf(result));
  return results.map(({ requirement }) => requirement);
}

describe('rebuild_index', () => {
  test('writes the index and nothing else, and a second time nothing at all', async () => {
    await using session = await connect('memory', WORDS);
    const before = state(session);
    expect((await session.call('rebuild_index', {})).structuredContent).toMatchObject({
      written: true,
      documents: 6,
      added: 6,
      model: null,
    });
    expect((await session.call('rebuild_index', {})).structuredContent).toMatchObject({ written: false, documents: 6 });
    expect(state(session)).toEqual(before);
    expect(await requirementsFound(session, 'invoice')).toEqual(['Monthly invoice']);
  });

  test('of a server for specs alone leaves the skills of the index as they are', async () => {
    await using session = await connect('memory', WORDS);
    await session.call('rebuild_index', {});
    session.folder.write({
      'project/openspec/specs/billing/spec.md': BILLING.replace('the month ends', 'the quarter ends'),
    });
    const specsAlone = await Workspace.open({ projectDir: session.folder.at('project'), skills: false });
    expect(await ask(rebuildIndex, { full: false }, specsAlone)).toMatchObject({
      documents: 6,
      changed: 1,
      removed: 0,
    });
    expect(await session.call('skills_search', { query: 'commit', mode: 'hybrid' })).toMatchObject({
      structuredContent: { mode: 'lexical', total: 1 },
    });
  });
});

describe('a running server', () => {
  test('builds the index at its start with --auto-index, in the background, and says so', async () => {
    await using session = await connect('stdio', WORDS, { flags: ['--auto-index'] });
    await expect.poll(() => session.log.join('\n')).toMatch(/building in the background[\s\S]*search index: 6 added/u);
    expect(await requirementsFound(session, 'invoice')).toEqual(['Monthly invoice']);
  });

  test('brings an index up to date when files change', async () => {
    await using session = await connect('memory', WORDS);
    await session.call('rebuild_index', {});
    session.folder.write({
      'project/openspec/specs/returns/spec.md': BILLING.replace('Monthly invoice', 'Return label').replaceAll(
        'invoice',
        'parcel',
      ),
      'project/skills/labels/SKILL.md': skillText({ name: 'labels', description: 'Print adhesive labels.' }),
    });
    await expect.poll(() => requirementsFound(session, 'parcel')).toEqual(['Return label']);
    expect(await session.call('skills_search', { query: 'adhesive', mode: 'hybrid' })).toMatchObject({
      structuredContent: { mode: 'lexical', total: 1, results: [{ name: 'labels' }] },
    });
    expect(session.log.filter((line) => line.startsWith('search index: '))).toEqual([
      'search index: 2 added, 0 changed, 0 removed',
    ]);
  });

  test('makes no index for those who never asked for one', async () => {
    await using session = await connect('memory', WORDS);
    await session.call('list_specs', {});
    session.folder.write({ 'project/openspec/specs/late/spec.md': BILLING });
    await session.nextNotification('notifications/resources/list_changed');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(existsSync(session.folder.at('project/.lectern/index'))).toBe(false);
  });

  test('stops in the middle of a build without a word too many', async () => {
    const session = await connect('stdio', FILES, { flags: ['--auto-index'] });
    await session.client.listTools();
    await session[Symbol.asyncDispose]();
    expect(session.log.filter((line) => /error|could not/u.test(line))).toEqual([]);
  });
});

describe('skills_search', () => {
  test('by meaning without an index goes by words, and says why and what to do', async () => {
    await using session = await connect('memory', FILES);
    for (const mode of ['semantic', 'hybrid']) {
      const result = await session.call('skills_search', { query: 'broke build', mode });
      expect(result.structuredContent).toMatchObject({
        mode: 'keyword',
        reason: expect.stringMatching(/no search index yet.*lectern index.*rebuild_index/u),
        total: 1,
        results: [{ name: 'bisect', score: 2 }],
      });
      expect(textOf(result)).toContain('no search index yet');
    }
    expect((await session.call('skills_search', { query: 'broke build' })).structuredContent).not.toHaveProperty(
      'reason',
    );
  });

  test('and search_specs find by meaning what shares no word with the query', async () => {
    await using session = await connect('memory', FILES);
    expect((await session.call('rebuild_index', {})).structuredContent).toMatchObject({
      written: true,
      model: expect.any(String),
    });
    const { structuredContent } = await session.call('skills_search', {
      query: 'complete an electronic questionnaire',
      queries: ['type values into the boxes of a file'],
      mode: 'semantic',
      limit: 1,
    });
    expect(structuredContent).toMatchObject({
      mode: 'semantic',
      limit: 1,
      results: [{ name: 'forms' }],
    });
    const answer = await session.call('search_specs', { query: 'sign in with secret credentials' });
    expect(answer.structuredContent).toMatchObject({ mode: 'hybrid', results: [{ spec_id: 'identity/login' }, {}] });
    expect((await session.call('search_specs', { query: 'recipes for pizza dough' })).structuredContent).toMatchObject({
      results: [],
    });
  });
});
