/** What a repository, a server or a lock can do wrong, and what must not happen then. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { installSkills } from '../../src/operations/install-skills.ts';
import { removeInstalled } from '../../src/operations/remove-skills.ts';
import { updateSkills } from '../../src/operations/update-skills.ts';
import { verifySkills } from '../../src/operations/verify-skills.ts';
import { ask } from '../support/ask.ts';
import { failureOf } from '../support/failure-of.ts';
import { gitServer } from '../support/git-server.ts';
import { project } from '../support/project.ts';
import { hasOrdinaryUser, lectern } from '../support/run-lectern.ts';
import { tempFolder } from '../support/temp-folder.ts';

const text = (name: string, body = 'Body'): string => `---\nname: ${name}\ndescription: About it\n---\n\n${body}\n`;
const TO = { to: ['claude'], yes: true };

function everything(dir: string): string[] {
  return fs.readdirSync(dir, { recursive: true }).map(String).sort();
}

describe('names and links of strangers', () => {
  test.each([
    ['a name that leads out', { 'a/SKILL.md': text('../../x') }],
    ['the name of the folder above', { 'a/SKILL.md': text('..') }],
    ['a name that begins with a dot', { 'a/SKILL.md': text('.lectern-999999999-1') }],
    ['a folder that begins with a dot', { '.a/SKILL.md': text('a') }],
    ['a name with a separator', { 'a/SKILL.md': text('a/b') }],
    ['a name that Windows reserves', { 'a/SKILL.md': text('con') }],
    ['a name with a hidden character', { 'a/SKILL.md': text('a\u200bb') }],
    ['a link to an absolute path', { 'a/SKILL.md': text('a'), 'a/x': { link: '/etc/passwd' } }],
    ['a link that leads out of the repository', { 'a/SKILL.md': text('a'), 'a/x': { link: '../../outside' } }],
    ['a link that leads nowhere', { 'a/SKILL.md': text('a'), 'a/x': { link: 'nothing' } }],
    ['a link to itself', { 'a/SKILL.md': text('a'), 'a/x': { link: 'x' } }],
    ['a link to a folder', { 'a/SKILL.md': text('a'), 'a/y/z': 'z', 'a/x': { link: 'y' } }],
    ['two files that differ only in case', { 'a/SKILL.md': text('a'), 'a/x.md': '1', 'a/X.md': '2' }],
    ['a file with a backslash in its name', { 'a/SKILL.md': text('a'), 'a/..\\x': '1' }],
    ['a file with a colon in its name', { 'a/SKILL.md': text('a'), 'a/C:x': '1' }],
  ])('%s is refused, from a repository and from a folder', async (_, files) => {
    await using server = await gitServer();
    const repository = server.repository('shop', { ...files, 'outside.txt': 'x' });
    using place = project({}, 'disk');
    const workspace = await place.open();
    for (const source of [repository.url, repository.work.dir]) {
      expect((await failureOf(ask(installSkills, { source, ...TO }, workspace))).code).toBe('UNSAFE');
      expect(everything(place.at('project'))).toEqual([]);
    }
  });

  test('a bad skill fails alone, and a link inside the repository becomes a plain file', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', {
      'bad/SKILL.md': text('bad'),
      'bad/x': { link: '/etc/passwd' },
      'good/SKILL.md': text('good'),
      'good/shared.md': { link: '../lib/shared.md' },
      'lib/shared.md': { link: 'real.md' },
      'lib/real.md': 'shared',
    });
    using place = project({}, 'disk');
    const result = await ask(installSkills, { source: repository.url, all: true, ...TO }, await place.open());
    expect(result.skills).toMatchObject([
      { name: 'bad', status: 'failed', error: { code: 'UNSAFE', file: 'x' } },
      { name: 'good', status: 'installed' },
    ]);
    const file = place.at('project/.claude/skills/good/shared.md');
    expect([fs.lstatSync(file).isFile(), fs.readFileSync(file, 'utf8')]).toEqual([true, 'shared']);
  });

  test('submodules are never fetched, and the output notes it', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', {
      'a/SKILL.md': text('a'),
      '.gitmodules': '[submodule "x"]\n\tpath = a/sub\n\turl = ext::sh -c touch% marker\n',
    });
    const commit = repository.git('rev-parse', 'HEAD');
    repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},a/sub`);
    repository.git('commit', '--quiet', '--message', 'module');
    repository.push();
    using place = project({}, 'disk');
    const result = await ask(installSkills, { source: repository.url, ...TO }, await place.open());
    expect(result.skills[0]).toMatchObject({
      status: 'installed',
      notes: ['sub is a submodule, which is not fetched'],
    });
  });

  test('a name that occurs twice is ambiguous, and a path resolves it', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', {
      'x/a/SKILL.md': text('a', 'One'),
      'y/a/SKILL.md': text('a', 'Two'),
    });
    using place = project({}, 'disk');
    const workspace = await place.open();
    const failure = await failureOf(ask(installSkills, { source: repository.url, skills: ['a'], ...TO }, workspace));
    expect([failure.code, failure.facts['paths']]).toEqual(['AMBIGUOUS', ['x/a', 'y/a']]);
    const result = await ask(installSkills, { source: repository.url, skills: ['y/a'], ...TO }, workspace);
    expect(result.skills).toMatchObject([{ name: 'a', status: 'installed', path: 'y/a' }]);
  });

  test('several skills are a choice, copies for several agents are one, and no skill is not found', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', {
      '.claude/skills/a/SKILL.md': text('a'),
      '.codex/skills/a/SKILL.md': text('a'),
      'skills/b/SKILL.md': text('b'),
      'none/README.md': 'x',
    });
    using place = project({}, 'disk');
    const workspace = await place.open();
    const choice = await failureOf(ask(installSkills, { source: repository.url, ...TO }, workspace));
    expect([choice.code, choice.facts['choices']]).toEqual(['CHOICE_NEEDED', ['a', 'b']]);
    const none = await failureOf(ask(installSkills, { source: repository.url, path: 'none', ...TO }, workspace));
    expect(none.code).toBe('NOT_FOUND');
    const typo = await failureOf(ask(installSkills, { source: repository.url, skills: ['bb'], ...TO }, workspace));
    expect([typo.code, typo.suggestions]).toEqual(['NOT_FOUND', ['b']]);
  });

  test('too many files and too many bytes are refused with both numbers', async () => {
    await using server = await gitServer();
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`many/f${index}`, '']));
    const large = { 'large/SKILL.md': text('large'), 'large/x': Buffer.alloc(101 * 1024 * 1024) };
    const repository = server.repository('shop', { 'many/SKILL.md': text('many'), ...many, ...large });
    using place = project({}, 'disk');
    const workspace = await place.open();
    const files = await failureOf(ask(installSkills, { source: repository.url, skills: ['many'], ...TO }, workspace));
    expect([files.code, files.facts]).toEqual(['TOO_LARGE', { files: 5_002, maxFiles: 5_000 }]);
    const bytes = await failureOf(ask(installSkills, { source: repository.url, skills: ['large'], ...TO }, workspace));
    expect([bytes.code, bytes.facts['maxBytes']]).toEqual(['TOO_LARGE', 100 * 1024 * 1024]);
    expect(everything(place.at('project'))).toEqual([]);
  });
});

describe('settings of the user and files of the repository start nothing', () => {
  test('hooks, templates, filters, file monitors and LFS have no effect', async () => {
    await using server = await gitServer();
    const canary: string[] = [];
    await using port = await listener((request) => void canary.push(request));
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`;
    const repository = server.repository('shop', {
      'a/SKILL.md': text('a'),
      'a/data.bin': pointer,
      'a/lines.txt': 'one\ntwo\n',
      '.gitattributes': '* filter=evil diff=evil text eol=crlf\n*.bin filter=lfs\n',
      '.lfsconfig': `[lfs]\n\turl = ${port.url}\n`,
      'hooks/post-checkout': '#!/bin/sh\ntouch marker\n',
    });
    using folder = tempFolder();
    const marker = folder.at('marker');
    const hook = `#!/bin/sh\ntouch '${marker}'\n`;
    folder.write({
      'home/template/hooks/post-checkout': hook,
      'home/template/hooks/reference-transaction': hook,
      'home/hooks/reference-transaction': hook,
      'home/hooks/post-checkout': hook,
      'home/monitor': hook,
      'home/.gitconfig': [
        `[init]\n\ttemplateDir = ${folder.at('home/template')}`,
        `[core]\n\thooksPath = ${folder.at('home/hooks')}\n\tfsmonitor = ${folder.at('home/monitor')}\n\taskPass = ${folder.at('home/monitor')}`,
        `[filter "evil"]\n\tsmudge = touch '${marker}'\n\tclean = touch '${marker}'\n\trequired = true`,
        `[filter "lfs"]\n\tsmudge = touch '${marker}'\n\trequired = true`,
        '[submodule]\n\trecurse = true',
        '',
      ].join('\n'),
    });
    for (const file of everything(folder.at('home'))) fs.chmodSync(folder.at('home', file), 0o755);
    const run = await lectern(folder, ['install', repository.url, '--to', 'claude', '--yes']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect([fs.existsSync(marker), canary]).toEqual([false, []]);
    const installed = folder.at('project/.claude/skills/a');
    expect(fs.readFileSync(path.join(installed, 'data.bin'), 'utf8')).toBe(pointer);
    expect(fs.readFileSync(path.join(installed, 'lines.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  test('variables of git that could point it elsewhere are not passed on', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': text('a') });
    using folder = tempFolder();
    const env = {
      GIT_DIR: '/nonexistent',
      GIT_WORK_TREE: '/nonexistent',
      GIT_OBJECT_DIRECTORY: '/nonexistent',
      GIT_TRACE: '1',
    };
    const run = await lectern(folder, ['install', repository.url, '--to', 'claude', '--yes'], { env });
    expect([run.code, run.stderr]).toEqual([0, '']);
  });
});

describe('git as the user has it', () => {
  test('ssh is the user’s own command, with no way to ask', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': text('a') });
    using folder = tempFolder({
      ssh: '#!/bin/sh\necho "$@" >> "$(dirname "$0")/calls"\nfor last; do :; done\nexec sh -c "$last"\n',
    });
    fs.chmodSync(folder.at('ssh'), 0o755);
    const env = { GIT_SSH_COMMAND: folder.at('ssh'), GIT_SSH_VARIANT: 'ssh' };
    for (const source of [`ssh://git@example.com${repository.bare}`, `git@example.com:${repository.bare}`]) {
      const run = await lectern(folder, ['install', source, '--to', 'claude', '--yes', '--json'], { env });
      expect([run.code, JSON.parse(run.stdout).source.url]).toEqual([0, source]);
    }
    expect(fs.readFileSync(folder.at('calls'), 'utf8')).toMatch(
      /^-o BatchMode=yes .*git@example\.com git-upload-pack/mu,
    );
  });

  test('without git there are only folders', async () => {
    using folder = tempFolder({ 'source/a/SKILL.md': text('a') });
    const env = { PATH: '/nonexistent' };
    const run = await lectern(folder, ['install', 'a/b', '--to', 'claude', '--yes', '--json'], { env });
    expect([run.code, JSON.parse(run.stdout).error]).toMatchObject([
      2,
      { code: 'FETCH_FAILED', message: expect.stringContaining('git') },
    ]);
    expect((await lectern(folder, ['install', '../source', '--to', 'claude', '--yes'], { env })).code).toBe(0);
  });
});

interface Listener extends AsyncDisposable {
  url: string;
}

async function listener(heard: (request: string) => void): Promise<Listener> {
  const server = http.createServer((request, response) => {
    heard(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))),
  };
}

describe('git server behavior', () => {
  test.each([
    ['asks for a password', 401, {}, 'auth'],
    ['fails', 500, {}, 'network'],
    ['never answers', 'hang', { timeout: 1 }, 'timeout'],
  ] as const)('a server that %s', async (_, behavior, more, reason) => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': text('a') });
    server.behavior = behavior;
    using place = project({}, 'disk');
    const failure = await failureOf(ask(installSkills, { source: repository.url, ...TO, ...more }, await place.open()));
    expect(failure).toMatchObject({
      code: 'FETCH_FAILED',
      facts: { reason, source: { url: repository.url, ref: null, path: '' } },
    });
    expect(everything(place.at('project'))).toEqual([]);
  });

  test('a repository, a branch and a host that are not there', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': text('a') });
    using place = project({}, 'disk');
    const workspace = await place.open();
    for (const [source, reason] of [
      [`${server.url}/nothing.git`, 'not-found'],
      [`${repository.url}#nothing`, 'ref'],
      [`${repository.url}#${'1'.repeat(40)}`, 'ref'],
      ['http://127.0.0.1:1/x.git', 'network'],
      [`${server.url.replace('http:', 'https:')}/shop.git`, 'tls'],
    ] as const)
      expect(await failureOf(ask(installSkills, { source, ...TO }, workspace))).toMatchObject({
        code: 'FETCH_FAILED',
        facts: { reason },
      });
  });

  test('a server that cannot filter gives everything, and works too', async () => {
    await using server = await gitServer({ filters: false });
    const repository = server.repository('shop', { 'a/SKILL.md': text('a'), 'a/b.txt': 'b' });
    using place = project({}, 'disk');
    const result = await ask(installSkills, { source: repository.url, ...TO }, await place.open());
    expect(result.skills).toMatchObject([{ status: 'installed', files: 2 }]);
  });

  test('a branch with a slash in a page URL is separated from the path', async () => {
    const { fetchGit } = await import('../../src/install/git.ts');
    await using server = await gitServer();
    const repository = server.repository('shop', { 'skills/a/SKILL.md': text('a') });
    repository.git('checkout', '--quiet', '-b', 'feature/x');
    repository.push();
    using place = project({}, 'disk');
    const fetched = await fetchGit(
      { type: 'git', url: repository.url, ref: null, path: '', refAndPath: 'feature/x/skills/a' },
      { disk: place.disk, environment: process.env, timeoutMs: 30_000 },
    );
    expect([fetched.ref, fetched.path]).toEqual(['feature/x', 'skills/a']);
    fetched.close();
  });
});

describe('a lock that cannot be trusted', () => {
  const file = { sha256: 'a'.repeat(64), size: 1, mode: '644' };
  const good = {
    type: 'git',
    source: 'https://example.com/x.git',
    ref: null,
    commit: 'b'.repeat(40),
    path: 'a',
    mode: 'copy',
    targets: [{ agent: 'claude', scope: 'project', path: '.claude/skills/a' }],
    files: { 'SKILL.md': file },
  };
  const lock = (skills: unknown, more: object = {}): string => JSON.stringify({ lockfileVersion: 1, skills, ...more });

  test.each([
    ['not JSON', '{'],
    ['with marks of a merge', `<<<<<<< HEAD\n${lock({})}\n=======\n`],
    ['of another version', lock({}, { lockfileVersion: 2 })],
    ['with a key twice', `{"lockfileVersion":1,"skills":{"a":${JSON.stringify(good)},"a":${JSON.stringify(good)}}}`],
    ['with a name that leads out', lock({ '../x': good })],
    [
      'with a name that begins with a dot',
      lock({ '.a': { ...good, targets: [{ ...good.targets[0], path: 'x/.a' }] } }),
    ],
    ['with a source folder that begins with a dot', lock({ a: { ...good, path: 'skills/.a' } })],
    ['with a target that leads out', lock({ a: { ...good, targets: [{ ...good.targets[0], path: '../../a' }] } })],
    ['with an absolute target', lock({ a: { ...good, targets: [{ ...good.targets[0], path: '/tmp/a' }] } })],
    [
      'with a target of the user',
      lock({ a: { ...good, targets: [{ ...good.targets[0], scope: 'user', path: '~/a' }] } }),
    ],
    ['with a target inside .git', lock({ a: { ...good, targets: [{ ...good.targets[0], path: '.git/a' }] } })],
    ['with no targets', lock({ a: { ...good, targets: [] } })],
    ['with a file that leads out', lock({ a: { ...good, files: { 'SKILL.md': file, '../x': file } } })],
    ['without SKILL.md', lock({ a: { ...good, files: { x: file } } })],
    ['with a mode of its own', lock({ a: { ...good, files: { 'SKILL.md': { ...file, mode: '4755' } } } })],
    ['with a source that starts a program', lock({ a: { ...good, source: 'ext::sh -c touch% x' } })],
    ['with a source that is an option', lock({ a: { ...good, source: '--upload-pack=x' } })],
    ['with a short commit', lock({ a: { ...good, commit: 'abc' } })],
    ['with a ref that is an option', lock({ a: { ...good, ref: '--output=x' } })],
    [
      'with two names that differ in case',
      lock({ a: good, A: { ...good, targets: [{ ...good.targets[0], path: 'x/A' }] } }),
    ],
    [
      'with a link that leads elsewhere',
      lock({
        a: {
          ...good,
          mode: 'link',
          targets: [...good.targets, { ...good.targets[0], path: 'x/a', link: '../../../etc' }],
        },
      }),
    ],
  ])('%s is invalid for every command, and nothing is written', async (_, content) => {
    using place = project({ 'project/lectern.lock.json': content, 'project/source/b/SKILL.md': text('b') }, 'disk');
    const workspace = await place.open();
    const before = everything(place.at('project'));
    for (const request of [
      () => ask(installSkills, { source: './source', ...TO }, workspace),
      () => ask(installSkills, { frozen: true, yes: true }, workspace),
      () => ask(updateSkills, { yes: true }, workspace),
      () => ask(verifySkills, {}, workspace),
    ])
      expect((await failureOf(request())).code).toBe('LOCK_INVALID');
    expect(everything(place.at('project'))).toEqual(before);
    expect(place.read('project/lectern.lock.json')).toBe(content);
  });

  test('unknown keys are kept at every level', async () => {
    using place = project({ 'project/source/a/SKILL.md': text('a') }, 'disk');
    const workspace = await place.open();
    await ask(installSkills, { source: './source', ...TO }, workspace);
    const value = JSON.parse(place.read('project/lectern.lock.json'));
    Object.assign(value, { zeta: 1 });
    Object.assign(value.skills.a, { note: 'mine' });
    Object.assign(value.skills.a.targets[0], { why: 'x' });
    Object.assign(value.skills.a.files['SKILL.md'], { seen: true });
    place.write({ 'project/lectern.lock.json': JSON.stringify(value), 'project/source/a/SKILL.md': text('a', 'New') });
    const result = await ask(updateSkills, { yes: true }, workspace);
    expect(result.skills).toMatchObject([{ status: 'updated' }]);
    const after = JSON.parse(place.read('project/lectern.lock.json'));
    expect([after.zeta, after.skills.a.note, after.skills.a.targets[0].why]).toEqual([1, 'mine', 'x']);
    expect(after.skills.a.files['SKILL.md'].seen).toBe(true);
  });
});

describe('existing files and links', () => {
  test('a folder that is not ours is refused, and kept as a backup with --force', async () => {
    using place = project(
      { 'project/source/a/SKILL.md': text('a'), 'project/.claude/skills/a/SKILL.md': text('a', 'Mine') },
      'disk',
    );
    const workspace = await place.open();
    const request = { source: './source', ...TO };
    expect((await failureOf(ask(installSkills, request, workspace))).code).toBe('REFUSED');
    const result = await ask(installSkills, { ...request, force: true }, workspace);
    expect(fs.readFileSync(path.join(result.skills[0]?.backup ?? '', 'SKILL.md'), 'utf8')).toContain('Mine');
  });

  test('a link of the project that leads out is not written through', async () => {
    using place = project(
      { 'project/source/a/SKILL.md': text('a'), 'project/.claude': { link: '../outside' }, 'outside/x': 'x' },
      'disk',
    );
    expect((await failureOf(ask(installSkills, { source: './source', ...TO }, await place.open()))).code).toBe(
      'REFUSED',
    );
    expect(everything(place.at('outside'))).toEqual(['x']);
  });

  test.skipIf(process.platform === 'win32').each([
    ['read-only', 'UNWRITABLE', (file: string) => fs.chmodSync(file, 0o444)],
    ['hard link', 'REFUSED', (file: string) => fs.linkSync(file, `${file}.second`)],
  ])(
    'a lock file that is protected (%s) is refused with the reason, before a skill changes',
    async (reason, code, protect) => {
      using place = project({ 'project/source/a/SKILL.md': text('a'), 'project/source/b/SKILL.md': text('b') }, 'disk');
      const workspace = await place.open();
      await ask(installSkills, { source: './source', skills: ['a'], ...TO }, workspace);
      protect(place.at('project/lectern.lock.json'));
      place.write({ 'project/source/a/SKILL.md': text('a', 'Newer') });
      const before = place.state();
      for (const request of [
        () => ask(installSkills, { source: './source', skills: ['b'], ...TO }, workspace),
        () => ask(updateSkills, { yes: true }, workspace),
        () => ask(removeInstalled, { names: ['a'], yes: true }, workspace),
      ]) {
        const failure = await failureOf(request());
        expect([failure.code, failure.path]).toEqual([code, place.at('project/lectern.lock.json')]);
        expect(failure.message).toContain(reason);
        expect(place.state()).toEqual(before);
      }
      expect((await ask(installSkills, { frozen: true, yes: true }, workspace)).skills).toMatchObject([
        { status: 'unchanged' },
      ]);
    },
  );

  test('for the user the lock is in the configuration folder, with paths from the home', async () => {
    using place = project({ 'home/source/a/SKILL.md': text('a') }, 'disk');
    const result = await ask(
      installSkills,
      { source: '~/source', to: ['claude:user', 'codex:user'], yes: true },
      await place.open(),
    );
    expect(result.lock).toBe(place.at('home/.config/lectern/lectern.lock.json'));
    expect(JSON.parse(place.read('home/.config/lectern/lectern.lock.json')).skills.a).toMatchObject({
      source: '~/source',
      mode: 'link',
      targets: [
        { agent: 'agents', scope: 'user', path: '~/.agents/skills/a' },
        { agent: 'claude', scope: 'user', path: '~/.claude/skills/a', link: '../../.agents/skills/a' },
        { agent: 'codex', scope: 'user', path: '~/.codex/skills/a', link: '../../.agents/skills/a' },
      ],
    });
    expect(everything(place.at('project'))).toEqual([]);
  });

  test.skipIf(!hasOrdinaryUser)('a folder that cannot be written leaves nothing behind', async () => {
    using folder = tempFolder({ 'source/a/SKILL.md': text('a'), 'project/.claude/skills/x/SKILL.md': text('x') });
    for (const dir of ['project', 'project/.claude', 'project/.claude/skills']) fs.chmodSync(folder.at(dir), 0o555);
    const before = everything(folder.at('project'));
    const run = await lectern(folder, ['install', '../source', '--to', 'claude', '--yes', '--json'], {
      unprivileged: true,
    });
    expect([run.code, JSON.parse(run.stdout).error.code]).toEqual([2, 'UNWRITABLE']);
    expect(everything(folder.at('project'))).toEqual(before);
    for (const dir of ['project', 'project/.claude', 'project/.claude/skills']) fs.chmodSync(folder.at(dir), 0o755);
  });
});
