/** Finds the variables of a program that hold a certain path, and the calls that use them. */
import type { TextFile } from './text-file.ts';

interface Place {
  file: TextFile;
  start: number;
  end: number;
}

const LINE_CHARACTERS = 4_000;
const MAX_NAMES = 300;
const STORES =
  /^\s{0,40}(?:const |let |var |export |local |readonly |private |static |final )?\$?([a-z_][\w$]{0,60})(?:\s?:\s?[\w[\], |]{1,60})?\s{0,4}=(?![=>])/u;
const LOOPS =
  /\bfor (?:\(?(?:const |let |var )?)?([a-z_][\w$]{0,60})(?:, ?[a-z_]\w{0,40})? (?:in|of)\b|\bforeach ?\(?\$(\w{1,40}) in\b|\bas ([a-z_]\w{0,40}):|\.(?:foreach|map)\(\(?([a-z_]\w{0,40})\)? =>/u;

/** Returns the variables assigned from a text that matches, also over other variables and lists of several lines. */
function namesHolding(file: TextFile, found: readonly { index: number }[]): Set<string> {
  const names = new Set<string>();
  if (found.length === 0) return names;
  const { low } = file;
  let [at, next, open] = [0, 0, ''];
  while (at < low.length && names.size < MAX_NAMES) {
    const newline = low.indexOf('\n', at);
    const end = newline === -1 ? low.length : newline;
    const line = low.slice(at, Math.min(end, at + LINE_CHARACTERS));
    const stored = STORES.exec(line)?.[1];
    if (stored !== undefined) open = /[[({]\s*$/u.test(line.trimEnd().slice(-1)) ? stored : '';
    else if (/^\s*[\])}]/u.test(line)) open = '';
    while (next < found.length && (found[next]?.index ?? 0) < at) next += 1;
    const isHere = (found[next]?.index ?? low.length) < end;
    const looped = LOOPS.exec(line)
      ?.slice(1)
      .find((name) => name !== undefined);
    const value = line.slice(line.indexOf('=') + 1);
    if (isHere || mentions(stored === undefined ? line : value, names)) {
      const name = stored ?? (open !== '' && isHere ? open : undefined);
      if (name !== undefined) names.add(name);
      if (looped !== undefined) names.add(looped);
    }
    at = end + 1;
  }
  return names;
}

function mentions(text: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  for (const [word] of text.matchAll(/[a-z_][\w$]{0,60}/gu)) if (names.has(word)) return true;
  return false;
}

/** Calls that write to the file that a variable names. */
export const WRITES_NAME =
  />{1,2}\s{0,2}["']?\$\{?(\w{1,60})|\btee (?:-a )?["']?\$\{?(\w{1,60})|\bopen\(\s?(\w{1,60})[^)\n]{0,40},\s?(?:mode\s?=\s?)?["'][awx]|\b(\w{1,60})\.(?:write_text|write_bytes|touch|symlink_to|open\(\s?["'][awx])|\b(?:writefile|appendfile|copyfile|outputjson|writejson)\w{0,10}\(\s?(\w{1,60})|\b(?:cp|mv|install|ln -\w{1,4}|rsync)\s[^\n;|&]{1,120}?["']?\$\{?(\w{1,60})\}?["']?(?:\/[\w./-]{0,60}["']?)?\s{0,2}(?:$|[;&|])|\bsed -i[^\n]{1,160}?\$\{?(\w{1,60})|\b(?:set|add)-content (?:-path )?["']?\$(\w{1,60})|\bout-file (?:-\w{1,12} ){0,2}["']?\$(\w{1,60})|\bshutil\.(?:copy\w{0,6}|move)\([^,\n]{1,80},\s?(\w{1,60})|\bos\.(?:rename|replace|symlink|link)\([^,\n]{1,80},\s?(\w{1,60})|\b(?:copyfile|rename|symlink)\w{0,6}\([^,\n]{1,80},\s?(\w{1,60})/gmu;
/** Calls that read it. */
export const READS_NAME =
  /\b(?:cat|head|tail|base64|xxd|strings|tar|zip|cp|grep|source)\s[^\n;|&]{0,80}?["']?\$\{?(\w{1,60})|\bopen\(\s?(?:os\.path\.\w{1,12}\(\s?)?(\w{1,60})\s?[),](?!\s?["'][awx])|\b(\w{1,60})\.(?:read_text|read_bytes|open\(\s?(?:\)|["']r))|\breadfile\w{0,10}\(\s?(\w{1,60})|\bget-content (?:-\w{1,8} )?["']?\$(\w{1,60})|\bsqlite3\.connect\(\s?(?:str\()?(\w{1,60})|\bshutil\.copy\w{0,6}\(\s?(\w{1,60})|\bcopyfile\w{0,6}\(\s?(\w{1,60})|<\s?["']?\$\{?(\w{1,60})|\bzipfile[^\n]{0,20}\.write\(\s?(\w{1,60})|\.add\(\s?(\w{1,60})/gmu;
/** Calls that delete it. */
export const DELETES_NAME =
  /\bshutil\.rmtree\(\s?(?:str\()?(\w{1,60})|\brm\w{0,6}\(\s?(\w{1,60})\s?,[^)\n]{0,40}recursive|\brimraf\w{0,6}\(\s?(\w{1,60})|\b(?:os\.(?:remove|unlink))\(\s?(\w{1,60})|\b(\w{1,60})\.unlink\(|\bremove-item\s[^\n;|]{0,60}?\$(\w{1,60})/gmu;

/** Yields the calls of a kind whose variable holds a text that matches, and the places where the text is written. */
export function* usesOf(file: TextFile, held: RegExp, calls: RegExp): Iterable<Place> {
  if (file.kind !== 'code') return;
  const found = [...file.low.matchAll(held)];
  const names = namesHolding(file, found);
  if (names.size === 0) return;
  let isUsed = false;
  for (const match of file.low.matchAll(calls)) {
    const name = match.slice(1).find((group) => group !== undefined);
    if (name === undefined || !names.has(name)) continue;
    isUsed = true;
    yield { file, start: match.index, end: match.index + match[0].length };
  }
  if (!isUsed) return;
  for (const { index, 0: text } of found) {
    const { start, end } = file.passageAt(index);
    if (STORES.test(file.low.slice(start, Math.min(end, start + LINE_CHARACTERS))))
      yield { file, start: index, end: index + text.length };
  }
}
