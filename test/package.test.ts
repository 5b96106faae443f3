/** What is published, and whether somebody who installs it can use it. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE_DIR } from './support/run-lectern.ts';
import { skillText } from './support/skill-text.ts';
import { type TempFolder, tempFolder } from './support/temp-folder.ts';

const PACKED_MAX_BYTES = 5 * 1024 * 1024;
const DEPENDENCIES_MAX = 5;
const NPX = 'npx';

/** Every packed file fits one of these, and each of these is there. */
const EXPECTED = [
  /^LICENSE$/u,
  /^README\.md$/u,
  /^package\.json$/u,
  /^dist\/THIRD-PARTY-LICENSES\.txt$/u,
  /^dist\/cli\.cjs$/u,
  // The thread that indexes for a replica.
  /^dist\/index-thread\.cjs$/u,
  /^dist\/index\.js$/u,
  /^dist\/cli\/[\w.-]+-[\w-]{8}\.cjs$/u,
  /^dist\/library\/[\w.-]+-[\w-]{8}\.js$/u,
  /^dist\/index\.d\.ts$/u,
  /^CHANGELOG\.md$/u,
  /^SECURITY\.md$/u,
  /^docs\/(?:reference\/|decisions\/)?[\w-]+\.md$/u,
  // Findings point to it.
  /^docs\/reference\/diagnostics\.md$/u,
  /^examples\/(?:bookshop|descriptions)\/.+$/u,
  /^examples\/(?:compose\/(?:compose\.yaml|Dockerfile)|kubernetes\/lectern\.yaml)$/u,
  /^examples\/home\/(?!\.cache\/).+$/u,
];
/** Allowed, but not required: data of the search. */
const ALLOWED = [/^dist\/(?:model|models|data|assets)\/.+$/u, /^dist\/[\w-]+\.js$/u];

interface Packed {
  filename: string;
  size: number;
  files: { path: string; mode: number }[];
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  scripts?: Record<string, string>;
  version: string;
}

const manifest = JSON.parse(fs.readFileSync(path.join(PACKAGE_DIR, 'package.json'), 'utf8')) as Manifest;
let folder: TempFolder;
let packed: Packed;

/** npm as a child of a test must not take settings from the run it is in. */
const npmEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') || name === 'npm_config_registry'),
  );
const npm = (args: readonly string[], cwd: string) =>
  spawnSync('npm', [...args], { cwd, encoding: 'utf8', env: npmEnvironment(), timeout: 600_000 });

beforeAll(() => {
  folder = tempFolder();
  // Without scripts: the build was made before the tests, and other tests are running on it.
  const { stdout } = npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder.dir], PACKAGE_DIR);
  const [first] = JSON.parse(stdout) as Packed[];
  if (!first) throw new Error('npm pack made nothing');
  packed = first;
});
afterAll(() => folder[Symbol.dispose]());

describe('the packed files', () => {
  test('are exactly the required ones', () => {
    expect(
      packed.files
        .map((file) => file.path)
        .filter((file) => ![...EXPECTED, ...ALLOWED].some((pattern) => pattern.test(file))),
    ).toEqual([]);
    expect(EXPECTED.filter((pattern) => !packed.files.some((file) => pattern.test(file.path))).map(String)).toEqual([]);
  });

  test('hold every page that the README points to, but for the guide for contributors', () => {
    const readme = fs.readFileSync(path.join(PACKAGE_DIR, 'README.md'), 'utf8');
    const pages = [...readme.matchAll(/\]\((?!https?:)([^)#]+\.md)/gu)].map((match) => match[1] ?? '');
    expect(pages.length).toBeGreaterThan(10);
    const files = new Set(packed.files.map((file) => file.path));
    expect(pages.filter((page) => !files.has(page))).toEqual(['CONTRIBUTING.md']);
  });

  test('hold no sources, tests, maps or settings', () => {
    expect(
      packed.files
        .map((file) => file.path)
        .filter((file) =>
          /^(?:src|test|bench|scripts)\/|(?:^|\/)node_modules\/|\.map$|(?<!\.d)\.ts$|tsconfig|\.env/u.test(file),
        ),
    ).toEqual([]);
  });

  test(`stay under ${PACKED_MAX_BYTES / 1024 / 1024} MB`, () => {
    expect(packed.size).toBeLessThan(PACKED_MAX_BYTES);
  });

  test('contain no path of the build machine', () => {
    const dist = path.join(PACKAGE_DIR, 'dist');
    const files = fs
      .readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:js|cjs|ts)$/u.test(entry.name));
    const leaks = files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => fs.readFileSync(file, 'utf8').includes(PACKAGE_DIR));
    expect(leaks).toEqual([]);
  });

  test('start with a line that finds Node, and may be run', () => {
    expect(fs.readFileSync(path.join(PACKAGE_DIR, 'dist/cli.cjs'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/u);
    if (process.platform !== 'win32')
      expect(fs.statSync(path.join(PACKAGE_DIR, 'dist/cli.cjs')).mode & 0o111).not.toBe(0);
  });
});

test('at most five packages come along, and nothing runs on their users’ machines at install', () => {
  expect(
    Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies }).length,
  ).toBeLessThanOrEqual(DEPENDENCIES_MAX);
  expect(
    Object.keys(manifest.scripts ?? {}).filter((name) => ['preinstall', 'install', 'postinstall'].includes(name)),
  ).toEqual([]);
});

test('the names that the library exports', async () => {
  const library = (await import(path.join(PACKAGE_DIR, 'dist/index.js'))) as Record<string, unknown>;
  expect(Object.keys(library).sort()).toEqual(['Failure', 'VERSION', 'openCatalog']);
});

describe('a project that installs it', () => {
  const PROGRAM = `import { openCatalog, Failure, VERSION, type Catalog, type Diagnostic } from 'lectern';

const catalog: Catalog = await openCatalog({ projectDir: 'project', userDir: undefined });
const { skills, counts } = await catalog.list();
const names: string[] = skills.map(({ name }) => name);
const problems: Diagnostic[] = catalog.diagnostics();
let code = '';
try {
  await catalog.show({ name: 'gti' });
} catch (error) {
  if (error instanceof Failure) code = \`\${error.code} \${error.suggestions.join()}\`;
}
const report = await catalog.validate({ all: true });
const { total } = await catalog.search({ query: 'git' });
await catalog.reload();
process.stdout.write(JSON.stringify({ names, total: counts.total, found: total, problems: problems.length, code, valid: report.valid, version: VERSION }));
`;
  let installed = false;
  let reason = '';

  beforeAll(() => {
    folder.write({
      'consumer/package.json': JSON.stringify({ name: 'consumer', version: '1.0.0', private: true, type: 'module' }),
      'consumer/program.ts': PROGRAM,
      'consumer/project/.claude/skills/git/SKILL.md': skillText({ name: 'git' }),
      'consumer/tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          module: 'nodenext',
          moduleResolution: 'nodenext',
          target: 'es2022',
          types: ['node'],
          typeRoots: [path.join(PACKAGE_DIR, 'node_modules/@types')],
          skipLibCheck: false,
          outDir: 'out',
        },
        files: ['program.ts'],
      }),
      'home/x': '',
    });
    const { status, stderr } = npm(
      [
        'install',
        `../${packed.filename}`,
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '--loglevel=error',
      ],
      folder.at('consumer'),
    );
    installed = status === 0;
    reason = stderr.trim().split('\n')[0] ?? '';
  });

  test('gets its types checked', ({ skip }) => {
    if (!installed) skip(`npm could not install the dependencies: ${reason}`);
    const tsc = path.join(PACKAGE_DIR, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder.at('consumer')], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });

  test('runs its program', ({ skip }) => {
    if (!installed) skip(`npm could not install the dependencies: ${reason}`);
    const program = PROGRAM.replace(', type Catalog, type Diagnostic', '').replace(
      /: (?:Catalog|string\[\]|Diagnostic\[\])(?= =)/gu,
      '',
    );
    folder.write({ 'consumer/program.mjs': program });
    const stdout = execFileSync(process.execPath, ['program.mjs'], { cwd: folder.at('consumer'), encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({
      names: ['git'],
      total: 1,
      found: 1,
      problems: 0,
      code: 'NOT_FOUND git',
      valid: true,
      version: manifest.version,
    });
  });

  test('runs the command', ({ skip }) => {
    if (!installed) skip(`npm could not install the dependencies: ${reason}`);
    const { stdout, status } = spawnSync(
      NPX,
      ['--no-install', 'lectern', 'list', '--json', '--project-dir', 'project', '--user-dir', folder.at('home')],
      { cwd: folder.at('consumer'), encoding: 'utf8', env: npmEnvironment() },
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ skills: [{ fullName: 'claude:git' }] });
  });
});
