import path from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { writeSkills } from '../../src/install/write.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a skill that was removed while its update was fetched stays removed', () => {
  using folder = tempFolder({ 'project/notes.md': 'x' });
  const base = folder.at('project');
  const place = { scope: 'project' as const, base, file: path.join(base, 'lectern.lock.json') };
  const entry = {
    type: 'git' as const,
    source: 'https://example.com/a.git',
    ref: null,
    commit: 'a'.repeat(40),
    path: 'pdf',
    mode: 'copy' as const,
    targets: [{ agent: 'claude', scope: 'project' as const, path: '.claude/skills/pdf' }],
    files: {},
  };
  const records = { disk: nodeDisk, dir: folder.at('state/run') };
  const writer = { disk: nodeDisk, base, records, place };
  const files = [{ path: 'SKILL.md', bytes: Buffer.from('text'), executable: false }];
  const [written] = writeSkills(writer, [{ name: 'pdf', isUpdate: true, files, entry }], false);
  expect(written).toMatchObject({ status: 'failed', error: { code: 'REFUSED' } });
  expect(nodeDisk.follow(folder.at('project/.claude/skills/pdf'))).toBeUndefined();
  const [installed] = writeSkills(writer, [{ name: 'pdf', files, entry }], false);
  expect(installed?.status).toBe('installed');
});
