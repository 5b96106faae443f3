import { describe, expect, test } from 'vitest';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import { project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const DIR = `${PROJECT}/.claude/skills/pdf`;
const FILES = {
  [`${DIR}/SKILL.md`]: skillText({ name: 'pdf', body: 'Fill forms.' }),
  [`${DIR}/scripts/fill.py`]: 'print("filled")',
  [`${DIR}/secret`]: { link: '/etc/passwd' },
  '/etc/passwd': 'root',
};

async function open(options: Partial<OpenOptions> = {}) {
  const workspace = await project(FILES).open(options);
  const [skill] = workspace.snapshot.all.skills;
  if (!skill) throw new Error('no skill');
  return { workspace, content: workspace.contentOf(skill) };
}

describe('the content of a skill', () => {
  test.each([true, false])('is its text, its body and its size (one-shot: %s)', async (oneShot) => {
    const { content } = await open({ oneShot });
    const text = FILES[`${DIR}/SKILL.md`];
    const whole = await content.whole();
    expect(whole.text).toBe(text);
    expect(whole.skill).toMatchObject({ name: 'pdf', bodyLine: 5 });
    expect(Buffer.from(await content.bytes()).toString()).toBe(text);
    expect(whole.body.trim()).toBe('Fill forms.');
    expect(await content.size()).toBe(Buffer.byteLength(String(text)));
  });

  test('is its files, whole or in part, and their digests', async () => {
    const { content } = await open();
    const { files, diagnostics } = await content.files();
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'scripts/fill.py']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['symlink-outside']);
    expect(Buffer.from(await content.read('scripts/fill.py')).toString()).toBe('print("filled")');
    expect(Buffer.from(await content.read('scripts/fill.py', 6, 8)).toString()).toBe('"filled"');
    expect(await content.sha256('scripts/fill.py')).toMatch(/^[\da-f]{64}$/u);
  });

  test.each(['secret', '../pdf/SKILL.md', 'scripts', 'scripts/./fill.py', `${DIR}/SKILL.md`])(
    'is never a path that is not listed: %s',
    async (path) => {
      const { content } = await open();
      await expect(content.read(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await content.sha256(path)).toBeUndefined();
    },
  );

  test('that is missing is a failure with a next step', async () => {
    const { workspace, content } = await open();
    workspace.diskFor('project').remove(`${DIR}/SKILL.md`);
    await expect(content.whole()).rejects.toMatchObject({ code: 'SKILL_CHANGING', hint: 'Try again in a moment.' });
  });
});
