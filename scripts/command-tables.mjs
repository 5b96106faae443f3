// The registry as the command and the server need it. Without this, every start would load the code of all operations: more than
// 100 KB, or 5 to 10 ms.
// - For the list of commands: names, flags and help as plain data. The code of an operation is loaded when its command runs.
// - For the MCP server: the operations that are tools.
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const REGISTRY = 'src/operations/index.ts';
const COMMANDS = '\0lectern:commands';
const TOOLS = '\0lectern:tools';
/** Functions that are called with the output of `run`, so the operation has been loaded by then. */
const AFTER_RUN = ['hasErrors', 'sentence', 'next'];

/** Returns a plugin that replaces the registry in the commands and the MCP server, and the files of the tools. */
export async function commandTables(root) {
  const operations = await loadOperations(root);
  const tools = operations.filter(({ operation }) => operation.tool);
  const modules = new Map([
    [COMMANDS, tablesOf(operations.filter(({ operation }) => operation.command))],
    [TOOLS, toolsOf(tools)],
  ]);
  const replacementFor = (importer) =>
    importer === join(root, 'src/cli/commands.ts')
      ? COMMANDS
      : importer?.startsWith(join(root, 'src/mcp/'))
        ? TOOLS
        : undefined;
  const plugin = {
    name: 'command-tables',
    resolveId: (source, importer) => (source.endsWith('/operations/index.ts') ? replacementFor(importer) : undefined),
    load: (id) => modules.get(id),
  };
  return { plugin, toolFiles: new Set(tools.map(({ file }) => file)) };
}

/** Loads the registry, and finds the file and the export of each operation. */
async function loadOperations(root) {
  const registry = join(root, REGISTRY);
  const files = [...readFileSync(registry, 'utf8').matchAll(/ from '(\.\/[^']+)';$/gmu)].map(([, file]) =>
    join(dirname(registry), file),
  );
  const entry = [
    `export { OPERATIONS } from ${JSON.stringify(registry)};`,
    ...files.map((file, index) => `export * as file${index} from ${JSON.stringify(file)};`),
  ].join('\n');
  const dir = join(root, 'node_modules/.lectern', `command-tables-${process.pid}`);
  const bundle = await rolldown({
    cwd: root,
    input: { registry: 'registry-and-files' },
    platform: 'node',
    external: [/^node:/u],
    logLevel: 'silent',
    plugins: [
      {
        name: 'registry-and-files',
        resolveId: (source) => (source === 'registry-and-files' ? '\0registry-and-files' : undefined),
        load: (id) => (id === '\0registry-and-files' ? entry : undefined),
      },
    ],
  });
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  const loaded = await import(pathToFileURL(join(dir, 'registry.mjs')).href);
  rmSync(dir, { recursive: true });
  const places = new Map(
    files.flatMap((file, index) =>
      Object.entries(loaded[`file${index}`]).map(([name, operation]) => [operation, { file, name }]),
    ),
  );
  return loaded.OPERATIONS.map((operation) => ({ operation, ...places.get(operation) }));
}

function tablesOf(operations) {
  const tables = operations.map(({ operation, file, name }) => {
    const { run: _run, output: _output, details: _details, join: _join, ...table } = operation;
    const later = AFTER_RUN.filter((key) => key in table);
    const data = Object.fromEntries(Object.entries(table).filter(([key]) => !later.includes(key)));
    return `operation(${literal(data)}, () => import(${JSON.stringify(file)}).then((file) => file.${name}), ${literal(later)})`;
  });
  return `
function operation(table, load, later) {
  let loaded;
  const after = later.map((key) => [key, (output) => loaded[key](output)]);
  const run = async (...given) => (loaded = await load()).run(...given);
  return Object.assign(table, Object.fromEntries(after), { run });
}
export const OPERATIONS = [${tables.join(',\n')}];`;
}

function toolsOf(operations) {
  const imports = operations.map(({ file, name }) => `import { ${name} } from ${JSON.stringify(file)};`);
  return `${imports.join('\n')}\nexport const OPERATIONS = [${operations.map(({ name }) => name).join(', ')}];`;
}

/** Writes plain data as an expression. Fails for anything else, which the command would silently lose. */
function literal(value, place = 'operation') {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map((each, index) => literal(each, `${place}.${index}`)).join(',')}]`;
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError(`${place} is not plain data`);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${literal(each, `${place}.${key}`)}`).join(',')}}`;
}
