/** What a cloned repository can have instead of its own files: links to elsewhere, pipes and devices. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { scene } from '../support/oracles.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SPEC = '# Canary\n\n## Purpose\nCANARY-7f3a91\n';

describe('links out of the project', () => {
  test('a linked configuration file is not read, and the finding gives the reason', async () => {
    using place = scene({
      'outside/config.json': '{"exclude": ["good"], "CANARY-7f3a91": 1}',
      'project/.lectern/config.json': { link: '../../outside/config.json' },
      'project/.claude/settings.json': { link: '../../outside/config.json' },
    });
    const { stderr, names } = await place.list();
    expect([names, stderr]).toEqual([[], expect.stringContaining('a link leads out of its folder')]);
    await place.run(['doctor'], { expectCode: 1 });
  });

  test('linked specs are not read', async () => {
    using place = scene({
      'outside/openspec/specs/a/spec.md': SPEC,
      'outside/openspec/changes/b/proposal.md': SPEC,
      'project/openspec': { link: '../outside/openspec' },
      'project/.git/HEAD': '',
    });
    const { stdout, stderr } = await place.run(['spec', 'list', '--json'], { expectCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ specs: [] });
    expect(stdout + stderr).toContain('spec-root-outside');
    for (const args of [['change', 'list'], ['search', 'canary'], ['validate', '--all'], ['doctor']])
      await place.run(args);
    await place.run(['change', 'new', 'c'], { expectCode: 2 });
  });

  test('specs behind a link inside the repository are read', async () => {
    using place = scene({
      'project/.git/HEAD': '',
      'project/shared/specs/a/spec.md': '# A\n',
      'project/shared/changes/.keep': '',
      'project/app/openspec': { link: '../shared' },
    });
    const { stdout } = await place.run(['spec', 'list', '--json'], { cwd: place.at('project/app'), expectCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ specs: [{ id: 'a' }] });
  });

  test('nothing is created, disabled or cleared out there', async () => {
    using place = scene({
      'outside/skills/x/SKILL.md': skillText({ name: 'x' }),
      'outside/index/current.json': '{}',
      'outside/index/gen-1/x': '',
      'project/.agents/skills': { link: '../../outside/skills' },
      'project/.lectern': { link: '../outside' },
    });
    for (const args of [
      ['new', 'fresh', '--to', 'agents'],
      ['new', 'fresh', '--to', './.agents/skills'],
      ['disable', 'x'],
    ])
      expect((await place.run(args, { expectCode: 2 })).stderr).toMatch(
        /outside the project|leads out of the project|cannot/iu,
      );
    for (const args of [['index'], ['index', '--clear']]) await place.run(args, { expectCode: 0 });
    expect(fs.readdirSync(place.at('outside/index')).sort()).toEqual(['current.json', 'gen-1']);
    expect(fs.readdirSync(place.at('outside/skills'))).toEqual(['x']);
    // A folder outside that the user names is written to.
    await place.run(['new', 'fresh', '--to', '../outside/skills'], { expectCode: 0 });
  });
});

describe.skipIf(process.platform === 'win32')('in the place of a cache or a configuration file', () => {
  const COMMANDS = [
    ['list'],
    ['search', 'control'],
    ['search', 'control', '--mode', 'hybrid'],
    ['doctor'],
    ['index', '--status'],
  ];

  test.each(['.lectern/config.json', '.spox/config.toml', 'openspec/config.yaml'])(
    'a pipe or a device holds no command up: %s',
    async (name) => {
      using place = scene({ [`project/${name}`]: { link: '/dev/zero' }, 'project/openspec/specs/a/spec.md': '# A\n' });
      for (const args of COMMANDS) await place.run(args);
      fs.rmSync(place.at('project', name));
      spawnSync('mkfifo', [place.at('project', name)]);
      for (const args of COMMANDS) await place.run(args);
    },
  );

  test.each(['pipe', 'device'])('a lock that is a %s is taken over', (kind) => {
    using place = tempFolder(kind === 'device' ? { lock: { link: '/dev/zero' } } : {});
    if (kind === 'pipe') spawnSync('mkfifo', [place.at('lock')]);
    expect(nodeDisk.lock(place.at('lock'))).toBeUndefined();
    // Where the system tells when a process started, that is in the lock too.
    expect(fs.readFileSync(place.at('lock'), 'utf8')).toMatch(new RegExp(`^${process.pid}(?: \\d+)?\\n$`, 'u'));
  });

  test('nothing is appended to a pipe or through a link', () => {
    using place = tempFolder({ link: { link: 'elsewhere' } });
    spawnSync('mkfifo', [place.at('pipe')]);
    for (const name of ['pipe', 'link']) expect(() => nodeDisk.append(place.at(name), 'x')).toThrow(/Cannot write/u);
    expect(fs.existsSync(place.at('elsewhere'))).toBe(false);
  });
});
