import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileTree } from '../../src/core/disk/tree.ts';
import { memoryDisk, type MemoryFile } from '../../src/core/disk/memory-disk.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';
import type { RootOptions } from '../../src/specs/roots.ts';
import { type Project, project } from '../support/project.ts';
import { CAP } from '../support/spec-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

function open(files: Record<string, MemoryFile>, options: Partial<RootOptions> = {}): SpecCatalog {
  return new SpecCatalog(memoryDisk(files), { projectDir: '/project', ancestors: ['/project'], ...options });
}

const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);
const codes = (catalog: SpecCatalog): string[] => catalog.diagnostics.map(({ code }) => code);

describe('layouts', () => {
  test('nothing here: nothing is listed and nothing is wrong', () => {
    const catalog = open({ '/project/readme.md': 'x' });
    expect([catalog.roots, catalog.specs, catalog.changes, catalog.archived, catalog.diagnostics]).toEqual([
      [],
      [],
      [],
      [],
      [],
    ]);
  });

  test('an empty openspec folder is a root without items', () => {
    const catalog = open({ '/project/openspec/config.yaml': 'schema: spec-driven\n' });
    expect([catalog.roots.length, catalog.specs.length, catalog.changes.length, catalog.diagnostics.length]).toEqual([
      1, 0, 0, 0,
    ]);
  });

  test('OpenSpec: nested ids, active and archived changes', () => {
    const catalog = open({
      '/project/openspec/specs/user/spec.md': CAP,
      '/project/openspec/specs/identity/user-auth/spec.md': CAP,
      '/project/openspec/specs/spec.md': CAP,
      '/project/openspec/specs/.hidden/spec.md': CAP,
      '/project/openspec/changes/add-x/proposal.md': '# Change: Add X\n',
      '/project/openspec/changes/add-x/tasks.md': '- [x] a\n- [ ] b\n',
      '/project/openspec/changes/bare/notes.md': 'x',
      '/project/openspec/changes/archive/2026-01-01-old/proposal.md': '# Old\n',
    });
    expect([ids(catalog.specs), ids(catalog.changes), ids(catalog.archived)]).toEqual([
      ['identity/user-auth', 'user'],
      ['add-x', 'bare'],
      ['2026-01-01-old'],
    ]);
    expect(catalog.changes.map(({ title, progress }) => [title, progress.completed, progress.total])).toEqual([
      ['Add X', 1, 2],
      ['bare', 0, 0],
    ]);
  });

  test('the nearest ancestor counts', () => {
    const files = {
      '/repo/openspec/specs/a/spec.md': CAP,
      '/repo/packages/p/openspec/specs/b/spec.md': CAP,
      '/repo/packages/p/src/x.ts': '',
    };
    const at = (projectDir: string, ...parents: string[]) =>
      ids(open(files, { projectDir, ancestors: [projectDir, ...parents] }).specs);
    expect(at('/repo/packages/p/src', '/repo/packages/p', '/repo/packages', '/repo')).toEqual(['b']);
    expect(at('/repo/packages', '/repo')).toEqual(['a', 'b']);
  });

  test('several roots in a monorepo: an id carries its root only where two have the same', () => {
    const catalog = open({
      '/project/packages/one/openspec/specs/auth/spec.md': CAP,
      '/project/packages/two/openspec/specs/auth/spec.md': CAP,
      '/project/packages/two/openspec/specs/billing/spec.md': CAP,
      '/project/node_modules/dep/openspec/specs/no/spec.md': CAP,
    });
    expect(ids(catalog.specs)).toEqual(['billing', 'packages/one:auth', 'packages/two:auth']);
    expect(catalog.findSpec('auth')).toEqual({ kind: 'ambiguous', ids: ['packages/one:auth', 'packages/two:auth'] });
    expect(catalog.findSpec('packages/two:billing')).toMatchObject({ kind: 'found', item: { id: 'billing' } });
  });

  test('Spec Oxide by its configuration', () => {
    const catalog = open({
      '/project/.spox/config.toml': '[paths]\nspec_folder = "docs/specs/" # here\nchanges_folder = \'docs/changes\'\n',
      '/project/docs/specs/a/spec.md': CAP,
      '/project/docs/changes/c/proposal.md': '# C\n',
      '/project/specs/_archive/old/proposal.md': '# Old\n',
    });
    expect([ids(catalog.specs), ids(catalog.changes), ids(catalog.archived)]).toEqual([['a'], ['c'], ['old']]);
  });

  test('Spec Oxide by its folders alone', () => {
    const catalog = open({
      '/project/specs/a/spec.md': CAP,
      '/project/specs/_changes/c/proposal.md': '# C\n',
      '/project/specs/_archive/old/tasks.md': '',
    });
    expect([catalog.roots[0]?.layout, ids(catalog.specs), ids(catalog.changes), ids(catalog.archived)]).toEqual([
      'spec-oxide',
      ['a'],
      ['c'],
      ['old'],
    ]);
  });

  test('a configuration that leads out of the project is not followed', () => {
    const catalog = open({
      '/project/.spox/config.toml': '[paths]\nspec_folder = "../secret"\n',
      '/secret/a/spec.md': CAP,
      '/project/specs/b/spec.md': CAP,
    });
    expect([ids(catalog.specs), codes(catalog)]).toEqual([['b'], ['spec-root-outside']]);
  });

  test('folders that were named', () => {
    const files = {
      '/project/my/specs/a/spec.md': CAP,
      '/project/my/plans/c/proposal.md': '# C\n',
      '/project/openspec/specs/b/spec.md': CAP,
    };
    const catalog = open(files, { specsDir: 'my/specs', changesDir: 'my/plans' });
    expect([ids(catalog.specs), ids(catalog.changes)]).toEqual([['a'], ['c']]);
    expect(codes(open(files, { specsDir: 'nowhere' }))).toEqual(['spec-root-missing']);
  });
});

describe('asking for an item', () => {
  const catalog = open({
    '/project/openspec/specs/identity/user-auth/spec.md': CAP,
    '/project/openspec/specs/billing/spec.md': CAP,
    '/secret/spec.md': 'CANARY',
    '/project/openspec/changes/add-x/proposal.md': '# X\n',
  });

  test('case does not matter', () => {
    expect(catalog.findSpec(' Identity/USER-auth ')).toMatchObject({
      kind: 'found',
      item: { id: 'identity/user-auth' },
    });
  });

  test.each([
    '../../../secret',
    '/secret',
    '..%2f..%2fsecret',
    'identity/../identity/user-auth',
    'identity\\user-auth',
    '__proto__',
    'constructor',
    '',
    '\u0000',
    'x'.repeat(100_000),
  ])('an id that is no key finds nothing (%#)', (id) => {
    expect(catalog.findSpec(id).kind).toBe('missing');
    expect(catalog.findChange(id).kind).toBe('missing');
  });

  test('near misses are suggested', () => {
    expect(catalog.findSpec('biling')).toEqual({ kind: 'missing', near: ['billing'] });
    expect(catalog.findChange('add-y')).toEqual({ kind: 'missing', near: ['add-x'] });
  });
});

describe('unusual files', () => {
  test('links, pipes, huge files and misplaced changes are left out with a reason', async () => {
    using outside = tempFolder({ 'spec.md': 'CANARY-7f3a91', 'change/proposal.md': 'CANARY-7f3a91' });
    using target = project(
      {
        'project/openspec/specs/good/spec.md': CAP,
        'project/openspec/changes/good/proposal.md': '# Good\n',
        'project/openspec/changes/archive/proposal.md': '# A change called archive\n',
      },
      'disk',
    );
    const at = (name: string): string => target.at('project/openspec', name);
    for (const name of ['pipe', 'linked', 'huge', 'inner', 'loop']) fs.mkdirSync(at(`specs/${name}`));
    execFileSync('mkfifo', [at('specs/pipe/spec.md')]);
    fs.symlinkSync(path.join(outside.dir, 'spec.md'), at('specs/linked/spec.md'));
    fs.writeFileSync(at('specs/huge/spec.md'), '');
    fs.truncateSync(at('specs/huge/spec.md'), 3 * 1024 ** 3);
    fs.writeFileSync(at('specs/inner/real.md'), CAP);
    fs.symlinkSync('real.md', at('specs/inner/spec.md'));
    fs.symlinkSync('spec.md', at('specs/loop/spec.md'));
    fs.symlinkSync(outside.dir, at('specs/folder'));
    fs.symlinkSync(path.join(outside.dir, 'change'), at('changes/away'));
    fs.symlinkSync(path.join(outside.dir, 'spec.md'), at('changes/good/design.md'));
    execFileSync('mkfifo', [at('changes/good/tasks.md')]);

    const catalog = await target.specs().readAll();
    void catalog.archived;
    expect([ids(catalog.specs), ids(catalog.changes)]).toEqual([['good', 'inner'], ['good']]);
    expect(
      catalog.diagnostics.map(({ code, path: file }) => `${code} ${path.relative(target.at('project'), file)}`).sort(),
    ).toEqual([
      'change-named-archive openspec/changes/archive/proposal.md',
      'spec-link-dangling openspec/specs/loop/spec.md',
      'spec-not-a-regular-file openspec/changes/good/tasks.md',
      'spec-not-a-regular-file openspec/specs/pipe/spec.md',
      'spec-symlink-outside openspec/changes/away',
      'spec-symlink-outside openspec/changes/good/design.md',
      'spec-symlink-outside openspec/specs/folder',
      'spec-symlink-outside openspec/specs/linked/spec.md',
      'spec-too-large openspec/specs/huge/spec.md',
    ]);
    expect(
      JSON.stringify([catalog.specs.map(({ file }) => file.text), catalog.changes.map(({ design }) => design)]),
    ).not.toContain('CANARY');
  });

  test('text that is not UTF-8 is read and remembered', () => {
    const catalog = open({
      '/project/openspec/specs/a/spec.md': Buffer.concat([Buffer.from(CAP), Buffer.from([0xe9])]),
    });
    expect(catalog.specs.map(({ title, file }) => [title, file.isUtf8])).toEqual([['cap Specification', false]]);
  });
});

describe('rereading', () => {
  function counting({ disk }: Project): { files: FileTree; reads: () => string[] } {
    let read: string[] = [];
    const note = (file: string): void => void read.push(path.basename(path.dirname(file)) + '/' + path.basename(file));
    return {
      files: { ...disk, read: (file, max) => (note(file), disk.read(file, max)) },
      reads: () => {
        const result = read.sort();
        read = [];
        return result;
      },
    };
  }

  test('a file that did not change is neither reread nor reparsed', async () => {
    using target = project({
      'project/openspec/specs/a/spec.md': CAP,
      'project/openspec/specs/b/spec.md': CAP,
      'project/openspec/changes/go/proposal.md': '# Go\n',
      'project/openspec/changes/go/tasks.md': '- [ ] a\n',
      'project/openspec/changes/go/specs/a/spec.md': '## ADDED Requirements\n',
    });
    const { files, reads } = counting(target);
    const options = { projectDir: target.at('project'), ancestors: [target.at('project')] };
    const first = await new SpecCatalog(files, options).readAll();
    expect(reads()).toEqual(['a/spec.md', 'a/spec.md', 'b/spec.md', 'go/proposal.md', 'go/tasks.md']);
    target.write({ 'project/openspec/specs/b/spec.md': `${CAP}more\n` });
    target.write({ 'project/openspec/changes/go/tasks.md': '- [x] a\n- [ ] b\n' });
    const second = await new SpecCatalog(files, options, first).readAll();
    expect(reads()).toEqual(['b/spec.md', 'go/tasks.md']);
    expect(second.specs[0]?.parsed).toBe(first.specs[0]?.parsed);
    expect(second.changes[0]?.deltas[0]).toBe(first.changes[0]?.deltas[0]);
    expect(second.changes[0]?.progress.total).toBe(2);
    expect(first.changes[0]?.progress.total).toBe(1);
  });

  test('a listing of specs reads no change', () => {
    using target = project({
      'project/openspec/specs/a/spec.md': CAP,
      'project/openspec/changes/go/proposal.md': '# Go\n',
    });
    const { files, reads } = counting(target);
    expect(
      new SpecCatalog(files, { projectDir: target.at('project'), ancestors: [target.at('project')] }).specs.map(
        ({ title }) => title,
      ),
    ).toEqual(['cap Specification']);
    expect(reads()).toEqual(['a/spec.md']);
  });
});
