/** Updates spare what people changed and touch only what was installed. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitServer } from '../support/git-server.ts';
import { lectern, type Run } from '../support/run-lectern.ts';
import { tempFolder } from '../support/temp-folder.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- Answers are compared as whole documents.
const json = ({ stdout }: Run): any => JSON.parse(stdout);
const text = (name: string, body = 'Body'): string =>
  `---\nname: ${name}\ndescription: About ${name}\n---\n\n${body}\n`;

describe('outdated and update', () => {
  test('a newer version is shown as a diff and written, and current skills stay unchanged', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', {
      'a/SKILL.md': text('a'),
      'a/old.txt': 'x',
      'b/SKILL.md': text('b'),
    });
    using folder = tempFolder();
    await lectern(folder, ['install', repository.url, '--all', '--to', 'claude', '--yes']);
    const first = repository.git('rev-parse', 'HEAD');
    const second = repository.commit({
      'a/SKILL.md': text('a', 'New body'),
      'a/old.txt': null,
      'a/new.txt': 'y',
      'c/SKILL.md': text('c'),
    });
    const outdated = await lectern(folder, ['outdated', '--json', '--exit-code']);
    expect(outdated.code).toBe(1);
    expect(json(outdated).skills).toMatchObject([
      {
        name: 'a',
        status: 'outdated',
        commit: first,
        latest: second,
        ref: null,
        modified: false,
        lock: 'lectern.lock.json',
      },
      { name: 'b', status: 'current', commit: first, latest: second },
    ]);
    const dry = json(await lectern(folder, ['update', '--dry-run', '--json']));
    expect(dry.skills[0]).toMatchObject({ status: 'would-update', from: { commit: first }, to: { commit: second } });
    expect(fs.existsSync(folder.at('project/.claude/skills/a/new.txt'))).toBe(false);
    const needsYes = await lectern(folder, ['update', '--json']);
    expect([needsYes.code, json(needsYes).error.code]).toEqual([2, 'CONFIRM_NEEDED']);
    const run = await lectern(folder, ['update', '--yes', '--json']);
    expect(run.code).toBe(0);
    expect(json(run).skills[0]).toMatchObject({
      status: 'updated',
      changes: [
        { file: 'SKILL.md', kind: 'changed', diff: expect.stringContaining('+New body') },
        { file: 'new.txt', kind: 'added' },
        { file: 'old.txt', kind: 'removed' },
      ],
    });
    expect(fs.readdirSync(folder.at('project/.claude/skills')).sort()).toEqual(['a', 'b']);
    expect(fs.readdirSync(folder.at('project/.claude/skills/a')).sort()).toEqual(['SKILL.md', 'new.txt']);
    expect((await lectern(folder, ['verify'])).code).toBe(0);
    expect((await lectern(folder, ['outdated', '--exit-code'])).code).toBe(0);
  });

  test('a modified skill is left as it is, and with --force it is kept as a backup outside every folder of skills', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': text('a') });
    using folder = tempFolder();
    await lectern(folder, ['install', repository.url, '--to', 'claude', '--yes']);
    const file = folder.at('project/.claude/skills/a/SKILL.md');
    fs.writeFileSync(file, text('a', 'Mine'));
    repository.commit({ 'a/SKILL.md': text('a', 'Theirs') });
    const left = await lectern(folder, ['update', '--yes', '--json']);
    expect([left.code, json(left).skills[0].status]).toEqual([1, 'modified']);
    expect(fs.readFileSync(file, 'utf8')).toContain('Mine');
    const again = await lectern(folder, ['install', repository.url, '--to', 'claude', '--yes', '--json']);
    expect([again.code, json(again).error.code]).toEqual([2, 'REFUSED']);
    const forced = json(await lectern(folder, ['update', '--yes', '--force', '--json'])).skills[0];
    expect(forced).toMatchObject({
      status: 'updated',
      backup: expect.stringContaining(path.join('.lectern', 'backups')),
    });
    expect(fs.readFileSync(path.join(forced.backup, 'SKILL.md'), 'utf8')).toContain('Mine');
    expect(fs.readFileSync(file, 'utf8')).toContain('Theirs');
  });

  test('--force restores the installed version of a modified skill, even if there is nothing newer', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': text('a', 'Theirs') });
    using folder = tempFolder();
    await lectern(folder, ['install', repository.url, '--to', 'claude', '--yes']);
    const file = folder.at('project/.claude/skills/a/SKILL.md');
    fs.writeFileSync(file, text('a', 'Mine'));
    const left = await lectern(folder, ['update', '--yes', '--json']);
    expect([left.code, json(left).skills[0].status]).toEqual([0, 'modified']);
    const forced = json(await lectern(folder, ['update', '--yes', '--force', '--json'])).skills[0];
    expect(forced.status).toBe('updated');
    expect(fs.readFileSync(path.join(forced.backup, 'SKILL.md'), 'utf8')).toContain('Mine');
    expect(fs.readFileSync(file, 'utf8')).toContain('Theirs');
    expect((await lectern(folder, ['verify'])).code).toBe(0);
  });

  test('a removed or renamed skill is kept and reported; --prune deletes the removed one', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', {
      'a/SKILL.md': text('a', 'Alpha'),
      'b/SKILL.md': text('b', 'Beta'),
      'c/SKILL.md': text('c'),
    });
    using folder = tempFolder();
    await lectern(folder, ['install', repository.url, '--all', '--to', 'claude', '--yes']);
    repository.commit({ a: null, b: null, 'better/SKILL.md': text('better', 'Alpha') });
    const run = await lectern(folder, ['update', '--yes', '--json']);
    expect(run.code).toBe(1);
    expect(json(run).skills).toMatchObject([
      { name: 'a', status: 'renamed', renamedTo: 'better' },
      { name: 'b', status: 'gone' },
      { name: 'c', status: 'current' },
    ]);
    const pruned = await lectern(folder, ['update', '--prune', '--yes', '--json']);
    expect(json(pruned).skills[1]).toMatchObject({ name: 'b', status: 'removed' });
    expect(fs.readdirSync(folder.at('project/.claude/skills')).sort()).toEqual(['a', 'c']);
  });

  test('a commit is pinned, and a tag that moved is called out', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'a/SKILL.md': text('a'), 'b/SKILL.md': text('b') });
    repository.git('tag', '--annotate', '--message=x', 'v1');
    repository.push('v1');
    const first = repository.git('rev-parse', 'HEAD');
    using folder = tempFolder();
    await lectern(folder, ['install', `${repository.url}#${first}`, 'a', '--to', 'claude', '--yes']);
    await lectern(folder, ['install', `${repository.url}#v1`, 'b', '--to', 'claude', '--yes']);
    const second = repository.commit({ 'a/SKILL.md': text('a', 'New'), 'b/SKILL.md': text('b', 'New') });
    repository.git('tag', '--force', 'v1');
    repository.push('v1');
    expect(json(await lectern(folder, ['outdated', '--json'])).skills).toMatchObject([
      { name: 'a', status: 'pinned', ref: first },
      { name: 'b', status: 'outdated', ref: 'v1', refMoved: true, commit: first, latest: second },
    ]);
  });

  test('a folder as a source is compared by its files', async () => {
    using folder = tempFolder({ 'project/source/a/SKILL.md': text('a') });
    await lectern(folder, ['install', './source', '--to', 'claude', '--yes']);
    expect(json(await lectern(folder, ['outdated', '--json'])).skills[0].status).toBe('current');
    folder.write({ 'project/source/a/SKILL.md': text('a', 'New') });
    expect(json(await lectern(folder, ['update', '--yes', '--json'])).skills[0].status).toBe('updated');
    expect(fs.readFileSync(folder.at('project/.claude/skills/a/SKILL.md'), 'utf8')).toContain('New');
  });

  test('one unreachable source among several is unknown, and the rest is answered', async () => {
    using folder = tempFolder({ 'project/source/a/SKILL.md': text('a') });
    await lectern(folder, ['install', './source', '--to', 'claude', '--yes']);
    await using server = await gitServer();
    const repository = server.repository('shop', { 'b/SKILL.md': text('b') });
    await lectern(folder, ['install', repository.url, '--to', 'claude', '--yes']);
    server.behavior = 500;
    const run = await lectern(folder, ['outdated', '--json']);
    expect(run.code).toBe(1);
    expect(json(run).skills).toMatchObject([
      { name: 'a', status: 'current' },
      { name: 'b', status: 'unknown', error: { code: 'FETCH_FAILED', reason: 'network' } },
    ]);
  });
});

describe('remove', () => {
  test('folders, links and the entry go; others stay', async () => {
    using folder = tempFolder({ 'source/a/SKILL.md': text('a'), 'source/b/SKILL.md': text('b') });
    await lectern(folder, ['install', '../source', '--all', '--to', 'claude', '--to', 'codex', '--yes']);
    expect(fs.readlinkSync(folder.at('project/.claude/skills/a'))).toBe('../../.agents/skills/a');
    expect((await lectern(folder, ['verify', '--frozen'])).code).toBe(0);
    const run = await lectern(folder, ['remove', 'a', '--yes', '--json']);
    expect(json(run).skills).toMatchObject([{ name: 'a', status: 'removed' }]);
    for (const root of ['.agents', '.claude', '.codex'])
      expect(fs.readdirSync(folder.at('project', root, 'skills'))).toEqual(['b']);
    expect((await lectern(folder, ['verify', '--frozen'])).code).toBe(0);
  });

  test('a skill that was not installed and a path are refused, and a typo gets a suggestion', async () => {
    using folder = tempFolder({
      'source/pdf/SKILL.md': text('pdf'),
      'project/.claude/skills/own/SKILL.md': text('own'),
      'x/keep.txt': 'x',
    });
    await lectern(folder, ['install', '../source', '--to', 'claude', '--yes']);
    for (const [name, code] of [
      ['own', 'REFUSED'],
      ['pfd', 'NOT_FOUND'],
      ['../x', 'NOT_FOUND'],
    ]) {
      const run = await lectern(folder, ['remove', name ?? '', '--yes', '--json']);
      expect([run.code, json(run).error.code]).toEqual([2, code]);
    }
    expect(json(await lectern(folder, ['remove', 'pfd', '--yes', '--json'])).error.suggestions).toEqual(['pdf']);
    expect(fs.existsSync(folder.at('x/keep.txt'))).toBe(true);
  });

  test('a modified skill needs --force, which keeps a backup', async () => {
    using folder = tempFolder({ 'source/pdf/SKILL.md': text('pdf') });
    await lectern(folder, ['install', '../source', '--to', 'claude', '--yes']);
    fs.writeFileSync(folder.at('project/.claude/skills/pdf/mine.txt'), 'mine');
    expect((await lectern(folder, ['remove', 'pdf', '--yes'])).code).toBe(2);
    const [skill] = json(await lectern(folder, ['remove', 'pdf', '--yes', '--force', '--json'])).skills;
    expect(fs.readFileSync(path.join(skill.backup, 'mine.txt'), 'utf8')).toBe('mine');
    expect(fs.existsSync(folder.at('project/.claude/skills/pdf'))).toBe(false);
  });
});
