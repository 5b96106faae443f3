/** Skills in extensions of Gemini CLI. */
import { expect, test } from 'vitest';
import { listed, see, statuses } from '../support/see.ts';
import { skillText } from '../support/skill-text.ts';

const EXTENSION = 'home/.gemini/extensions/shop/skills';

test('a skill of an extension is listed, one level deep', async () => {
  const files = {
    [`${EXTENSION}/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
    [`${EXTENSION}/deep/inner/SKILL.md`]: skillText({ name: 'inner' }),
  };
  expect(listed(await see(files, 'gemini'))).toEqual(['pdf']);
});

test('an extension loses to the personal folder', async () => {
  const files = {
    [`${EXTENSION}/pdf/SKILL.md`]: skillText({ name: 'pdf', description: 'Extension' }),
    'home/.gemini/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Personal' }),
  };
  expect(statuses(await see(files, 'gemini'))).toEqual({
    [`${EXTENSION}/pdf`]: 'other-copy',
    'home/.gemini/skills/pdf': 'seen',
  });
});

test('an extension replaces a built-in skill with the same name', async () => {
  const files = { [`${EXTENSION}/skill-creator/SKILL.md`]: skillText({ name: 'skill-creator' }) };
  const { entries } = await see(files, 'gemini');
  expect(entries.filter(({ name }) => name === 'skill-creator').map(({ verdict }) => verdict?.status)).toEqual([
    'seen',
  ]);
});
