import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lectern } from '../support/run-lectern.ts';
import { canMount, mount, smallDisk } from '../support/small-disk.ts';

const KILOBYTE = 1024;

/** Every file below a folder, with its text. */
function filesOf(dir: string): Record<string, string> {
  const files = fs.readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(dir, file), fs.readFileSync(file, 'utf8')]),
  );
}

/** Uses up a disk. Returns the file that does. */
function fill(disk: string): string {
  const ballast = path.join(disk, 'ballast');
  const descriptor = fs.openSync(ballast, 'w');
  try {
    for (;;) fs.writeSync(descriptor, Buffer.alloc(KILOBYTE));
  } catch {
    fs.closeSync(descriptor);
  }
  return ballast;
}

const isPossible = canMount();

test.skipIf(!isPossible)(
  'a skill that is created or installed on a full disk leaves nothing behind (only root can mount a small disk)',
  async () => {
    using folder = smallDisk(128);
    folder.write({ 'source/a/SKILL.md': `---\nname: a\ndescription: d\n---\n${'text '.repeat(5_000)}\n` });
    const ballast = fill(folder.disk);
    for (const args of [
      ['new', 'fresh'],
      ['install', '../source', '--to', 'claude', '--yes'],
      ['change', 'new', 'fresh'],
    ]) {
      const { code, stderr } = await lectern(folder, args);
      expect([args[0], code, stderr]).toEqual([args[0], 2, expect.stringContaining('disk is full')]);
      expect(fs.readdirSync(folder.disk), `${args.join(' ')}`).toEqual(['ballast']);
    }
    fs.rmSync(ballast);
    expect((await lectern(folder, ['new', 'fresh'])).code).toBe(0);
  },
);

test.skipIf(!isPossible)(
  'a search whose cache does not fit answers all the same, says why nothing is kept, and keeps it once there is room',
  async () => {
    using folder = smallDisk(48);
    const skills = Array.from({ length: 200 }, (_, index) => [
      `work/.agents/skills/s${index}/SKILL.md`,
      `---\nname: s${index}\ndescription: About subject ${index}.\n---\n${`text${index} `.repeat(40)}\n`,
    ]);
    folder.write(Object.fromEntries(skills));
    const run = async (...args: string[]) => {
      const { stdout, code } = await lectern(folder, [...args, '--json', '--project-dir', folder.at('work')], {
        env: { XDG_CACHE_HOME: folder.disk },
      });
      return { code, answer: JSON.parse(stdout) };
    };
    expect(await run('search', 'subject 7')).toMatchObject({
      code: 0,
      answer: { mode: 'auto', total: expect.any(Number) },
    });
    expect(await run('index')).toMatchObject({ code: 0, answer: { reason: expect.stringContaining('disk is full') } });
    expect(mount(folder.disk, 64 * KILOBYTE, 'remount')).toBe(true);
    expect(await run('index')).toMatchObject({ code: 0, answer: { added: 200 } });
    expect(await run('index', '--status')).toMatchObject({ answer: { state: 'ready', ready: 200 } });
  },
);

test.skipIf(!isPossible)(
  'a change that is archived on a full disk stays as it was, and is archived once there is room',
  async () => {
    using folder = smallDisk(256);
    const requirement = (name: string, filler = ''): string =>
      `### Requirement: ${name}\nThe system SHALL ${name}. ${filler}\n\n#### Scenario: it does\n- **WHEN** asked\n- **THEN** it does\n`;
    const spec = `# Till\n\n## Purpose\nWhat the till does for those who stand at it all day long, and nothing else.\n\n## Requirements\n${requirement('add up')}`;
    folder.write({
      'project/openspec/specs/till/spec.md': spec,
      'project/openspec/changes/more/proposal.md':
        '# More\n\n## Why\nPeople ask for it every day at the till, so it pays.\n\n## What Changes\n- more\n',
      'project/openspec/changes/more/tasks.md': '- [x] 1.1 done\n',
      'project/openspec/changes/more/specs/till/spec.md': `## ADDED Requirements\n${requirement('count coins', 'Coins. '.repeat(2_000))}`,
    });
    const ballast = fill(folder.disk);
    const before = filesOf(path.join(folder.disk, 'openspec'));
    const refused = await lectern(folder, ['change', 'archive', 'more', '--json']);
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: { message: expect.stringMatching(/disk is full|no space/iu) },
    });
    expect(filesOf(path.join(folder.disk, 'openspec'))).toEqual(before);
    fs.rmSync(ballast);
    expect((await lectern(folder, ['change', 'archive', 'more', '--json'])).code).toBe(0);
    expect(fs.readFileSync(path.join(folder.disk, 'openspec/specs/till/spec.md'), 'utf8')).toContain(
      '### Requirement: count coins',
    );
    expect(fs.existsSync(path.join(folder.disk, 'openspec/changes/more'))).toBe(false);
  },
);
