/** Repositories and servers made to exhaust memory, disk or time. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { fetchGit } from '../../src/install/git.ts';
import { ReadBudget } from '../../src/install/read-budget.ts';
import { BoundedOutput } from '../../src/install/run-git.ts';
import { collectSkill, readFolder } from '../../src/install/tree.ts';
import { installSkills } from '../../src/operations/install-skills.ts';
import { outdatedSkills } from '../../src/operations/outdated-skills.ts';
import { updateSkills } from '../../src/operations/update-skills.ts';
import { ask } from '../support/ask.ts';
import { failureOf } from '../support/failure-of.ts';
import { type GitRepository, gitServer } from '../support/git-server.ts';
import { project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TO = { to: ['claude'], yes: true };
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A tree that lists the one below it `width` times, `levels` times over. */
function nested({ tree }: GitRepository, lowest: string, width: number, levels: number): string {
  let id = lowest;
  for (let level = 0; level < levels; level++)
    id = tree(Array.from({ length: width }, (_, index) => `040000 tree ${id}\t${index}`));
  return id;
}

function skillIn(repository: GitRepository, other: string): string {
  const file = repository.git('rev-parse', 'HEAD:a/SKILL.md');
  const skill = repository.tree([`100644 blob ${file}\tSKILL.md`]);
  return repository.tree([`040000 tree ${skill}\ta`, `040000 tree ${other}\tbomb`]);
}

describe('a repository of a few kilobytes with more files than memory can hold', () => {
  const bombs: Record<string, (repository: GitRepository) => string> = {
    'a billion files': (repository) => {
      const file = repository.git('rev-parse', 'HEAD:a/SKILL.md');
      const leaf = repository.tree(Array.from({ length: 10 }, (_, index) => `100644 blob ${file}\t${index}.md`));
      return nested(repository, leaf, 100, 4);
    },
    'a billion empty folders': (repository) => nested(repository, repository.tree([]), 1_000, 3),
    'a path of two hundred folders': (repository) => {
      const file = repository.git('rev-parse', 'HEAD:a/SKILL.md');
      let id = repository.tree([`100644 blob ${file}\tx`]);
      for (let level = 0; level < 200; level++) id = repository.tree([`040000 tree ${id}\tx`]);
      return id;
    },
    'a file name of a million characters': (repository) =>
      repository.tree([`100644 blob ${repository.git('rev-parse', 'HEAD:a/SKILL.md')}\t${'x'.repeat(1e6)}`]),
  };

  test.each(Object.entries(bombs))('%s: refused, with the limit in the message', async (_, build) => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': skillText({ name: 'a' }) });
    using place = project({}, 'disk');
    const workspace = await place.open();
    await ask(installSkills, { source: repository.url, ...TO }, workspace);
    repository.commitTree(skillIn(repository, build(repository)));
    for (const request of [
      () => ask(installSkills, { source: repository.url, ...TO }, workspace),
      () => ask(outdatedSkills, {}, workspace),
      () => ask(updateSkills, { yes: true }, workspace),
    ]) {
      const failure = await failureOf(request());
      expect(failure.code).toBe('TOO_LARGE');
      expect(failure.message).toMatch(/more than [\d,]+ (?:files and folders|levels|characters)/u);
    }
  });

  test('the same name twice in one folder is refused', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': skillText({ name: 'a' }) });
    const file = repository.git('rev-parse', 'HEAD:a/SKILL.md');
    repository.commitTree(
      skillIn(repository, repository.tree([`100644 blob ${file}\tx`, `040000 tree ${EMPTY_TREE}\tx`])),
    );
    using place = project({}, 'disk');
    const failure = await failureOf(ask(installSkills, { source: repository.url, ...TO }, await place.open()));
    expect([failure.code, failure.message]).toEqual(['UNSAFE', expect.stringContaining('bomb/x')]);
  });
});

describe('one large file in many places', () => {
  test('counts for every skill that has it, and the skills beyond the limit fail', async () => {
    const files = Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [`/source/${name}/SKILL.md`, skillText({ name, body: 'x'.repeat(1_000) })]),
    );
    const tree = readFolder(memoryDisk(files), '/source');
    const budget = new ReadBudget(3_000);
    await collectSkill(tree, 'a', budget);
    await collectSkill(tree, 'b', budget);
    expect(await failureOf(collectSkill(tree, 'c', budget))).toMatchObject({
      code: 'TOO_LARGE',
      facts: { maxBytes: 3_000 },
    });
  });

  test('a file of the repository that git would print at any length is cut off', () => {
    const output = new BoundedOutput(10);
    output.add(Buffer.alloc(10));
    expect(() => output.add(Buffer.alloc(1))).toThrow('Git printed more than 10 bytes, so it was stopped.');
  });
});

describe('a server that never stops sending', () => {
  test('is cut off at the limit, and nothing of it stays on the disk', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': skillText({ name: 'a' }) });
    server.behavior = 'endless';
    using place = project({ 'tmp/x': '' }, 'disk');
    using _ = temporaryFilesIn(place.at('tmp'));
    const failure = await failureOf(ask(installSkills, { source: repository.url, ...TO }, await place.open()));
    expect(failure).toMatchObject({
      code: 'TOO_LARGE',
      facts: { maxBytes: LIMITS.fetchedBytes.value },
      hint: 'Clone it with git, and install from that folder.',
    });
    expect(fs.readdirSync(place.at('tmp'))).toEqual(['x']);
  });

  test.each(['ssh', 'file'])('a repository over %s is held to the same limit', async (transport) => {
    await using server = await gitServer({ filters: false });
    const repository = server.repository('shop', { 'a/SKILL.md': skillText({ name: 'a' }), large: randomBytes(3e6) });
    using folder = tempFolder({ ssh: '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n' });
    fs.chmodSync(folder.at('ssh'), 0o755);
    using place = project({}, 'disk');
    const url = transport === 'ssh' ? `git@example.com:${repository.bare}` : `file://${repository.bare}`;
    const request = fetchGit(
      { type: 'git', url, ref: null, path: '' },
      {
        disk: place.disk,
        environment: { ...process.env, GIT_SSH_COMMAND: folder.at('ssh'), GIT_SSH_VARIANT: 'ssh' },
        timeoutMs: 30_000,
        maxBytes: 1e6,
      },
    );
    expect(await failureOf(request)).toMatchObject({ code: 'TOO_LARGE', facts: { maxBytes: 1e6 } });
  });
});

/** Makes this process keep its temporary files in a folder of the test. */
function temporaryFilesIn(dir: string): Disposable {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = dir;
  return {
    [Symbol.dispose]() {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    },
  };
}
