import { expect, test } from 'vitest';
import { agentList } from '../../src/operations/agent-list.ts';
import { agentSearch } from '../../src/operations/agent-search.ts';
import { nativeFiles } from '../../src/operations/agent-shapes.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { perform } from '../../src/operations/perform.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { HOME, project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const SAME = skillText({ name: 'same' });
const FILES = {
  'project/.git/HEAD': '',
  'project/.claude/skills/own/SKILL.md': skillText({ name: 'own', description: 'Read by Claude Code' }),
  'project/.claude/skills/hidden/SKILL.md': skillText({ name: 'hidden', description: 'Switched off there' }),
  'project/.claude/settings.json': JSON.stringify({ skillOverrides: { hidden: 'off' } }),
  'project/.claude/skills/same/SKILL.md': SAME,
  'project/.agents/skills/same/SKILL.md': SAME,
  'project/.agents/skills/other/SKILL.md': skillText({ name: 'other', description: 'Not read by Claude Code' }),
};

function open(agent: string): Promise<Workspace> {
  return project(FILES).open({
    readNatively: (files, settings, discovery) =>
      nativeFiles(files, { options: { projectDir: PROJECT, userDir: HOME }, settings, discovery }, agent),
  });
}

test.each([
  ['claude', ['hidden', 'other']],
  ['codex', ['hidden', 'own']],
])('a server for %s lists only skills that agent does not read itself', async (agent, names) => {
  const workspace = await open(agent);
  expect(workspace.snapshot.forAgents.map(({ name }) => name).toSorted()).toEqual(names);
  const { skills } = await perform(agentList, {}, () => Promise.resolve(workspace), {
    face: 'mcp',
    wording: { code: 'USAGE', whole: 'the input', unknown: 'key' },
  }).then(({ output }) => output);
  expect(skills.map(({ name }) => name).toSorted()).toEqual(names);
});

test('skills left out of lists are not searched, but still load by name', async () => {
  const workspace = await open('claude');
  const found = await ask(agentSearch, { query: 'Claude Code', mode: 'keyword' }, workspace);
  expect(found.results.map(({ name }) => name)).toEqual(['other']);
  expect((await ask(loadSkill, { name: 'own' }, workspace)).content).toContain('Do the work');
});
