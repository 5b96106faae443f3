import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isPlainDescriptor, writeDescriptor } from '../../../src/core/disk/descriptor.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a file takes everything, and is nothing that has a width', () => {
  using folder = tempFolder();
  const file = path.join(folder.dir, 'out');
  const descriptor = fs.openSync(file, 'w');
  const bytes = Buffer.alloc(300_000, 'x');
  expect(isPlainDescriptor(descriptor)).toBe(true);
  expect(writeDescriptor(descriptor, bytes)).toBe(bytes.length);
  fs.closeSync(descriptor);
  expect(fs.readFileSync(file).equals(bytes)).toBe(true);
});

test.skipIf(process.platform === 'win32')(
  'a pipe that does not wait takes what it can hold, and says how much that was',
  () => {
    using folder = tempFolder();
    const pipe = path.join(folder.dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const descriptor = fs.openSync(pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
    const written = writeDescriptor(descriptor, Buffer.alloc(4_000_000, 'x'));
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(4_000_000);
    expect(() => writeDescriptor(-1, Buffer.from('x'))).toThrow();
    fs.closeSync(descriptor);
  },
);

test.skipIf(process.platform === 'win32')('a device is not plain: it may be a terminal', () => {
  const descriptor = fs.openSync('/dev/null', 'w');
  expect(isPlainDescriptor(descriptor)).toBe(false);
  fs.closeSync(descriptor);
});
