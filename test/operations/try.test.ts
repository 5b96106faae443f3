import { describe, expect, test } from 'vitest';
import { readEvals } from '../../src/agents/evals.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { tryCommand } from '../../src/operations/try.ts';
import { tryRequest } from '../../src/operations/try-request.ts';
import { ask } from '../support/ask.ts';
import { failureOf } from '../support/failure-of.ts';
import { type Project, project, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const SKILLS: ProjectFiles = {
  'project/.claude/skills/pdf/SKILL.md': skillText({
    name: 'pdf',
    description: 'Merge, split and fill PDF files. Use it when a user has a PDF.',
  }),
  'project/.claude/skills/slides/SKILL.md': skillText({
    name: 'slides',
    description: 'Make a slide deck for a talk. Use it for presentations.',
  }),
};
const FILE = 'project/skills.requests.yaml';
const MERGE = 'merge two PDF files';

const OFF = { save: false, check: false, minMargin: 0 };

async function run(home: Project, input: object) {
  return ask(tryCommand, { ...OFF, ...input }, await home.open());
}

describe('lectern try', () => {
  test('the first results of each agent have a score, the matching words and the text that the model gets', async () => {
    const { agents = [] } = await run(project(SKILLS), { request: MERGE });
    expect(agents).toMatchObject([
      {
        id: 'claude',
        verdict: 'clear',
        results: [
          { name: 'pdf', words: ['merge', 'pdf', 'files'], text: expect.stringMatching(/^Merge, split/u) },
          {},
          {},
        ],
      },
    ]);
    const [{ margin, results }] = agents as [(typeof agents)[number]];
    expect(margin).toBeCloseTo((results[0]?.score ?? 0) - (results[1]?.score ?? 0), 2);
  });

  test('no skill fits an off-topic request', async () => {
    const { agents = [] } = await run(project(SKILLS), { request: 'what is the capital of France' });
    expect(agents.map(({ verdict }) => verdict)).toEqual(['none']);
  });

  test('two skills with the same text are a close call', async () => {
    const home = project({
      ...SKILLS,
      'project/.claude/skills/pdf-files/SKILL.md': skillText({
        name: 'pdf-files',
        description: 'Merge, split and fill PDF files. Use it when a user has a PDF.',
      }),
    });
    const { agents = [] } = await run(home, { request: MERGE });
    expect(agents[0]?.verdict).toBe('close');
  });

  test('a better skill that the agent does not list is named with its status', async () => {
    const home = project({
      ...SKILLS,
      'project/.codex/skills/x/SKILL.md': skillText({ name: 'x', description: 'Translate letters into Spanish.' }),
    });
    const { agents = [] } = await run(home, { request: 'translate this letter into Spanish', agents: ['claude'] });
    expect(agents[0]?.missing).toMatchObject([{ name: 'x', status: 'not-read' }]);
  });

  test('an agent that is not found here is previewed if it is requested', async () => {
    const { agents = [] } = await run(project(SKILLS), { request: MERGE, agents: ['gemini', 'claude'] });
    expect(agents.map(({ id }) => id)).toEqual(['gemini', 'claude']);
  });

  test.each([
    ['an unknown agent', { request: MERGE, agents: ['claud'] }, 'NOT_FOUND'],
    ['an unknown skill', { request: MERGE, expect: 'pfd' }, 'NOT_FOUND'],
    ['a missing request', {}, 'USAGE'],
    ['an empty request', { request: ' ' }, 'USAGE'],
    ['a request of stop words', { request: 'the of and' }, 'USAGE'],
    ['a request that is too long', { request: 'a'.repeat(LIMITS.triedCharacters.value + 1) }, 'USAGE'],
    ['--save without --expect', { request: MERGE, save: true }, 'USAGE'],
    ['--save with --check', { save: true, check: true }, 'USAGE'],
    ['--check with a request', { request: MERGE, check: true }, 'USAGE'],
    ['--check without a file', { check: true }, 'NOT_FOUND'],
    ['a missing file to import', { from: 'evals.json' }, 'NOT_FOUND'],
  ])('%s is refused', async (_, input, code) => {
    expect(await failureOf(run(project(SKILLS), input))).toMatchObject({ code });
  });

  test('a home without agents is refused', async () => {
    expect(await failureOf(run(project({}), { request: MERGE }))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('the tool has the same results as the command', async () => {
    const home = project(SKILLS);
    const { agents } = await run(home, { request: MERGE });
    expect(await ask(tryRequest, { request: MERGE }, await home.open())).toEqual({ request: MERGE, agents });
  });
});

describe('saved requests', () => {
  test('a saved request passes, and a file with comments keeps them', async () => {
    const home = project(SKILLS);
    const first = await run(home, { request: MERGE, expect: 'PDF', save: true });
    expect(first.saved).toMatchObject({ expect: 'pdf', replaced: false });
    home.write({ [FILE]: `# ours\n${home.read(FILE)}  # the last one\n` });
    const second = await run(home, { request: 'a deck for my talk', expect: 'slides', save: true, agents: ['claude'] });
    expect(second.saved?.replaced).toBe(false);
    const third = await run(home, { request: `  ${MERGE}\n`, expect: 'none', save: true });
    expect(third.saved?.replaced).toBe(true);
    const text = home.read(FILE);
    expect(text).toMatch(/^# ours\n# Requests and/u);
    expect(text).toContain('# the last one');
    expect(text.match(/- request:/gu)).toHaveLength(2);
    const { checked } = await run(home, { check: true });
    expect(checked).toMatchObject({
      passed: 1,
      failed: 1,
      results: [
        {
          request: MERGE,
          expect: 'none',
          outcome: 'fail',
          first: 'pdf',
          reason: expect.stringContaining('no skill should'),
        },
        { request: 'a deck for my talk', agent: 'claude', outcome: 'pass' },
      ],
    });
  });

  test('a saved file without a change of its own is the same after saving the same request', async () => {
    const home = project(SKILLS);
    await run(home, { request: MERGE, expect: 'pdf', save: true });
    const before = home.read(FILE);
    await run(home, { request: MERGE, expect: 'pdf', save: true });
    expect(home.read(FILE)).toBe(before);
  });

  test('the comment of a replaced request stays', async () => {
    const entries =
      '  - { request: x, expect: none }\n  # about merging\n  - { request: merge two PDF files, expect: none }\n';
    const home = project({ ...SKILLS, [FILE]: `version: 1\nrequests:\n${entries}` });
    await run(home, { request: MERGE, expect: 'pdf', save: true });
    expect(home.read(FILE)).toMatch(/# about merging\n {2}- \{ request: merge two PDF files, expect: pdf \}\n/u);
  });

  test('a replaced request keeps the comments and line breaks of the file', async () => {
    const before = [
      'version: 1 # of the file',
      'requests:',
      `  - request: ${MERGE} # why`,
      '    expect: slides # for now',
      '    note: ours',
      '    agents: [claude] # only',
      '',
    ].join('\r\n');
    const home = project({ ...SKILLS, [FILE]: before });
    await run(home, { request: MERGE, expect: 'pdf', save: true, agents: ['codex', 'claude'] });
    expect(home.read(FILE)).toBe(
      before.replace('expect: slides', 'expect: pdf').replace('[claude]', '[ codex, claude ]'),
    );
    await run(home, { request: MERGE, expect: 'pdf', save: true });
    expect(home.read(FILE)).not.toContain('agents');
  });

  test('a file that is a link to a file outside the project is refused', async () => {
    const home = project({
      ...SKILLS,
      'home/outside.yaml': 'version: 1\n',
      [FILE]: { link: project({}).at('home/outside.yaml') },
    });
    for (const input of [{ check: true }, { request: MERGE, expect: 'pdf', save: true }])
      expect(await failureOf(run(home, input))).toMatchObject({
        code: 'UNREADABLE',
        message: expect.stringContaining('leads out of its folder'),
      });
    expect(home.read('home/outside.yaml')).toBe('version: 1\n');
  });

  test('the nearest file counts, up to the root of the repository', async () => {
    const home = project({
      ...SKILLS,
      'project/.git/HEAD': 'ref: refs/heads/main\n',
      'project/app/.claude/skills/x/SKILL.md': skillText({ name: 'x' }),
      [FILE]: `version: 1\nrequests:\n  - { request: ${MERGE}, expect: pdf }\n`,
    });
    const below = async (input: object) =>
      ask(tryCommand, { ...OFF, ...input }, await home.open({ projectDir: home.at('project/app') }));
    expect((await below({ check: true })).checked?.file).toBe(home.at(FILE));
    home.write({ 'project/app/skills.requests.yaml': 'version: 1\n' });
    const { saved } = await below({ request: MERGE, expect: 'pdf', save: true });
    expect(saved?.file).toBe(home.at('project/app/skills.requests.yaml'));
  });

  const check = async (entries: string, more: object = {}, files: ProjectFiles = {}) =>
    (await run(project({ ...SKILLS, ...files, [FILE]: `version: 1\nrequests:\n${entries}` }), { check: true, ...more }))
      .checked;

  test('a skill that the agent does not list fails with its status', async () => {
    const checked = await check(
      '  - request: translate letters\n    expect: x\n    agents: [claude]\n',
      {},
      {
        'project/.codex/skills/x/SKILL.md': skillText({ name: 'x', description: 'Translate letters.' }),
      },
    );
    expect(checked?.results).toMatchObject([{ outcome: 'fail', status: 'not-read' }]);
    expect(checked?.diagnostics).toMatchObject([{ code: 'try-failed', severity: 'error', line: 3 }]);
  });

  test('a close call passes with a warning, and fails below the smallest margin', async () => {
    const twin = {
      'project/.claude/skills/pdf2/SKILL.md': skillText({ name: 'pdf2', description: 'Merge and split PDF files.' }),
    };
    const entries = `  - request: ${MERGE}\n    expect: pdf\n`;
    const checked = await check(entries, {}, twin);
    const [result] = checked?.results ?? [];
    expect(result?.outcome).toBe(result?.first === 'pdf' ? 'close' : 'fail');
    const winner = result?.first ?? '';
    const entry = `  - request: ${MERGE}\n    expect: ${winner}\n`;
    expect((await check(entry, {}, twin))?.diagnostics).toMatchObject([{ code: 'try-close', severity: 'warning' }]);
    const margin = (await check(entry, {}, twin))?.results[0]?.margin ?? 0;
    expect((await check(entry, { minMargin: margin + 0.002 }, twin))?.failed).toBe(1);
    expect((await check(entry, { minMargin: Math.max(0, margin - 0.002) }, twin))?.close).toBe(1);
  });

  test('unknown keys, duplicates and unusable entries are findings with their lines', async () => {
    const entries = [
      '  - request: merge PDF files',
      '    expect: pdf',
      '    expected: pdf',
      '  - request: merge PDF   files',
      '    expect: none',
      '  - expect: pdf',
      '  - just text',
      '  - request: x',
      '  - { request: y, expect: pdf, agents: 3 }',
      '  - { request: of the, expect: pdf }',
      '  - { request: z, request: merge PDF, expect: pdf }',
      'note: 1',
      '',
    ];
    const checked = await check(entries.join('\n'));
    expect(checked?.results).toHaveLength(1);
    expect(checked?.diagnostics.map(({ code, line }) => `${code} ${line}`)).toEqual([
      'requests-unknown-key 14',
      'requests-unknown-key 5',
      'requests-duplicate 6',
      'requests-invalid-entry 8',
      'requests-invalid-entry 9',
      'requests-invalid-entry 10',
      'requests-invalid-entry 11',
      'requests-invalid-entry 13',
      'requests-invalid-entry 12',
    ]);
    expect(tryCommand.hasErrors?.({ checked } as never)).toBe(true);
  });

  test.each([
    ['other text', 'hello\n'],
    ['another version', 'version: 2\nrequests: []\n'],
    ['no version', 'requests: []\n'],
    ['two lists', 'version: 1\nrequests: []\nrequests: []\n'],
    ['two documents', 'version: 1\n---\nversion: 1\n'],
    ['a map of requests', 'version: 1\nrequests: {a: 1}\n'],
    ['broken YAML', 'version: 1\nrequests: [\n'],
    ['deep YAML', `version: 1\nrequests: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`],
    ['an alias bomb', `a: &a [1,2,3]\nversion: *a\nrequests: []\n`],
    [
      'too many requests',
      `version: 1\nrequests:\n${'  - {request: a, expect: none}\n'.repeat(LIMITS.savedRequests.value + 1)}`,
    ],
  ])('a file with %s is refused with its place, and is not changed', async (_, text) => {
    const home = project({ ...SKILLS, [FILE]: text });
    for (const input of [{ check: true }, { request: MERGE, expect: 'pdf', save: true }])
      expect(await failureOf(run(home, input))).toMatchObject({
        code: 'INVALID_CONFIG',
        path: home.at(FILE),
        line: expect.any(Number),
      });
    expect(home.read(FILE)).toBe(text);
  });

  test('a file that is too large is refused', async () => {
    const text = `# ${'x'.repeat(LIMITS.savedRequestsBytes.value)}\nversion: 1\n`;
    expect(await failureOf(run(project({ ...SKILLS, [FILE]: text }), { check: true }))).toMatchObject({
      code: 'UNREADABLE',
    });
  });

  test.each([
    ['skill', '  - request: a b\n    expect: nothing-like-this\n'],
    ['agent', '  - request: merge files\n    expect: pdf\n    agents: [claud]\n'],
  ])('an unknown %s in the file is refused with its line', async (_, entry) => {
    expect(await failureOf(check(entry))).toMatchObject({ code: 'NOT_FOUND', line: 3 });
  });
});

describe('evals of other tools', () => {
  test('the evals of a skill expect that skill', () => {
    const text = JSON.stringify({ skill_name: 'pdf', evals: [{ id: 1, prompt: 'merge\nfiles' }, { id: 2 }] });
    expect(readEvals(text, '/a/evals.json')).toEqual({
      expectations: [{ entry: '1', request: 'merge files', expect: 'pdf' }],
      notRead: [{ entry: '2', reason: 'The entry has no prompt.' }],
    });
  });

  test('trigger tests expect the skill of their folder, and negative ones are left out', () => {
    const text = JSON.stringify([
      { query: 'merge', should_trigger: true },
      { query: 'weather', should_trigger: false },
    ]);
    const { expectations, notRead } = readEvals(text, '/skills/pdf/evals/triggers.json');
    expect(expectations).toEqual([{ entry: '1', request: 'merge', expect: 'pdf' }]);
    expect(notRead).toMatchObject([{ entry: '2' }]);
  });

  test('prompts with expected skills: one skill, an empty list, several skills', () => {
    const text = JSON.stringify({
      cases: [
        { prompt: 'a', expected_skill: 'pdf' },
        { prompt: 'b', expected_skills: [] },
        { prompt: 'c', expected_skills: ['x', 'y'] },
        { prompt: 'd', expectedSkill: null },
      ],
    });
    const { expectations, notRead } = readEvals(text, '/a/b.json');
    expect(expectations.map(({ expect: name }) => name)).toEqual(['pdf', 'none', 'none']);
    expect(notRead).toMatchObject([{ entry: '3' }]);
  });

  test('a prompt for which the named skill must not be used is left out', () => {
    const text = JSON.stringify([
      { prompt: 'a', skill: 'pdf', should_trigger: false },
      { prompt: 'b', expected_skills: [], should_activate: false },
      { prompt: 'c', skill: 'pdf', should_trigger: true },
    ]);
    const { expectations, notRead } = readEvals(text, '/a/b.json');
    expect(expectations.map(({ request, expect: name }) => [request, name])).toEqual([
      ['b', 'none'],
      ['c', 'pdf'],
    ]);
    expect(notRead).toMatchObject([{ entry: '1' }]);
  });

  test('a file with an object on each line is a list', () => {
    const text = '{"user_prompt": "a", "expected_skills": ["pdf"]}\n\n{"prompt": "b", "skill": "pdf"}\n';
    expect(readEvals(text, '/a/b.jsonl').expectations).toHaveLength(2);
    expect(() => readEvals('{"prompt": "a"}\n{"prompt"\n', '/a/b.jsonl')).toThrow(/b\.jsonl/u);
  });

  test('importing saves the known entries and reports the others', async () => {
    const home = project({
      ...SKILLS,
      'project/evals.json': JSON.stringify([
        { prompt: MERGE, skill: 'pdf' },
        { prompt: 'x', skill: 'unknown-skill' },
        { prompt: 'of the', skill: 'pdf' },
      ]),
    });
    const { imported } = await run(home, { from: 'evals.json' });
    expect(imported).toMatchObject({ added: 1, replaced: 0, notRead: [{ entry: '2' }, { entry: '3' }] });
    expect((await run(home, { check: true })).checked?.passed).toBe(1);
  });

  test('nothing is written if no entry is usable', async () => {
    const home = project({ ...SKILLS, 'project/evals.json': '[{"prompt": "x", "skill": "unknown-skill"}]' });
    expect(await failureOf(run(home, { from: 'evals.json' }))).toMatchObject({ code: 'REFUSED' });
    expect(home.exists(FILE)).toBe(false);
  });

  test.each(['{', '3', '{"a": []}'])('%s is refused', (text) => {
    expect(() => readEvals(text, '/a.json')).toThrow(/a\.json/u);
  });
});
