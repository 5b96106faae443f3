/** The rooms and their arrows: who may know whom. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGE_DIR } from './run-lectern.ts';

const SRC = path.join(PACKAGE_DIR, 'src');

interface Source {
  /** Below src, with forward slashes. */
  file: string;
  room: string;
  text: string;
  imports: { what: string; typeOnly: boolean; lazy: boolean }[];
}

function readSources(): Source[] {
  return fs
    .readdirSync(SRC, { recursive: true })
    .map((name) => String(name).split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const text = withoutComments(fs.readFileSync(path.join(SRC, file), 'utf8'));
      const fixed = [...text.matchAll(/^(?:import|export)\s+(?<type>type\s)?[^;]*?from\s+'(?<what>[^']+)'/gmu)].map(
        ({ groups }) => ({
          what: groups?.['what'] ?? '',
          typeOnly: groups?.['type'] !== undefined,
          lazy: false,
        }),
      );
      const bare = [...text.matchAll(/^import\s+'(?<what>[^']+)'/gmu)].map(({ groups }) => ({
        what: groups?.['what'] ?? '',
        typeOnly: false,
        lazy: false,
      }));
      const lazy = [...text.matchAll(/\bimport\(\s*'(?<what>[^']+)'/gu)].map(({ groups }) => ({
        what: groups?.['what'] ?? '',
        typeOnly: false,
        lazy: true,
      }));
      return { file, room: roomNamed(file), text, imports: [...fixed, ...bare, ...lazy] };
    });
}

function roomNamed(file: string): string {
  const [room = ''] = file.split('/');
  if (file.includes('/')) return room;
  return file === 'codes.ts' ? 'codes' : 'library';
}

function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gsu, '').replace(/^\s*\/\/.*$/gmu, '');
}

/** Below each room, the rooms it may know. Faces stand on top; `library` is what the package exports, `codes` the list of every diagnostic. */
const GROUND = ['core', 'skills', 'specs', 'search', 'clients'];
const MIDDLE = [...GROUND, 'codes', 'workspace', 'operations', 'render'];
const MAY_KNOW: Record<string, readonly string[]> = {
  core: [],
  clients: ['core'],
  search: ['core'],
  skills: ['core'],
  specs: ['core'],
  codes: GROUND,
  workspace: GROUND,
  operations: [...GROUND, 'workspace'],
  render: [...GROUND, 'workspace', 'operations'],
  mcp: MIDDLE,
  web: [...MIDDLE, 'mcp'],
  cli: [...MIDDLE, 'mcp', 'web'],
  library: MIDDLE,
};

const sources = readSources();

function roomOf(importer: string, what: string): string | undefined {
  if (!what.startsWith('.')) return undefined;
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(importer), what));
  return roomNamed(target.replace(/\.js$/u, '.ts'));
}

describe('the arrows point down', () => {
  test('there is something to check', () => {
    expect(sources.length).toBeGreaterThan(60);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
  });

  test('every room is known here', () => {
    expect([...new Set(sources.map(({ room }) => room))].filter((room) => !(room in MAY_KNOW))).toEqual([]);
  });

  test('no room knows one above it or beside it', () => {
    const wrong = sources.flatMap(({ file, room, imports }) =>
      imports
        .map(({ what }) => roomOf(file, what))
        .filter((target) => target !== undefined && target !== room && !(MAY_KNOW[room] ?? []).includes(target))
        .map((target) => `${file} knows ${target ?? ''}`),
    );
    expect(wrong).toEqual([]);
  });

  test('nothing imports the command line', () => {
    expect(
      sources
        .filter(({ room, file, imports }) => room !== 'cli' && imports.some(({ what }) => roomOf(file, what) === 'cli'))
        .map(({ file }) => file),
    ).toEqual([]);
  });

  test('the command line reaches the servers only when one is started', () => {
    const eager = sources
      .filter(({ room }) => room === 'cli')
      .flatMap(({ file, imports }) =>
        imports
          .filter(({ what, lazy, typeOnly }) => !lazy && !typeOnly && ['mcp', 'web'].includes(roomOf(file, what) ?? ''))
          .map(() => file),
      )
      .filter((file) => !file.startsWith('cli/commands/'));
    expect(eager).toEqual([]);
  });

  test('what the command line loads at start is only what parsing needs', () => {
    const loaded = new Set<string>();
    const visit = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const { what, typeOnly, lazy } of sources.find((source) => source.file === file)?.imports ?? []) {
        if (!typeOnly && !lazy && what.startsWith('.'))
          visit(path.posix.normalize(path.posix.join(path.posix.dirname(file), what.replace(/\.js$/u, '.ts'))));
      }
    };
    visit('cli/main.ts');
    expect([...loaded].filter((file) => /^(?:skills|specs|search|workspace|operations|mcp|web)\//u.test(file))).toEqual(
      [],
    );
  });
});

describe('who touches the machine', () => {
  const importing = (pattern: RegExp): string[] =>
    sources
      .filter(({ imports }) => imports.some(({ what, typeOnly }) => !typeOnly && pattern.test(what)))
      .map(({ file }) => file);

  test('there is one door to the disk', () => {
    expect(importing(/^(?:node:)?fs(?:\/promises)?$/u).sort()).toEqual([
      'core/disk/descriptor.ts',
      'core/disk/node-tree.ts',
      'core/disk/node-writes.ts',
      'core/disk/watch.ts',
    ]);
  });

  test('below the faces only the workspace chooses the real disk; everything else is handed one', () => {
    const choosing = importing(/\/node-(?:disk|tree|writes)\.ts$/u);
    expect(choosing.filter((file) => !/^(?:core\/disk|cli)\//u.test(file))).toEqual(['workspace/workspace.ts']);
  });

  test('only the command line and the servers print, end the process, or ask where they stand', () => {
    const free = new Set(['cli', 'mcp', 'web']);
    const talks = /\bconsole\.|\bprocess\.(?:stdout|stderr|stdin|exit|exitCode|on|argv|cwd)\b/u;
    // The library's entry asks for the working folder where its caller names none.
    expect(sources.filter(({ room, text }) => !free.has(room) && talks.test(text)).map(({ file }) => file)).toEqual([
      'library.ts',
    ]);
  });

  test('nothing starts another program or evaluates text', () => {
    expect(
      importing(/^(?:node:)?(?:child_process|vm|worker_threads)$/u).filter(
        (file) => !/^(?:mcp|web|search)\//u.test(file),
      ),
    ).toEqual([]);
    expect(sources.filter(({ text }) => /\beval\(|new Function\(/u.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('each outside library is known to few', () => {
    const knows = (name: string): string[] => importing(new RegExp(`^${name}(?:/|$)`, 'u'));
    expect(knows('yaml').filter((file) => /^(?:core|skills|operations|render|cli)\//u.test(file))).toEqual([
      'core/frontmatter/full-yaml.ts',
    ]);
    expect(knows('ignore')).toEqual(['skills/gitignore.ts']);
    expect(knows('gray-matter')).toEqual([]);
  });
});

test('there are no utils, helpers or managers', () => {
  expect(
    sources
      .map(({ file }) => file)
      .filter((file) => /(?:^|\/)(?:utils?|helpers?|common|managers?)(?:\.ts|\/)/u.test(file)),
  ).toEqual([]);
});
