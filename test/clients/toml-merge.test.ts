import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import type { Merge } from '../../src/clients/merge.ts';
import { mergeIntoToml } from '../../src/clients/toml-merge.ts';
import { tomlStatements } from '../../src/core/config-text/toml-statements.ts';
import { fc, times } from '../support/effort.ts';

const entry = { command: 'npx', args: ['-y', 'lectern', 'mcp'] };
const place = () => ({ keys: ['mcp_servers', 'lectern'], entry });
const merge = (text: string): Merge => mergeIntoToml(text, place);
const textOf = (merged: Merge): string => ('text' in merged ? merged.text : JSON.stringify(merged));

const OURS = '[mcp_servers.lectern]\ncommand = "npx"\nargs = ["-y", "lectern", "mcp"]';

describe('an entry is added at the end', () => {
  test.each<[string, string, string]>([
    ['of an empty file', '', `${OURS}\n`],
    ['after one blank line', 'model = "x"\n', `model = "x"\n\n${OURS}\n`],
    ['after an existing blank line', 'model = "x"\n\n', `model = "x"\n\n${OURS}\n`],
    ['without a line break where the file ends without one', 'model = "x" # c', `model = "x" # c\n\n${OURS}`],
    ['with the file’s line breaks', 'a = 1\r\n[b]\r\n', `a = 1\r\n[b]\r\n\r\n${OURS.replaceAll('\n', '\r\n')}\r\n`],
    ['after other servers', '[mcp_servers.a]\ncommand = "a"\n', `[mcp_servers.a]\ncommand = "a"\n\n${OURS}\n`],
    ['after servers with dotted keys', 'mcp_servers.a.command = "a"\n', `mcp_servers.a.command = "a"\n\n${OURS}\n`],
    [
      'after the table with all servers',
      '[mcp_servers]\na = { command = "a" }\n',
      `[mcp_servers]\na = { command = "a" }\n\n${OURS}\n`,
    ],
  ])('%s', (_, before, after) => {
    expect(textOf(merge(before))).toBe(after);
    expect(merge(after).kind).toBe('same');
  });
});

describe('an entry of that name that differs', () => {
  test.each<[string, string, string]>([
    [
      'is changed in place, and keys that the user added are kept',
      '# top\n[mcp_servers.lectern] # ours\ncommand = "node" # old\nstartup_timeout_sec = 5\nurl = "http://x"\n\n[mcp_servers.lectern.env]\nA = "1"\n\n[z]\n',
      '# top\n[mcp_servers.lectern] # ours\nargs = ["-y", "lectern", "mcp"]\ncommand = "npx" # old\nstartup_timeout_sec = 5\n\n[mcp_servers.lectern.env]\nA = "1"\n\n[z]\n',
    ],
    [
      'is changed as an inline table',
      '[mcp_servers]\nlectern = { command = "node", env = { A = "1" } } # c\nb = { command = "b" }\n',
      '[mcp_servers]\nlectern = { command = "npx", args = ["-y", "lectern", "mcp"], env = { A = "1" } } # c\nb = { command = "b" }\n',
    ],
    [
      'is changed as dotted keys',
      '[mcp_servers]\nlectern.command = "node"\nb.command = "b"\n',
      '[mcp_servers]\nlectern.args = ["-y", "lectern", "mcp"]\nlectern.command = "npx"\nb.command = "b"\n',
    ],
    [
      'is changed under a quoted header, over several lines, CRLF',
      '["mcp_servers" . "lectern"]\r\nargs = [ # list\r\n  "a", # ]\r\n]\r\ncommand = """n"""\r\n',
      '["mcp_servers" . "lectern"]\r\nargs = ["-y", "lectern", "mcp"]\r\ncommand = "npx"\r\n',
    ],
    [
      'is filled in if only its header exists',
      '[mcp_servers.lectern]',
      '[mcp_servers.lectern]\ncommand = "npx"\nargs = ["-y", "lectern", "mcp"]',
    ],
  ])('%s', (_, before, after) => {
    const merged = merge(before);
    expect(merged.kind).toBe('different');
    expect(textOf(merged)).toBe(after);
    expect(merge(after).kind).toBe('same');
  });

  test('is reported with its line', () => {
    expect(merge('\n\n[mcp_servers.lectern]\ncommand = "node"\n')).toMatchObject({
      kind: 'different',
      line: 3,
      existing: { command: 'node' },
    });
  });
});

describe('a document that cannot be used is refused with the place', () => {
  test.each<[string, string, string, number]>([
    ['not TOML', 'a = 1\nb = \n', 'not TOML', 2],
    ['a key twice', 'a = 1\na = 2\n', 'not TOML', 2],
    ['servers that are not a table', 'x = 1\nmcp_servers = 3\n', 'does not allow adding tables', 2],
    [
      'servers in one inline table',
      'x = 1\nmcp_servers = { a = { command = "a" } }\n',
      'does not allow adding tables',
      2,
    ],
    [
      'the entry inside an inline table',
      'mcp_servers = { lectern = { command = "a" } }\n',
      'cannot be changed safely',
      1,
    ],
  ])('%s', (_, text, reason, line) => {
    const merged = merge(text);
    expect(merged).toMatchObject({ kind: 'broken', line });
    expect(merged.kind === 'broken' && merged.reason).toContain(reason);
  });
});

describe('any document', () => {
  const comment = fc.constantFrom('', '  # note', ' # [mcp_servers.lectern]');
  const key = fc.constantFrom('a', 'b-1', '"q ] = #"', "'lit'", 'x . "y"', '"\\u00fc"', '"😀"');
  const value = fc.constantFrom(
    '1',
    '9007199254740993',
    '-0.5e3',
    'inf',
    'true',
    '1979-05-27T07:32:00Z',
    '07:32:00',
    '"s # ] }"',
    "'[x]'",
    '"""\n[mcp_servers.lectern]\n"quotes" """""',
    "'''\n# no\n'''",
    '[1, 2] ',
    '[\n  "a", # ]\n  [ "]" ],\n]',
    '{ k = "}", l = [ 1 ] }',
    '"\\"\\\\"',
  );
  const pairs = fc
    .uniqueArray(fc.tuple(key, value, comment), { maxLength: 4, selector: ([name]) => name })
    .map((list) => list.map(([name, text, note]) => `${name} = ${text}${note}\n`).join(''));
  const header = fc.constantFrom(
    '[t1]',
    '[ t2 . "u v" ]',
    '[[list]]',
    '[mcp_servers.other]',
    '[mcp_servers."lectern.x"]',
    "['mcp_servers'.z.env]",
    '[projects."/a b/c"]',
  );
  const document = fc
    .tuple(
      pairs,
      fc.uniqueArray(fc.tuple(header, comment, pairs), { maxLength: 5, selector: ([name]) => name }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([top, tables, crlf, ends]) => {
      const text = top + tables.map(([name, note, inner]) => `\n${name}${note}\n${inner}`).join('');
      const chosen = ends ? text : text.trimEnd();
      return crlf ? chosen.replaceAll('\n', '\r\n') : chosen;
    });

  test('existing bytes and values are unchanged, and a second merge changes nothing', () => {
    fc.assert(
      fc.property(document, (before) => {
        const merged = merge(before);
        expect(merged.kind).toBe('added');
        const after = textOf(merged);
        expect(after.startsWith(before)).toBe(true);
        expect(after.endsWith('\n')).toBe(before === '' || before.endsWith('\n'));
        expect(merge(after).kind).toBe('same');
      }),
      { numRuns: times(800) },
    );
  });

  test('a different entry is replaced anywhere in the document, and nothing else changes', () => {
    const old = fc.constantFrom(
      'command = "node"\n',
      'url = "http://x" # u\n',
      'args = [\n  "]",\n]\ncommand = \'c\'\n',
      '',
    );
    fc.assert(
      fc.property(document, old, document, (before, own, rest) => {
        const text = `${before}\n[mcp_servers.lectern]\n${own}${otherTables(rest)}`;
        fc.pre(isToml(text));
        const merged = merge(text);
        expect(merged.kind).toBe('different');
        const after = textOf(merged);
        const [was, is] = [text, after].map(
          (each) => parse(each, { integersAsBigInt: 'asNeeded' }) as Record<string, Record<string, unknown>>,
        );
        expect({ ...(is?.['mcp_servers']?.['lectern'] as object) }).toEqual(entry);
        delete was?.['mcp_servers']?.['lectern'];
        delete is?.['mcp_servers']?.['lectern'];
        expect(is).toEqual(was);
        expect(after.startsWith(before)).toBe(true);
        expect(merge(after).kind).toBe('same');
      }),
      { numRuns: times(500) },
    );
  });

  test('statements are found where the parser finds them', () => {
    fc.assert(
      fc.property(document, (text) => {
        const found = tomlStatements(text);
        for (const { kind, path, valueStart, end, start } of found) {
          const statement = text.slice(start, end);
          expect(isToml(statement)).toBe(true);
          expect(kind === 'table' || isToml(`v = ${text.slice(valueStart, end)}`)).toBe(true);
          expect(path.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: times(300) },
    );
  });
});

/** Returns the tables of a document under other names, so that they can follow those of another document. */
function otherTables(document: string): string {
  const start = /\r?\n\[/u.exec(document)?.index;
  if (start === undefined) return '';
  return document
    .slice(start)
    .replaceAll(/^(\[+ ?)(t1|t2|list|projects)/gmu, '$1new-$2')
    .replaceAll(/^\[(?:'mcp_servers'|mcp_servers)/gmu, '[others');
}

function isToml(text: string): boolean {
  try {
    parse(text, { integersAsBigInt: 'asNeeded' });
    return true;
  } catch {
    return false;
  }
}
