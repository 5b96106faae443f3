import { expect, test } from 'vitest';
import { doctor } from '../../src/operations/doctor.ts';
import { installSkills } from '../../src/operations/install-skills.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { showSkill } from '../../src/operations/show-skill.ts';
import { ask } from '../support/ask.ts';
import { project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

test('list, show and doctor mark installed and modified skills, in memory too', async () => {
  using place = project({
    'project/source/a/SKILL.md': skillText({ name: 'a' }),
    'project/.claude/skills/own/SKILL.md': skillText({ name: 'own' }),
  });
  const workspace = await place.open();
  expect((await ask(doctor, {}, workspace)).installed).toEqual({ skills: 0, modified: 0 });
  await ask(installSkills, { source: './source', to: ['claude'], yes: true }, workspace);
  const listed = await ask(listSkills, {}, workspace);
  expect(listed.skills.map(({ name, installed }) => [name, installed?.modified])).toEqual([
    ['a', false],
    ['own', undefined],
  ]);
  place.write({ 'project/.claude/skills/a/SKILL.md': skillText({ name: 'a', description: 'Mine' }) });
  await workspace.reload();
  expect((await ask(showSkill, { name: 'a' }, workspace)).installed).toEqual({
    lock: 'lectern.lock.json',
    source: 'source',
    ref: null,
    commit: null,
    modified: true,
  });
  expect((await ask(doctor, {}, workspace)).installed).toEqual({ skills: 1, modified: 1 });
  place.write({ 'project/lectern.lock.json': '{' });
  expect((await ask(doctor, {}, workspace)).installed).toMatchObject({ invalid: expect.stringContaining('not JSON') });
});
