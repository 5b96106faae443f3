import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

test('a snapshot that was replaced is let go', async () => {
  const workspace = await project({
    [`${PROJECT}/skills/one/SKILL.md`]: skillText({ name: 'one' }),
    [`${PROJECT}/openspec/specs/auth/spec.md`]: '# auth\n\n## Purpose\nSigning in.\n\n## Requirements\n',
  }).open();
  const replaced: WeakRef<object>[] = [];
  for (let round = 0; round < 5; round++) {
    replaced.push(new WeakRef(workspace.snapshot));
    if (round === 2) await workspace.snapshot.specs();
    await workspace.reload();
  }
  await expect
    .poll(() => {
      if (typeof collectGarbage === 'function') collectGarbage();
      return replaced.filter((reference) => reference.deref() !== undefined).length;
    })
    .toBeLessThanOrEqual(1);
});
