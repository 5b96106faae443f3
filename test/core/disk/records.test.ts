import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../../src/core/failure.ts';
import { memoryDisk } from '../../../src/core/disk/memory-disk.ts';
import { nodeDisk } from '../../../src/core/disk/node-disk.ts';
import { findRecords, openRecords, recordName } from '../../../src/core/disk/records.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

afterEach(() => vi.unstubAllEnvs());

/** A project, a state folder, and a folder for temporary files. */
function setUp(): TempFolder {
  const folder = tempFolder({ 'project/x': '', 'state/x': '', 'tmp/x': '' });
  vi.stubEnv('TMPDIR', folder.at('tmp'));
  return folder;
}

const open = (folder: TempFolder, stateDir?: string): string =>
  path.relative(folder.dir, openRecords(nodeDisk, { stateDir, project: folder.at('project') }));

test.skipIf(process.platform === 'win32')('records are in the state folder, for this user only', () => {
  using folder = setUp();
  expect(open(folder, folder.at('state/lectern'))).toBe('state/lectern/runs');
  expect(fs.statSync(folder.at('state/lectern/runs')).mode & 0o777).toBe(0o700);
});

test.skipIf(process.platform === 'win32').each([
  ['there is none', () => undefined],
  ['it is in the project', (folder: TempFolder) => folder.at('project/.local/state/lectern')],
  [
    'a link leads into the project',
    (folder: TempFolder) => {
      fs.symlinkSync('../project', folder.at('state/lectern'));
      return folder.at('state/lectern');
    },
  ],
  [
    'a link at its end leads into the project',
    (folder: TempFolder) => {
      fs.mkdirSync(folder.at('state/lectern'));
      fs.symlinkSync('../../project', folder.at('state/lectern/runs'));
      return folder.at('state/lectern');
    },
  ],
  [
    'others can write to it',
    (folder: TempFolder) => {
      fs.mkdirSync(folder.at('state/lectern/runs'), { recursive: true });
      fs.chmodSync(folder.at('state/lectern/runs'), 0o777);
      return folder.at('state/lectern');
    },
  ],
  ['it cannot be created', (folder: TempFolder) => folder.at('state/x/lectern')],
])('the folder for temporary files takes its place if %s', (_, stateDir) => {
  using folder = setUp();
  expect(open(folder, stateDir(folder))).toBe(`tmp/lectern-runs-${process.getuid?.() ?? ''}`);
  expect(fs.readdirSync(folder.at('project'))).toEqual(['x']);
});

test.skipIf(process.platform === 'win32')(
  'without any folder outside the project, the work is refused with the way out',
  () => {
    using folder = setUp();
    vi.stubEnv('TMPDIR', folder.at('project'));
    expect(() => open(folder, folder.at('state/x/lectern'))).toThrow(
      expect.objectContaining({
        code: 'UNWRITABLE',
        message: expect.stringContaining(folder.at('state/x/lectern/runs')),
        hint: expect.stringContaining('XDG_STATE_HOME'),
      }),
    );
    expect(() => open(folder)).toThrow(Failure);
  },
);

test('records are named by the real path of their folder, and found without creating anything', () => {
  const disk = memoryDisk({ '/real/a/x': '', '/link': { link: '/real' }, '/state/x': '' });
  const name = recordName(disk, 'install', '/link/a');
  expect(name).toBe(recordName(disk, 'install', '/real/a'));
  expect(name).not.toBe(recordName(disk, 'install', '/real/b'));
  expect(name).not.toBe(recordName(disk, 'archive', '/real/a'));
  const place = { stateDir: '/state', project: '/real/a' };
  expect(findRecords(disk, place, name)).toBeUndefined();
  expect(disk.look('/state/runs')).toBeUndefined();
  disk.create(`/state/runs/${name}/1.json`, '{}');
  expect(findRecords(disk, place, name)).toBe(`/state/runs/${name}`);
});
