import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../../src/core/disk/node-disk.ts';
import { sha256Of } from '../../../src/core/sha256.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { catalogKey, CachedAnswers } from '../../../src/mcp/remote-catalog/cached-answers.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

const URL = 'https://skills.example.com';
const about = (name: string, fullName = name) => ({
  requested: { kind: 'skill', name },
  subject: { kind: 'skill', name: fullName },
});

const keptIn = (folder: TempFolder, token = 'lct_one'): CachedAnswers =>
  new CachedAnswers(nodeDisk, folder.at('shared'), catalogKey(URL, token));
const filesIn = (folder: TempFolder): string[] =>
  fs.readdirSync(folder.at('shared')).map((name) => path.join(folder.at('shared'), name));

describe('kept answers', () => {
  test('the last answer to the same question is found, with when it was kept', () => {
    using folder = tempFolder();
    const kept = keptIn(folder);
    expect(kept.read(['skill', 'pdf'])).toBeUndefined();
    kept.write(['skill', 'pdf'], about('pdf', 'a/b:pdf'), { text: 'one' });
    kept.write(['skill', 'pdf'], about('pdf', 'c/d:pdf'), { text: 'two' });
    const found = keptIn(folder).read(['skill', 'pdf']);
    expect(found?.value).toEqual({ text: 'two' });
    expect(Date.now() - (found?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(0);
    expect(filesIn(folder).length).toBe(1);
    expect(kept.read(['skill', 'other'])).toBeUndefined();
  });

  test('another token or address finds nothing, and neither can be read from the names of the files', () => {
    using folder = tempFolder();
    keptIn(folder).write('q', about('pdf'), 1);
    expect(keptIn(folder, 'lct_two').read('q')).toBeUndefined();
    const elsewhere = new CachedAnswers(
      nodeDisk,
      folder.at('shared'),
      catalogKey('https://other.example.com', 'lct_one'),
    );
    expect(elsewhere.read('q')).toBeUndefined();
    const all =
      filesIn(folder).join() +
      filesIn(folder)
        .map((file) => fs.readFileSync(file, 'utf8'))
        .join();
    expect(all).not.toMatch(/lct_one|example/u);
  });

  test('answers in the format of an earlier version are ignored', () => {
    using folder = tempFolder();
    const earlier = sha256Of(JSON.stringify([1, URL, 'lct_one'])).slice(0, 16);
    new CachedAnswers(nodeDisk, folder.at('shared'), earlier).write('q', about('pdf'), { text: 'old' });
    expect(filesIn(folder).length).toBe(1);
    expect(keptIn(folder).read('q')).toBeUndefined();
    expect(keptIn(folder).has({ kind: 'skill', name: 'pdf' })).toBe(false);
  });

  test('a damaged file is not served, and removed', () => {
    using folder = tempFolder();
    const kept = keptIn(folder);
    kept.write('q', about('pdf'), { text: 'good' });
    const [file = ''] = filesIn(folder);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('good', 'evil'));
    expect(kept.read('q')).toBeUndefined();
    expect(filesIn(folder)).toEqual([]);
    kept.write('q', about('pdf'), 1);
    fs.truncateSync(filesIn(folder)[0] ?? '', 10);
    expect(kept.read('q')).toBeUndefined();
  });

  test('a removed skill is forgotten under each of its names, and nothing else is', () => {
    using folder = tempFolder();
    const kept = keptIn(folder);
    kept.write('short', about('PDF', 'a/b:pdf'), 1);
    kept.write('full', about('a/b:pdf', 'a/b:pdf'), 2);
    kept.write('file', about('pdf', 'a/b:pdf'), 3);
    kept.write('other', about('docx', 'a/b:docx'), 4);
    kept.write('spec', { requested: { kind: 'spec', name: 'pdf' }, subject: { kind: 'spec', name: 'pdf' } }, 5);
    kept.forget({ kind: 'skill', name: 'pdf' });
    expect(['short', 'full', 'file', 'other', 'spec'].map((question) => kept.read(question)?.value)).toEqual([
      undefined,
      undefined,
      undefined,
      4,
      5,
    ]);
  });

  test('everything of one caller can be forgotten, and the others keep theirs', () => {
    using folder = tempFolder();
    const [one, two] = [keptIn(folder), keptIn(folder, 'lct_two')];
    one.write('q', about('pdf'), 1);
    two.write('q', about('pdf'), 2);
    one.forgetAll();
    expect([one.read('q'), two.read('q')?.value]).toEqual([undefined, 2]);
  });

  test('the oldest make room, whosever they are', () => {
    using folder = tempFolder();
    const bytes = Math.floor(LIMITS.keptAnswersBytes.value / 10);
    const old = keptIn(folder, 'lct_old');
    for (let index = 0; index < 4; index++) {
      old.write(index, about(`old-${index}`), 'x'.repeat(bytes));
      const newest = filesIn(folder).find((file) => fs.statSync(file).mtimeMs > 1e12);
      fs.utimesSync(newest ?? '', 1_000 + index, 1_000 + index);
    }
    const kept = keptIn(folder);
    for (let index = 0; index < 6; index++) kept.write(index, about(`new-${index}`), 'x'.repeat(bytes));
    expect([0, 1, 2, 3].map((index) => old.read(index) !== undefined)).toEqual([false, true, true, true]);
    expect([0, 1, 2, 3, 4, 5].every((index) => kept.read(index) !== undefined)).toBe(true);
  });

  test('a folder that cannot be made keeps nothing and stops nothing', () => {
    using folder = tempFolder({ shared: 'a file' });
    const kept = keptIn(folder);
    kept.write('q', about('pdf'), 1);
    expect(kept.read('q')).toBeUndefined();
    kept.forget({ kind: 'skill', name: 'pdf' });
    kept.forgetAll();
  });
});
