import { describe, expect, test } from 'vitest';
import { doctor } from '../../src/operations/doctor.ts';
import { skillOverlaps } from '../../src/operations/skill-overlaps.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { ask } from '../support/ask.ts';
import { failureOf } from '../support/failure-of.ts';
import { HOME, type Project, project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const DESIGN = 'Designs database schemas, plans migrations and models relationships between tables.';
const SCHEMA = 'Use when designing a database schema with tables, relationships and migrations, also as an ERD.';

function skillIn(dir: string, name: string, description: string): ProjectFiles {
  return { [`project/${dir}/skills/${name}/SKILL.md`]: skillText({ name, description }) };
}

const TWO: ProjectFiles = {
  ...skillIn('.claude', 'database-designer', DESIGN),
  ...skillIn('.claude', 'schema-designer', SCHEMA),
  ...skillIn('.claude', 'slides', 'Make a slide deck for a talk. Use it for presentations.'),
};

async function run(home: Project, input: object = {}) {
  return ask(skillOverlaps, { limit: 20, ...input }, await home.open());
}

describe('lectern overlap', () => {
  test('shows pairs that answer the same requests, their common words and a suggestion', async () => {
    const { agents, pairs, total, leftOut } = await run(project(TWO));
    expect(agents).toMatchObject([{ id: 'claude', title: 'Claude Code' }]);
    expect(pairs).toEqual([
      {
        agent: 'claude',
        a: 'database-designer',
        b: 'schema-designer',
        similarity: expect.any(Number),
        words: expect.arrayContaining(['designer', 'schema']),
        suggestion: 'Add to database-designer: "Do not use it for erd; use schema-designer."',
        skills: [
          { fullName: 'claude:database-designer', path: `${PROJECT}/.claude/skills/database-designer` },
          { fullName: 'claude:schema-designer', path: `${PROJECT}/.claude/skills/schema-designer` },
        ],
      },
    ]);
    expect(total).toBe(1);
    expect(leftOut).toMatchObject({ pairs: 0, distinguished: 0, skills: 0, requests: 0 });
  });

  test('leaves out a pair whose suggestion was followed, and counts it', async () => {
    const followed = `${DESIGN} Do not use it for an ERD; use schema-designer.`;
    const { pairs, leftOut } = await run(project({ ...TWO, ...skillIn('.claude', 'database-designer', followed) }));
    expect(pairs).toEqual([]);
    expect(leftOut.distinguished).toBe(1);
  });

  test('a pair in the lists of several agents counts once', async () => {
    const both = {
      ...TWO,
      ...skillIn('.codex', 'database-designer', DESIGN),
      ...skillIn('.codex', 'schema-designer', SCHEMA),
    };
    const { pairs, total } = await run(project(both), { limit: 1 });
    expect(pairs.map(({ agent }) => agent)).toEqual(['claude', 'codex']);
    expect(total).toBe(1);
    expect((await run(project(both), { agents: ['codex'] })).pairs.map(({ agent }) => agent)).toEqual(['codex']);
  });

  test('limits the pairs and counts the rest', async () => {
    const home = project({ ...TWO, ...skillIn('.claude', 'table-designer', SCHEMA.replace('ERD', 'diagram')) });
    const { pairs, total, leftOut } = await run(home, { limit: 1 });
    expect([pairs.length, total, leftOut.pairs]).toEqual([1, 3, 2]);
  });

  test('shows the pairs of one skill, by name or path', async () => {
    for (const name of ['schema-designer', `${PROJECT}/.claude/skills/schema-designer`])
      expect(await run(project(TWO), { name })).toMatchObject({ name: 'schema-designer', total: 1 });
    expect(await run(project(TWO), { name: 'slides' })).toMatchObject({ name: 'slides', pairs: [], total: 0 });
  });

  test('explains why an agent does not list the skill', async () => {
    const home = project({ ...TWO, ...skillIn('.codex', 'notes', 'Write notes') });
    const { agents } = await run(home, { name: 'notes' });
    expect(agents).toMatchObject([{ id: 'claude', status: 'not-read' }, { id: 'codex' }]);
    expect(agents[1]?.status).toBeUndefined();
  });

  test('an unknown skill or agent fails with suggestions', async () => {
    const failed = async (input: object) => failureOf(run(project(TWO), input));
    expect(await failed({ name: 'schema-desinger' })).toMatchObject({
      code: 'NOT_FOUND',
      suggestions: expect.arrayContaining(['schema-designer']),
    });
    expect(await failed({ agents: ['claud'] })).toMatchObject({ code: 'NOT_FOUND', suggestions: ['claude'] });
  });

  test('counts the saved requests that both skills fit, also for a pair with other words', async () => {
    const home = project({
      ...skillIn('.claude', 'invoices', 'Write invoices. Use it to charge a customer for an order.'),
      ...skillIn('.claude', 'receipts', 'Print a paper slip. Use it to charge a customer for an order.'),
      'project/skills.requests.yaml':
        'version: 1\nrequests:\n  - request: charge a customer for an order\n    expect: invoices\n' +
        '  - request: write an invoice\n    expect: invoices\n' +
        '  - request: charge a customer\n    expect: invoices\n    agents: [codex]\n',
    });
    expect((await run(home)).pairs).toMatchObject([{ a: 'invoices', b: 'receipts', requests: 1 }]);
  });

  test('compares the lines if the saved requests cannot be used, and reports the problem', async () => {
    const { pairs, requestsProblem } = await run(project({ ...TWO, 'project/skills.requests.yaml': 'requests: 1\n' }));
    expect(pairs).toHaveLength(1);
    expect(requestsProblem).toMatch(/skills\.requests\.yaml cannot be used/u);
  });

  test('a copy in a plugin is a pair only if the agent lists both, and other pairs name one of them', async () => {
    const cache = `${HOME}/.claude/plugins/cache/m/db/1`;
    const inPlugin = {
      ...TWO,
      'home/.claude/plugins/installed_plugins.json': JSON.stringify({
        version: 2,
        plugins: { 'db@m': [{ scope: 'user', installPath: cache, version: '1' }] },
      }),
      'home/.claude/settings.json': JSON.stringify({ enabledPlugins: { 'db@m': true } }),
      'home/.claude/plugins/known_marketplaces.json': JSON.stringify({
        m: { source: { source: 'github', repo: 'o/m' }, installLocation: '/gone' },
      }),
      [`${cache}/skills/schema-designer/SKILL.md`]: skillText({ name: 'schema-designer', description: SCHEMA }),
    };
    const { pairs } = await run(project(inPlugin));
    expect(pairs.map(({ a, b, copies = false }) => [a, b, copies])).toEqual([
      ['database-designer', expect.stringMatching(/schema-designer$/u), false],
      [expect.stringMatching(/schema-designer$/u), expect.stringMatching(/schema-designer$/u), true],
    ]);
    expect(pairs[1]?.suggestion).toBe(
      `Disable one of the two: lectern disable ${PROJECT}/.claude/skills/schema-designer`,
    );
  });

  test('identical copies that an agent lists once are no pair', async () => {
    const home = project({
      ...TWO,
      'home/.claude/skills/slides/SKILL.md': TWO['project/.claude/skills/slides/SKILL.md'] ?? '',
    });
    expect((await run(home)).pairs.map(({ copies = false }) => copies)).toEqual([false]);
  });
});

test('doctor names the first two pairs and counts all', async () => {
  const three = { ...TWO, ...skillIn('.claude', 'table-designer', SCHEMA.replace('ERD', 'diagram')) };
  const { overlaps } = await ask(doctor, {}, await project(three).open());
  expect(overlaps).toMatchObject({ total: 3, pairs: [{ agents: ['claude'] }, { agents: ['claude'] }] });
});

describe('description-collides', () => {
  const codesFor = async (files: ProjectFiles, input: object = {}) => {
    const { info } = await ask(validateSkills, { all: false, profile: 'spec', ...input }, await project(files).open());
    return info.flatMap(({ code, file, description }) =>
      code === 'description-collides' ? [[file, description]] : [],
    );
  };

  test('names the other skill', async () => {
    expect(await codesFor(TWO)).toEqual([
      [
        `${PROJECT}/.claude/skills/database-designer/SKILL.md`,
        expect.stringMatching(
          /^the description is similar to that of schema-designer \(0\.\d\d; both: designer, migrations, relationships\)$/u,
        ),
      ],
      [
        `${PROJECT}/.claude/skills/schema-designer/SKILL.md`,
        expect.stringMatching(/^the description is similar to that of database-designer \(/u),
      ],
    ]);
    expect(await codesFor(TWO, { all: true })).toHaveLength(2);
  });

  test('is not reported for one skill, for versions of one name, or if the names differ in their subject', async () => {
    expect(await codesFor(TWO, { target: 'schema-designer' })).toEqual([]);
    expect(
      await codesFor({
        ...skillIn('.claude', 'database-designer', DESIGN),
        ...skillIn('.codex', 'database-designer', SCHEMA),
      }),
    ).toEqual([]);
    expect(
      await codesFor({
        ...skillIn('.claude', 'convert-pdf', 'Convert PDF files to Markdown. Use it when a user has a PDF file.'),
        ...skillIn('.claude', 'convert-word', 'Convert Word files to Markdown. Use it when a user has a Word file.'),
      }),
    ).toEqual([]);
  });
});
