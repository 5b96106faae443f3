const TOKEN =
  /[ \t\r\n]*(?:(?<mark>[[\]{},:])|(?<text>"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<value>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![0-9.])|true|false|null))/uy;

type Wanted = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** Returns the offset of the first invalid token of a JSON text, or the end of the text. */
export function jsonBreaksAt(text: string): number {
  const open: ('[' | '{')[] = [];
  let wanted: Wanted = 'value';
  let at = 0;
  const afterValue = (): Wanted => (open.length === 0 ? 'nothing' : 'comma or end');
  for (;;) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (!groups) break;
    const { mark, text: quoted } = groups;
    const next: Wanted | undefined = step(mark ?? (quoted === undefined ? 'value' : 'text'), wanted, open, afterValue);
    if (next === undefined) break;
    wanted = next;
    at = TOKEN.lastIndex;
  }
  return at + (/^[ \t\r\n]*/u.exec(text.slice(at))?.[0].length ?? 0);
}

function step(token: string, wanted: Wanted, open: ('[' | '{')[], afterValue: () => Wanted): Wanted | undefined {
  const wantsValue = wanted === 'value' || wanted === 'value or end';
  const wantsKey = wanted === 'key' || wanted === 'key or end';
  if (token === 'text' && wantsKey) return 'colon';
  if (token === 'text' || token === 'value') return wantsValue ? afterValue() : undefined;
  if (token === ':') return wanted === 'colon' ? 'value' : undefined;
  if (token === ',') return wanted !== 'comma or end' ? undefined : open.at(-1) === '{' ? 'key' : 'value';
  if (token === '[' || token === '{') {
    if (!wantsValue) return undefined;
    open.push(token);
    return token === '[' ? 'value or end' : 'key or end';
  }
  const closes =
    open.at(-1) === (token === ']' ? '[' : '{') &&
    (wanted === 'comma or end' || wanted === (token === ']' ? 'value or end' : 'key or end'));
  if (!closes) return undefined;
  open.pop();
  return afterValue();
}

/**
 * Returns the first key that occurs twice in an object of a JSON text. Parsers take the last one, and other tools may take the
 * first.
 */
export function repeatedKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const { mark, text: quoted } = match.groups ?? {};
    if (mark === '{' || mark === '[') open.push(mark === '{' ? new Set() : undefined);
    if (mark === '}' || mark === ']') open.pop();
    const keys = open.at(-1);
    if (quoted !== undefined && isKey && keys) {
      const key = String(JSON.parse(quoted));
      if (keys.has(key)) return key;
      keys.add(key);
    }
    isKey = mark === '{' || (mark === ',' && keys !== undefined);
  }
  return undefined;
}
