const TABLE = /^\[\s*([\w.-]+)\s*\]\s*(?:#.*)?$/u;
const TEXT = /^([\w.-]+)\s*=\s*(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/u;

/** Reads the string values of the `[paths]` table of a TOML file. This is not a full TOML parser, because nothing else is needed. */
export function readPathsTable(toml: string): Map<string, string> {
  const paths = new Map<string, string>();
  let table = '';
  for (const row of toml.replace(/^\uFEFF/u, '').split(/\r?\n/u)) {
    const line = row.trim();
    const header = TABLE.exec(line);
    if (header) {
      table = header[1] ?? '';
      continue;
    }
    const pair = TEXT.exec(line);
    if (!pair) continue;
    const key = table === '' ? (pair[1] ?? '') : `${table}.${pair[1] ?? ''}`;
    if (key.startsWith('paths.')) paths.set(key.slice('paths.'.length), pair[2] ?? pair[3] ?? '');
  }
  return paths;
}
