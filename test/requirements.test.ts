import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (place: string): string => readFileSync(new URL(place, import.meta.url), 'utf8');

/** `mcp/stdio` a name of a test (every way); `mcp/http` another */
function citedTests(table: string): { file: string; name: string }[] {
  const cells = table
    .split('\n')
    .flatMap((line) =>
      /^\| (?!---|requirement )/u.test(line) ? [line.split(' | ').at(-1)?.replace(/ \|$/u, '') ?? ''] : [],
    );
  return cells
    .flatMap((cell) => cell.split(/; (?=`)/u))
    .flatMap((citation) => {
      const match = /^`(?<file>mcp\/[a-z-]+)` (?<name>.+?)(?: \(every way\))?$/u.exec(citation);
      return match?.groups ? [{ file: match.groups['file'] ?? '', name: match.groups['name'] ?? '' }] : [];
    });
}

test('every test that the table of requirements names exists', () => {
  const cited = citedTests(read('../docs/requirements.md'));
  expect(cited.length).toBeGreaterThan(50);
  const missing = cited.filter(({ file, name }) => !read(`./${file}.test.ts`).includes(name));
  expect(missing).toEqual([]);
});
