import { expect, test } from 'vitest';
import { renderLoadedSkill } from '../../src/render/agents/replies.ts';
import { renderSkillDescription } from '../../src/render/agents/skill-description.ts';
import { LOCATIONS } from '../../src/skills/skill.ts';

test('the list and the header print the same word for every place: global for the user, all others as themselves', () => {
  const words = LOCATIONS.map((location) => {
    const skill = { name: 'pdf', description: 'Reads PDF files.', location, provider: 'claude' };
    const list = renderSkillDescription([skill], { budget: 0, searchTool: undefined, fileTool: undefined });
    const header = renderLoadedSkill(
      { ...skill, fullName: 'claude:pdf', baseDirectory: '/a', path: '/a/SKILL.md', content: '' },
      undefined,
    );
    return [/<location>(.*)<\/location>/u.exec(list)?.[1], /^location: (.*)$/mu.exec(header)?.[1]];
  });
  expect(words).toEqual(['custom', 'project', 'global', 'plugin', 'collection'].map((word) => [word, word]));
});
