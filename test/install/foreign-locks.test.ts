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

  describe('made by npx skills add <folder> -g', () => {
    // The files that were given to skills 1.7.4, and the hashes that it wrote for them.
    const ALPHA_HASH = '6fd231a376e73dba87e69e01a4d7c0cae9bf7b9b186fa00ad0f2123441c3b3ab';
    const BETA_HASH = 'de4a5060fbb646f51d05b44bf17c45243c1b658791f67f383dd490d40c617e73';
    const ALPHA = {
      'alpha/SKILL.md': '---\nname: alpha\ndescription: Use alpha to test.\n---\n\nBody\n',
      'alpha/README.md': 'readme\n',
      'alpha/Zed/a.md': 'z\n',
      'alpha/node_modules/x/i.js': 'n\n',
      'alpha/scripts/run.sh': '#!/bin/sh\necho hi\n',
    };
    const BETA = '---\nname: Beta Skill\ndescription: Use beta to test.\n---\n\nBody\n';
    const SOURCE = below('source/skills', { ...ALPHA, 'alpha/metadata.json': '{"a":1}', 'beta/SKILL.md': BETA });
    // It copies everything except metadata.json.
    const INSTALLED = below('home/.agents/skills', { ...ALPHA, 'beta-skill/SKILL.md': BETA });

    function homeOfNpx(): ReturnType<typeof project> {
      const place = project({ ...SOURCE, ...INSTALLED }, 'disk');
      const source = place.at('source');
      const entry = (hash: string): object => ({
        source,
        sourceType: 'local',
        sourceUrl: source,
        skillFolderHash: hash,
        installedAt: 't0',
        updatedAt: 't0',
      });
      const skills = { alpha: entry(ALPHA_HASH), 'Beta Skill': entry(BETA_HASH) };
      place.write({ 'home/.agents/.skill-lock.json': JSON.stringify({ version: 3, skills, dismissed: {} }, null, 2) });
      return place;
    }
    const statuses = async (place: ReturnType<typeof project>): Promise<[string, string, boolean][]> => {
      const { skills } = await ask(outdatedSkills, {}, await place.open());
      return skills.map(({ name, status, modified }) => [name, status, modified]);
    };
    const verified = async (place: ReturnType<typeof project>): Promise<[string, string[]][]> => {
      const { skills } = await ask(verifySkills, {}, await place.open());
      return skills.map(({ name, problems }) => [name, problems.map(({ code }) => code)]);
    };

    test('untouched skills match the lock, although the installer left out a file', async () => {
      using place = homeOfNpx();
      expect(await verified(place)).toEqual([
        ['alpha', []],
        ['Beta Skill', []],
      ]);
      expect(await statuses(place)).toEqual([
        ['alpha', 'current', false],
        ['Beta Skill', 'current', false],
      ]);
    });

    test.each([
      ['changed', { 'home/.agents/skills/alpha/Zed/a.md': 'mine\n' }],
      ['added', { 'home/.agents/skills/alpha/mine.md': 'mine\n' }],
      ['deleted', {}],
    ])('a file that was %s afterwards is noticed', async (how, files) => {
      using place = homeOfNpx();
      place.write(files);
      if (how === 'deleted') fs.rmSync(place.at('home/.agents/skills/alpha/scripts/run.sh'));
      expect(await verified(place)).toEqual([
        ['alpha', ['digest']],
        ['Beta Skill', []],
      ]);
      expect(await statuses(place)).toEqual([
        ['alpha', 'modified', true],
        ['Beta Skill', 'current', false],
      ]);
    });

    test('a change in the source folder is offered, and an update keeps the kind of hash', async () => {
      using place = homeOfNpx();
      place.write({ 'source/skills/beta/SKILL.md': `${BETA}More\n` });
      expect(await statuses(place)).toEqual([
        ['alpha', 'current', false],
        ['Beta Skill', 'outdated', false],
      ]);
      // The source no longer has the recorded version, but the installed files do.
      expect(await verified(place)).toContainEqual(['Beta Skill', []]);
      await ask(updateSkills, { yes: true }, await place.open());
      expect(place.read('home/.agents/skills/beta-skill/SKILL.md')).toBe(`${BETA}More\n`);
      const { skills } = JSON.parse(place.read('home/.agents/.skill-lock.json'));
      expect(skills['Beta Skill']).toMatchObject({ skillFolderHash: expect.stringMatching(/^[0-9a-f]{64}$/u) });
      expect(skills['Beta Skill'].skillFolderHash).not.toBe(BETA_HASH);
      expect(await verified(place)).toContainEqual(['Beta Skill', []]);
      expect(await statuses(place)).toContainEqual(['Beta Skill', 'current', false]);
    });

    test('without the source folder, the recorded hash alone decides', async () => {
      using place = homeOfNpx();
      fs.rmSync(place.at('source'), { recursive: true });
      expect(await verified(place)).toEqual([
        ['alpha', ['digest']],
        ['Beta Skill', []],
      ]);
      await expect(statuses(place)).rejects.toMatchObject({ code: 'NOT_FOUND', path: place.at('source') });
    });

    test.skipIf(process.platform === 'win32')('links in the source folder are copied but not hashed', async () => {
      using place = homeOfNpx();
      fs.symlinkSync('README.md', place.at('source/skills/alpha/link.md'));
      place.write({ 'home/.agents/skills/alpha/link.md': 'readme\n' });
      expect(await verified(place)).toContainEqual(['alpha', []]);
      expect(await statuses(place)).toContainEqual(['alpha', 'current', false]);
    });
  });

  test('the name of a skill is trimmed to the folder that npx skills gives it', async () => {
    const text = ONE.replace('name: one', 'name: One (new)!');
    using place = project({ 'home/.agents/skills/one-new/SKILL.md': text }, 'disk');
    const entry = { source: 'a/b', sourceType: 'github', skillFolderHash: 'x' };
    place.write({ 'home/.agents/.skill-lock.json': JSON.stringify({ version: 3, skills: { 'One (new)!': entry } }) });
    expect((await ask(verifySkills, {}, await place.open())).skills).toMatchObject([
      { name: 'One (new)!', problems: [{ code: 'digest', target: place.at('home/.agents/skills/one-new') }] },
    ]);
  });
});
