// Shows the page of the example, or of the project named by flags: npm start -- --project-dir ~/code/app
// Builds first if a source is newer than the last build.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../..');
const EXAMPLE = ['--project-dir', join(root, 'examples/bookshop'), '--user-dir', join(root, 'examples/home')];

const given = process.argv.slice(2);
const namesFolder = given.some((word) => /^--(?:project|user)-dir(?:=|$)/u.test(word));

const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-old'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

const words = [join(root, 'dist/cli.cjs'), 'web', ...(namesFolder ? [] : EXAMPLE), ...given];
const server = spawn(process.execPath, words, { stdio: 'inherit' });
// A terminal signals the server too, which then reports how it ended.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));
