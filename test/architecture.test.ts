/** The rooms and their arrows: who may know whom. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGE_DIR } from './support/run-lectern.ts';

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
    .filter((file) => /\.tsx?$/u.test(file))
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

/**
 * The rooms, from the ground up. A room knows the layers below its own, never a room beside it. `library` is what the package
 * exports, `codes` the list of every diagnostic.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['core'],
  ['skills', 'specs', 'search', 'store'],
  ['workspace', 'agents', 'clients', 'install', 'scan'],
  ['hub'],
  ['codes', 'operations'],
  ['http', 'render'],
  ['mcp', 'web', 'library'],
  ['server'],
  ['cli'],
];
/** Rooms that know less than their layer would let them. */
const KNOWS_ONLY: Record<string, readonly string[]> = { clients: ['core'], http: ['core'], store: ['core'] };

function mayKnow(room: string): readonly string[] {
  const layer = LAYERS.findIndex((rooms) => rooms.includes(room));
  return [room, ...(KNOWS_ONLY[room] ?? LAYERS.slice(0, layer).flat())];
}

const sources = readSources();

function targetOf(importer: string, what: string): string | undefined {
  return what.startsWith('.') ? path.posix.join(path.posix.dirname(importer), what) : undefined;
}

function roomOf(importer: string, what: string): string | undefined {
  const target = targetOf(importer, what);
  return target === undefined ? undefined : roomNamed(target);
}

/** Groups of files that reach each other, by the imports that count. */
function cycles(counts: (found: Source['imports'][number]) => boolean): string[] {
  const targets = new Map(
    sources.map(({ file, imports }) => [
      file,
      imports.filter(counts).flatMap(({ what }) => targetOf(file, what) ?? []),
    ]),
  );
  const reachable = (from: string): Set<string> => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      for (const target of targets.get(file) ?? []) {
        if (seen.has(target)) continue;
        seen.add(target);
        visit(target);
      }
    };
    visit(from);
    return seen;
  };
  const reach = new Map([...targets.keys()].map((file) => [file, reachable(file)]));
  const inCycle = [...targets.keys()].filter((file) => reach.get(file)?.has(file));
  const groups = inCycle.map((file) =>
    inCycle.filter((other) => reach.get(file)?.has(other) && reach.get(other)?.has(file)),
  );
  return [...new Set(groups.map((group) => group.sort().join(' ↔ ')))];
}

describe('the arrows point down', () => {
  test('there is something to check', () => {
    expect(sources.length).toBeGreaterThan(60);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
  });

  test('every room is known here', () => {
    expect([...new Set(sources.map(({ room }) => room))].filter((room) => !LAYERS.flat().includes(room))).toEqual([]);
  });

  test('no room knows one above it or beside it', () => {
    const wrong = sources.flatMap(({ file, room, imports }) =>
      imports
        .map(({ what }) => roomOf(file, what))
        .filter((target) => target !== undefined && !mayKnow(room).includes(target))
        .map((target) => `${file} knows ${target ?? ''}`),
    );
    expect(wrong).toEqual([]);
  });

  test('inside a room the arrows do not run in a circle either', () => {
    // A lazy import may close a circle: the command that prints completions needs the table of commands, which loads it.
    expect(cycles(({ lazy }) => !lazy)).toEqual([]);
  });

  test('the command line reaches the servers only when one is started', () => {
    const eager = sources
      .filter(({ room }) => room === 'cli')
      .flatMap(({ file, imports }) =>
        imports
          .filter(
            ({ what, lazy, typeOnly }) =>
              !lazy && !typeOnly && ['mcp', 'web', 'server'].includes(roomOf(file, what) ?? ''),
          )
          .map(() => file),
      );
    expect(eager).toEqual([]);
  });

  test('startup loads no module that only some commands need', () => {
    const loaded = new Set<string>();
    const visit = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const { what, typeOnly, lazy } of sources.find((source) => source.file === file)?.imports ?? []) {
        if (typeOnly || lazy) continue;
        if (what.startsWith('.')) visit(targetOf(file, what) ?? what);
        else loaded.add(what);
      }
    };
    visit('cli/main.ts');
    const heavy =
      /^(?:mcp|web|server|http|install|scan|hub(?!\/publish-answers)|store)\/|^(?:@|hono|yaml|pg$|jose$|prom-client|smol-toml|jsonc-parser)|full-yaml/u;
    const named =
      /^(?:search|specs|agents|clients)\/(?!document|shapes|state-names|status|names|lookup|launch|shell-quote)/u;
    // Of the modules of Node.js, those that every process has loaded anyway, and two small ones.
    const builtIn = /^node:(?!fs$|path$|buffer$|util$|os$)/u;
    expect([...loaded].filter((file) => heavy.test(file) || named.test(file) || builtIn.test(file))).toEqual([]);
  });
});

test('a replica without an authorization server loads nothing for one', () => {
  const eager = sources.filter(({ file, imports }) =>
    imports.some(
      ({ what, typeOnly, lazy }) =>
        !typeOnly && !lazy && /\/oauth\//u.test(targetOf(file, what) ?? '') && !/\/oauth\//u.test(file),
    ),
  );
  expect(eager.map(({ file }) => file)).toEqual([]);
});

describe('access to the machine', () => {
  const importing = (pattern: RegExp): string[] =>
    sources
      .filter(({ imports }) => imports.some(({ what, typeOnly }) => !typeOnly && pattern.test(what)))
      .map(({ file }) => file);

  test('the text and the files of a skill are read through workspace.contentOf', () => {
    // The survey of agents reads every file as it is, before the rules of the catalog or of any agent.
    const outside = sources.filter(({ room }) => !['skills', 'workspace', 'agents'].includes(room));
    // Doctor shows where links lead, and reads nothing there.
    expect(outside.filter(({ text }) => /\brealFile\b/u.test(text)).map(({ file }) => file)).toEqual([
      'operations/doctor.ts',
    ]);
    expect(outside.filter(({ text }) => /\breadBundle\b/u.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('the fast lane of one-shot commands has one door', () => {
    const users = sources
      .filter(({ file }) => !file.startsWith('skills/quick-list/'))
      .flatMap(({ file, imports }) =>
        imports.filter(({ what }) => what.includes('quick-list/')).map(({ what }) => `${file}: ${what}`),
      );
    expect(users).toEqual(['skills/discover.ts: ./quick-list/quick-headers.ts']);
  });

  test('there is one door to the disk', () => {
    expect(importing(/^(?:node:)?fs(?:\/promises)?$/u).sort()).toEqual([
      'core/disk/compiled-code.ts',
      'core/disk/descriptor.ts',
      'core/disk/node-tree.ts',
      'core/disk/node-writes.ts',
      'core/disk/open.ts',
      'core/disk/watch.ts',
    ]);
  });

  test('every file is opened in one place, which refuses links and never waits for a pipe', () => {
    // `copyFileSync` copies a file that was just created, to a name that must be free.
    const opens =
      /\bfs\.(?:open|openSync|openAsBlob|promises|readFile\w*|read|readv\w*|appendFile\w*|createReadStream|createWriteStream|truncate\w*|cp\w*|copyFile|opendir\w*)\b|\bfs\.writeFileSync\((?!fd\b)|\{[^}]*\} from 'node:fs'/u;
    expect(sources.filter(({ text }) => opens.test(text)).map(({ file }) => file)).toEqual(['core/disk/open.ts']);
    const opening = importing(/\/open\.ts$/u).filter((file) => file.startsWith('core/'));
    expect(opening.sort()).toEqual(['core/disk/node-tree.ts', 'core/disk/node-writes.ts']);
  });

  test('every write uses a project or user disk', () => {
    // The workspace hands out a disk for the project, out of which no link leads, or for the user.
    const writing = /\bworkspace\.disk\.(?:create|replace|append|move|remove\w*|lock)\b/u;
    expect(sources.filter(({ text }) => writing.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('below the faces only the workspace chooses the real disk; everything else is handed one', () => {
    const choosing = importing(/\/node-(?:disk|tree|writes)\.ts$/u);
    expect(choosing.filter((file) => !/^(?:core\/disk|cli)\//u.test(file))).toEqual([
      // The model is a file of the package, wherever the files of the user are.
      'workspace/open-search.ts',
      'workspace/workspace.ts',
      // A thread cannot be handed one, and needs the model too.
      'search/segments/index-thread.ts',
    ]);
  });

  test('only the command line prints, ends the process, or reads the working folder', () => {
    const talks = /\bconsole\.|\bprocess\.(?:stdout|stderr|stdin|exit|exitCode|on|argv|cwd)\b/u;
    // The library uses the working folder if its caller names none.
    expect(sources.filter(({ room, text }) => room !== 'cli' && talks.test(text)).map(({ file }) => file)).toEqual([
      'library.ts',
    ]);
  });

  test('nothing starts another program but git and an agent on request, and nothing evaluates text', () => {
    expect(
      importing(/^(?:node:)?(?:child_process|vm|worker_threads)$/u).filter(
        (file) => !/^(?:mcp|web|search)\//u.test(file),
      ),
    ).toEqual(['install/run-git.ts', 'agents/live/run-once.ts']);
    expect(sources.filter(({ text }) => /\beval\(|new Function\(/u.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('every request to another server goes through one function', () => {
    // A method may be called `fetch`. Scripts of the page run in the browser.
    const requests =
      /(?<![.#\w]|async )fetch\(|\bglobalThis\.fetch\b|=\s*fetch\b|\bhttps?\.(?:get|request)\(|new (?:WebSocket|EventSource)\(/u;
    const outside = sources.filter(({ file, text }) => !file.startsWith('web/client/') && requests.test(text));
    expect(outside.map(({ file }) => file)).toEqual(['core/ask.ts']);
  });

  test('one function compares file names with SKILL.md in any case', () => {
    const compares = /skill\\\.md\$?\/[a-z]*i|toUpperCase\(\) === 'SKILL|toLowerCase\(\) === 'skill\.md|'skill\.md'/iu;
    const ignoringCase = sources.filter(({ text }) => compares.test(text.replaceAll(/'[^'\n]*SKILL\.md'/gu, '')));
    expect(ignoringCase.map(({ file }) => file)).toEqual([]);
  });

  test('each outside library is known to few', () => {
    const knows = (name: string): string[] => importing(new RegExp(`^${name}(?:/|$)`, 'u'));
    expect(knows('yaml').filter((file) => /^(?:core|skills|operations|render|cli)\//u.test(file))).toEqual([
      'core/frontmatter/full-yaml.ts',
      'core/frontmatter/yaml-list.ts',
    ]);
    expect(knows('pg')).toEqual(['store/database.ts']);
    expect(knows('prom-client')).toEqual(['server/metrics.ts']);
    expect(knows('jose').filter((file) => !file.startsWith('server/oauth/'))).toEqual([]);
    expect(knows('gray-matter')).toEqual([]);
    // Metadata of protected resources is no message of the protocol.
    expect(knows('@modelcontextprotocol').filter((file) => !/^(?:mcp|server\/oauth)\//u.test(file))).toEqual([]);
  });

  test('JSON-RPC is spoken in mcp alone', () => {
    expect(
      sources.filter(({ room, text }) => room !== 'mcp' && /jsonrpc/iu.test(text)).map(({ file }) => file),
    ).toEqual([]);
  });
});

test('there are no utils, helpers or managers', () => {
  expect(
    sources
      .map(({ file }) => file)
      .filter((file) => /(?:^|\/)(?:utils?|helpers?|common|managers?)(?:\.ts|\/)/u.test(file)),
  ).toEqual([]);
});

describe('docs/architecture.md', () => {
  const page = fs.readFileSync(path.join(PACKAGE_DIR, 'docs/architecture.md'), 'utf8');
  const rooms = new Set(sources.map(({ room }) => room));

  test('draws these layers, and marks the rooms that do not exist yet', () => {
    const [, drawing = ''] = /^```text\n(.*?)^```$/msu.exec(page) ?? [];
    const lines = drawing.split('\n').filter((line) => /[a-z]/u.test(line));
    const drawn = lines.map((line) => line.match(/[a-z]+(?: \*)?/gu) ?? []);
    const marked = (room: string): string => (rooms.has(room) ? room : `${room} *`);
    expect(drawn.map((line) => line.toSorted())).toEqual(
      LAYERS.map((layer) => layer.map(marked).toSorted()).toReversed(),
    );
    const described = [...page.matchAll(/^\| `([a-z]+)`( \*)? \|/gmu)].map(([, room, mark = '']) => `${room}${mark}`);
    expect(described.toSorted()).toEqual(LAYERS.flat().map(marked).toSorted());
    const few = /Three rooms know only `core`: (.*)\./u.exec(page)?.[1]?.match(/[a-z]+(?=`)/gu);
    expect(few).toEqual(Object.keys(KNOWS_ONLY));
  });

  const walks = page.split(/^### /mu).slice(1);
  test.each(walks.map((walk): [string, string] => [walk.split('\n', 1)[0] ?? '', walk]))(
    '%s: each step leads to the next',
    (_, walk) => {
      const steps = [...walk.matchAll(/^\d+\. `src\/([^`]+)`/gmu)].map(([, file = '']) => file);
      expect(steps.length).toBeGreaterThan(5);
      const importedBy = (file: string): string[] =>
        sources.find((source) => source.file === file)?.imports.flatMap(({ what }) => targetOf(file, what) ?? []) ?? [];
      const reached = (file: string, at: number): boolean =>
        at === 0 || steps.slice(0, at).some((earlier) => importedBy(earlier).includes(file));
      expect(steps.filter((file, at) => !reached(file, at))).toEqual([]);
    },
  );
});
