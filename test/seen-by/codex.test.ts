import { describe, expect, test } from 'vitest';
import { PROJECT, type ProjectFiles } from '../support/project.ts';
import { listed, see, statuses, verdictOn } from '../support/see.ts';
import { skillText } from '../support/skill-text.ts';

const GIT = { 'project/.git/HEAD': '' };

function many(number: number, length: number): ProjectFiles {
  const names = Array.from({ length: number }, (_, index) => `skill-${String(index).padStart(4, '0')}`);
  const description = 'd'.repeat(length);
  return Object.fromEntries(
    names.map((name) => [`project/.agents/skills/${name}/SKILL.md`, skillText({ name, description })]),
  );
}

test('every copy is listed: project before user, by name, then by path', async () => {
  const seen = await see(
    {
      ...GIT,
      'home/.agents/skills/a/SKILL.md': skillText({ name: 'a' }),
      'project/.codex/skills/b/SKILL.md': skillText({ name: 'b' }),
      'project/.agents/skills/b/SKILL.md': skillText({ name: 'b' }),
      'project/.agents/skills/Z/SKILL.md': skillText({ name: 'Z' }),
      'project/.claude/skills/c/SKILL.md': skillText({ name: 'c' }),
    },
    'codex',
  );
  expect(listed(seen)).toEqual(['Z', 'b', 'b', 'a']);
  expect(seen.entries.slice(0, 4).map(({ name }) => name)).toEqual([
    'imagegen',
    'openai-docs',
    'skill-creator',
    'skill-installer',
  ]);
  expect(verdictOn(seen, 'project/.claude/skills/c')).toMatchObject({
    status: 'not-read',
    reason: `Codex does not read ${PROJECT}/.claude/skills`,
  });
});

test('six levels count and seven do not; the folder itself, node_modules and skills inside skills do, hidden ones and links do not', async () => {
  const seen = await see(
    {
      'project/.agents/skills/SKILL.md': skillText({ name: 'root' }),
      'project/.agents/skills/1/2/3/4/5/six/SKILL.md': skillText({ name: 'six' }),
      'project/.agents/skills/1/2/3/4/5/6/seven/SKILL.md': skillText({ name: 'seven' }),
      'project/.agents/skills/out/SKILL.md': skillText({ name: 'out' }),
      'project/.agents/skills/out/in/SKILL.md': skillText({ name: 'in' }),
      'project/.agents/skills/node_modules/m/SKILL.md': skillText({ name: 'm' }),
      'project/.agents/skills/.h/SKILL.md': skillText({ name: 'h' }),
      'project/.agents/skills/l/SKILL.md': { link: `${PROJECT}/linked.md` },
      'project/linked.md': skillText({ name: 'l' }),
    },
    'codex',
  );
  expect(listed(seen)).toEqual(['in', 'm', 'out', 'root', 'six']);
  expect(statuses(seen)).toMatchObject({
    'project/.agents/skills/.h': 'not-read',
    'project/.agents/skills/l': 'not-read',
  });
});

test.each([
  ['a byte order mark', '\ufeff---\nname: a\ndescription: d\n---\n', 'broken'],
  ['a blank line before the fence', '\n---\nname: a\ndescription: d\n---\n', 'broken'],
  ['no fence', '# a\n', 'broken'],
  ['no closing fence', '---\nname: a\ndescription: d\n', 'broken'],
  ['a key twice', '---\nname: a\ndescription: d\ndescription: e\n---\n', 'broken'],
  ['a list', '---\nname: a\ndescription: [d]\n---\n', 'broken'],
  ['no description', '---\nname: a\n---\n', 'broken'],
  ['an empty description', '---\nname: a\ndescription: ""\n---\n', 'broken'],
  ['a tab', '---\nname: a\ndescription: d\nmetadata:\n\tb: c\n---\n', 'broken'],
  ['a name of 64 characters', `---\nname: ${'n'.repeat(64)}\ndescription: d\n---\n`, 'seen'],
  ['a name of 65 characters', `---\nname: ${'n'.repeat(65)}\ndescription: d\n---\n`, 'broken'],
  ['no name', '---\ndescription: d\n---\n', 'seen'],
  ['a colon', '---\nname: a\ndescription: Use it: now\n---\n', 'seen'],
  ['an at sign', '---\nname: a\ndescription: "@x"\n---\n', 'seen'],
  ['a number', '---\nname: a\ndescription: 12\n---\n', 'seen'],
  ['disable-model-invocation', '---\nname: a\ndescription: d\ndisable-model-invocation: true\n---\n', 'seen'],
  ['quotes that do not match', '---\nname: a\ndescription: "d\n---\n', 'broken'],
  ['a bracket', '---\nname: a\ndescription: [d] e\n---\n', 'seen'],
  ['a star', '---\nname: a\ndescription: "x"\nx: *y\n---\n', 'unknown'],
  ['another key twice', '---\nname: a\ndescription: d\nlicense: e\nlicense: f\n---\n', 'seen'],
  ['dots for a closing fence', '---\nname: a\ndescription: d\n...\n', 'broken'],
  ['text after the fence', '---yaml\nname: a\ndescription: d\n---\n', 'broken'],
])('a file with %s', async (_, text, status) => {
  const seen = await see({ 'project/.agents/skills/a/SKILL.md': text }, 'codex');
  expect(verdictOn(seen, 'project/.agents/skills/a').status).toBe(status);
});

describe('the budget', () => {
  test('a description of 1,024 characters is whole, one more is cut with dots', async () => {
    expect((await see(many(1, 1_024), 'codex')).entries[4]).toMatchObject({ status: 'seen' });
    const over = (await see(many(1, 1_025), 'codex')).entries[4];
    expect(over).toMatchObject({ status: 'shortened', text: `${'d'.repeat(1_021)}...` });
  });

  test('of 200 skills every long description is cut alike and without a mark, of 1,000 many are dropped', async () => {
    const seen = await see(many(200, 250), 'codex');
    expect(seen.budget).toMatchObject({ limit: 5_440, unit: 'tokens', window: 272_000, used: 5_440 });
    const lengths = seen.entries.filter(({ verdict }) => verdict).map(({ text }) => text.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(4);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(56);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64);
    const more = await see(many(1_000, 250), 'codex');
    const dropped = [...more.verdicts.values()].filter(({ status }) => status === 'dropped');
    // Codex 0.166.0 was seen to drop as many of 1,000.
    expect(dropped).toHaveLength(551);
    expect(dropped[0]).toMatchObject({ reason: 'the list is full, and it was dropped' });
  });

  test.each([
    ['model_context_window = 100000', { limit: 2_000, window: 100_000 }],
    ['[skills]\nmax_context_tokens = 7000', { limit: 7_000 }],
    ['[skills]\nmax_context_tokens = 20000', { limit: 10_000 }],
  ])('the setting: %s', async (config, budget) => {
    expect((await see({ 'home/.codex/config.toml': config }, 'codex')).budget).toMatchObject(budget);
  });

  test('its own skills are read where it has written them', async () => {
    const seen = await see(
      { 'home/.codex/skills/.system/imagegen/SKILL.md': skillText({ name: 'imagegen', description: 'Draw' }) },
      'codex',
    );
    expect(seen.entries).toMatchObject([{ name: 'imagegen', text: 'Draw', verdict: undefined }]);
  });
});

describe('settings', () => {
  const files = { ...GIT, 'project/.agents/skills/a/SKILL.md': skillText({ name: 'a' }) };
  const config = (entry: string): string => `[[skills.config]]\n${entry}\nenabled = false\n`;

  test.each([
    ['the file', `path = "${PROJECT}/.agents/skills/a/SKILL.md"`, 'disabled'],
    ['the folder, which has no effect', `path = "${PROJECT}/.agents/skills/a"`, 'seen'],
    ['the name', 'name = "a"', 'disabled'],
  ])('[[skills.config]] with %s', async (_, entry, status) => {
    const seen = await see({ ...files, 'home/.codex/config.toml': config(entry) }, 'codex');
    expect(verdictOn(seen, 'project/.agents/skills/a').status).toBe(status);
  });

  test('the project’s own config.toml has no effect', async () => {
    const seen = await see({ ...files, 'project/.codex/config.toml': config('name = "a"') }, 'codex');
    expect(verdictOn(seen, 'project/.agents/skills/a').status).toBe('seen');
  });

  test('allow_implicit_invocation: false leaves it to people', async () => {
    const manifest = 'policy:\n  allow_implicit_invocation: false\n';
    const seen = await see({ ...files, 'project/.agents/skills/a/agents/openai.yaml': manifest }, 'codex');
    expect(verdictOn(seen, 'project/.agents/skills/a').status).toBe('manual-only');
  });

  test('manifests that are nothing but line breaks cost next to nothing', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
    const many = names.map((name) => [
      [`project/.agents/skills/${name}/SKILL.md`, skillText({ name })],
      [`project/.agents/skills/${name}/agents/openai.yaml`, '\n'.repeat(65_000)],
    ]);
    const seen = await see(Object.fromEntries(many.flat()), 'codex');
    expect(listed(seen)).toHaveLength(100);
  });

  test('without git only the working folder counts', async () => {
    const seen = await see(
      { 'project/.agents/skills/up/SKILL.md': skillText({ name: 'up' }), 'project/app/x': '' },
      'codex',
      { projectDir: `${PROJECT}/app` },
    );
    expect(listed(seen)).toEqual([]);
  });
});
