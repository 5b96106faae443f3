// Bundles the command and the library, and writes the type declarations. Used by `npm run build` and on install from a clone.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });

// Opening and linking a file costs about a millisecond, so what nearly every command needs is put together, room by room. What
// only some need (archiving, validation, schemas, the YAML parser) stays in files of its own and is loaded when it is used.
const FILES = [
  ['core', /src[\\/]core[\\/](?!line-diff|durable|node-durable|version)[^\\/]+\.ts$/u],
  ['render', /src[\\/]render[\\/](?:style|width|diagnostics|progress)\.ts$|get-east-asian-width/u],
  ['workspace', /src[\\/](?:workspace[\\/](?!config-schema)|skills[\\/](?:catalog|filter|codes|schema|roots[\\/]agents|roots[\\/]plan)\.ts$)/u],
  [
    'specs',
    /src[\\/](?:specs[\\/](?:catalog|change-folder|codes|roots|spec-file|spox-config|text-file|walk|words|blocks|parse-\w+|parse-delta-lists|clauses|tasks)|operations[\\/]spec-index|cli[\\/]commands[\\/](?:open-specs|spec-lists)|render[\\/](?:specs|changes))\.ts$/u,
  ],
];

const bundle = await rolldown({
  cwd: root,
  input: { cli: 'src/cli/bin.ts', index: 'src/index.ts' },
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
  transform: { define: { LECTERN_VERSION: JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version) } },
  checks: { circularDependency: false },
});
await bundle.write({
  dir: join(root, 'dist'),
  format: 'esm',
  minify: process.env.LECTERN_BUILD_READABLE !== '1',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: { groups: FILES.map(([name, test]) => ({ name, test })) },
});
await bundle.close();
chmodSync(join(root, 'dist/cli.js'), 0o755);

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
