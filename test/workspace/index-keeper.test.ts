import { expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { indexStatus } from '../../src/operations/index-status.ts';
import { IndexKeeper } from '../../src/workspace/index-keeper.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { HOME, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { withRoom } from '../support/watched-writes.ts';
import { ask } from '../support/ask.ts';

async function keep(autoIndex: boolean, room = Number.POSITIVE_INFINITY) {
  const files = memoryDisk({ [`${PROJECT}/skills/a/SKILL.md`]: skillText({ name: 'a' }) });
  const disk = withRoom(files, room);
  const workspace = await Workspace.open({ projectDir: PROJECT, userDir: HOME, search: { embeddings: 'none' } }, disk);
  const said: string[] = [];
  const heard: (() => void)[] = [];
  const keeper = new IndexKeeper(workspace, {
    autoIndex,
    quietMs: 1,
    bug: (error) => said.push(String(error)),
    notice: (text) => {
      said.push(text);
      heard.shift()?.();
    },
  });
  const next = (): Promise<void> => new Promise((resolve) => void heard.push(resolve));
  return { files, workspace, keeper, said, next };
}

test('an index is built at the start where that was asked for, and follows the files', async () => {
  const { files, workspace, keeper, said, next } = await keep(true);
  const first = next();
  keeper.start();
  await first;
  const second = next();
  files.create(`${PROJECT}/skills/b/SKILL.md`, skillText({ name: 'b' }));
  await workspace.reload();
  await second;
  expect(said).toEqual(['search index: 1 added, 0 changed, 0 removed', 'search index: 1 added, 0 changed, 0 removed']);
  expect(await ask(indexStatus, {}, workspace)).toMatchObject({ state: 'ready', documents: 2 });
  await keeper.stop();
});

test('nobody who has not built an index gets one', async () => {
  const { workspace, keeper, said } = await keep(false);
  keeper.start();
  await workspace.reload();
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
  await keeper.stop();
  expect(said).toEqual([]);
  expect(workspace.hasIndex()).toBe(false);
});

test('trouble is a notice, said once', async () => {
  const { workspace, keeper, said, next } = await keep(true, 0);
  const first = next();
  keeper.start();
  await first;
  await workspace.reload();
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
  await keeper.stop();
  expect(said).toEqual(['search index not updated: Cannot write the search index: the disk is full.']);
});
