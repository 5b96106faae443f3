/**
 * Follows private data through a program: from the expression that reads it, over variables, functions and files, to the call that
 * sends it away. It reads lines, not syntax, so it is the same for shells, Python and JavaScript.
 */
import { SECRET_FILE, SENDS } from './sensitive.ts';
import type { TextFile } from './text-file.ts';

/** Expressions whose value is private: key files, the whole environment, stored passwords, histories, entire folders. */
const PRIVATE = new RegExp(
  `${SECRET_FILE}|\\$\\((?:env|printenv|set|history)\\b|\\b(?:dict|str|repr|dumps|list)\\(\\s{0,2}\\{?(?:\\*\\*)?os\\.environ\\b(?!\\.get|\\[)|\\bos\\.environ(?:\\.(?:copy|items|values)\\(|\\s{0,2}[,)\\n]|$)|json\\.stringify\\(\\s?process\\.env\\s?[,)]|\\bprocess\\.env\\b(?=\\s{0,3}[,})\\n;])|object\\.(?:entries|values|assign)\\([^)\\n]{0,12}process\\.env\\b|\\{\\s?\\.\\.\\.process\\.env|(?:^|[\\s;&|(\`])(?:env|printenv)\\s{0,2}(?:\\||>|$)|\\bget-childitem env:|\\bgci env:|\\bsecurity dump-keychain|\\bgit credential fill\\b|169\\.254\\.169\\.254|metadata\\.google\\.internal|\\b(?:pbpaste|xclip -o|get-clipboard)\\b|\\/proc\\/(?:self|\\d+|\\*|\\$\\w+)\\/environ|(?<![\\w.])(?:["'/@<]|cat |\\bopen\\(["'])\\.?\\.?\\/?[\\w/.]{0,40}\\.env(?:\\.(?:local|production|prod))?(?![\\w.-])|(?:~|\\$home|\\$\\{home\\}|expanduser\\(["']~|homedir\\(\\)|path\\.home\\(\\))["'\`)/, ]{1,8}(?:documents|desktop|downloads|pictures|library\\/(?:mail|messages))|\\bmessages\\/chat\\.db|\\btar\\b[^\\n|]{0,60}(?:\\$home|~)(?:\\/?["']?\\s|\\/\\.)`,
  'gmu',
);
/** Keys of well-known services, which are private even one at a time. */
const KEYS =
  /\b(?:aws_secret_access_key|aws_session_token|aws_access_key_id|anthropic_api_key|openai_api_key|github_token|gh_token|gitlab_token|npm_token|pypi_token|google_api_key|azure_client_secret|stripe_secret_key|slack_bot_token|database_url|db_password|jwt_secret|ssh_auth_sock|private_key|secret_key|mnemonic|seed_phrase)\b|\bgh auth token\b|\bgcloud auth print-(?:access|identity)-token|\baz account get-access-token|\baws (?:configure get|sts get-session-token|ssm get-parameter|secretsmanager get)|\bop (?:item get|read)\b|\bvault (?:kv get|read)\b|\bkubectl get secrets?\b|\bsecurity find-(?:generic|internet)-password|\bsecret-tool lookup/gu;

export interface Source {
  /** The file that reads it. */
  path: string;
  start: number;
  end: number;
  /** A single key, which the skill may need for the service it belongs to. */
  isKey: boolean;
}

export interface Flow {
  source: Source;
  /** The call that sends. */
  start: number;
  end: number;
  /** The whole call with its arguments. */
  call: string;
}

export interface Flows {
  flows: Flow[];
  /** Files that private data is written to, for other programs of the skill. */
  writes: ReadonlyMap<string, Source>;
  /** Functions that return private data. */
  returns: ReadonlyMap<string, Source>;
  /** Calls that send, whatever they send. */
  sends: { start: number; end: number; call: string }[];
}

/** Longest call that is read with its arguments. */
const CALL_CHARACTERS = 700;
/** A line with more words is data. */
const WORDS_PER_LINE = 400;

export function flowsIn(
  file: TextFile,
  isAction: (start: number, end: number) => boolean,
  known?: Pick<Flows, 'writes' | 'returns'>,
): Flows {
  const sources = sourcesOf(file, isAction);
  const sends = [...file.low.matchAll(SENDS)]
    .filter(({ index, 0: { length } }) => isAction(index, index + length))
    .map(({ index, 0: whole }) => ({ start: index, end: index + whole.length, call: callAt(file, index) }));
  const tainted = new Map<string, Source>([...(known?.writes ?? []), ...(known?.returns ?? [])]);
  const writes = new Map<string, Source>();
  const returns = new Map<string, Source>();
  if (sources.length > 0 || tainted.size > 0)
    // The second reading follows functions that are called above their definition.
    for (let round = 0; round < 2; round++) spread(file, sources, { tainted, writes, returns });
  const flows = sends.flatMap(({ start, end, call }): Flow[] => {
    const inside = sources.find(
      (source) => source.start >= start - LEAD && source.start < start + call.length && isSameLine(file, source, start),
    );
    const source =
      inside ??
      wordsOf(call)
        .map((word) => tainted.get(word))
        .find((found) => found !== undefined);
    return source ? [{ source, start, end, call }] : [];
  });
  return { flows, writes, returns, sends };
}

/** A pipe has its source before the command that sends. */
const LEAD = 200;

function isSameLine(file: TextFile, source: Source, start: number): boolean {
  if (source.start >= start) return true;
  return (
    !file.low.slice(source.start, start).includes('\n') && /\||<|\$\(|`|\(/u.test(file.low.slice(source.start, start))
  );
}

function sourcesOf(file: TextFile, isAction: (start: number, end: number) => boolean): Source[] {
  const found: Source[] = [];
  for (const [pattern, isKey] of [
    [PRIVATE, false],
    [KEYS, true],
  ] as const)
    for (const { index, 0: whole } of file.low.matchAll(pattern)) {
      if (!isAction(index, index + whole.length)) continue;
      found.push({ path: file.path, start: index, end: index + whole.length, isKey });
      if (found.length >= MAX_SOURCES) break;
    }
  return found.sort((a, b) => a.start - b.start);
}

const MAX_SOURCES = 2_000;

interface Names {
  tainted: Map<string, Source>;
  writes: Map<string, Source>;
  returns: Map<string, Source>;
}

/** Marks the names that private data is stored under, line by line. */
function spread(file: TextFile, sources: readonly Source[], names: Names): void {
  const { low } = file;
  let [at, next, current] = [0, 0, ''];
  while (at < low.length) {
    const end = lineEnd(low, at);
    const line = low.slice(at, Math.min(end, at + LINE_CHARACTERS));
    current =
      /^\s{0,12}(?:async )?(?:def|function) ([\w$]{1,60})|^\s{0,12}(?:const|let|var) ([\w$]{1,60}) ?= ?(?:async )?(?:\(|function)|^\s{0,8}([\w-]{1,60})\s?\(\)\s?\{/u
        .exec(line)
        ?.slice(1)
        .find((name) => name !== undefined) ?? current;
    while (next < sources.length && (sources[next]?.start ?? 0) < at) next += 1;
    const own = sources[next];
    const inLine = own && own.start < end ? own : undefined;
    const source = inLine ?? firstTainted(line, names.tainted);
    if (source) {
      for (const name of storedNames(line)) names.tainted.set(name, source);
      for (const place of writtenFiles(line)) {
        names.tainted.set(place, source);
        names.writes.set(place, source);
      }
      if (current !== '' && /\breturn\b|\byield\b|^\s*(?:echo|printf|cat) /u.test(line)) {
        names.tainted.set(current, source);
        names.returns.set(current, source);
      }
    }
    at = end + 1;
  }
}

const LINE_CHARACTERS = 4_000;

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function firstTainted(line: string, tainted: ReadonlyMap<string, Source>): Source | undefined {
  if (tainted.size === 0) return undefined;
  // The name that is assigned does not count as used.
  const used = line.replace(/^\s{0,40}(?:const |let |var |export |local )?[\w$.]{1,60}\s{0,4}=(?!=)/u, '');
  for (const word of wordsOf(used)) {
    const source = tainted.get(word);
    if (source) return source;
  }
  return undefined;
}

/** Words and paths of a text. Common words are no names. */
function wordsOf(text: string): string[] {
  return (text.match(/[\w$./~-]{2,80}/gu) ?? [])
    .slice(0, WORDS_PER_LINE)
    .flatMap((word) =>
      word.includes('/') || word.startsWith('$')
        ? [word, word.replace(/^\$/u, '')]
        : [word, ...(word.includes('.') ? [word.split('.')[0] ?? ''] : [])],
    )
    .filter((word) => !COMMON.has(word));
}

const COMMON = new Set(
  'os re sys json self this data-raw curl http https import from const return true false none null main print open read write path file with for def function async await if else not and or in the an to'.split(
    ' ',
  ),
);

function storedNames(line: string): string[] {
  const names: string[] = [];
  for (const match of line.matchAll(
    /(?:^|[\s;({,]|\b(?:const|let|var|export|local) )([\w$]{1,60})(?:\[[^\]\n]{0,40}\])?\s{0,4}(?::\s?[\w[\], ]{1,40})?(?:\+|\|\||\?\?)?=(?![=>])|\bas ([\w$]{1,60})\s?:|\bfor ([\w$]{1,60})(?:, ?([\w$]{1,60}))? (?:in|of)\b|\b([\w$]{1,60})\.(?:append|push|extend|update|set|add|write)\(|\bread(?: -r)? ([\w$]{1,60})\b/gu,
  ))
    for (const name of match.slice(1)) if (name !== undefined && !COMMON.has(name)) names.push(name);
  return names.slice(0, 20);
}

/** Files that the line writes: redirects, copies, archives, `open(…, "w")`. */
function writtenFiles(line: string): string[] {
  const places: string[] = [];
  for (const match of line.matchAll(
    />{1,2}\s{0,2}["']?([\w$~{}./-]{3,80})|\btee (?:-a )?["']?([\w$~{}./-]{3,80})|\b(?:cp|mv)\s[^\n;|&]{1,120}?\s["']?([\w$~{}./-]{3,80})["']?\s{0,2}(?:$|[;&|2])|\b(?:tar|zip|7z)\s[^\n;|&]{0,40}?([\w$~{}./-]{2,80}\.(?:tgz|tar\.gz|tar|zip|7z))|\bopen\(\s?f?["']([^"'\n]{3,80})["']\s?,\s?["'][aw]|\b(?:writefile(?:sync)?|appendfile(?:sync)?)\(\s?["'`]([^"'`\n]{3,80})/gu,
  ))
    for (const place of match.slice(1)) if (place !== undefined && !place.startsWith('/dev/')) places.push(place);
  return places;
}

/** Returns a call with its arguments: to the end of its line, or to the parenthesis that closes it. */
function callAt({ low }: TextFile, start: number): string {
  const stop = Math.min(low.length, start + CALL_CHARACTERS);
  let depth = 0;
  for (let at = start; at < stop; at++) {
    const character = low.charAt(at);
    if (character === '(' || character === '{' || character === '[') depth += 1;
    else if (character === ')' || character === '}' || character === ']') depth -= 1;
    else if (character === '\n' && depth <= 0) return low.slice(start, at);
  }
  return low.slice(start, stop);
}
