/** Expands the shell constructs that hide a command: variables, quotes inside words, `$IFS`, printed and reversed text. */
import type { Edit } from './mapped.ts';

const ASSIGNMENT =
  /(?<=^|[;&|(][ \t]{0,4}|\b(?:export|local|readonly|declare|set) )[ \t]{0,8}([A-Za-z_]\w{0,40})=(?:"([^"\n$`]{0,400})"|'([^'\n]{0,400})'|([^\s"'$`;&|()<>]{1,400}))(?=[\s;&|)]|$)/gmu;
const USE = /\$\{([A-Za-z_]\w{0,40})(?::(\d{1,3}):(\d{1,3}))?\}|\$([A-Za-z_]\w{0,40})/gu;
/** Variables of the system, whose names say more than a value. */
const SYSTEM = /^(?:home|path|user|pwd|shell|tmpdir|ifs|0|hostname)$/iu;
const MAX_VARIABLES = 500;

/** Returns the edits that expand variables and word tricks of a shell script. */
export function expandedShell(text: string): Edit[] {
  const variables = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(ASSIGNMENT))
    if (variables.size < MAX_VARIABLES && !SYSTEM.test(name)) variables.set(name, double ?? single ?? bare ?? '');
  const edits = [...splitWords(text), ...printed(text)];
  if (text.includes('$'))
    for (const match of text.matchAll(USE)) {
      const [whole, braced, from, length, plain] = match;
      const value = variables.get(braced ?? plain ?? '');
      const start = match.index;
      const end = start + whole.length;
      if (/^\$\{?IFS/u.test(whole))
        edits.push({ start, end: text.startsWith('$9', end) ? end + 2 : end, text: ' ', hidden: true });
      else if (value !== undefined) {
        const part = from === undefined ? value : value.slice(Number(from), Number(from) + Number(length));
        edits.push({ start, end, text: part, hidden: isInWord(text, start, end, part) });
      }
    }
  return edits.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A command that is put together from variables: `c${u}rl`, or `$a$b` with `a=cu` and `b=rl`. */
function isInWord(text: string, start: number, end: number, value: string): boolean {
  if (!/^[a-z]{1,6}$/u.test(value)) return false;
  return /[a-z}]/u.test(text.charAt(start - 1)) || /^(?:[a-z]|\$\{?[a-z])/u.test(text.slice(end, end + 3));
}

const WORDS = new Set(
  'curl wget bash eval base64 python python3 sudo chmod netcat node exec ncat crontab source nohup perl ruby printf openssl'.split(
    ' ',
  ),
);

/** A shell reads `c""url`, `cu\rl` and `cu$@rl` as `curl`. */
function* splitWords(text: string): Iterable<Edit> {
  for (const match of text.matchAll(
    /(?<![\w'"\\.])[a-z'"](?:[a-z0-9]|''|""|['"](?=[a-z])|\\(?=[a-z])|\$@|\$\*|\$\{[@*]\}|\$\{\w{1,3}\}){3,20}['"]?(?![\w'"\\])/gu,
  )) {
    const [written] = match;
    if (!/["'\\$]/u.test(written.slice(1, -1))) continue;
    const plain = written.replace(/["'\\]|\$\{?[@*\w]{0,3}\}?/gu, '');
    if (WORDS.has(plain) && !written.includes(plain))
      yield { start: match.index, end: match.index + written.length, text: plain, hidden: true };
  }
}

/** `$(echo curl)`, `$(printf 'curl')`, `$(rev <<< lruc)`, `$(echo lruc | rev)`. */
function* printed(text: string): Iterable<Edit> {
  for (const match of text.matchAll(
    /(?:\$\(|`)\s?(?:(?:echo|printf)(?: -\w{1,3})? ["']?([^"'`$()|;\n]{2,200})["']?\s{0,2}(\| ?rev\s{0,2})?|rev\s?<<<\s?["']?([^"'`$()|;\n]{2,200})["']?\s{0,2})(?:\)|`)/gu,
  )) {
    const [whole, echoed, reversed, here] = match;
    const value = here ?? echoed ?? '';
    const isReversed = here !== undefined || reversed !== undefined;
    const plain = isReversed ? [...value].reverse().join('') : value;
    yield {
      start: match.index,
      end: match.index + whole.length,
      text: plain.trim(),
      hidden: isReversed || WORDS.has(plain.trim()),
    };
  }
}
