// Bundles the command and the library, and writes the type declarations. Used by `npm run build` and on install from a clone.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });

const bundle = await rolldown({
  cwd: root,
  input: { cli: 'src/cli/bin.ts', index: 'src/index.ts' },
  platform: 'node',
  external: [/^node:/u],
  resolve: {
    extensionAlias: { '.js': ['.ts', '.js'] },
    // The same parser as modules: what is not used falls away, and nothing has to be required at start.
    alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
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
});
await bundle.close();
chmodSync(join(root, 'dist/cli.js'), 0o755);

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
