/** What reaches a model through the tools: how much of it, in which form, and what it is told when something is missing. */
import { cpSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { connect, errorOf, factsOf, listedNames, type Session, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import type { TempFolder } from '../support/temp-folder.ts';

const Page = z.object({
  skills: z.array(z.object({ installName: z.string(), name: z.string(), body: z.string().optional() })),
  total: z.number(),
  nextCursor: z.string().optional(),
  bodiesLeftOut: z.number().optional(),
});

function manySkills(count: number, description = 'Does one thing well.', body = 'The body.'): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `skill-${String(index).padStart(5, '0')}`;
      return [`project/skills/${name}/SKILL.md`, skillText({ name, description, body })];
    }),
  );
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const MEGABYTE = 1_000_000;

describe('the cost of the tools', () => {
  test('with eight skills and without specs, definitions and instructions take at most 1,300 tokens', async () => {
    await using session = await connect('memory', {}, { flags: ['--tools', 'skill,skills', '--no-watch'] });
    cpSync(`${PACKAGE_DIR}/examples/bookshop`, session.folder.at('project'), { recursive: true });
    await session.call('skills_list', {});
    const { tools } = await session.client.listTools(undefined, { cacheMode: 'refresh' });
    expect(tools, 'each tool costs tokens in every session: change the number only if you mean to').toHaveLength(4);
    expect(tools[0]?.description?.match(/<name>/gu)).toHaveLength(8);
    const shown = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }));
    const characters = [session.client.getInstructions() ?? '', ...shown].join('').length;
    expect(characters / 4).toBeLessThanOrEqual(1_300);
  });

  test('eight hits with descriptions of 200 characters take at most 5,250 characters of structured content', async () => {
    const description = `${'Reviews a pull request and says what to change. '.repeat(5).slice(0, 199)}.`;
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => {
        const name = `review-assistant-${index}`;
        const body = `${'Some words. '.repeat(40)}The checklist has eleven points. ${'More words. '.repeat(40)}`;
        return [`project/.claude/skills/${name}/SKILL.md`, skillText({ name, description, body })];
      }),
    );
    await using session = await connect('memory', files);
    for (const query of ['pull request', 'checklist eleven']) {
      const { structuredContent } = await session.call('skills_search', { query, limit: 8 });
      expect(structuredContent).toMatchObject({ total: 9 });
      expect(JSON.stringify(structuredContent).length).toBeLessThanOrEqual(5_250);
    }
  });

  test('a hit has all fields needed to choose it, and its description once', async () => {
    await using session = await connect('memory', {
      'project/skills/forms/SKILL.md': skillText({
        name: 'forms',
        description: 'Fills interactive forms.',
        body: 'Ask for missing values first.',
      }),
    });
    const entry = {
      installName: 'forms',
      name: 'forms',
      meta: { name: 'forms', description: 'Fills interactive forms.' },
      skillPath: 'skills/forms',
      skillFile: session.folder.at('project/skills/forms/SKILL.md'),
    };
    expect((await session.call('skills_search', { query: 'interactive', mode: 'keyword' })).structuredContent).toEqual({
      query: 'interactive',
      limit: 10,
      total: 1,
      mode: 'keyword',
      results: [{ ...entry, score: 1, excerpt: '' }],
    });
    expect(
      (await session.call('skills_search', { query: 'missing values', mode: 'keyword' })).structuredContent,
    ).toMatchObject({
      results: [{ score: 2, excerpt: expect.stringContaining('Ask for missing values first') }],
    });
  });
});

test('copies of one skill with the same bytes are listed once, and load by any of their names', async () => {
  const copy = skillText({ name: 'notes', description: 'Writes notes' });
  await using session = await connect('memory', {
    'project/.claude/skills/notes/SKILL.md': copy,
    'project/.codex/skills/notes/SKILL.md': copy,
    'home/.gemini/skills/notes/SKILL.md': copy,
  });
  expect(listedNames(await session.description())).toEqual(['notes']);
  expect(Page.parse((await session.call('skills_list', {})).structuredContent).total).toBe(1);
  for (const name of ['notes', 'claude:notes', 'codex:notes'])
    expect(textOf(await session.skill(name))).toMatch(/^Loading: notes\n/u);
});

describe('nothing is too long to arrive', () => {
  test('skills_list is paged, and the text explains how to get the next page', async () => {
    await using session = await connect('memory', manySkills(120));
    const first = await session.call('skills_list', {});
    const page = Page.parse(first.structuredContent);
    expect([page.skills.length, page.total]).toEqual([50, 120]);
    expect(textOf(first).split('\n')[0]).toBe(
      `120 skills, of which 50 are below. Call skills_list with cursor "${page.nextCursor}" for the next ones.`,
    );
    const names = await pages(session, {});
    expect([names.length, new Set(names).size]).toEqual([120, 120]);
    expect((await pages(session, { limit: 7, query: 'skill-0001' })).length).toBe(10);
    expect(Page.parse((await session.call('skills_list', { limit: 5_000 })).structuredContent).skills).toHaveLength(
      120,
    );
    expect(errorOf(await session.call('skills_list', { cursor: 'nonsense' }))).toMatchObject({ code: 'USAGE' });
  });

  test('a skill that goes away between two pages makes no other one be left out', async () => {
    await using session = await connect('memory', manySkills(6));
    const first = Page.parse((await session.call('skills_list', { limit: 3 })).structuredContent);
    for (const gone of ['skill-00000', 'skill-00002'])
      rmSync(session.folder.at('project/skills', gone), { recursive: true });
    const rest = await pages(session, { limit: 3, cursor: first.nextCursor });
    expect(rest).toEqual(['skill-00003', 'skill-00004', 'skill-00005']);
  });

  test('no reply exceeds a megabyte, however many skills there are and however long they are', async () => {
    const files = manySkills(700, '描述 & "quotes" '.repeat(400), '"body" '.repeat(3_000));
    await using session = await connect('memory', files, { flags: ['--description-budget', '0'] });
    expect(bytesOf(await session.client.request({ method: 'tools/list' }))).toBeLessThan(MEGABYTE);
    for (const args of [{ limit: 200 }, { limit: 200, includeBody: true }]) {
      const result = await session.call('skills_list', args);
      expect(bytesOf(result)).toBeLessThan(MEGABYTE);
      expect(Page.parse(result.structuredContent).total).toBe(700);
    }
    expect(bytesOf(await session.call('skills_search', { query: 'quotes', limit: 25 }))).toBeLessThan(MEGABYTE);
    expect(bytesOf(await session.skill('nothing'))).toBeLessThan(MEGABYTE);
    for (const method of ['resources/list', 'prompts/list', 'skills/list'] as const) {
      const seen = new Set<string>();
      for (let cursor: string | undefined, more = true; more;) {
        const result = await session.client.request(
          { method, params: cursor === undefined ? {} : { cursor } },
          z.looseObject({ nextCursor: z.string().optional() }),
        );
        expect(bytesOf(result)).toBeLessThan(MEGABYTE);
        for (const item of Object.values(result).find(Array.isArray) ?? []) seen.add(JSON.stringify(item));
        cursor = result.nextCursor;
        more = cursor !== undefined;
      }
      // The extension publishes only skills whose descriptions keep to the specification.
      expect([method, seen.size >= (method === 'skills/list' ? 0 : 700)]).toEqual([method, true]);
    }
  });

  test('includeBody pages by size, and the text counts the bodies', async () => {
    await using session = await connect('memory', manySkills(40, 'Short.', 'x'.repeat(100_000)));
    const result = await session.call('skills_list', { includeBody: true });
    const { skills, nextCursor } = Page.parse(result.structuredContent);
    expect(skills.every(({ body }) => body !== undefined)).toBe(true);
    expect(textOf(result)).toBe(
      [
        `40 skills, of which ${skills.length} are below. Call skills_list with cursor "${nextCursor}" for the next ones. ${skills.length} bodies in the structured content.`,
        ...skills.map(({ name }) => `- ${name}: Short.`),
      ].join('\n'),
    );
    expect(await pages(session, { includeBody: true })).toHaveLength(40);
  });

  test('a body that is longer than a page is left out and counted', async () => {
    await using session = await connect('memory', manySkills(2, 'Short.', 'x'.repeat(1_000_000)));
    const result = await session.call('skills_list', { includeBody: true, limit: 1 });
    expect(Page.parse(result.structuredContent)).toMatchObject({ skills: [{ name: 'skill-00000' }], bodiesLeftOut: 1 });
    expect(textOf(result)).toContain('1 body did not fit; load those skills individually.');
    expect(await pages(session, { includeBody: true })).toHaveLength(2);
  });

  test('mcp-server with 5,000 skills and includeBody returns bodies, and its text gives the counts', async () => {
    await using session = await connect('memory', manySkills(5_000, 'A short description.', 'The body.'), {
      command: ['mcp-server'],
    });
    const result = await session.call('skills.list', { includeBody: true });
    expect(bytesOf(result)).toBeLessThan(MEGABYTE);
    const { skills, total } = Page.parse(result.structuredContent);
    expect(total).toBe(5_000);
    expect(skills.length).toBeGreaterThan(1_000);
    expect(skills.every(({ body }) => body?.trim() === 'The body.')).toBe(true);
    const [head = '', ...lines] = textOf(result).split('\n');
    const grouped = (number: number): string => number.toLocaleString('en-US');
    expect(head).toContain(
      `5,000 skills, of which ${grouped(skills.length)} are in the structured content, the first ${grouped(lines.length)} also below.`,
    );
    expect(head).toContain(`${grouped(skills.length)} bodies in the structured content.`);
    expect(lines.every((line) => line.startsWith('- skill-'))).toBe(true);
    expect(await pages(session, { includeBody: true })).toHaveLength(5_000);
  });

  test('skillPath is relative to the project from a subfolder too', async () => {
    using folder = project(
      {
        ...manySkills(1),
        'project/.claude/skills/a-zebra/SKILL.md': skillText({ name: 'a-zebra' }),
        'project/.git/HEAD': '',
        'project/packages/app/x.txt': '',
      },
      'disk',
    );
    const subfolder: TempFolder = {
      ...folder,
      at: (first = '', ...rest) => folder.at(first === 'project' ? 'project/packages/app' : first, ...rest),
    };
    await using session = await connect('memory', {}, { folder: subfolder });
    const listed = (await session.call('skills_list', {})).structuredContent;
    const found = (await session.call('skills_search', { query: 'zebra', mode: 'keyword' })).structuredContent;
    const paths = [{ skillPath: '.claude/skills/a-zebra' }, { skillPath: 'skills/skill-00000' }];
    expect(listed).toMatchObject({ skills: paths });
    expect(found).toMatchObject({ results: [paths[0]] });
  });

  test('mcp-server, whose clients know no cursor, lists everything up to the megabyte', async () => {
    await using few = await connect('memory', manySkills(300), { command: ['mcp-server'] });
    expect(Page.parse((await few.call('skills.list', {})).structuredContent).skills).toHaveLength(300);
    expect(Page.parse((await few.call('skills.list', { limit: 20 })).structuredContent).skills).toHaveLength(20);
    await using many = await connect('memory', manySkills(1_500, 'Long. '.repeat(200)), { command: ['mcp-server'] });
    const result = await many.call('skills.list', {});
    expect(bytesOf(result)).toBeLessThan(MEGABYTE);
    expect(textOf(result)).toMatch(
      /^1,500 skills, of which \d+ are in the structured content, the first \d+ also below\. Call skills\.list with cursor/u,
    );
  });

  test('a long list of specs is cut, and the number of missing ones is given', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `project/openspec/specs/spec-${index}/spec.md`,
        `# Spec ${index}\n\n## Purpose\n${'A purpose with "quotes". '.repeat(200)}\n\n## Requirements\n`,
      ]),
    );
    await using session = await connect('memory', files);
    const result = await session.call('list_specs', {});
    expect(bytesOf(result)).toBeLessThan(MEGABYTE);
    const Answer = z.object({ specs: z.array(z.unknown()), left_out: z.object({ specs: z.number() }) });
    const { specs, left_out } = Answer.parse(result.structuredContent);
    expect(specs.length + left_out.specs).toBe(300);
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  });

  test('the files of a skill come in pages too', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`project/skills/kit/assets/file-${index}.txt`, 'x']),
    );
    await using session = await connect('memory', {
      'project/skills/kit/SKILL.md': skillText({ name: 'kit' }),
      ...files,
    });
    const Files = z.object({ files: z.array(z.unknown()), total: z.number(), nextOffset: z.number().optional() });
    let listed = 0;
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const result = await session.call('skill_file', { name: 'kit', offset });
      expect(textOf(result).length).toBeLessThan(40_000);
      const page = Files.parse(factsOf(result));
      listed += page.files.length;
      offset = page.nextOffset;
    }
    expect(listed).toBe(901);
  });

  test('an oversized resource is refused with the tool that reads it in parts', async () => {
    await using session = await connect('memory', {
      'project/skills/kit/SKILL.md': skillText({ name: 'kit' }),
      'project/skills/kit/large.bin': Buffer.alloc(900_000, 0xff),
    });
    await expect(session.client.readResource({ uri: 'skill://repo/kit/large.bin' })).rejects.toThrow(/skill_file/u);
    const part = await session.call('skill_file', { name: 'kit', path: 'large.bin' });
    expect(bytesOf(part)).toBeLessThan(MEGABYTE);
    expect(factsOf(part)).toMatchObject({ unit: 'bytes', total: 900_000, nextOffset: expect.any(Number) });
  });
});

/** The install names of all pages. */
async function pages(session: Session, args: Record<string, unknown>): Promise<string[]> {
  const names: string[] = [];
  for (let given = args; ;) {
    const page = Page.parse((await session.call('skills_list', given)).structuredContent);
    names.push(...page.skills.map(({ installName }) => installName));
    if (page.nextCursor === undefined) return names;
    given = { ...args, cursor: page.nextCursor };
  }
}

const SPEC = `# Login

## Purpose
People prove who they are.

## Requirements

### Requirement: Password check
The system SHALL compare the password.

#### Scenario: Right
- **WHEN** it is right
- **THEN** a session begins

#### Scenario: Wrong
- **WHEN** it is wrong
- **THEN** it is refused

### Requirement: Lock
The system SHALL lock.

#### Scenario: Three failures
- **WHEN** it fails three times
- **THEN** the account is locked
`;

const FILES = {
  'project/skills/pdf-forms/SKILL.md': skillText({ name: 'pdf-forms', description: 'Fills <forms> & more' }),
  'project/skills/pdf-forms/references/guide.md': '# Guide\n',
  'project/skills/pdf-forms/a/same.md': 'a',
  'project/skills/pdf-forms/b/same.md': 'b',
  'project/skills/broken/SKILL.md': 'no frontmatter',
  'project/openspec/specs/login/spec.md': SPEC,
  'project/openspec/changes/add-code/proposal.md': '# Change\n\n## Why\nBecause.\n\n## What Changes\n- It\n',
};

describe('replies about missing items', () => {
  test.each([
    ['skill', { name: 'nothing' }, '- pdf-forms: Fills <forms> & more'],
    ['skill_file', { name: 'nothing' }, '- pdf-forms: Fills <forms> & more'],
    ['skill', { name: 'broken' }, '- pdf-forms: Fills <forms> & more'],
    ['skill_file', { name: 'pdf-forms', path: 'zzz' }, '- references/guide.md'],
    ['get_spec_requirements', { spec_id: 'nothing' }, '- login'],
    ['validate_spec', { spec_id: 'nothing' }, '- login'],
    ['get_scenario', { spec_id: 'login', requirement: 'zzz' }, '- Password check'],
    ['get_scenario', { spec_id: 'login', requirement: 'Lock', scenario: 'zzz' }, '- Three failures'],
    ['get_change', { change_id: 'nothing' }, '- add-code'],
    ['validate_change', { change_id: 'nothing' }, '- add-code'],
  ])('%s %j: the names there are, without markup or commands of a terminal', async (tool, args, line) => {
    await using session = await connect('memory', FILES);
    const result = await session.call(tool, args);
    expect(errorOf(result)).toMatchObject({ code: 'NOT_FOUND' });
    expect(textOf(result).split('\n')).toContain(line);
    expect(textOf(result)).not.toMatch(/lectern (?:list|spec|change)|&lt;|&amp;/u);
  });

  test('the list of names stays within the client’s limit', async () => {
    const specs = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`project/openspec/specs/a-longer-spec-${index}/spec.md`, SPEC]),
    );
    await using session = await connect('memory', specs, { client: 'claude-code' });
    const text = textOf(await session.call('get_spec_requirements', { spec_id: 'zzz' }));
    expect(text.length).toBeLessThan(4_200);
    expect(text).toMatch(/… and \d+ more\.$/u);
  });

  test('hints for models name tools, not commands', async () => {
    await using session = await connect('memory', { ...FILES, 'project/openspec/specs/login/spec.md': '# Empty\n' });
    expect(textOf(await session.call('get_spec_requirements', { spec_id: 'zzz' }))).toContain(
      'list_specs returns all specs.',
    );
  });
});

describe('unambiguous input is accepted', () => {
  test.each(['/pdf-forms', 'pdf forms', 'pdf-forms/SKILL.md', 'PDF Forms', '/pdf-forms/SKILL.md'])(
    '%j loads pdf-forms',
    async (name) => {
      await using session = await connect('memory', FILES);
      expect(textOf(await session.skill(name))).toMatch(/^Loading: pdf-forms\n/u);
    },
  );

  test('a skill of that very name wins', async () => {
    await using session = await connect('memory', {
      ...FILES,
      'project/skills/other/SKILL.md': skillText({ name: 'pdf forms' }),
      'project/skills/third/SKILL.md': skillText({ name: '/pdf-forms' }),
    });
    expect(textOf(await session.skill('pdf forms'))).toContain('path: ' + session.folder.at('project/skills/other'));
    expect(textOf(await session.skill('/pdf-forms'))).toContain('path: ' + session.folder.at('project/skills/third'));
  });

  test.each(['//pdf-forms', 'skills/pdf-forms', './pdf-forms', '../pdf-forms', 'pdf-forms/', 'pdf-forms/../pdf-forms'])(
    '%j is not found: a name is no path',
    async (name) => {
      await using session = await connect('memory', FILES);
      expect(errorOf(await session.skill(name))).toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  test.each(['./references/guide.md', 'guide.md', './guide.md'])('skill_file takes %j', async (path) => {
    await using session = await connect('memory', FILES);
    const result = await session.call('skill_file', { name: 'pdf-forms', path });
    expect([textOf(result), factsOf(result)]).toMatchObject(['# Guide\n', { path: 'references/guide.md' }]);
  });

  test('a file name that several files have is not guessed', async () => {
    await using session = await connect('memory', FILES);
    expect(errorOf(await session.call('skill_file', { name: 'pdf-forms', path: 'same.md' }))).toMatchObject({
      code: 'NOT_FOUND',
      suggestions: ['a/same.md', 'b/same.md'],
    });
  });

  test('the heading of a requirement or scenario counts as its name, and numbers may be texts', async () => {
    await using session = await connect('memory', FILES);
    expect(
      (
        await session.call('get_scenario', {
          spec_id: 'login',
          requirement: 'Requirement: Password check',
          scenario: 'scenario: wrong',
        })
      ).structuredContent,
    ).toMatchObject({ requirement: 'Password check', name: 'Wrong' });
    expect((await session.call('skills_search', { query: 'forms', limit: '5' })).structuredContent).toMatchObject({
      limit: 5,
    });
  });
});

describe('specs in few calls', () => {
  test('get_spec_requirements has the text of each requirement and the names of its scenarios', async () => {
    await using session = await connect('memory', FILES);
    expect((await session.call('get_spec_requirements', { spec_id: 'login' })).structuredContent).toEqual({
      spec_id: 'login',
      requirements: [
        {
          name: 'Password check',
          text: 'The system SHALL compare the password.',
          scenario_count: 2,
          scenarios: ['Right', 'Wrong'],
        },
        { name: 'Lock', text: 'The system SHALL lock.', scenario_count: 1, scenarios: ['Three failures'] },
      ],
    });
  });

  test('get_scenario with * has all scenarios of a requirement, or of the whole spec', async () => {
    await using session = await connect('memory', FILES);
    const one = await session.call('get_scenario', { spec_id: 'login', requirement: 'Password check', scenario: '*' });
    expect(one.structuredContent).toMatchObject({
      requirement: 'Password check',
      requirement_description: 'The system SHALL compare the password.',
      scenarios: [
        { name: 'Right', then: ['a session begins'] },
        { name: 'Wrong', then: ['it is refused'] },
      ],
    });
    const all = await session.call('get_scenario', { spec_id: 'login', requirement: '*' });
    expect(all.structuredContent).toMatchObject({
      requirements: [
        { name: 'Password check', scenarios: [{ name: 'Right' }, { name: 'Wrong' }] },
        { name: 'Lock', scenarios: [{ name: 'Three failures', when: 'it fails three times' }] },
      ],
    });
  });
});

test('every tool description explains when to use it, and no parameter contradicts another', async () => {
  await using session = await connect('memory', FILES);
  const { tools } = await session.client.listTools();
  for (const { name, description = '' } of tools)
    expect(description, `${name}: add details to the operation that explain when to use the tool`).toMatch(
      /\bwhen\b|\bUse it\b|, to see\b/iu,
    );
  const search = tools.find(({ name }) => name === 'skills_search');
  expect(JSON.stringify(search?.inputSchema.properties?.['query'])).not.toMatch(/must|every|all/u);
});
