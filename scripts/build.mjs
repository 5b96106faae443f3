// Bundles the command and the library, and writes the type declarations. With `--if-old`, only if a source is newer than the build.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { commandTables } from './command-tables.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
if (process.argv.includes('--if-old') && !isOld()) process.exit(0);
rmSync(join(root, 'dist'), { recursive: true, force: true });

const { script, styles } = await pageAssets();
const options = {
  cwd: root,
  platform: 'node',
  external: [/^node:/u],
  resolve: {
    alias: {
      // The same parsers as modules: what is not used falls away, and nothing has to be required at start.
      yaml: join(root, 'node_modules/yaml/browser/index.js'),
      'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
    },
  },
  transform: {
    define: {
      LECTERN_VERSION: JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version),
      LECTERN_SCRIPT: JSON.stringify(script),
      LECTERN_STYLES: JSON.stringify(styles),
    },
  },
  checks: { circularDependency: false, ineffectiveDynamicImport: false },
  optimization: { inlineConst: true },
};
const output = {
  dir: join(root, 'dist'),
  minify: process.env.LECTERN_BUILD_READABLE !== '1',
};
const LIBRARY = { index: 'src/index.ts' };
const COMMAND = { cli: 'src/cli/bin.ts' };
const THREAD = { 'index-thread': 'src/search/segments/index-thread.ts' };
/** Operations that are run most. The parts that several of them share go into one file. */
const OFTEN = ['list-skills', 'show-skill', 'search', 'overview', 'agents', 'why', 'validate-skills'];
/** Parts that every command about agents loads, and those that it loads for the first request of an agent. */
const SURVEY = [
  'src/operations/kept-survey.ts',
  'src/agents/survey.ts',
  'src/agents/profiles/index.ts',
  'src/agents/seen-by.ts',
  'src/agents/settings.ts',
  'src/agents/read-as.ts',
  'src/agents/seen-by/judge-others.ts',
  'src/agents/installed.ts',
];
const CONTEXT = [
  'src/agents/context/context.ts',
  'src/agents/context/memory-files.ts',
  'src/agents/context/settings.ts',
  'src/agents/context/rules.ts',
  'src/clients/servers.ts',
  'src/agents/context/servers.ts',
];
// The library is a module. The command is not, because Node.js starts a CommonJS file about 5 of 30 ms sooner.
const commandOutput = {
  ...output,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'cli/[name]-[hash].cjs',
};
const { plugin: tables, toolFiles } = await commandTables(root);
const bundled = [
  ...(await build(LIBRARY, {
    ...output,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'library/[name]-[hash].js',
  })),
  ...(await build(COMMAND, { ...commandOutput, codeSplitting: { groups: await fileGroups() } }, [tables])),
  // By itself: what a thread shares with the command, it would load from files that it does not need.
  ...(await build(THREAD, { ...commandOutput, codeSplitting: false })),
];
writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), licensesOf(bundled));
chmodSync(join(root, 'dist/cli.cjs'), 0o755);
cpSync(join(root, 'model'), join(root, 'dist/model'), { recursive: true });

/**
 * Opening a file costs about half a millisecond, so the modules that every command loads go into one file, those of a scan into
 * another, those about agents into two, and those that common commands share into one more. A first build shows which modules these are: all that the named
 * files import statically.
 */
async function fileGroups() {
  const bundle = await rolldown({ ...options, input: COMMAND, plugins: [tables] });
  const { output: chunks } = await bundle.generate(commandOutput);
  await bundle.close();
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const modulesOf = (first) => {
    const wanted = new Set();
    const visit = (chunk) => {
      if (!chunk || wanted.has(chunk)) return;
      wanted.add(chunk);
      for (const imported of chunk.imports ?? []) visit(byFile.get(imported));
    };
    visit(first);
    return new Set([...wanted].flatMap((chunk) => chunk.moduleIds));
  };
  // By its file: a package may have a `main` too.
  const chunkOf = (file) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds?.includes(join(root, file)));
    if (!chunk) throw new Error(`${file} is not in the bundle`);
    return chunk;
  };
  const group = (name, file, priority) => {
    const modules = modulesOf(chunkOf(file));
    return { name, priority, test: (id) => modules.has(id) };
  };
  const often = [...OFTEN.map((name) => chunkOf(`src/operations/${name}.ts`)), chunkOf('src/mcp/tools.ts')].map(
    modulesOf,
  );
  const together = (name, files, priority) => {
    const modules = new Set(files.flatMap((file) => [...modulesOf(chunkOf(file))]));
    return { name, priority, test: (id) => modules.has(id) };
  };
  return [
    // What runs before Node.js keeps compiled code.
    group('first', COMMAND.cli, 7),
    group('start', 'src/cli/main.ts', 6),
    group('scan', 'src/skills/discover.ts', 5),
    together('survey', SURVEY, 4),
    together('context', CONTEXT, 3),
    {
      name: 'often',
      priority: 2,
      test: (id) => id.startsWith(join(root, 'src/')) && often.filter((modules) => modules.has(id)).length > 1,
    },
    { name: 'tools', priority: 1, test: (id) => toolFiles.has(id) },
  ];
}

/** The declarations are written last, so that an interrupted build counts as old. */
function isOld() {
  const built = statSync(join(root, 'dist/index.d.ts'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const below = ['src', 'scripts', 'model'].flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const sources = [...below, join(root, 'package.json'), join(root, 'package-lock.json')];
  return sources.some((file) => statSync(file).mtimeMs > built);
}

/** The script and the style sheet of the web interface, as text. They become part of the bundle, so nothing is read at start. */
async function pageAssets() {
  const bundle = await rolldown({ cwd: root, input: { app: 'src/web/client/app.ts' }, platform: 'browser' });
  const { output: chunks } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const web = join(root, 'src/web');
  const styles = readFileSync(join(web, 'lectern.css'), 'utf8')
    .replace(/@import '([^']+)';/gu, (_, file) => readFileSync(join(web, file), 'utf8'))
    .replace(/\/\*.*?\*\//gsu, '')
    .replace(/\s+/gu, ' ')
    .replace(/ ?([{};,>]) ?/gu, '$1');
  return { script: chunks[0].code, styles: styles.trim() };
}

/** Writes one bundle; returns the files that went into it. */
async function build(input, to, plugins = []) {
  const bundle = await rolldown({ ...options, input, plugins });
  const written = await bundle.write(to);
  await bundle.close();
  return written.output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

const types = [join(root, 'scripts/run-ts.mjs'), 'scripts/library-types.ts'];
writeFileSync(join(root, 'dist/index.d.ts'), execFileSync(process.execPath, types));

/** The licenses of what was bundled, as they ask for. */
function licensesOf(modules) {
  const folders = new Set(modules.flatMap((id) => id.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/u) ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/iu.test(entry));
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return `Lectern bundles these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
