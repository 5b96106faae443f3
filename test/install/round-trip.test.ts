/** Installing from a real repository over a loopback server and from a folder, the lock, and the way back. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitServer } from '../support/git-server.ts';
import { lectern, type Run } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- Answers are compared as whole documents.
const json = ({ stdout }: Run): any => JSON.parse(stdout);

/** Every file below a folder with its mode and content, and every link with its text. */
function treeHash(dir: string): string {
  const hash = createHash('sha256');
  for (const name of fs.readdirSync(dir, { recursive: true }).map(String).sort()) {
    const place = path.join(dir, name);
    const stats = fs.lstatSync(place);
    if (stats.isFile()) hash.update(`${name} ${(stats.mode & 0o777).toString(8)} `).update(fs.readFileSync(place));
    if (stats.isSymbolicLink()) hash.update(`${name} -> ${fs.readlinkSync(place)}`);
  }
  return hash.digest('hex');
}

const PDF = {
  'skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Reads PDF files' }),
  'skills/pdf/scripts/run.sh': '#!/bin/sh\necho hi\n',
  'skills/git/SKILL.md': skillText({ name: 'git', description: 'Works with git' }),
};

function leftovers(folder: TempFolder): string[] {
  return fs
    .readdirSync(folder.dir, { recursive: true })
    .map(String)
    .filter((name) => /(?:^|\/)(?:\.lectern-|lectern-fetch)/u.test(name));
}

describe('install', () => {
  test('a skill of a repository is installed with its modes, and its commit and files are locked', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', PDF, ['skills/pdf/scripts/run.sh']);
    using folder = tempFolder();
    const run = await lectern(folder, ['install', repository.url, 'pdf', '--to', 'claude', '--yes', '--json']);
    const commit = repository.git('rev-parse', 'HEAD');
    expect(json(run)).toMatchObject({
      command: 'install',
      source: { type: 'git', url: repository.url, ref: null, commit, path: '' },
      skills: [{ name: 'pdf', status: 'installed', path: 'skills/pdf', files: 2, scripts: ['scripts/run.sh'] }],
      findings: [],
      lock: folder.at('project/lectern.lock.json'),
    });
    expect(run.code).toBe(0);
    expect(fs.statSync(folder.at('project/.claude/skills/pdf/scripts/run.sh')).mode & 0o777).toBe(0o755);
    expect(fs.statSync(folder.at('project/.claude/skills/pdf/SKILL.md')).mode & 0o777).toBe(0o644);
    expect(fs.readFileSync(folder.at('project/.claude/skills/pdf/SKILL.md'), 'utf8')).toBe(PDF['skills/pdf/SKILL.md']);
    const lock = fs.readFileSync(folder.at('project/lectern.lock.json'), 'utf8');
    expect(lock).not.toContain(folder.dir);
    expect(JSON.parse(lock)).toEqual({
      lockfileVersion: 1,
      skills: {
        pdf: {
          type: 'git',
          source: repository.url,
          ref: null,
          commit,
          path: 'skills/pdf',
          mode: 'copy',
          targets: [{ agent: 'claude', scope: 'project', path: '.claude/skills/pdf' }],
          files: {
            'SKILL.md': { sha256: expect.stringMatching(/^[0-9a-f]{64}$/u), size: expect.any(Number), mode: '644' },
            'scripts/run.sh': { sha256: expect.any(String), size: 18, mode: '755' },
          },
        },
      },
    });
    expect(leftovers(folder)).toEqual([]);
    expect((await lectern(folder, ['verify'])).code).toBe(0);
  });

  test('without a terminal it needs --yes, and a dry run writes nothing', async () => {
    using folder = tempFolder({ 'source/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    const without = await lectern(folder, ['install', '../source', '--to', 'claude', '--json']);
    expect([without.code, json(without).error.code]).toEqual([2, 'CONFIRM_NEEDED']);
    const dry = await lectern(folder, ['install', '../source', '--to', 'claude', '--json', '--dry-run']);
    expect(json(dry)).toMatchObject({ dryRun: true, skills: [{ name: 'pdf', status: 'would-install' }] });
    expect(fs.readdirSync(folder.at('project'))).toEqual([]);
  });

  test('a folder is installed, its source is recorded relative to the lock, and a second time changes nothing', async () => {
    using folder = tempFolder({ 'source/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    const args = ['install', '../source', '--to', 'codex', '--yes', '--json'];
    expect(json(await lectern(folder, args)).skills[0].status).toBe('installed');
    const before = treeHash(folder.at('project'));
    expect(json(await lectern(folder, args)).skills[0].status).toBe('unchanged');
    expect(treeHash(folder.at('project'))).toBe(before);
    const lock = JSON.parse(fs.readFileSync(folder.at('project/lectern.lock.json'), 'utf8'));
    expect(lock.skills.pdf).toMatchObject({ type: 'local', source: '../source', path: 'pdf', commit: null });
  });

  test('a relative source starts at the working folder, also with --project-dir', async () => {
    using folder = tempFolder({ 'elsewhere/source/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    const args = ['install', './source', '--to', 'codex', '--yes', '--json', '--project-dir', folder.at('project')];
    const run = await lectern(folder, args, { cwd: folder.at('elsewhere') });
    expect(json(run).skills).toMatchObject([{ name: 'pdf', status: 'installed' }]);
    const lock = JSON.parse(fs.readFileSync(folder.at('project/lectern.lock.json'), 'utf8'));
    expect(lock.skills.pdf).toMatchObject({ type: 'local', source: '../elsewhere/source' });
    expect((await lectern(folder, ['outdated', '--allow-file'])).code).toBe(0);
  });

  test('another machine is restored to the same bytes from the lock, also after the tag has moved', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', PDF, ['skills/pdf/scripts/run.sh']);
    repository.git('tag', 'v1');
    repository.push('v1');
    using first = tempFolder();
    await lectern(first, ['install', `${repository.url}#v1`, '--all', '--to', 'claude', '--yes']);
    repository.commit({ 'skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Something else' }) });
    repository.git('tag', '--force', 'v1');
    repository.push('v1');
    using second = tempFolder();
    fs.mkdirSync(second.at('project'));
    fs.copyFileSync(first.at('project/lectern.lock.json'), second.at('project/lectern.lock.json'));
    const run = await lectern(second, ['install', '--frozen', '--yes', '--json']);
    expect(json(run).skills.map(({ status }: { status: string }) => status)).toEqual(['installed', 'installed']);
    expect(treeHash(second.at('project'))).toBe(treeHash(first.at('project')));
    expect((await lectern(second, ['verify', '--frozen'])).code).toBe(0);
  });

  test('fetched files that differ from the lock are not written', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', PDF);
    using folder = tempFolder();
    await lectern(folder, ['install', repository.url, '--all', '--to', 'claude', '--yes']);
    const file = folder.at('project/lectern.lock.json');
    const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
    lock.skills.pdf.files['SKILL.md'].sha256 = '0'.repeat(64);
    fs.writeFileSync(file, JSON.stringify(lock));
    fs.rmSync(folder.at('project/.claude'), { recursive: true });
    const run = await lectern(folder, ['install', '--frozen', '--yes', '--json']);
    expect(run.code).toBe(1);
    expect(json(run).skills).toMatchObject([
      { name: 'git', status: 'installed' },
      { name: 'pdf', status: 'failed', error: { code: 'UNSAFE', file: 'SKILL.md', expected: '0'.repeat(64) } },
    ]);
    expect(fs.readdirSync(folder.at('project/.claude/skills'))).toEqual(['git']);
  });

  test('verify names a changed, a missing and an additional file, with both digests', async () => {
    using folder = tempFolder({
      'source/pdf/SKILL.md': skillText({ name: 'pdf' }),
      'source/pdf/a.txt': 'a',
      'source/pdf/b.txt': 'b',
    });
    await lectern(folder, ['install', '../source', '--to', 'claude', '--yes']);
    const skill = folder.at('project/.claude/skills/pdf');
    fs.writeFileSync(path.join(skill, 'a.txt'), 'A');
    fs.rmSync(path.join(skill, 'b.txt'));
    fs.writeFileSync(path.join(skill, 'c.txt'), 'c');
    const run = await lectern(folder, ['verify', '--json']);
    expect(run.code).toBe(1);
    const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
    expect(json(run)).toMatchObject({
      ok: false,
      skills: [
        {
          name: 'pdf',
          ok: false,
          problems: [
            {
              code: 'changed',
              file: 'a.txt',
              expected: digest('a'),
              actual: digest('A'),
              target: '.claude/skills/pdf',
            },
            { code: 'missing', file: 'b.txt' },
            { code: 'extra', file: 'c.txt' },
          ],
        },
      ],
    });
  });

  test('verify --frozen fails on a skill beside ours that no lock knows', async () => {
    using folder = tempFolder({ 'source/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    await lectern(folder, ['install', '../source', '--to', 'claude', '--yes']);
    folder.write({ 'project/.claude/skills/other/SKILL.md': skillText({ name: 'other' }) });
    expect((await lectern(folder, ['verify'])).code).toBe(0);
    const run = await lectern(folder, ['verify', '--frozen', '--json']);
    expect(run.code).toBe(1);
    expect(json(run).skills).toMatchObject([
      { name: 'pdf', ok: true },
      { name: 'other', ok: false },
    ]);
  });

  test('without a lock, verify and --frozen fail with NO_LOCK', async () => {
    using folder = tempFolder();
    for (const args of [['verify'], ['install', '--frozen', '--yes']]) {
      const run = await lectern(folder, [...args, '--json']);
      expect([run.code, json(run).error.code]).toEqual([2, 'NO_LOCK']);
    }
  });
});
