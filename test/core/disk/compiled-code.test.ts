/** The folder of compiled code, from which Node.js runs code: only this user may be able to write there. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { keepCompiledCode } from '../../../src/core/disk/compiled-code.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const isRoot = process.getuid?.() === 0;

/** Returns the folder that Node.js was given, relative to the temporary folder. */
function enabledIn(folder: TempFolder, { environment = {}, version = '1.0.0', home = folder.at('home') } = {}) {
  const given: string[] = [];
  keepCompiledCode({ environment, home, version }, (dir) => void given.push(dir));
  return given.map((dir) => dir.slice(folder.at('x').length - 1));
}

function withHome(): TempFolder {
  const folder = tempFolder();
  fs.mkdirSync(folder.at('home'));
  return folder;
}

const modeOf = (place: string): number => fs.statSync(place).mode & 0o777;

test('the folder is created in the cache of the user, and only the user has access', () => {
  using folder = withHome();
  expect(enabledIn(folder)).toEqual(['home/.cache/lectern/compiled/1.0.0']);
  for (const dir of ['', '/compiled', '/compiled/1.0.0'])
    expect(modeOf(folder.at(`home/.cache/lectern${dir}`))).toBe(0o700);
  expect(enabledIn(folder, { environment: { XDG_CACHE_HOME: folder.at('elsewhere') } })).toEqual([
    'elsewhere/lectern/compiled/1.0.0',
  ]);
});

test('a home that does not exist is not created', () => {
  using folder = tempFolder();
  expect(enabledIn(folder)).toEqual([]);
  expect(fs.existsSync(folder.at('home'))).toBe(false);
});

test('nothing is created on a version of Node.js that cannot keep code', () => {
  using folder = withHome();
  keepCompiledCode({ environment: {}, home: folder.at('home'), version: '1.0.0' }, undefined);
  expect(fs.existsSync(folder.at('home/.cache'))).toBe('enableCompileCache' in process.getBuiltinModule('node:module'));
});

describe.skipIf(process.platform === 'win32')('a folder is not used', () => {
  test.each(['lectern', 'lectern/compiled', 'lectern/compiled/1.0.0'])('if other users may write to %s', (dir) => {
    using folder = withHome();
    enabledIn(folder);
    fs.chmodSync(folder.at('home/.cache', dir), 0o777);
    expect(enabledIn(folder)).toEqual([]);
  });

  test.each(['lectern', 'lectern/compiled', 'lectern/compiled/1.0.0'])('if %s is a link', (dir) => {
    using folder = withHome();
    enabledIn(folder);
    const place = folder.at('home/.cache', dir);
    fs.renameSync(place, folder.at('moved'));
    fs.symlinkSync(folder.at('moved'), place);
    expect(enabledIn(folder)).toEqual([]);
  });

  test.runIf(isRoot).each(['lectern', 'lectern/compiled', 'lectern/compiled/1.0.0'])(
    'if %s belongs to another user',
    (dir) => {
      using folder = withHome();
      enabledIn(folder);
      fs.chownSync(folder.at('home/.cache', dir), 12_345, 12_345);
      expect(enabledIn(folder)).toEqual([]);
    },
  );

  test.skipIf(isRoot)('if it cannot be written', () => {
    using folder = withHome();
    enabledIn(folder);
    fs.chmodSync(folder.at('home/.cache/lectern/compiled/1.0.0'), 0o500);
    expect(enabledIn(folder)).toEqual([]);
  });

  test('if a file is in its place', () => {
    using folder = withHome();
    fs.writeFileSync(folder.at('home/.cache'), '');
    expect(enabledIn(folder)).toEqual([]);
  });
});

test('a new version removes all but the newest versions', () => {
  using folder = withHome();
  for (const [index, version] of ['1.0.0', '2.0.0', '3.0.0', '4.0.0'].entries()) {
    enabledIn(folder, { version });
    const dir = folder.at('home/.cache/lectern/compiled', version);
    fs.utimesSync(dir, 1_000_000 + index, 1_000_000 + index);
  }
  expect(fs.readdirSync(folder.at('home/.cache/lectern/compiled')).sort()).toEqual(['2.0.0', '3.0.0', '4.0.0']);
});
