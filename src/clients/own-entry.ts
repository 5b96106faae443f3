/** Decides whether a client's entry belongs to Lectern, so that `setup` may remove it. */
import { isLoopback } from '../core/loopback.ts';
import { isRecord } from '../core/json-file.ts';
import { TOKEN_VARIABLE } from './names.ts';

export function startsLectern(entry: unknown): boolean {
  const words = isRecord(entry) ? wordsOf(entry) : [];
  const [program, script = '', command] = words;
  // A clone may have any folder name.
  if (program === 'node' && /[\\/]cli\.c?js$/u.test(script) && (command === 'mcp' || command === 'mcp-server'))
    return true;
  return words.some(
    (word) =>
      word === 'lectern' ||
      word.startsWith('lectern@') ||
      /[\\/]lectern(?:\.cmd)?$/u.test(word) ||
      (/[\\/]lectern[\\/]/u.test(word) && /[\\/]cli\.c?js$/u.test(word)),
  );
}

/** Whether the entry starts Lectern, sends Lectern's token, or calls the requested URL or one on this machine. */
export function isOwnEntry(entry: unknown, asked: string | undefined): boolean {
  if (!isRecord(entry) || startsLectern(entry)) return isRecord(entry);
  const url = urlOf(entry);
  if (url === undefined) return false;
  const { headers, bearer_token_env_var: variable } = entry;
  if (JSON.stringify([headers, variable]).includes(TOKEN_VARIABLE)) return true;
  return url === asked || (URL.canParse(url) && isLoopback(new URL(url).hostname) && url.endsWith('/mcp'));
}

export function urlOf(entry: Record<string, unknown>): string | undefined {
  return [entry['url'], entry['httpUrl'], entry['serverUrl']].find((value) => typeof value === 'string');
}

/** Returns the command line of an entry. Clients split it differently. */
export function wordsOf(entry: Record<string, unknown>): string[] {
  return [entry['command'], entry['args']].flat().filter((word) => typeof word === 'string');
}
