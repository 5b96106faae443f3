/** Follows docs/adding-an-operation.md in a copy of the sources, as a newcomer would. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE_DIR } from './support/run-lectern.ts';
import { type TempFolder, tempFolder } from './support/temp-folder.ts';

const page = readFileSync(path.join(PACKAGE_DIR, 'docs/adding-an-operation.md'), 'utf8');
const TEST_FILE = 'test/operations/count-skills.test.ts';

interface Edit {
  file: string;
  kind: string;
  block: string;
}

/** The edits of a part of the page. Each block of code belongs to the file that was named last. */
function editsIn(part: string): Edit[] {
  let named = '';
  return [...part.matchAll(/`((?:src|test)\/[^`\s]+\.ts)`|^```(ts|diff)\n(.*?)^```$/gmsu)].flatMap(
    ([, file, kind = '', block = '']) => {
      if (file === undefined) return [{ file: named, kind, block }];
      named = file;
      return [];
    },
  );
}

const OPTIONAL = page.indexOf('\n## 4.');
const needed = editsIn(page.slice(0, OPTIONAL));
const optional = editsIn(page.slice(OPTIONAL));

function apply({ file, kind, block }: Edit): void {
  const place = copy.at(file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, kind === 'ts' ? block : patched(readFileSync(place, 'utf8'), block));
}

/** Puts the added lines below the one that the page shows above them. */
function patched(text: string, diff: string): string {
  const lines = diff.split('\n').filter((line) => line !== '');
  const [above = '', ...rest] = lines.map((line) => `\n${line.slice(1)}`);
  const added = rest.filter((_, index) => lines[index + 1]?.startsWith('+'));
  expect(text.split(`${above}\n`)).toHaveLength(2);
  for (const line of rest) expect(text.includes(`${line}\n`)).toBe(!added.includes(line));
  return text.replace(above, () => above + added.join(''));
}

let copy: TempFolder;
const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: copy.dir,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: copy.at('home') },
  });
  return { status, said: stdout + stderr };
};
const tool = (place: string): string => path.join(PACKAGE_DIR, 'node_modules', place);

/** What `npm run build` does, for the command alone. */
async function bundle(): Promise<void> {
  const built = await rolldown({
    cwd: copy.dir,
    input: 'src/cli/bin.ts',
    platform: 'node',
    external: [/^[@a-z](?!:)/u, /^node:/u],
    transform: { define: { LECTERN_VERSION: '"0"' } },
    logLevel: 'silent',
  });
  await built.write({ dir: copy.at('dist'), format: 'cjs', entryFileNames: 'cli.cjs', chunkFileNames: '[name].cjs' });
  await built.close();
}

/** In the checkout of a reader who follows the page there is nothing left to try. */
const isFollowed = existsSync(path.join(PACKAGE_DIR, 'src/operations/count-skills.ts'));

describe.skipIf(isFollowed)('an operation added as the page says', () => {
  beforeAll(() => {
    copy = tempFolder();
    for (const each of ['src', 'examples', 'package.json', 'tsconfig.json'])
      cpSync(path.join(PACKAGE_DIR, each), copy.at(each), { recursive: true });
    cpSync(path.join(PACKAGE_DIR, 'test'), copy.at('test'), {
      recursive: true,
      filter: (source) => !/\.test\.ts$|fixtures|__snapshots__|test.agents/u.test(source),
    });
    symlinkSync(path.join(PACKAGE_DIR, 'node_modules'), copy.at('node_modules'), 'junction');
    copy.write({
      'home/x': '',
      'vitest.config.ts': 'export default {};\n',
      'tsconfig.new.json': JSON.stringify({ extends: './tsconfig.json', include: ['src', TEST_FILE] }),
    });
    needed.forEach(apply);
  });
  afterAll(() => copy[Symbol.dispose]());

  test('is two edits and its test', () => {
    expect([...new Set(needed.map(({ file }) => file))]).toEqual([
      'src/operations/count-skills.ts',
      'src/operations/index.ts',
      TEST_FILE,
    ]);
  });

  test('passes its test', () => {
    const { status, said } = run(tool('vitest/vitest.mjs'), 'run', '--root', copy.dir, TEST_FILE);
    expect(said).toContain('1 passed');
    expect(status).toBe(0);
  });

  test('prints the output shown on the page', async () => {
    await bundle();
    const [, shown = ''] = /^```console\n(.*?)^```$/msu.exec(page) ?? [];
    const sessions = shown.split(/^\$ node /mu).slice(1);
    expect(sessions.length).toBeGreaterThan(2);
    for (const session of sessions) {
      const [command = '', ...output] = session.split('\n');
      const [program = '', ...args] = command.split(' ');
      expect(run(program, ...args).said).toBe(output.join('\n'));
    }
  });

  test('may have a rendering', async () => {
    optional.forEach(apply);
    await bundle();
    expect(run('dist/cli.cjs', 'count', '--project-dir', 'examples/bookshop').said).toBe(
      'agents: 4\nclaude: 3\ncodex: 1\nrepo: 1\n',
    );
  });

  test('compiles', () => {
    expect(run(tool('typescript/bin/tsc'), '-p', 'tsconfig.new.json')).toEqual({ status: 0, said: '' });
  });
});
