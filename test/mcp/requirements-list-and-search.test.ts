/** The examples of the third document in docs/requirements.md, "Listing and searching", replayed through a client. */
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, type Session, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import type { TempFolder } from '../support/temp-folder.ts';

const PADDING = 'Nothing here. '.repeat(40);

/** Two skills at the first level, one in a group, one below another skill, and one that cannot be read. */
const FILES = {
  'project/skills/beads/SKILL.md': skillText({
    name: 'issue-tracker',
    description: 'Track issues in the repository',
    body: `# Beads\n\n${PADDING}Run bd ready to see the next task. ${PADDING}\n`,
  }),
  'project/skills/beads/nested/SKILL.md': skillText({ name: 'nested', description: 'Below another skill' }),
  'project/skills/group/review/SKILL.md': skillText({ name: 'review', description: 'Review a pull request' }),
  'project/skills/broken/SKILL.md': '---\ndescription: No name.\n---\n',
};

/** `mcp-server` over the folder `skills`, or another one. A relative path would start at the folder that the tests run in. */
function serve(folder: TempFolder = filesOnDisk(), root = 'skills', ...flags: string[]): Promise<Session> {
  const options = { command: ['mcp-server'], flags: ['--root', folder.at('project', root), ...flags], folder };
  return connect('memory', {}, options);
}

function filesOnDisk(): TempFolder {
  const folder = project(FILES, 'disk');
  onTestFinished(() => folder[Symbol.dispose]());
  return folder;
}

interface Entry {
  installName: string;
  meta: { name: string; description: string };
  skillPath: string;
  skillFile: string;
  body?: string;
}
interface Hit extends Entry {
  score: number;
  excerpt: string;
}

async function list(session: Session, args: Record<string, unknown> = {}): Promise<Entry[]> {
  const { structuredContent } = await session.call('skills.list', args);
  const { skills = [] }: { skills?: Entry[] } = structuredContent ?? {};
  return skills;
}

async function search(session: Session, query: string, more = {}): Promise<{ total?: number; results: Hit[] }> {
  const { structuredContent } = await session.call('skills.search', { query, ...more });
  const { total, results = [] }: { total?: number; results?: Hit[] } = structuredContent ?? {};
  return { ...(total === undefined ? {} : { total }), results };
}

const namesOf = (entries: readonly Entry[]): string[] => entries.map(({ installName }) => installName);

describe('the server', () => {
  test('a stream with initialize, tools/list and tools/call gets one reply for each request, and the server ends', async () => {
    using folder = project(FILES, 'disk');
    const frames = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'skills.list', arguments: {} } },
      { id: 4, method: 'tools/call', params: { name: 'skills.search', arguments: { query: 'bd ready' } } },
    ];
    const input = frames.map((frame) => `${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`).join('');
    const run = await lectern(folder, ['mcp-server', '--root', './skills'], { input });
    const replies = run.stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const { version }: { version: string } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    expect(run.code).toBe(0);
    expect(replies).toHaveLength(4);
    expect(replies).toEqual(
      expect.arrayContaining([
        {
          jsonrpc: '2.0',
          id: 1,
          result: expect.objectContaining({
            protocolVersion: '2025-03-26',
            serverInfo: expect.objectContaining({ name: 'sk-mcp', version }),
            instructions: expect.stringMatching(/skills\.list for exhaustive .*skills\.search for targeted/u),
          }),
        },
        expect.objectContaining({ jsonrpc: '2.0', id: 2, result: { tools: expect.any(Array) } }),
        expect.objectContaining({
          id: 3,
          result: expect.objectContaining({ structuredContent: expect.objectContaining({ total: 3 }) }),
        }),
        expect.objectContaining({
          id: 4,
          result: expect.objectContaining({
            structuredContent: expect.objectContaining({ query: 'bd ready', limit: 10, total: 1 }),
          }),
        }),
      ]),
    );
    expect(run.stderr).toMatch(/broken\/SKILL\.md/u);
  });

  test('without a request it writes nothing to standard output', async () => {
    using folder = project(FILES, 'disk');
    const run = await lectern(folder, ['mcp-server', '--root', './skills'], { input: '' });
    expect([run.code, run.stdout, run.stderr]).toEqual([0, '', expect.stringContaining('sk-mcp')]);
  });

  test('skills.list and skills.search have the agreed parameters, each with a description', async () => {
    await using session = await serve();
    const { tools } = await session.client.listTools();
    const schemaOf = (tool: string) => tools.find(({ name }) => name === tool)?.inputSchema;
    expect(schemaOf('skills.list')).toMatchObject({
      type: 'object',
      properties: {
        query: { type: 'string', description: expect.stringMatching(/name.*description/u) },
        includeBody: { type: 'boolean', description: expect.stringContaining('SKILL.md') },
      },
      additionalProperties: false,
    });
    expect(schemaOf('skills.list')?.required ?? []).toEqual([]);
    expect(schemaOf('skills.search')).toMatchObject({
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, description: expect.stringMatching(/\w/u) },
        limit: { type: 'integer', minimum: 1, maximum: 25, default: 10 },
      },
      required: ['query'],
      additionalProperties: false,
    });
    for (const tool of ['skills.list', 'skills.search']) {
      const refused = await session.call(tool, { query: 'x', colour: 'red' });
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('"colour"')]);
    }
  });

  test('the folder of --root is walked at any depth, from a folder below the project too', async () => {
    using folder = project(
      {
        ...FILES,
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/packages/app/index.js': '',
        'project/other/third/SKILL.md': skillText({ name: 'third' }),
      },
      'disk',
    );
    await using other = await serve(folder, 'other');
    expect(namesOf(await list(other))).toEqual(['third']);
    const input = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { id: 2, method: 'tools/call', params: { name: 'skills.list', arguments: { query: 'review' } } },
    ].map((frame) => `${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
    const run = await lectern(folder, ['mcp-server'], {
      input: input.join(''),
      cwd: folder.at('project/packages/app'),
    });
    expect(run.stdout).toContain(JSON.stringify(folder.at('project/skills/group/review/SKILL.md')));
  });
});

describe('skills.list', () => {
  test('every SKILL.md is an entry with folder, name, description and paths, and no body', async () => {
    await using session = await serve();
    const result = await session.call('skills.list', {});
    expect(textOf(result)).toMatch(/^3 skills\./u);
    expect(result.structuredContent).toMatchObject({
      skills: expect.arrayContaining([
        {
          installName: 'beads',
          name: 'issue-tracker',
          meta: { name: 'issue-tracker', description: 'Track issues in the repository' },
          skillPath: 'skills/beads',
          skillFile: session.folder.at('project/skills/beads/SKILL.md'),
        },
        expect.objectContaining({ installName: 'nested', skillPath: 'skills/beads/nested' }),
        expect.objectContaining({ installName: 'review', skillPath: 'skills/group/review' }),
      ]),
    });
    expect(await list(session)).toHaveLength(3);
  });

  test.each([
    ['BEADS', ['beads'], 'the folder'],
    ['issue-t', ['beads'], 'the name'],
    ['a pull request', ['review'], 'the description'],
    ['next task', [], 'the body, which it does not read'],
  ])('query %s finds %j, by %s', async (query, found) => {
    await using session = await serve();
    expect(namesOf(await list(session, { query }))).toEqual(found);
  });

  test('includeBody adds the text below the frontmatter', async () => {
    await using session = await serve();
    const [entry] = await list(session, { query: 'review', includeBody: true });
    expect(entry?.body).toBe('\n# review\n\nDo the work.\n');
    const [without] = await list(session, { query: 'review', includeBody: false });
    expect(without).not.toHaveProperty('body');
  });
});

describe('skills.search', () => {
  test('bd ready finds the skill that mentions it, with its metadata, score and excerpt', async () => {
    await using session = await serve();
    const result = await session.call('skills.search', { query: 'bd ready' });
    expect(result.structuredContent).toMatchObject({ query: 'bd ready', limit: 10, total: 1 });
    const [hit] = (await search(session, 'bd ready')).results;
    const [entry] = await list(session, { query: 'beads' });
    expect(hit).toMatchObject({ ...entry, score: 2 });
    expect(hit?.excerpt).toContain('Run bd ready');
    expect(hit?.excerpt.length).toBeGreaterThan(100);
    expect(hit?.excerpt.length).toBeLessThanOrEqual(200);
    expect(textOf(result)).toMatch(/^1 match/u);
  });

  test.each([
    ['BD\tReady', ['beads'], 'any case, any blank'],
    ['bead ready', ['beads'], 'one word in the folder, one in the body'],
    ['tracker ready', ['beads'], 'one word in the name, one in the body'],
    ['repository ready', ['beads'], 'one word in the description, one in the body'],
    ['rea', ['beads'], 'a part of a word'],
    ['bd nowhere', [], 'a word that does not occur'],
  ])('%j finds %j: %s', async (query, found) => {
    await using session = await serve();
    expect(namesOf((await search(session, query)).results)).toEqual(found);
  });

  test('a limit of 1 shows one result, the total counts all, and the same query gives the same reply', async () => {
    await using session = await serve();
    const first = await session.call('skills.search', { query: 'e', limit: 1 });
    expect(first.structuredContent).toMatchObject({ limit: 1, total: 3 });
    expect((await search(session, 'e', { limit: 1 })).results).toHaveLength(1);
    expect(await session.call('skills.search', { query: 'e', limit: 1 })).toEqual(first);
  });

  test('an empty or missing query is refused', async () => {
    await using session = await serve();
    for (const args of [{ query: '' }, {}]) {
      const refused = await session.call('skills.search', args);
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('query is required')]);
    }
  });
});

describe('changes', () => {
  test('with --no-refresh every call still reads the files as they are', async () => {
    await using session = await serve(filesOnDisk(), 'skills', '--no-refresh');
    expect(await list(session)).toHaveLength(3);
    session.folder.write({
      'project/skills/later/SKILL.md': skillText({ name: 'later' }),
      'project/skills/group/review/SKILL.md': skillText({ name: 'review', body: 'Ask for a second opinion.' }),
    });
    expect(namesOf(await list(session, { query: 'later' }))).toEqual(['later']);
    expect(namesOf((await search(session, 'second opinion')).results)).toEqual(['review']);
  });

  test('an edit of 30 skills in a row is one notification with a reason', async () => {
    const state = (word: string) =>
      Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [
          `project/skills/s${index}/SKILL.md`,
          skillText({ name: `s${index}`, description: word }),
        ]),
      );
    // The list of the skill tool shows every description, so that each edit changes it.
    await using session = await connect('memory', state('Before'), { flags: ['--refresh-interval', '3600000'] });
    await session.description();
    session.folder.write(state('After'));
    expect(await session.nextNotification('notifications/tools/list_changed')).toMatchObject({
      _meta: { 'lectern/reason': expect.stringMatching(/\w/u) },
    });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(session.heard.filter(({ method }) => method === 'notifications/tools/list_changed')).toHaveLength(1);
  });
});
