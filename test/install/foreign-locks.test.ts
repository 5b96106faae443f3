/** Skills that `npx skills` and `gh skill` have installed: known, verified, updated, and their locks preserved. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { outdatedSkills } from '../../src/operations/outdated-skills.ts';
import { updateSkills } from '../../src/operations/update-skills.ts';
import { verifySkills } from '../../src/operations/verify-skills.ts';
import { ask } from '../support/ask.ts';
import { gitServer } from '../support/git-server.ts';
import { project } from '../support/project.ts';

const ONE = '---\nname: one\ndescription: About one\n---\n\nBody\n';
/** As skills 1.5.0 wrote it for these two files. */
const ONE_HASH = '11b8354bc77958ed2366bac75677719c6653f7cf6e02f304e988b15a4d15991a';
const ONE_FILES = { 'one/SKILL.md': ONE, 'one/references/notes.md': 'notes\n' };

const below = (dir: string, files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${dir}/${name}`, text]));

describe('skills-lock.json of a project', () => {
  const lock = (url: string, hash = ONE_HASH): string =>
    `{\n  "version": 1,\n  "later": [1,2],\n  "skills": {\n    "one": {"source": "${url}", "sourceType": "git", "skillPath": "one/SKILL.md",\n      "computedHash": "${hash}", "own": true}\n  }\n}`;

  test('its hash is understood, and a changed file is noticed', async () => {
    using place = project(
      { ...below('project/.claude/skills', ONE_FILES), 'project/skills-lock.json': lock('a/b') },
      'disk',
    );
    const workspace = await place.open();
    expect(await ask(verifySkills, {}, workspace)).toMatchObject({
      ok: true,
      skills: [{ name: 'one', lock: 'skills-lock.json', problems: [] }],
    });
    place.write({ 'project/.claude/skills/one/references/notes.md': 'other\n' });
    expect(await ask(verifySkills, {}, workspace)).toMatchObject({
      ok: false,
      skills: [{ name: 'one', problems: [{ code: 'digest', file: '', expected: ONE_HASH }] }],
    });
  });

  test('a source of several skills is fetched once', async () => {
    await using server = await gitServer();
    const names = ['one', 'two', 'three'];
    const files = Object.fromEntries(
      names.map((name) => [`${name}/SKILL.md`, ONE.replace('name: one', `name: ${name}`)]),
    );
    const repository = server.repository('shop', files);
    const skills = Object.fromEntries(
      names.map((name) => [name, { source: repository.url, sourceType: 'git', computedHash: 'x' }]),
    );
    using place = project(
      { ...below('project/.claude/skills', files), 'project/skills-lock.json': JSON.stringify({ version: 1, skills }) },
      'disk',
    );
    const workspace = await place.open();
    const requestsFor = async (asked: string[]): Promise<number> => {
      server.requests.length = 0;
      const { skills: checked } = await ask(outdatedSkills, { names: asked }, workspace);
      expect(checked.map(({ name, status }) => [name, status])).toEqual(asked.map((name) => [name, 'outdated']));
      return server.requests.filter((request) => request.includes('info/refs')).length;
    };
    // One fetch for the trees and one for the SKILL.md files, for any number of skills.
    expect(await requestsFor(names)).toBe(await requestsFor(['one']));
  });

  test('a skill whose name begins with a dot is not known', async () => {
    const name = '.lectern-999999999-1';
    using place = project(
      {
        [`project/.claude/skills/${name}/SKILL.md`]: ONE,
        'project/skills-lock.json': lock('a/b').replaceAll('"one"', `"${name}"`),
      },
      'disk',
    );
    expect((await ask(verifySkills, {}, await place.open())).skills).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('a lock that is read-only is refused before a skill changes', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', ONE_FILES);
    const files = below('project/.claude/skills', ONE_FILES);
    using place = project({ ...files, 'project/skills-lock.json': lock(repository.url) }, 'disk');
    repository.commit({ 'one/SKILL.md': `${ONE}More\n` });
    fs.chmodSync(place.at('project/skills-lock.json'), 0o444);
    const before = place.state();
    await expect(ask(updateSkills, { yes: true }, await place.open())).rejects.toMatchObject({
      code: 'UNWRITABLE',
      path: place.at('project/skills-lock.json'),
    });
    expect(place.state()).toEqual(before);
  });

  test('an update replaces every copy and only the hash in the lock', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', ONE_FILES);
    const before = lock(repository.url);
    using place = project(
      {
        ...below('project/.claude/skills', ONE_FILES),
        ...below('project/.agents/skills', ONE_FILES),
        'project/skills-lock.json': before,
      },
      'disk',
    );
    const workspace = await place.open();
    expect((await ask(outdatedSkills, {}, workspace)).skills).toMatchObject([
      { name: 'one', status: 'current', lock: 'skills-lock.json', modified: false, commit: null },
    ]);
    repository.commit({ 'one/SKILL.md': `${ONE}More\n` });
    expect((await ask(outdatedSkills, {}, workspace)).skills).toMatchObject([{ name: 'one', status: 'outdated' }]);
    const updated = await ask(updateSkills, { yes: true }, workspace);
    expect(updated.skills).toMatchObject([
      {
        name: 'one',
        status: 'updated',
        changes: [{ file: 'SKILL.md', kind: 'changed', diff: expect.stringContaining('+More') }],
      },
    ]);
    for (const root of ['.claude', '.agents'])
      expect(place.read(`project/${root}/skills/one/SKILL.md`)).toBe(`${ONE}More\n`);
    const after = place.read('project/skills-lock.json');
    const [hash] = /[0-9a-f]{64}/u.exec(after) ?? [];
    expect(hash).not.toBe(ONE_HASH);
    expect(after).toBe(before.replace(ONE_HASH, hash ?? ''));
    expect(fs.existsSync(place.at('project/lectern.lock.json'))).toBe(false);
    expect((await ask(verifySkills, {}, workspace)).ok).toBe(true);
  });

  test('a locally modified skill is left unchanged', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', ONE_FILES);
    using place = project(
      { ...below('project/.claude/skills', ONE_FILES), 'project/skills-lock.json': lock(repository.url) },
      'disk',
    );
    place.write({ 'project/.claude/skills/one/SKILL.md': `${ONE}Mine\n` });
    repository.commit({ 'one/SKILL.md': `${ONE}Theirs\n` });
    const workspace = await place.open();
    expect((await ask(updateSkills, { yes: true }, workspace)).skills).toMatchObject([{ status: 'modified' }]);
    expect(place.read('project/.claude/skills/one/SKILL.md')).toContain('Mine');
  });

  test('a source that only the other installer knows is unknown, and a broken file is not guessed at', async () => {
    const text = lock('x').replace('"git"', '"node_modules"');
    using place = project({ ...below('project/.claude/skills', ONE_FILES), 'project/skills-lock.json': text }, 'disk');
    const workspace = await place.open();
    expect((await ask(outdatedSkills, {}, workspace)).skills).toMatchObject([{ name: 'one', status: 'unknown' }]);
    place.write({ 'project/skills-lock.json': '{' });
    await expect(ask(verifySkills, {}, workspace)).rejects.toMatchObject({ code: 'LOCK_INVALID' });
  });
});

describe('.skill-lock.json in the home', () => {
  const NOTED = (sha: string): string =>
    `---\ndescription: About one\nmetadata:\n    github-path: one\n    github-ref: refs/heads/main\n    github-repo: https://github.com/a/b\n    github-tree-sha: ${sha}\nname: one\n---\n\nBody\n`;
  const lock = (url: string, sha: string): string =>
    JSON.stringify(
      {
        version: 3,
        skills: {
          one: {
            source: 'a/b',
            sourceType: 'github',
            sourceUrl: url,
            skillPath: 'one',
            skillFolderHash: sha,
            installedAt: 't0',
            updatedAt: 't0',
          },
        },
        dismissed: { x: true },
      },
      null,
      2,
    );

  test('the hash of the folder is that of git, and the notes of gh in SKILL.md count for nothing', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', ONE_FILES);
    const sha = repository.git('rev-parse', 'HEAD:one');
    for (const main of [ONE, NOTED(sha)]) {
      using place = project(
        {
          ...below('home/.agents/skills', { ...ONE_FILES, 'one/SKILL.md': main }),
          'home/.agents/.skill-lock.json': lock(repository.url, sha),
        },
        'disk',
      );
      const workspace = await place.open();
      expect((await ask(verifySkills, {}, workspace)).ok).toBe(true);
      expect((await ask(outdatedSkills, {}, workspace)).skills).toMatchObject([
        { name: 'one', status: 'current', lock: '.skill-lock.json', modified: false },
      ]);
    }
  });

  test('an update keeps the notes of gh and every other key of the lock', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', ONE_FILES);
    const sha = repository.git('rev-parse', 'HEAD:one');
    using place = project(
      {
        ...below('home/.agents/skills', { ...ONE_FILES, 'one/SKILL.md': NOTED(sha) }),
        'home/.agents/.skill-lock.json': lock(repository.url, sha),
      },
      'disk',
    );
    repository.commit({ 'one/SKILL.md': `${ONE}More\n` });
    const newSha = repository.git('rev-parse', 'HEAD:one');
    const workspace = await place.open();
    expect((await ask(updateSkills, { yes: true }, workspace)).skills).toMatchObject([
      { name: 'one', status: 'updated' },
    ]);
    const value = JSON.parse(place.read('home/.agents/.skill-lock.json'));
    expect(value).toMatchObject({
      dismissed: { x: true },
      skills: { one: { installedAt: 't0', skillFolderHash: newSha, updatedAt: expect.not.stringMatching('t0') } },
    });
    const text = place.read('home/.agents/skills/one/SKILL.md');
    expect(text).toContain(`github-tree-sha: "${newSha}"`);
    expect(text).toContain('github-repo: "https://github.com/a/b"');
    expect(text).toContain('More');
    expect((await ask(outdatedSkills, {}, workspace)).skills).toMatchObject([{ status: 'current', modified: false }]);
  });
});
