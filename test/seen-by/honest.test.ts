/** Definite statements need an observation, and every problem needs a fix. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/agents/profiles/index.ts';
import { seenBy } from '../../src/agents/seen-by.ts';
import { HOME, PROJECT } from '../support/project.ts';
import { see, survey, verdictOn } from '../support/see.ts';
import { skillText } from '../support/skill-text.ts';
import { times } from '../support/effort.ts';

const UNOBSERVED = PROFILES.filter(({ facts }) => facts.places.source !== 'observed');

test('no profile without an observation reports not-read for a skill in a shared folder', async () => {
  expect(UNOBSERVED.length).toBeGreaterThan(10);
  const where = fc.record({
    profile: fc.constantFrom(...UNOBSERVED),
    base: fc.constantFrom('home', 'project', 'project/app', 'project/app/web', '/repo', 'project/packages/core'),
    shared: fc.constantFrom('.agents/skills', '.claude/skills'),
    below: fc.constantFrom('pdf', 'group/pdf', '.hidden/pdf', 'node_modules/pdf', 'pdf/inner'),
    file: fc.constantFrom('SKILL.md', 'skill.md'),
    hasGit: fc.boolean(),
    projectDir: fc.constantFrom(PROJECT, `${PROJECT}/app`),
  });
  await fc.assert(
    fc.asyncProperty(where, async ({ profile, base, shared, below, file, hasGit, projectDir }) => {
      const files = {
        [`${base}/${shared}/${below}/${file}`]: skillText({ name: 'pdf' }),
        ...(hasGit ? { 'project/.git/HEAD': '' } : {}),
      };
      const seen = await see(files, profile.id, { projectDir });
      for (const { status } of seen.verdicts.values()) expect(status).not.toBe('not-read');
    }),
    { numRuns: times(300) },
  );
});

describe('an agent whose folders are only documented', () => {
  test('the reason names the source', async () => {
    const files = { 'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) };
    expect(verdictOn(await see(files, 'kiro'), 'home/.claude/skills/pdf')).toMatchObject({
      status: 'unknown',
      reason: `the folders of Kiro are known only from the source code of the skills package 1.7.4: whether it reads ${HOME}/.claude/skills was not observed`,
    });
  });

  test('its folders above the working folder are unknown, and those of other agents are not read', async () => {
    const files = {
      'project/.git/HEAD': '',
      'project/.cursor/skills/own/SKILL.md': skillText({ name: 'own' }),
      'project/.windsurf/skills/other/SKILL.md': skillText({ name: 'other' }),
    };
    const seen = await see(files, 'cursor', { projectDir: `${PROJECT}/app` });
    expect(verdictOn(seen, 'project/.cursor/skills/own').status).toBe('unknown');
    expect(verdictOn(seen, 'project/.windsurf/skills/other').status).toBe('not-read');
  });
});

test('every status but seen, manual-only and unknown has a fix', async () => {
  const folders = [
    '.agents',
    '.claude',
    '.codex',
    '.gemini',
    '.opencode',
    '.github',
    '.qwen',
    '.pi',
    '.kilo',
    '.cline',
  ];
  const texts = {
    fine: skillText({ name: 'fine' }),
    long: skillText({ name: 'long', description: 'd'.repeat(2_000) }),
    odd: '---\nname: "a:b"\ndescription: d\n---\n',
    number: '---\nname: 2026\ndescription: d\n---\n',
    nothing: '',
    unclosed: '---\nname: unclosed\n',
    nameless: '---\ndescription: d\n---\n',
    undescribed: '---\nname: undescribed\n---\nText\n',
    quotes: '---\nname: quotes\ndescription: "a" b\n---\nText\n',
    manual: skillText({ name: 'manual', more: ['disable-model-invocation: true'] }),
  };
  const files = Object.fromEntries(
    folders.flatMap((dir) => [
      ...Object.entries(texts).map(([name, text]) => [`project/${dir}/skills/${name}/SKILL.md`, text]),
      [`project/${dir}/skills/lower/skill.md`, skillText({ name: 'lower' })],
      [`project/${dir}/skills/.hidden/inner/SKILL.md`, skillText({ name: 'inner' })],
      [`project/${dir}/skills/off/.SKILL.md`, skillText({ name: 'off' })],
      [`project/${dir}/skills/SKILL.md`, skillText({ name: 'direct' })],
      [`home/${dir}/skills/fine/SKILL.md`, skillText({ name: 'fine' })],
    ]),
  );
  for (const profile of PROFILES) {
    const found = await survey(files, profile.id);
    const settings = found.agents.get(profile.id)?.settings;
    if (!settings) throw new Error('every profile is surveyed');
    for (const { status, fix, reason, copy } of seenBy(profile, found, settings).verdicts.values()) {
      const needsFix = !['seen', 'manual-only', 'unknown'].includes(status);
      expect([profile.id, copy.path, reason, needsFix && !fix]).toEqual([profile.id, copy.path, reason, false]);
    }
  }
});

test('a deliberate disable-model-invocation has no fix', async () => {
  const files = {
    'project/.claude/skills/a/SKILL.md': skillText({ name: 'a', more: ['disable-model-invocation: true'] }),
  };
  const { status, fix } = verdictOn(await see(files, 'claude'), 'project/.claude/skills/a');
  expect([status, fix]).toEqual(['manual-only', undefined]);
});
