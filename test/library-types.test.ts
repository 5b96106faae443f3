/** The published declarations are written from the tables; the sources derive their types from the same tables. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { libraryTypes } from '../scripts/library-types.ts';
import { OPERATIONS } from '../src/operations/index.ts';
import { PACKAGE_DIR } from './support/run-lectern.ts';
import { tempFolder } from './support/temp-folder.ts';

const PROGRAM = `import type { Catalog, CatalogOptions, Diagnostic } from './published.ts';
import type * as Sources from 'SOURCES';

declare const published: { catalog: Catalog; options: CatalogOptions; diagnostic: Diagnostic };
declare const sources: { catalog: Sources.Catalog; options: Sources.CatalogOptions; diagnostic: Sources.Diagnostic };
export const there: typeof published = sources;
export const back: typeof sources = published;
`;

test('the published types and those of the sources fit each other, both ways', () => {
  using folder = tempFolder({
    'package.json': '{"type":"module"}',
    'published.ts': libraryTypes(OPERATIONS),
    'program.ts': PROGRAM.replace('SOURCES', path.join(PACKAGE_DIR, 'src/index.ts')),
    'tsconfig.json': JSON.stringify({
      extends: path.join(PACKAGE_DIR, 'tsconfig.json'),
      compilerOptions: { typeRoots: [path.join(PACKAGE_DIR, 'node_modules/@types')] },
      include: [],
      files: ['program.ts'],
    }),
  });
  const tsc = path.join(PACKAGE_DIR, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder.dir], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
