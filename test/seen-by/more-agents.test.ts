/** Agents that were observed with a played model. Each test is a scenario, with the boundaries of every limit at ±1. */
import { describe, expect, test } from 'vitest';
import { firstWhole, type Line } from '../../src/agents/budget.ts';
import type { Status } from '../../src/agents/status.ts';
import { PROJECT, type ProjectFiles } from '../support/project.ts';
import { listed, see, statuses, verdictOn } from '../support/see.ts';
import { skillText } from '../support/skill-text.ts';

const GIT = { 'project/.git/HEAD': '' };
const copyIn = (...folders: string[]): Record<string, string> =>
  Object.fromEntries(
    folders.map((dir) => [`${dir}/pdf/SKILL.md`, skillText({ name: 'pdf', description: `From ${dir}` })]),
  );
/** The name of the skill is the last part of its folder. */
const skillAt = (folder: string, more: string[] = []): Record<string, string> => ({
  [`${folder}/SKILL.md`]: skillText({ name: folder.split('/').at(-1) ?? '', more }),
});
const inSubfolder = { projectDir: `${PROJECT}/app` };

interface Scenario {
  agent: string;
  about: string;
  files: ProjectFiles;
  look?: { projectDir: string };
  expected: Record<string, Status>;
}

const places = (agent: string, read: string[], unread: string[], about = 'its folders'): Scenario => {
  const named = (dir: string): string => `${dir}/${dir.replaceAll(/[^a-z]/gu, '')}`;
  return {
    agent,
    about,
    files: { ...GIT, ...Object.assign({}, ...[...read, ...unread].map((dir) => skillAt(named(dir)))) },
    expected: Object.fromEntries([
      ...read.map((dir) => [named(dir), agent === 'cline' ? 'name-only' : 'seen']),
      ...unread.map((dir) => [named(dir), 'not-read']),
    ]),
  };
};
/** One file in the agent's own folder. */
const file = (agent: string, dir: string, about: string, text: string, status: Status): Scenario => ({
  agent,
  about,
  files: { [`${dir}/a/SKILL.md`]: text },
  expected: { [`${dir}/a`]: status },
});
const manual = (agent: string, dir: string, value: string, status: Status): Scenario =>
  file(
    agent,
    dir,
    `disable-model-invocation: ${value}`,
    skillText({ name: 'a', more: [`disable-model-invocation: ${value}`] }),
    status,
  );
const named = (agent: string, dir: string, name: string, status: Status, about = `the name ${name}`): Scenario =>
  file(agent, dir, about, `---\nname: ${name}\ndescription: d\n---\n`, status);
const described = (agent: string, dir: string, length: number, status: Status): Scenario =>
  file(
    agent,
    dir,
    `a description of ${length} characters`,
    skillText({ name: 'a', description: 'd'.repeat(length) }),
    status,
  );
const NO_DESCRIPTION = '---\nname: a\n---\n\n# Heading\n\nFirst line\nof the paragraph.\n\nMore.\n';
const NO_NAME = '---\ndescription: d\n---\n';

const SCENARIOS: Scenario[] = [
  places(
    'copilot',
    [
      'project/.agents/skills',
      'project/.claude/skills',
      'project/.github/skills',
      'home/.copilot/skills',
      'home/.agents/skills',
    ],
    ['home/.claude/skills', 'project/.codex/skills', 'home/.github/skills'],
  ),
  {
    agent: 'copilot',
    about: 'every folder up to the repository root',
    files: { ...GIT, ...skillAt('project/.agents/skills/root'), ...skillAt('project/app/.claude/skills/sub') },
    look: inSubfolder,
    expected: { 'project/.agents/skills/root': 'seen', 'project/app/.claude/skills/sub': 'seen' },
  },
  {
    agent: 'copilot',
    about: 'folders above a project without git',
    files: skillAt('project/.agents/skills/above'),
    look: inSubfolder,
    expected: { 'project/.agents/skills/above': 'seen' },
  },
  {
    agent: 'copilot',
    about: 'the nearest copy, whichever folder it is in',
    files: { ...GIT, ...copyIn('project/.agents/skills', 'project/app/.claude/skills') },
    look: inSubfolder,
    expected: { 'project/.agents/skills/pdf': 'other-copy', 'project/app/.claude/skills/pdf': 'seen' },
  },
  {
    agent: 'copilot',
    about: '.agents before .claude, and the project before the home',
    files: { ...GIT, ...copyIn('project/.agents/skills', 'project/.claude/skills', 'home/.copilot/skills') },
    expected: {
      'project/.agents/skills/pdf': 'seen',
      'project/.claude/skills/pdf': 'other-copy',
      'home/.copilot/skills/pdf': 'other-copy',
    },
  },
  {
    agent: 'copilot',
    about: 'copies whose order was not observed',
    files: { ...GIT, ...copyIn('project/.agents/skills', 'project/.github/skills', 'home/.copilot/skills') },
    expected: {
      'project/.agents/skills/pdf': 'unknown',
      'project/.github/skills/pdf': 'unknown',
      'home/.copilot/skills/pdf': 'other-copy',
    },
  },
  {
    agent: 'copilot',
    about: 'any depth and node_modules, but no hidden folders',
    files: {
      ...skillAt('project/.github/skills/1/2/3/4/5/6/7/deep'),
      ...skillAt('project/.github/skills/node_modules/module'),
      ...skillAt('project/.github/skills/.secret/hidden'),
    },
    expected: {
      'project/.github/skills/1/2/3/4/5/6/7/deep': 'seen',
      'project/.github/skills/node_modules/module': 'seen',
      'project/.github/skills/.secret/hidden': 'not-read',
    },
  },
  {
    agent: 'copilot',
    about: 'files of which it was not observed whether it reads them',
    files: {
      'project/.github/skills/lower/skill.md': skillText({ name: 'lower' }),
    },
    expected: { 'project/.github/skills/lower': 'unknown' },
  },
  ...['copilot', 'pi'].map((agent) => ({
    agent,
    about: 'a SKILL.md directly in the folder is its only skill',
    files: {
      'project/.agents/skills/SKILL.md': skillText({ name: 'direct' }),
      ...skillAt('project/.agents/skills/below'),
    },
    expected: { 'project/.agents/skills': 'seen', 'project/.agents/skills/below': 'not-read' } as const,
  })),
  file(
    'copilot',
    'project/.github/skills',
    'a description without a value',
    '---\nname: a\ndescription:\n---\n\nBody.\n',
    'broken',
  ),
  file('copilot', 'project/.github/skills', 'a name without a value', '---\nname:\ndescription: d\n---\n', 'broken'),
  file(
    'qwen',
    'project/.qwen/skills',
    'paths of everything',
    skillText({ name: 'a', more: ['paths: "**"'] }),
    'manual-only',
  ),
  file('kilo', 'project/.kilo/skills', 'an empty description', '---\nname: a\ndescription: ""\n---\n', 'seen'),
  described('copilot', 'project/.github/skills', 1_024, 'seen'),
  described('copilot', 'project/.github/skills', 1_025, 'broken'),
  manual('copilot', 'project/.github/skills', 'true', 'manual-only'),
  manual('copilot', 'project/.github/skills', 'yes', 'manual-only'),
  manual('copilot', 'project/.github/skills', '"true"', 'manual-only'),
  manual('copilot', 'project/.github/skills', 'on', 'unknown'),
  manual('copilot', 'project/.github/skills', 'false', 'seen'),
  named('copilot', 'project/.github/skills', 'a'.repeat(64), 'seen', 'a name of 64 characters'),
  named('copilot', 'project/.github/skills', 'a'.repeat(65), 'broken', 'a name of 65 characters'),
  named('copilot', 'project/.github/skills', '"a:b"', 'broken'),
  named('copilot', 'project/.github/skills', 'a/b', 'broken'),
  named('copilot', 'project/.github/skills', 'ä', 'broken'),
  named('copilot', 'project/.github/skills', '2026', 'broken'),
  file('copilot', 'project/.github/skills', 'no name', NO_NAME, 'seen'),
  file('copilot', 'project/.github/skills', 'no description', NO_DESCRIPTION, 'other-text'),
  file('copilot', 'project/.github/skills', 'a byte order mark', `\ufeff${skillText({ name: 'a' })}`, 'unknown'),
  file('copilot', 'project/.github/skills', 'paths', skillText({ name: 'a', more: ['paths: "*.ts"'] }), 'seen'),

  places(
    'qwen',
    ['project/.qwen/skills', 'project/.agents/skills', 'home/.qwen/skills', 'home/.agents/skills'],
    ['project/.claude/skills', 'home/.claude/skills', 'project/.codex/skills'],
  ),
  {
    agent: 'qwen',
    about: 'the working folder only',
    files: { ...GIT, ...skillAt('project/.agents/skills/root'), ...skillAt('project/app/.agents/skills/sub') },
    look: inSubfolder,
    expected: { 'project/.agents/skills/root': 'not-read', 'project/app/.agents/skills/sub': 'seen' },
  },
  {
    agent: 'qwen',
    about: 'the project before the home',
    files: copyIn('project/.qwen/skills', 'home/.qwen/skills', 'home/.agents/skills'),
    expected: {
      'project/.qwen/skills/pdf': 'seen',
      'home/.qwen/skills/pdf': 'other-copy',
      'home/.agents/skills/pdf': 'other-copy',
    },
  },
  {
    agent: 'qwen',
    about: 'two folders of the project',
    files: copyIn('project/.qwen/skills', 'project/.agents/skills'),
    expected: { 'project/.qwen/skills/pdf': 'unknown', 'project/.agents/skills/pdf': 'unknown' },
  },
  {
    agent: 'qwen',
    about: 'one level',
    files: { ...skillAt('project/.qwen/skills/one'), ...skillAt('project/.qwen/skills/group/two') },
    expected: { 'project/.qwen/skills/one': 'seen', 'project/.qwen/skills/group/two': 'not-read' },
  },
  described('qwen', 'project/.qwen/skills', 3_000, 'seen'),
  manual('qwen', 'project/.qwen/skills', 'true', 'manual-only'),
  manual('qwen', 'project/.qwen/skills', '"true"', 'manual-only'),
  manual('qwen', 'project/.qwen/skills', 'yes', 'seen'),
  file('qwen', 'project/.qwen/skills', 'paths', skillText({ name: 'a', more: ['paths: "*.ts"'] }), 'manual-only'),
  named('qwen', 'project/.qwen/skills', 'a b', 'broken'),
  named('qwen', 'project/.qwen/skills', '"a:b"', 'broken'),
  named('qwen', 'project/.qwen/skills', 'a/b', 'broken'),
  named('qwen', 'project/.qwen/skills', 'ä', 'seen'),
  named('qwen', 'project/.qwen/skills', '2026', 'seen'),
  file('qwen', 'project/.qwen/skills', 'no name', NO_NAME, 'broken'),
  file('qwen', 'project/.qwen/skills', 'no description', NO_DESCRIPTION, 'broken'),

  places(
    'pi',
    ['project/.pi/skills', 'project/.agents/skills', 'home/.pi/agent/skills', 'home/.agents/skills'],
    ['project/.claude/skills', 'home/.claude/skills', 'home/.pi/skills'],
  ),
  {
    agent: 'pi',
    about: '.agents up to the repository root, .pi in the working folder',
    files: { ...GIT, ...skillAt('project/.agents/skills/shared'), ...skillAt('project/.pi/skills/own') },
    look: inSubfolder,
    expected: { 'project/.agents/skills/shared': 'seen', 'project/.pi/skills/own': 'not-read' },
  },
  {
    agent: 'pi',
    about: '.agents above a project without git',
    files: skillAt('project/.agents/skills/above'),
    look: inSubfolder,
    expected: { 'project/.agents/skills/above': 'seen' },
  },
  {
    agent: 'pi',
    about: 'the nearest copy, the project before the home',
    files: {
      ...GIT,
      ...copyIn('project/app/.agents/skills', 'project/.agents/skills', 'home/.pi/agent/skills'),
    },
    look: inSubfolder,
    expected: {
      'project/app/.agents/skills/pdf': 'seen',
      'project/.agents/skills/pdf': 'other-copy',
      'home/.pi/agent/skills/pdf': 'other-copy',
    },
  },
  {
    agent: 'pi',
    about: 'any depth, but neither hidden folders nor node_modules',
    files: {
      ...skillAt('project/.pi/skills/1/2/3/4/5/6/7/deep'),
      ...skillAt('project/.pi/skills/node_modules/module'),
      ...skillAt('project/.pi/skills/.secret/hidden'),
      ...skillAt('project/.pi/skills/outer'),
      ...skillAt('project/.pi/skills/outer/inner'),
    },
    expected: {
      'project/.pi/skills/1/2/3/4/5/6/7/deep': 'seen',
      'project/.pi/skills/.secret/hidden': 'not-read',
      'project/.pi/skills/outer': 'seen',
    },
  },
  {
    agent: 'pi',
    about: 'a project that is not trusted',
    files: {
      ...skillAt('project/.pi/skills/own'),
      ...skillAt('home/.pi/agent/skills/personal'),
      'home/.pi/agent/trust.json': JSON.stringify({ '/repo': true, [PROJECT]: false }),
    },
    expected: { 'project/.pi/skills/own': 'disabled', 'home/.pi/agent/skills/personal': 'seen' },
  },
  {
    agent: 'pi',
    about: 'a project in a trusted folder',
    files: {
      ...skillAt('project/.pi/skills/own'),
      'home/.pi/agent/trust.json': JSON.stringify({ [PROJECT]: true, '/': false }),
    },
    expected: { 'project/.pi/skills/own': 'seen' },
  },
  described('pi', 'project/.pi/skills', 3_000, 'seen'),
  manual('pi', 'project/.pi/skills', 'true', 'manual-only'),
  manual('pi', 'project/.pi/skills', '"true"', 'seen'),
  manual('pi', 'project/.pi/skills', 'yes', 'seen'),
  named('pi', 'project/.pi/skills', '"a: b/c"', 'seen'),
  named('pi', 'project/.pi/skills', '2026', 'seen'),
  file('pi', 'project/.pi/skills', 'no name', NO_NAME, 'seen'),
  file('pi', 'project/.pi/skills', 'no description', NO_DESCRIPTION, 'broken'),

  places(
    'kilo',
    ['.agents', '.claude', '.kilo', '.kilocode']
      .flatMap((dir) => [`project/${dir}/skills`, `home/${dir}/skills`])
      .concat('home/.config/kilo/skills'),
    ['project/.codex/skills', 'home/.qwen/skills'],
  ),
  {
    agent: 'kilo',
    about: 'folders above the working folder were not observed',
    files: {
      ...GIT,
      ...skillAt('project/.kilo/skills/own'),
      ...skillAt('project/.agents/skills/shared'),
      ...skillAt('project/.codex/skills/other'),
      ...skillAt('project/app/.kilo/skills/near'),
    },
    look: inSubfolder,
    expected: {
      'project/.kilo/skills/own': 'unknown',
      'project/.agents/skills/shared': 'unknown',
      'project/.codex/skills/other': 'not-read',
      'project/app/.kilo/skills/near': 'seen',
    },
  },
  {
    agent: 'kilo',
    about: 'one of several copies',
    files: copyIn('project/.kilo/skills', 'home/.kilo/skills'),
    expected: { 'project/.kilo/skills/pdf': 'unknown', 'home/.kilo/skills/pdf': 'unknown' },
  },
  {
    agent: 'kilo',
    about: 'any depth, hidden folders and node_modules',
    files: {
      ...skillAt('project/.kilo/skills/1/2/3/4/5/6/7/deep'),
      ...skillAt('project/.kilo/skills/node_modules/module'),
      ...skillAt('project/.kilo/skills/.secret/hidden'),
    },
    expected: {
      'project/.kilo/skills/1/2/3/4/5/6/7/deep': 'seen',
      'project/.kilo/skills/node_modules/module': 'seen',
      'project/.kilo/skills/.secret/hidden': 'seen',
    },
  },
  described('kilo', 'project/.kilo/skills', 3_000, 'seen'),
  manual('kilo', 'project/.kilo/skills', 'true', 'seen'),
  file('kilo', 'project/.kilo/skills', 'paths', skillText({ name: 'a', more: ['paths: "*.ts"'] }), 'seen'),
  named('kilo', 'project/.kilo/skills', '"a: b/c"', 'seen'),
  named('kilo', 'project/.kilo/skills', '2026', 'broken'),
  file('kilo', 'project/.kilo/skills', 'no name', NO_NAME, 'broken'),
  file('kilo', 'project/.kilo/skills', 'no description', NO_DESCRIPTION, 'broken'),

  places(
    'kimi',
    ['project/.agents/skills', 'project/.kimi-code/skills', 'home/.agents/skills', 'home/.kimi-code/skills'],
    ['project/.claude/skills', 'home/.claude/skills', 'project/.codex/skills'],
  ),
  {
    agent: 'kimi',
    about: 'the repository root only',
    files: { ...GIT, ...skillAt('project/.agents/skills/root'), ...skillAt('project/app/.agents/skills/sub') },
    look: inSubfolder,
    expected: { 'project/.agents/skills/root': 'seen', 'project/app/.agents/skills/sub': 'not-read' },
  },
  {
    agent: 'kimi',
    about: 'the project before the home',
    files: copyIn('project/.kimi-code/skills', 'home/.kimi-code/skills'),
    expected: { 'project/.kimi-code/skills/pdf': 'seen', 'home/.kimi-code/skills/pdf': 'other-copy' },
  },
  {
    agent: 'kimi',
    about: 'any depth',
    files: skillAt('project/.kimi-code/skills/1/2/3/4/5/6/7/deep'),
    expected: { 'project/.kimi-code/skills/1/2/3/4/5/6/7/deep': 'seen' },
  },
  described('kimi', 'project/.kimi-code/skills', 250, 'seen'),
  described('kimi', 'project/.kimi-code/skills', 251, 'shortened'),
  manual('kimi', 'project/.kimi-code/skills', 'true', 'manual-only'),
  manual('kimi', 'project/.kimi-code/skills', '"true"', 'seen'),
  manual('kimi', 'project/.kimi-code/skills', 'yes', 'seen'),
  file('kimi', 'project/.kimi-code/skills', 'paths', skillText({ name: 'a', more: ['paths: "*.ts"'] }), 'seen'),
  named('kimi', 'project/.kimi-code/skills', '"a: b/c"', 'seen'),
  named('kimi', 'project/.kimi-code/skills', '2026', 'broken'),
  file('kimi', 'project/.kimi-code/skills', 'no name', NO_NAME, 'broken'),
  file('kimi', 'project/.kimi-code/skills', 'no description', NO_DESCRIPTION, 'broken'),

  places(
    'cline',
    [
      'project/.clinerules/skills',
      'project/.cline/skills',
      'project/.agents/skills',
      'home/.cline/skills',
      'home/.agents/skills',
    ],
    ['project/.claude/skills', 'home/.claude/skills', 'home/.clinerules/skills'],
  ),
  {
    agent: 'cline',
    about: 'the repository root only',
    files: { ...GIT, ...skillAt('project/.cline/skills/root'), ...skillAt('project/app/.cline/skills/sub') },
    look: inSubfolder,
    expected: { 'project/.cline/skills/root': 'name-only', 'project/app/.cline/skills/sub': 'not-read' },
  },
  {
    agent: 'cline',
    about: 'one of several copies',
    files: copyIn('project/.cline/skills', 'home/.cline/skills'),
    expected: { 'project/.cline/skills/pdf': 'unknown', 'home/.cline/skills/pdf': 'unknown' },
  },
  {
    agent: 'cline',
    about: 'one level',
    files: skillAt('project/.cline/skills/group/two'),
    expected: { 'project/.cline/skills/group/two': 'not-read' },
  },
  described('cline', 'project/.cline/skills', 10, 'name-only'),
  described('cline', 'project/.cline/skills', 3_000, 'name-only'),
  manual('cline', 'project/.cline/skills', 'true', 'name-only'),
  file('cline', 'project/.cline/skills', 'paths', skillText({ name: 'a', more: ['paths: "*.ts"'] }), 'name-only'),
  named('cline', 'project/.cline/skills', '"a: b/c"', 'name-only'),
  named('cline', 'project/.cline/skills', '2026', 'broken'),
  file('cline', 'project/.cline/skills', 'no name', NO_NAME, 'name-only'),
  file('cline', 'project/.cline/skills', 'no description', NO_DESCRIPTION, 'name-only'),

  places(
    'continue',
    ['project/.continue/skills', 'project/.claude/skills', 'home/.continue/skills'],
    ['project/.agents/skills', 'home/.agents/skills', 'home/.claude/skills'],
  ),
  {
    agent: 'continue',
    about: 'the working folder only',
    files: { ...GIT, ...skillAt('project/.claude/skills/root'), ...skillAt('project/app/.claude/skills/sub') },
    look: inSubfolder,
    expected: { 'project/.claude/skills/root': 'not-read', 'project/app/.claude/skills/sub': 'seen' },
  },
  {
    agent: 'continue',
    about: 'all copies',
    files: copyIn('project/.continue/skills', 'project/.claude/skills', 'home/.continue/skills'),
    expected: {
      'project/.continue/skills/pdf': 'seen',
      'project/.claude/skills/pdf': 'seen',
      'home/.continue/skills/pdf': 'seen',
    },
  },
  {
    agent: 'continue',
    about: 'one level, and no folder that is a link',
    files: {
      ...skillAt('project/.continue/skills/group/two'),
      ...skillAt('project/shared/linked'),
      'project/.continue/skills/linked': { link: `${PROJECT}/shared/linked` },
    },
    expected: { 'project/.continue/skills/group/two': 'not-read', 'project/.continue/skills/linked': 'not-read' },
  },
  described('continue', 'project/.continue/skills', 3_000, 'seen'),
  manual('continue', 'project/.continue/skills', 'true', 'seen'),
  file('continue', 'project/.continue/skills', 'paths', skillText({ name: 'a', more: ['paths: "*.ts"'] }), 'seen'),
  named('continue', 'project/.continue/skills', '"a: b/c"', 'seen'),
  named('continue', 'project/.continue/skills', '2026', 'broken'),
  file('continue', 'project/.continue/skills', 'no name', NO_NAME, 'broken'),
  file('continue', 'project/.continue/skills', 'no description', NO_DESCRIPTION, 'broken'),
];

test.each(SCENARIOS)('$agent: $about', async ({ agent, files, look, expected }) => {
  expect(statuses(await see(files, agent, look))).toEqual(expected);
});

test('every agent has at least ten scenarios', () => {
  for (const agent of ['copilot', 'qwen', 'pi', 'kilo', 'kimi', 'cline', 'continue'])
    expect(SCENARIOS.filter((each) => each.agent === agent).length).toBeGreaterThanOrEqual(10);
});

describe('Copilot CLI', () => {
  test('blanks in a name become hyphens, and the first paragraph stands for a missing description', async () => {
    const seen = await see(
      {
        'project/.github/skills/a/SKILL.md': '---\nname: my pdf\ndescription: d\n---\n',
        'project/.github/skills/b/SKILL.md': NO_DESCRIPTION.replace('name: a', 'name: b'),
      },
      'copilot',
    );
    expect(listed(seen)).toEqual(['b', 'my-pdf']);
    expect(verdictOn(seen, 'project/.github/skills/b').text).toBe('First line\nof the paragraph.');
  });

  /** The entries of `<skill>`, `<name>`, `<description>` and `<location>` around a name of one character. */
  const FRAME = '<skill>\n  <name>a</name>\n  <description></description>\n  <location>project</location>\n</skill>\n'
    .length;
  const withLast = (length: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [
        `project/.github/skills/${String.fromCodePoint(97 + index)}/SKILL.md`,
        skillText({
          name: String.fromCodePoint(97 + index),
          description: 'd'.repeat(index < 14 ? 1_000 - FRAME : length),
        }),
      ]),
    );

  test.each([
    [15_000, 'seen'],
    [15_001, 'name-only'],
  ])('with entries of %i characters, the last one is %s', async (total, status) => {
    const seen = await see(withLast(total - 14_000 - FRAME), 'copilot');
    expect(seen.budget).toMatchObject({ limit: 15_000, window: null });
    // The built-in skills come last, so they have no effect on the others.
    expect(seen.entries.slice(0, 15).map((entry) => entry.status)).toEqual([
      ...Array.from({ length: 14 }, () => 'seen'),
      status,
    ]);
    expect(verdictOn(seen, 'project/.github/skills/o').fix).toBe(status === 'seen' ? undefined : 'lectern fit copilot');
  });

  test('after the first entry that does not fit, all others are names', () => {
    const line = (name: string, length: number): Line => ({
      name,
      description: 'd'.repeat(length),
      fixed: false,
      weight: 0,
      path: 'project',
    });
    const lines = [line('a', 10), line('b', 500), line('c', 10)];
    expect(firstWhole(lines, 400)).toMatchObject({ texts: ['d'.repeat(10), '', ''], used: FRAME + 10 });
  });

  const named = (...lengths: number[]): Line[] =>
    lengths.map((length) => ({ name: 'n'.repeat(length), description: 'd', fixed: false, weight: 0, path: 'project' }));

  test.each([
    [named(40, 40), 82, 2],
    [named(40, 40), 81, 1],
    [named(40, 41, 2), 82, 1],
    [named(40), 39, 0],
  ])(
    'names fit with the commas between them, and from the first one that does not fit all are dropped',
    (lines, limit, kept) => {
      expect(firstWhole(lines, 0, limit).texts).toEqual(lines.map((_, index) => (index < kept ? '' : undefined)));
    },
  );

  test('118 names of 40 characters fit with their heading, and one character more drops a skill', async () => {
    const many = (last: number): ProjectFiles =>
      Object.fromEntries(
        Array.from({ length: 132 }, (_, index) => {
          const name = `s${String(index).padStart(4, '0')}`.padEnd(index === 131 ? last : 40, 'x');
          return [`project/.github/skills/${name}/SKILL.md`, skillText({ name, description: 'd'.repeat(900) })];
        }),
      );
    const dropped = async (last: number): Promise<number> =>
      [...(await see(many(last), 'copilot')).verdicts.values()].filter(({ status }) => status === 'dropped').length;
    expect(await dropped(40)).toBe(0);
    expect(await dropped(41)).toBe(1);
  });

  test('characters that markup escapes count as escaped', () => {
    const plain = { name: 'a', description: 'x', fixed: false, weight: 0, path: 'project' };
    expect(firstWhole([{ ...plain, description: '&<>"\'' }], 1_000).used).toBe(
      firstWhole([{ ...plain, description: '&amp;&lt;&gt;&quot;&apos;'.replaceAll('&', 'x') }], 1_000).used,
    );
  });
});

test('Pi uses the name of the folder for a name that is a number, and Qwen Code the number', async () => {
  const text = '---\nname: 2026\ndescription: d\n---\n';
  expect(listed(await see({ 'project/.pi/skills/year/SKILL.md': text }, 'pi'))).toEqual(['year']);
  expect(listed(await see({ 'project/.qwen/skills/year/SKILL.md': text }, 'qwen'))).toEqual(['2026']);
});

test('Qwen Code appends when_to_use, and lists its built-in skills among the others by name', async () => {
  const text = skillText({ name: 'm', description: 'd', more: ['when_to_use: Now'] });
  const { entries } = await see({ 'project/.qwen/skills/m/SKILL.md': text }, 'qwen');
  const names = entries.map(({ name }) => name);
  expect(names.slice(names.indexOf('m') - 1, names.indexOf('m') + 2)).toEqual(['loop', 'm', 'new-app']);
  expect(entries.find(({ name }) => name === 'm')?.text).toBe('d — Now');
});

test('Kimi Code and Copilot CLI trim a description', async () => {
  const files = { 'project/.agents/skills/a/SKILL.md': '---\nname: a\ndescription: |\n  d\n---\n' };
  for (const agent of ['kimi', 'copilot']) expect((await see(files, agent)).entries[0]?.text).toBe('d');
});

test('Kimi Code cuts to 247 characters and three dots, and splits no grapheme', async () => {
  const listedText = async (description: string): Promise<string | undefined> =>
    (await see({ 'project/.agents/skills/a/SKILL.md': skillText({ name: 'a', description }) }, 'kimi')).entries[0]
      ?.text;
  expect(await listedText('d'.repeat(251))).toBe(`${'d'.repeat(247)}...`);
  expect(await listedText(`${'d'.repeat(246)}👩‍💻${'d'.repeat(10)}`)).toBe(`${'d'.repeat(246)}...`);
});

test('Cline lists names, and the fix for that is the server', async () => {
  const seen = await see(skillAt('project/.cline/skills/pdf'), 'cline');
  expect(seen.entries).toMatchObject([{ name: 'pdf', text: '', status: 'name-only' }]);
  expect(verdictOn(seen, 'project/.cline/skills/pdf')).toMatchObject({
    reason: 'Cline lists only the names of skills',
    fix: 'lectern setup cline',
  });
});

test.each([
  ['copilot', 200, 250],
  ['qwen', 200, 250],
  ['pi', 200, 250],
  ['kimi', 200, 250],
  ['cline', 200, 250],
  ['continue', 200, 250],
  ['kilo', 400, 250],
])('%s lists all of %i skills', async (agent, number, length) => {
  const files = Object.fromEntries(
    Array.from({ length: number }, (_, index) => [
      `project/${agent === 'continue' ? '.claude' : '.agents'}/skills/s${index}/SKILL.md`,
      skillText({ name: `s${index}`, description: 'd'.repeat(length) }),
    ]),
  );
  const { entries } = await see(files, agent);
  expect(entries.filter(({ verdict }) => verdict !== undefined)).toHaveLength(number);
});

test('a copy that loses against copies of unknown order has a fix that names them', async () => {
  const seen = await see(copyIn('project/.qwen/skills', 'project/.agents/skills', 'home/.qwen/skills'), 'qwen');
  expect(verdictOn(seen, 'home/.qwen/skills/pdf')).toMatchObject({
    status: 'other-copy',
    winner: null,
    fix: `lectern disable ${PROJECT}/.qwen/skills/pdf ${PROJECT}/.agents/skills/pdf`,
  });
});

describe('the list of Qwen Code', () => {
  const skillOf = (length: number, more = ''): Record<string, string> => ({
    'project/.qwen/skills/a/SKILL.md': `---\nname: a\ndescription: "First. \\n${'x'.repeat(length)}"\n${more}---\n`,
  });

  // One character less than in the scene of the real agent: the first line ends with a blank.
  test.each([
    [2_032, 'seen'],
    [2_033, 'shortened'],
  ])('with a second line of %i characters, the skill is %s', async (length, status) => {
    const seen = await see(skillOf(length - 1), 'qwen');
    expect(seen.budget.wanted).toBe(status === 'seen' ? 8_000 : 8_001);
    expect(seen.entries.find(({ name }) => name === 'a')).toMatchObject({ status });
  });

  test('a longer list has only the first line, without when_to_use, and the fix names the file', async () => {
    const seen = await see(skillOf(3_000, 'when_to_use: Often.\n'), 'qwen');
    expect(seen.entries.find(({ name }) => name === 'a')?.text).toBe('First.');
    expect(verdictOn(seen, 'project/.qwen/skills/a')).toMatchObject({
      status: 'shortened',
      reason: 'the list has more than 8,000 characters, so it has only the first line of the description',
      fix: `Put everything on the first line of the description in ${PROJECT}/.qwen/skills/a/SKILL.md`,
    });
  });

  test('a description of one line stays whole in a longer list', async () => {
    const files = { 'project/.qwen/skills/a/SKILL.md': skillText({ name: 'a', description: 'd'.repeat(9_000) }) };
    expect(verdictOn(await see(files, 'qwen'), 'project/.qwen/skills/a').status).toBe('seen');
  });
});
