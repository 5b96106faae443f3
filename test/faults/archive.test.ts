/** A disk that refuses a part of what archiving writes, and a repository that leads it elsewhere. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasOrdinaryUser, lectern } from '../support/run-lectern.ts';
import { CAP, requirement } from '../support/spec-text.ts';
import { tempFolder, type TempFile, type TempFolder } from '../support/temp-folder.ts';

/** A change that updates one spec, creates one, and retires one. */
const FILES = {
  'project/openspec/specs/cap/spec.md': CAP,
  'project/openspec/specs/old/thing/spec.md': CAP,
  'project/openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nretire_capabilities: true\n',
  'project/openspec/changes/go/proposal.md': '# Go\n',
  'project/openspec/changes/go/specs/cap/spec.md': `## ADDED Requirements\n${requirement('Gamma')}\n`,
  'project/openspec/changes/go/specs/fresh/spec.md': `## ADDED Requirements\n${requirement('Gamma')}\n`,
  'project/openspec/changes/go/specs/old/thing/spec.md':
    '## REMOVED Requirements\n### Requirement: Alpha\n### Requirement: Beta\n',
};

/** Every folder, file and link below a folder, with what is in it. */
function everything(dir: string): Record<string, string> {
  const rows: Record<string, string> = {};
  for (const name of fs.readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const place = path.join(dir, name);
    const stats = fs.lstatSync(place);
    rows[name] = stats.isSymbolicLink()
      ? `link ${fs.readlinkSync(place)}`
      : stats.isDirectory()
        ? 'folder'
        : fs.readFileSync(place, 'utf8');
  }
  return rows;
}

/** Anybody may write anywhere in the folder. */
function open(folder: TempFolder): void {
  for (const name of ['.', ...fs.readdirSync(folder.dir, { recursive: true, encoding: 'utf8' })]) {
    const isFolder = fs.statSync(folder.at(name)).isDirectory();
    fs.chmodSync(folder.at(name), isFolder ? 0o777 : 0o666);
  }
}

describe.skipIf(!hasOrdinaryUser)('archiving with a folder that may not be written to (needs an ordinary user)', () => {
  test.each(['specs', 'specs/cap', 'specs/old/thing', 'changes/go', 'changes/archive'])(
    '%s: everything is rolled back, and the message confirms it',
    async (name) => {
      using folder = tempFolder({ ...FILES, 'project/openspec/changes/archive/.keep': '', 'home/.keep': '' });
      open(folder);
      const shut = folder.at('project/openspec', name);
      fs.chmodSync(shut, 0o555);
      const before = everything(folder.at('project'));
      const failed = await lectern(folder, ['change', 'archive', 'go'], { unprivileged: true });
      expect(failed.code).toBe(2);
      expect(failed.stderr).toMatch(/all changes were undone\. Cannot write .*: permission denied/u);
      expect(everything(folder.at('project'))).toEqual(before);
      fs.chmodSync(shut, 0o777);
      const done = await lectern(folder, ['change', 'archive', 'go'], { unprivileged: true });
      expect([done.code, done.stderr]).toEqual([0, '']);
      expect(fs.existsSync(folder.at('project/openspec/specs/fresh/spec.md'))).toBe(true);
      expect(fs.existsSync(folder.at('project/openspec/specs/old'))).toBe(false);
    },
  );

  test('an archive folder that was made for the run goes too', async () => {
    using folder = tempFolder({ ...FILES, 'home/.keep': '' });
    open(folder);
    fs.chmodSync(folder.at('project/openspec/changes/go'), 0o555);
    const before = everything(folder.at('project'));
    const { code } = await lectern(folder, ['change', 'archive', 'go'], { unprivileged: true });
    expect(code).toBe(2);
    expect(everything(folder.at('project'))).toEqual(before);
  });
});

describe('archiving where a link leads out of the project', () => {
  test.each<[string, Record<string, TempFile>]>([
    ['openspec', {}],
    ['openspec/specs', {}],
    ['openspec/specs/cap', {}],
    ['openspec/specs/cap/spec.md', {}],
    ['openspec/specs/old', {}],
    ['openspec/changes', {}],
    ['openspec/changes/archive', { 'out/.keep': '' }],
    ['openspec/changes/go', {}],
    ['openspec/changes/go/specs', {}],
  ])('%s: nothing is written, and nothing moves', async (name, outside) => {
    const place = `project/${name}`;
    using folder = tempFolder({ ...FILES, 'project/.git/HEAD': '', ...outside });
    if (fs.existsSync(folder.at(place))) fs.renameSync(folder.at(place), folder.at('out'));
    fs.symlinkSync(folder.at('out'), folder.at(place));
    const before = everything(folder.dir);
    const { code } = await lectern(folder, ['change', 'archive', 'go']);
    expect(code).toBe(2);
    const after = everything(folder.dir);
    for (const made of Object.keys(after)) if (/^(?:home|tmp)(?:\/|$)/u.test(made)) delete after[made];
    expect(after).toEqual(before);
  });
});
