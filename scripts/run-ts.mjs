// Runs a TypeScript file of the repository: bundles it beside the dependencies, then imports the result.
// Usage: node scripts/run-ts.mjs bench/search-quality.ts [arguments]
import { mkdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [file = '', ...rest] = process.argv.slice(2);
const source = resolve(root, file);
// Inside node_modules, so that packages resolve and no tool looks at it.
const dir = join(root, 'node_modules', '.lectern', basename(file, '.ts'));
mkdirSync(dir, { recursive: true });

const bundle = await rolldown({
  cwd: root,
  input: { main: source },
  platform: 'node',
  external: [/^node:/u],
  resolve: {
    extensionAlias: { '.js': ['.ts', '.js'] },
    alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') },
  },
  logLevel: 'silent',
});
await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
await bundle.close();

process.argv = [process.argv[0] ?? 'node', source, ...rest];
await import(pathToFileURL(join(dir, 'main.mjs')).href);
