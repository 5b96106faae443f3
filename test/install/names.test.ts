import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { clashingPaths, whyNameIsUnsafe, whyPathIsUnsafe } from '../../src/install/names.ts';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { ReadBudget } from '../../src/install/read-budget.ts';
import { collectSkill, readFolder } from '../../src/install/tree.ts';
import { fc } from '../support/effort.ts';

describe('names that may be written', () => {
  test.each(['SKILL.md', '.hidden', 'a b.txt', 'résumé.md', '日本語.md', 'a.b.c', '_x-1', 'CONTEXT.md', 'com.md'])(
    '%s is fine',
    (name) => {
      expect(whyNameIsUnsafe(name)).toBeUndefined();
    },
  );

  test.each([
    '',
    '.',
    '..',
    'a/b',
    'a\\b',
    'a\0',
    'a\n',
    'a\u202e',
    'a\u200b',
    'con',
    'CON.txt',
    'nul',
    'lpt1.md',
    'a.',
    'a ',
    ' a',
    'a:b',
    'a?',
    'a*',
    '.git',
    '.GIT',
    'git~1',
    'x'.repeat(256),
    '\ufffd',
  ])('%j is not', (name) => {
    expect(whyNameIsUnsafe(name)).toBeDefined();
  });

  test('a path that passes stays below its folder, on every system', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('..', '.', 'a', 'C:', '\\\\x', '~'))), (parts) => {
        const file = parts.join('/');
        if (whyPathIsUnsafe(file) !== undefined) return;
        for (const system of [path.posix, path.win32]) {
          const relative = system.relative('/root', system.resolve('/root', file));
          expect(relative === '' || relative.startsWith('..') || system.isAbsolute(relative)).toBe(false);
        }
      }),
    );
  });

  test.each([[['a', 'A']], [['a/b', 'A/c']], [['a', 'a/b']], [['é', 'e\u0301']], [['ſ/x', 's/y']]])(
    '%j would be one file on some disks',
    (files) => {
      expect(clashingPaths(files)).toBeDefined();
    },
  );

  test('files that differ are no clash', () => {
    expect(clashingPaths(['a/b', 'a/c', 'b', 'ab'])).toBeUndefined();
  });
});

test('only bytes of the source’s own files are collected, regardless of its links', async () => {
  const link = fc.array(fc.constantFrom('..', '.', 'a', 'b', 'skill', 'etc', 'x'), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'x'), link, fc.boolean()), { maxLength: 4 }),
      async (links) => {
        const disk = memoryDisk({
          '/source/skill/SKILL.md': 'own',
          '/source/etc/x': 'own',
          '/etc/x': 'secret',
          '/x': 'secret',
          ...Object.fromEntries(
            links.map(([name, parts, absolute]) => [
              `/source/skill/${name}`,
              { link: (absolute ? '/' : '') + parts.join('/') },
            ]),
          ),
        });
        const collected = await collectSkill(readFolder(disk, '/source'), 'skill', new ReadBudget()).catch(
          (error: { code?: string }) => error,
        );
        if (!('files' in collected)) {
          expect(collected.code).toBe('UNSAFE');
          return;
        }
        for (const { bytes } of collected.files) expect(Buffer.from(bytes).toString()).toBe('own');
      },
    ),
  );
});
