import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { parseSource } from '../../src/install/source.ts';

const SHA = 'a'.repeat(40);

describe('parsing a source', () => {
  test.each([
    ['anthropics/skills', { url: 'https://github.com/anthropics/skills.git', ref: null, path: '' }],
    ['a/b/skills/pdf#v1.2', { url: 'https://github.com/a/b.git', ref: 'v1.2', path: 'skills/pdf' }],
    ['a/b.git#feature/x', { url: 'https://github.com/a/b.git', ref: 'feature/x', path: '' }],
    ['https://example.com/x/y.git', { url: 'https://example.com/x/y.git', ref: null, path: '' }],
    [`https://example.com/x/y#${SHA}`, { url: 'https://example.com/x/y', ref: SHA, path: '' }],
    ['ssh://git@example.com:22/x/y.git#main', { url: 'ssh://git@example.com:22/x/y.git', ref: 'main', path: '' }],
    ['git@github.com:a/b.git#main', { url: 'git@github.com:a/b.git', ref: 'main', path: '' }],
    ['http://127.0.0.1:8080/x.git', { url: 'http://127.0.0.1:8080/x.git', ref: null, path: '' }],
    ['http://[::1]:8080/x.git', { url: 'http://[::1]:8080/x.git', ref: null, path: '' }],
    [
      'https://github.com/a/b/tree/main/skills/pdf',
      { url: 'https://github.com/a/b.git', refAndPath: 'main/skills/pdf' },
    ],
    [
      'https://github.com/a/b/blob/v1/pdf/SKILL.md',
      { url: 'https://github.com/a/b.git', refAndPath: 'v1/pdf/SKILL.md' },
    ],
    ['https://gitlab.com/g/s/b/-/tree/main/pdf', { url: 'https://gitlab.com/g/s/b.git', refAndPath: 'main/pdf' }],
    [
      'https://git.example.com/g/b/-/blob/v1/pdf/SKILL.md',
      { url: 'https://git.example.com/g/b.git', refAndPath: 'v1/pdf/SKILL.md' },
    ],
  ])('%s is a repository', (text, expected) => {
    expect(parseSource(text)).toMatchObject({ type: 'git', ...expected });
  });

  test.each(['./skills', '../x', '/opt/skills', '~/skills', '.', '..', 'C:\\skills'])('%s is a folder', (text) => {
    expect(parseSource(text)).toEqual({ type: 'local', dir: text, path: '' });
  });

  test.each([
    '--upload-pack=touch M',
    '-oProxyCommand=touch M',
    'ext::sh -c touch% M',
    'fd::3',
    'git://example.com/x.git',
    'http://example.com/x.git',
    'http://127.0.0.1.example.com/x.git',
    'file:///tmp/x.git',
    'ftp://example.com/x',
    'https://user:token@example.com/x.git',
    'https://token@example.com/x.git',
    'ssh://-oProxyCommand=x/y',
    'ssh://git@example.com/-x',
    'git@example.com:-x/y',
    'a/b#--output=M',
    'a/b#-x',
    'a/b#a..b',
    'a/b#a b',
    'a/b#a~1',
    'a/b#x@{1}',
    'a/b/../../c',
    'https://example.com/x\nmalicious',
    'https://github.com/a/b/tree/--output=M',
    'https://example.com/x.git?upload=1',
    'a/..',
  ])('%s is refused', (text) => {
    expect(() => parseSource(text)).toThrow(Failure);
  });

  test('shell syntax is only text', () => {
    for (const text of ['$(touch M)', '`touch M`', 'a; touch M', '"a"'])
      expect(() => parseSource(text)).toThrow(/is not a source/u);
  });

  test('a repository of this machine is fetched only if that is allowed', () => {
    expect(() => parseSource('file:///tmp/x.git')).toThrow(/--allow-file/u);
    expect(parseSource('file:///tmp/x.git', { allowFile: true })).toMatchObject({ url: 'file:///tmp/x.git' });
  });

  test('an explicit path replaces the one in the source, and must not leave it', () => {
    expect(parseSource('a/b/c', { path: 'd/e' })).toMatchObject({ path: 'd/e' });
    for (const path of ['../x', '/etc', 'a/../../b', 'C:\\x'])
      expect(() => parseSource('a/b', { path })).toThrow(Failure);
  });
});
