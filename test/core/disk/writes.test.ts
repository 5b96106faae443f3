import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nodeWrites } from '../../../src/core/node-writes.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('writing on the real file system', () => {
  test('a file is created with its folders, and never over another', () => {
    using folder = tempFolder({ 'taken.txt': 'mine', link: { link: 'nowhere' } });
    nodeWrites.create(folder.at('a/b/c.txt'), 'text');
    expect(fs.readFileSync(folder.at('a/b/c.txt'), 'utf8')).toBe('text');
    for (const name of ['taken.txt', 'link'])
      expect(() => nodeWrites.create(folder.at(name), 'other')).toThrow(expect.objectContaining({ reason: 'exists' }));
    expect(fs.readFileSync(folder.at('taken.txt'), 'utf8')).toBe('mine');
  });

  test('a rename to a name that is taken fails and loses neither file, whoever looked before', () => {
    using folder = tempFolder({ from: 'new', to: 'old' });
    expect(() => nodeWrites.rename(folder.at('from'), folder.at('to'), { replace: false })).toThrow(
      expect.objectContaining({ reason: 'exists' }),
    );
    expect([fs.readFileSync(folder.at('from'), 'utf8'), fs.readFileSync(folder.at('to'), 'utf8')]).toEqual([
      'new',
      'old',
    ]);
    nodeWrites.rename(folder.at('from'), folder.at('to'), { replace: true });
    expect([fs.existsSync(folder.at('from')), fs.readFileSync(folder.at('to'), 'utf8')]).toEqual([false, 'new']);
  });

  test.each([false, true])(
    'a rename that was stopped half-way is finished: two names of one file become the new one (replace %s)',
    (replace) => {
      using folder = tempFolder({ from: 'x' });
      fs.linkSync(folder.at('from'), folder.at('to'));
      nodeWrites.rename(folder.at('from'), folder.at('to'), { replace });
      expect(fs.readdirSync(folder.dir)).toEqual(['to']);
      expect(fs.readFileSync(folder.at('to'), 'utf8')).toBe('x');
    },
  );

  test('a rename to a free name leaves one file', () => {
    using folder = tempFolder({ from: 'text' });
    nodeWrites.rename(folder.at('from'), folder.at('to'), { replace: false });
    expect(fs.readdirSync(folder.dir)).toEqual(['to']);
  });

  test('what is missing is said to be missing', () => {
    using folder = tempFolder();
    expect(() => nodeWrites.rename(folder.at('no'), folder.at('to'), { replace: false })).toThrow(
      expect.objectContaining({ reason: 'missing' }),
    );
  });
});
