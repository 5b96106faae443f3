import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FileTrouble } from '../../src/core/disk/tree.ts';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import { project, PROJECT as P, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = `${P}/.claude/skills`;
const text = (name: string): string => skillText({ name });

async function walk(files: ProjectFiles, options: Partial<OpenOptions> = {}) {
  const { snapshot } = await project(files).open(options);
  return {
    names: snapshot.all.skills.map(({ name }) => name),
    problems: snapshot.diagnostics().map(({ code, path }) => [code, path]),
    snapshot,
  };
}

describe('how deep', () => {
  test('six levels below a root are searched; deeper skills are reported with their path', async () => {
    const { names, problems } = await walk({
      [`${ROOT}/1/2/3/4/5/six/SKILL.md`]: text('six'),
      [`${ROOT}/1/2/3/4/5/6/seven/SKILL.md`]: text('seven'),
    });
    expect(names).toEqual(['six']);
    expect(problems).toEqual([['skill-too-deep', `${ROOT}/1/2/3/4/5/6/seven/SKILL.md`]]);
  });

  test('roots given by hand have no such limit', async () => {
    const deep = `/given/${Array.from({ length: 30 }, (_, index) => index).join('/')}/SKILL.md`;
    expect((await walk({ [deep]: text('deep') }, { skillDir: ['/given'] })).names).toEqual(['deep']);
  });

  test.each([
    [ROOT, {}],
    ['/given', { skillDir: ['/given'] }],
  ])('skills too deep for any search are reported once: %s', async (root, options) => {
    const deep = Array.from({ length: 300 }, (_, index) => index).join('/');
    const { names, problems } = await walk(
      { [`${root}/${deep}/SKILL.md`]: text('deep'), [`${root}/b/${deep}/SKILL.md`]: text('deeper') },
      options,
    );
    expect(names).toEqual([]);
    expect(problems).toEqual([['skill-too-deep', expect.stringContaining(`${root}/0/1/2/`)]]);
  });

  test('below a skill there are no more skills, except in roots given by hand', async () => {
    const files = { 'outer/SKILL.md': text('outer'), 'outer/inner/SKILL.md': text('inner') };
    const below = (dir: string) =>
      Object.fromEntries(Object.entries(files).map(([name, file]) => [`${dir}/${name}`, file]));
    expect((await walk(below(ROOT))).names).toEqual(['outer']);
    expect((await walk(below('/given'), { skillDir: ['/given'] })).names).toEqual(['outer', 'inner']);
  });

  test('a SKILL.md that stands in the root itself hides nothing', async () => {
    expect((await walk({ [`${ROOT}/SKILL.md`]: text('stray'), [`${ROOT}/a/SKILL.md`]: text('a') })).names).toEqual([
      'stray',
      'a',
    ]);
  });

  test('a problem below two roots is reported once, for the first', async () => {
    const files = {
      [`${P}/.git/HEAD`]: '',
      [`${ROOT}/1/2/deep/SKILL.md`]: text('deep'),
      [`${ROOT}/gone`]: { link: 'nowhere' },
      [`${P}/.gitignore`]: 'ignored/\n',
      [`${ROOT}/ignored/x`]: '',
    };
    // The whole project is searched as well, because the folders of agents contain no skill.
    const nothing = await walk(files, { collections: true, limits: { walkDepth: 2 } });
    expect(nothing.problems).toEqual([
      ['skill-too-deep', `${ROOT}/1/2/deep/SKILL.md`],
      ['link-dangling', `${ROOT}/gone`],
      ['folder-ignored', `${ROOT}/ignored`],
    ]);
    const [tooDeep] = nothing.snapshot.diagnostics();
    expect(tooDeep?.message).toBe(`this skill is 3 levels below ${ROOT}; the limit is 2`);
    // One root is inside another.
    const broken = { [`${ROOT}/broken/SKILL.md`]: 'no frontmatter', [`${ROOT}/gone`]: { link: 'nowhere' } };
    expect((await walk(broken, { skillDir: [P] })).problems).toEqual([
      ['frontmatter-missing', `${ROOT}/broken/SKILL.md`],
      ['link-dangling', `${ROOT}/gone`],
    ]);
  });

  test('the limit can be set in the configuration', async () => {
    expect((await walk({ [`${ROOT}/1/2/SKILL.md`]: text('two') }, { limits: { walkDepth: 1 } })).problems).toEqual([
      ['skill-too-deep', `${ROOT}/1/2/SKILL.md`],
    ]);
  });
});

describe('how much', () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `${ROOT}/s${String(index).padStart(2, '0')}/SKILL.md`,
      text(`s${index}`),
    ]),
  );

  test('the search of a root stops at the entry limit and reports the root; other roots are still searched', async () => {
    const { names, problems } = await walk(
      { ...many, [`${P}/.codex/skills/other/SKILL.md`]: text('other') },
      { limits: { walkEntries: 10 } },
    );
    expect(names).toEqual([...Array.from({ length: 10 }, (_, index) => `s${index}`), 'other']);
    expect(problems).toEqual([['root-entry-limit', ROOT]]);
  });

  test('the content of a skill folder does not count', async () => {
    const bulky = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${ROOT}/a/file-${index}.txt`, 'x']));
    const { names, problems } = await walk(
      { ...bulky, [`${ROOT}/a/SKILL.md`]: text('a'), [`${ROOT}/b/SKILL.md`]: text('b') },
      { limits: { walkEntries: 5 } },
    );
    expect([names, problems]).toEqual([['a', 'b'], []]);
  });
});

describe('links', () => {
  test('a link to a skill folder is followed, also out of the root, and shows where it really is', async () => {
    const { snapshot } = await walk({ '/elsewhere/a/SKILL.md': text('a'), [`${ROOT}/a`]: { link: '/elsewhere/a' } });
    expect(snapshot.all.skills).toMatchObject([{ file: `${ROOT}/a/SKILL.md`, realFile: '/elsewhere/a/SKILL.md' }]);
  });

  test('links that lead to each other or upwards end, and no skill is found twice', async () => {
    const { names, problems } = await walk({
      [`${ROOT}/a/SKILL.md`]: text('a'),
      [`${ROOT}/loop/up`]: { link: '..' },
      [`${ROOT}/loop/top`]: { link: P },
      [`${ROOT}/ping`]: { link: 'pong' },
      [`${ROOT}/pong`]: { link: 'ping' },
      [`${ROOT}/self`]: { link: 'self' },
      [`${ROOT}/gone`]: { link: 'nowhere' },
    });
    expect(names).toEqual(['a']);
    expect(problems).toEqual(['gone', 'ping', 'pong', 'self'].map((name) => ['link-dangling', `${ROOT}/${name}`]));
  });

  test('a file reached from two roots is one skill of the preferred root, with the other location attached', async () => {
    const { snapshot } = await walk({
      [`${P}/.agents/skills/a/SKILL.md`]: text('a'),
      [`${ROOT}/a`]: { link: '../../.agents/skills/a' },
    });
    expect(snapshot.all.skills).toMatchObject([
      { provider: 'agents', alsoAt: [{ provider: 'claude', file: `${ROOT}/a/SKILL.md` }] },
    ]);
    expect(snapshot.all.find('claude:a')).toMatchObject({ kind: 'found' });
  });

  test('a root that is a link to another root is searched once', async () => {
    const { names, snapshot } = await walk({
      [`${P}/.agents/skills/a/SKILL.md`]: text('a'),
      [`${P}/.claude/skills`]: { link: '../.agents/skills' },
    });
    expect(names).toEqual(['a']);
    expect(snapshot.roots.find(({ dir }) => dir === ROOT)).toMatchObject({ state: 'repeated', skills: 0, shared: 1 });
  });

  test.each([true, false])('and the names of both providers lead to its skills (one-shot: %s)', async (oneShot) => {
    const files = {
      [`${P}/.agents/skills/a/SKILL.md`]: text('a'),
      [`${P}/.agents/skills/group/b/SKILL.md`]: text('b'),
      [`${P}/.claude/skills`]: { link: '../.agents/skills' },
    };
    const { snapshot } = await walk(files, { oneShot });
    expect(snapshot.all.find('claude:a')).toMatchObject({ kind: 'found' });
    expect(snapshot.all.find('agents:a')).toMatchObject({ kind: 'found' });
    expect(snapshot.all.skills.map(({ alsoAt }) => alsoAt)).toEqual(
      ['a', 'group/b'].map((name) => [{ provider: 'claude', location: 'project', file: `${ROOT}/${name}/SKILL.md` }]),
    );
    expect((await walk(files, { oneShot, include: ['claude:*'] })).snapshot.view().skills).toHaveLength(2);
  });

  test.each([true, false])('the root of the file system is a folder like any other (one-shot: %s)', async (oneShot) => {
    const files = {
      '/zz/bb/SKILL.md': text('bb'),
      '/a-link': { link: '/zz' },
      '/SKILL.md': text('top'),
      [`${ROOT}/aa/SKILL.md`]: text('aa'),
      [`${ROOT}/top`]: { link: '/' },
    };
    const facts = ({ skills }: { skills: readonly { name: string; file: string; realFile: string }[] }) =>
      skills.map(({ name, file, realFile }) => [name, file, realFile]);
    expect(facts((await walk(files, { oneShot, skillDir: ['/'] })).snapshot.all)).toEqual([
      ['top', '/SKILL.md', '/SKILL.md'],
      ['bb', '/a-link/bb/SKILL.md', '/zz/bb/SKILL.md'],
      ['aa', `${ROOT}/aa/SKILL.md`, `${ROOT}/aa/SKILL.md`],
    ]);
    expect(facts((await walk(files, { oneShot })).snapshot.all)).toEqual([
      ['aa', `${ROOT}/aa/SKILL.md`, `${ROOT}/aa/SKILL.md`],
      ['top', `${ROOT}/top/SKILL.md`, '/SKILL.md'],
    ]);
  });

  test('a home that is the project is no second place', async () => {
    const { snapshot } = await walk({ [`${ROOT}/a/SKILL.md`]: text('a') }, { userDir: P });
    expect(snapshot.all.skills).toMatchObject([{ alsoAt: [] }]);
  });

  const foreign = (folders: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: folders }, (_, index) => [`/foreign/${String(index).padStart(4, '0')}/deep/file`, 'x']),
    );

  test('a link into a large tree without skills is given up early, and costs the skills beside it nothing', async () => {
    const files = {
      ...foreign(600),
      [`${ROOT}/away`]: { link: '/foreign' },
      [`${ROOT}/b/SKILL.md`]: text('b'),
      [`${ROOT}/c/SKILL.md`]: text('c'),
    };
    const { names, problems, snapshot } = await walk(files, { limits: { walkEntries: 900 } });
    expect([names, problems]).toEqual([['b', 'c'], [['link-without-skills', `${ROOT}/away`]]]);
    expect(snapshot.discovery.folders().length).toBeLessThan(270);
  });

  test('behind a link, collections of any size and skills some levels down are found', async () => {
    const flat = Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [`/flat/s${index}/SKILL.md`, text(`s${index}`)]),
    );
    const nested = { ...foreign(100), '/foreign/zzz/skills/z/SKILL.md': text('z') };
    const { names, problems } = await walk({
      ...flat,
      ...nested,
      [`${ROOT}/flat`]: { link: '/flat' },
      [`${ROOT}/nested`]: { link: '/foreign' },
    });
    expect([names.length, names.at(-1), problems]).toEqual([601, 'z', []]);
  });

  test('a root counts links to skills that belong to another root', async () => {
    const { snapshot } = await walk({
      [`${P}/.agents/skills/a/SKILL.md`]: text('a'),
      [`${ROOT}/a`]: { link: '../../.agents/skills/a' },
      [`${ROOT}/b`]: { link: '/elsewhere/b' },
      '/elsewhere/b/SKILL.md': text('b'),
    });
    expect(snapshot.roots.find(({ dir }) => dir === ROOT)).toMatchObject({ skills: 1, shared: 1 });
    expect(snapshot.roots.find(({ dir }) => dir === `${P}/.agents/skills`)).toMatchObject({ skills: 1, shared: 0 });
  });

  test('a SKILL.md that is a link may lead into a scanned root or the project, nowhere else', async () => {
    const { names, problems } = await walk({
      '/secret/SKILL.md': text('secret'),
      [`${P}/docs/guide.md`]: text('guide'),
      [`${P}/.agents/skills/a/SKILL.md`]: text('a'),
      [`${ROOT}/to-secret/SKILL.md`]: { link: '/secret/SKILL.md' },
      [`${ROOT}/to-docs/SKILL.md`]: { link: '../../../docs/guide.md' },
      [`${ROOT}/to-a/SKILL.md`]: { link: '../../../.agents/skills/a/SKILL.md' },
      [`${ROOT}/to-nothing/SKILL.md`]: { link: 'missing.md' },
      [`${ROOT}/to-itself/SKILL.md`]: { link: 'SKILL.md' },
    });
    expect(names).toEqual(['a', 'guide']);
    expect(problems).toEqual([
      ['symlink-outside', `${ROOT}/to-secret/SKILL.md`],
      ['link-dangling', `${ROOT}/to-itself/SKILL.md`],
      ['link-dangling', `${ROOT}/to-nothing/SKILL.md`],
    ]);
  });

  test('a sibling folder that only shares the beginning of a root’s name is outside', async () => {
    const { names } = await walk({
      [`${P}-secret/SKILL.md`]: text('x'),
      [`${ROOT}/a/SKILL.md`]: { link: `${P}-secret/SKILL.md` },
    });
    expect(names).toEqual([]);
  });
});

describe('excluded folders', () => {
  test('.git and node_modules are never searched', async () => {
    const { names } = await walk({
      [`${ROOT}/.git/a/SKILL.md`]: text('a'),
      [`${ROOT}/node_modules/b/SKILL.md`]: text('b'),
      [`${ROOT}/pack/node_modules/c/SKILL.md`]: text('c'),
      [`${P}/.git/skills/d/SKILL.md`]: text('d'),
      [`${ROOT}/.system/e/SKILL.md`]: text('e'),
    });
    expect(names).toEqual(['e']);
  });

  test('folders that git ignores inside a project root are named and not searched', async () => {
    const { names, problems } = await walk({
      [`${P}/.git/HEAD`]: '',
      [`${P}/.gitignore`]: 'build/\n*.tmp\n!keep.tmp\n',
      [`${ROOT}/a/SKILL.md`]: text('a'),
      [`${ROOT}/build/b/SKILL.md`]: text('b'),
      [`${ROOT}/c.tmp/SKILL.md`]: text('c'),
      [`${ROOT}/keep.tmp/SKILL.md`]: text('kept'),
    });
    expect(names).toEqual(['a', 'kept']);
    expect(problems).toEqual([
      ['folder-ignored', `${ROOT}/build`],
      ['folder-ignored', `${ROOT}/c.tmp`],
    ]);
  });

  test('a root that is ignored as a whole is still searched', async () => {
    const { names } = await walk({
      [`${P}/.git/HEAD`]: '',
      [`${P}/.gitignore`]: '.claude/\n',
      [`${ROOT}/a/SKILL.md`]: text('a'),
    });
    expect(names).toEqual(['a']);
  });

  test('user folders and folders given by hand do not ask .gitignore', async () => {
    const { names } = await walk(
      {
        '/given/.git/HEAD': '',
        '/given/.gitignore': '*\n',
        '/given/a/SKILL.md': text('a'),
        '/home/someone/.claude/skills/.gitignore': '*\n',
        '/home/someone/.claude/skills/b/SKILL.md': text('b'),
      },
      { skillDir: ['/given'] },
    );
    expect(names).toEqual(['a', 'b']);
  });

  test.each(['[', '\\', '***', '[z-a]', '!', '/', '//', 'a\\', '**/**/[', '\u0000', '..', '../x', '('])(
    'an odd line in .gitignore, %j, breaks nothing',
    async (line) => {
      const { names } = await walk({
        [`${P}/.git/HEAD`]: '',
        [`${P}/.gitignore`]: `${line}\n`,
        [`${ROOT}/a/SKILL.md`]: text('a'),
      });
      expect(names).toEqual(['a']);
    },
  );
});

describe('file names', () => {
  test.each([
    ['SKILL.md', false, []],
    ['skill.md', false, ['file-name-case']],
    ['Skill.MD', false, ['file-name-case']],
    ['.SKILL.md', true, []],
    ['.skill.md', true, ['file-name-case']],
  ])('%s counts, disabled: %s', async (name, disabled, codes) => {
    const { snapshot, problems } = await walk({ [`${ROOT}/a/${name}`]: text('a') });
    expect(snapshot.all.skills).toMatchObject([{ name: 'a', disabled, file: `${ROOT}/a/${name}` }]);
    expect(problems.map(([code]) => code)).toEqual(codes);
  });

  test.each(['\u017fkill.md', 'SK\u0131LL.md', 'S\u212aILL.md', '.\u017fkill.md'])(
    '%s does not count: only ASCII letters have another case here',
    async (name) => {
      expect((await walk({ [`${ROOT}/a/${name}`]: text('a') })).snapshot.all.skills).toEqual([]);
    },
  );

  test('of two in one folder the enabled one counts, spelt exactly first', async () => {
    const { snapshot } = await walk({
      [`${ROOT}/a/.SKILL.md`]: text('off'),
      [`${ROOT}/a/skill.md`]: text('odd'),
      [`${ROOT}/a/SKILL.md`]: text('on'),
    });
    expect(snapshot.all.skills.map(({ name }) => name)).toEqual(['on']);
  });
});

describe('roots that are not there', () => {
  test('a missing default folder is not reported; a missing explicit one is', async () => {
    const { problems } = await walk({ [`${P}/x`]: '' }, { skillDir: ['/missing'] });
    expect(problems).toEqual([['root-missing', '/missing']]);
  });

  test('a file where a folder is expected is reported', async () => {
    expect((await walk({ [ROOT]: 'a file' })).problems).toEqual([['root-not-a-folder', ROOT]]);
  });

  test('the same root given twice brings no skill twice', async () => {
    const { names } = await walk(
      { '/given/a/SKILL.md': text('a'), '/link': { link: '/given' } },
      { skillDir: ['/given', '/given', '/link', '/given/'] },
    );
    expect(names).toEqual(['a']);
  });

  test('a project folder that is a link to itself is only empty', async () => {
    const { names } = await walk({ '/loop': { link: 'loop' } }, { projectDir: '/loop', readConfig: false });
    expect(names).toEqual([]);
  });
});

describe('entries that vanish during a scan', () => {
  test.each([true, false])(
    'a folder that vanishes while its root is searched is passed over (one-shot: %s)',
    async (oneShot) => {
      const tree = memoryDisk({
        [`${ROOT}/a/SKILL.md`]: text('a'),
        [`${ROOT}/gone/x`]: '',
        [`${ROOT}/z/SKILL.md`]: text('z'),
      });
      const vanishing = {
        ...tree,
        list: (dir: string) => {
          if (dir.endsWith('/gone')) throw new FileTrouble('missing', dir);
          return tree.list(dir);
        },
      };
      const { snapshot } = await Workspace.open({ projectDir: P, userDir: undefined, oneShot }, vanishing);
      expect(snapshot.all.skills.map(({ name }) => name)).toEqual(['a', 'z']);
      expect(snapshot.diagnostics()).toEqual([]);
    },
  );

  test.skipIf(process.platform !== 'linux')('a folder whose name is not UTF-8 is told apart from that', async () => {
    using folder = tempFolder({ '.claude/skills/a/SKILL.md': text('a') });
    fs.mkdirSync(Buffer.concat([Buffer.from(folder.at('.claude/skills/bad')), Buffer.from([0xff])]));
    const { snapshot } = await Workspace.open({ projectDir: folder.dir, userDir: undefined });
    expect(snapshot.diagnostics()).toMatchObject([
      { code: 'file-unreadable', message: 'its name is not UTF-8', fix: 'Rename the folder.' },
    ]);
  });
});
