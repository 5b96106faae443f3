// Bundles the command and the library, and writes the type declarations. Used by `npm run build` and on install from a clone.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });

/**
 * Opening and linking a file costs about a millisecond, so what many commands need is put together. What only some need
 * (archiving, validation, schemas) stays in files of its own and is loaded when it is used.
 */
const GROUPS = [
  // To say anything at all, help included.
  [
    'start',
    /src[\\/](?:cli[\\/](?!bin\.)[\w-]+|clients[\\/]names|core[\\/](?:disk[\\/](?:descriptor|reasons)|failure|limits|near|text|version)|render[\\/]style)\.ts$|rolldown[\\/]runtime/u,
  ],
  // To open a workspace, and to print lines about it.
  [
    'workspace',
    /src[\\/](?:core[\\/](?:breathe|diagnostics|disk[\\/](?!watch|memory)[\w-]+|inside|json-file)|skills[\\/](?:catalog|filter|codes|schema|specification|roots[\\/]agents|roots[\\/]plan)|render[\\/](?:width|diagnostics|no-skills|progress)|workspace[\\/](?:workspace|settings|server-settings|config|index-folder|digests|text-cache))\.ts$|get-east-asian-width/u,
  ],
  // To find skills, and list them.
  [
    'skills',
    /src[\\/](?:core[\\/]frontmatter[\\/](?!full-yaml|read)[\w-]+|skills[\\/](?:discover|walk|read-headers|parse|quick-list[\\/][\w-]+|gitignore|roots[\\/]claude-plugins)|operations[\\/](?:skill-summary|work[\\/]list-skills)|cli[\\/]commands[\\/](?:list|state)|render[\\/]list)\.ts$/u,
  ],
  // For the few headers that are not plain.
  ['yaml', /src[\\/]core[\\/]frontmatter[\\/](?:full-yaml|read)\.ts$|node_modules[\\/]yaml[\\/]/u],
  // To find specs, and list them.
  [
    'specs',
    /src[\\/](?:specs[\\/](?:catalog|change-folder|codes|roots|spec-file|spox-config|text-file|trouble|walk|words|blocks|parse-\w+|parse-delta-lists|clauses|tasks)|core[\\/]headings|workspace[\\/]open-specs|operations[\\/]spec-index|cli[\\/]commands[\\/](?:open-specs|spec-lists)|render[\\/](?:specs|changes))\.ts$/u,
  ],
  // For the most common answers.
  ['answers', /src[\\/]operations[\\/](?:define|schemas|list-skills)\.ts$|node_modules[\\/]zod[\\/]/u],
];

const options = {
  cwd: root,
  platform: 'node',
  external: [/^node:/u],
  resolve: {
    extensionAlias: { '.js': ['.ts', '.js'] },
    alias: {
      // The same parsers as modules: what is not used falls away, and nothing has to be required at start.
      yaml: join(root, 'node_modules/yaml/browser/index.js'),
      'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
    },
  },
  transform: {
    define: { LECTERN_VERSION: JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version) },
  },
  checks: { circularDependency: false, ineffectiveDynamicImport: false },
  optimization: { inlineConst: true },
};
const output = {
  dir: join(root, 'dist'),
  minify: process.env.LECTERN_BUILD_READABLE !== '1',
};
const tools = execFileSync(process.execPath, [join(root, 'scripts/run-ts.mjs'), 'scripts/tool-table.ts'], {
  encoding: 'utf8',
});
// The library is a module. The command is not: Node.js starts a CommonJS file in a tenth of the time.
const bundled = [
  ...(await build(
    { index: 'src/index.ts' },
    { ...output, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'library/[name]-[hash].js' },
  )),
  ...(await build(
    { cli: 'src/cli/bin.ts' },
    {
      ...output,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'cli/[name]-[hash].cjs',
      codeSplitting: { groups: GROUPS.map(([name, test], index) => ({ name, test, priority: GROUPS.length - index })) },
    },
  )),
];
writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), licensesOf(bundled));
chmodSync(join(root, 'dist/cli.cjs'), 0o755);

/** Writes one bundle; returns the files that went into it. */
async function build(input, to) {
  const define = { ...options.transform.define, LECTERN_TOOLS: JSON.stringify(tools) };
  const bundle = await rolldown({ ...options, input, transform: { define } });
  const written = await bundle.write(to);
  await bundle.close();
  return written.output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });

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
