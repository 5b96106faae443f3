import { expect, test } from 'vitest';
import { findCommit } from '../../../src/core/disk/git-commit.ts';
import { memoryDisk } from '../../../src/core/disk/memory-disk.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

test.each<[string, Record<string, string>, string | undefined]>([
  ['a branch', { HEAD: 'ref: refs/heads/a/b\n', 'refs/heads/a/b': `${COMMIT}\n` }, COMMIT],
  [
    'a packed branch',
    { HEAD: 'ref: refs/heads/main\n', 'packed-refs': `# pack-refs\n${COMMIT} refs/heads/main\n` },
    COMMIT,
  ],
  ['a commit without a branch', { HEAD: `${COMMIT}\n` }, COMMIT],
  ['a branch before its first commit', { HEAD: 'ref: refs/heads/main\n' }, undefined],
  ['a name that leads elsewhere', { HEAD: 'ref: refs/../../secret\n', '../secret': COMMIT }, undefined],
  ['something else', { HEAD: 'ref: refs/heads/main\n', 'refs/heads/main': 'password\n' }, undefined],
  ['no repository', {}, undefined],
])('the commit of a folder with %s', (_name, files, expected) => {
  const disk = memoryDisk(Object.fromEntries(Object.entries(files).map(([name, text]) => [`/r/.git/${name}`, text])));
  expect(findCommit(disk, '/r')).toBe(expected);
});
