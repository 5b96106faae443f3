/** Tests that start the command use the built one; it is built again only when a source is newer. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export default function buildOnce(): void {
  const built = statSync(path.join(root, 'dist/cli.cjs'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const newest = Math.max(...sources.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs));
  if (newest > built) execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
}
