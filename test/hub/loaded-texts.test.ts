import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { LoadedTexts } from '../../src/hub/loaded-texts.ts';
import type { Skill } from '../../src/skills/skill.ts';
import type { WholeContent } from '../../src/workspace/skill-content.ts';

test('of more texts than are kept, the one that was not used for longest goes', () => {
  const texts = new LoadedTexts();
  const third = LIMITS.sharedTextBytes.value / 3;
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({
    skill: { name } as Skill,
    content: { bytes: { length: third } } as unknown as WholeContent,
  }));
  if (!a || !b || !c || !d) throw new Error('none');
  for (const { skill, content } of [a, b, c]) texts.add(skill, content);
  expect(texts.find(a.skill)).toBe(a.content);
  texts.add(d.skill, d.content);
  expect([a, b, c, d].map(({ skill }) => texts.find(skill) !== undefined)).toEqual([true, false, true, true]);
});
