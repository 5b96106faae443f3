import { type Hit, matchesIn, scanRule, sequencesIn } from '../rule.ts';
import type { PlainText } from '../plain/plain-text.ts';
import type { TextFile } from '../text-file.ts';

export const codeEncoded = scanRule({
  code: 'code-encoded',
  category: 'obfuscation',
  level: 'high',
  nature: 'action',
  title: 'Code hidden by an encoding',
  about:
    'Code that is decoded and run in one step, spelled in character codes, or stored as a long encoded text is meant to be unreadable. Long texts are decoded and checked. Data such as images is fine.',
  fix: 'Write the code as plain text.',
  bad: { 'pdf/SKILL.md': 'name: pdf', 'pdf/run.sh': 'echo Y3VybCBodHRwOi8v | base64 -d | bash' },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/run.sh': 'base64 -d form.b64 > form.pdf' },
  *find({ texts, plain = [] }) {
    for (const file of texts) {
      for (const { matches: _, ...place } of sequencesIn(file, [DECODES, RUNS], 120))
        yield { ...place, level: 'high', message: 'decodes a text and runs it' };
      for (const { matches: _, ...place } of sequencesIn(file, [EVALUATES, UNPACKS], 100))
        yield { ...place, level: 'high', message: 'decodes code and runs it' };
      for (const place of matchesIn(file, SPELLED))
        yield { ...place, level: 'high', message: 'spells code in character codes' };
      yield* findSplitCommands(file);
    }
    for (const text of plain) yield* findHidden(text);
  },
});

const DECODES =
  /\bbase64\s+(?:-d|--decode|-di|-D)\b|\bopenssl (?:enc )?-?base64 -d|\bxxd -r\b|\bcertutil -decode\b|\bgunzip\b|\brev\b(?=\s*(?:<<<|\|))|\btr\s+["']?a-z/gu;
const RUNS =
  /\|\s*(?:sudo\s+)?(?:\/bin\/)?(?:ba|z|da)?sh\b|\|\s*(?:python[\d.]*|node|perl|ruby)\b|\beval\b|\)["']?\s*\|\s*(?:ba)?sh\b/gu;
const EVALUATES =
  /(?<![\w.])(?:eval|exec|execfile|new function|vm\.runin\w{1,20}|invoke-expression|iex|os\.system|[\w)]\.system|[\w)]\.popen|subprocess\.\w{1,15}|child_process\.\w{1,10}|execsync|marshal\.loads|compile)\s{0,2}\(|\b(?:iex|invoke-expression|eval)\s+["'$([]/gu;
const UNPACKS =
  /\batob\(|\bb64decode\(|\bfrombase64string\(|\bbuffer\.from\([^)\n]{1,400},\s{0,2}["'](?:base64|hex)|\bbytes\.fromhex\(|\bunhexlify\(|\bzlib\.decompress\(|\bcodecs\.decode\(|\bunescape\(|\bdecodeuricomponent\(|\bfromcharcode\(|\bbase64\s+(?:-d|--decode)/gu;
const SPELLED =
  /(?:\\x[2-7][0-9a-f]){12,2000}|(?:\\u00[2-7][0-9a-f]){10,2000}|(?:chr\(\d{2,3}\)\s{0,2}[+.&]\s{0,2}){5,500}|\bfromcharcode\((?:\s{0,2}(?:0x[0-9a-f]{2}|\d{2,3})\s{0,2},){8,2000}|\bpowershell(?:\.exe)?\b[^\n|]{0,80}?\s-e(?:nc|ncodedcommand|c)?\s+[a-z0-9+/=]{24}|\bchr\(\w{1,12}\) for \w{1,12} in \[|\bmap\(chr,\s{0,2}\[|(?:\[char\](?:0x)?\d{2,3}\s{0,2}\+?\s{0,2}){5,500}|\$'(?:\\[0-7]{3}){6,500}/gu;

/** Commands, addresses and orders, but not decoded images, fonts or hashes. */
const PAYLOAD =
  /\b(?:curl|wget)\s[^\n]{0,200}|\/bin\/(?:ba)?sh\b|\bbash -[ci]\b|\b(?:eval|exec)\s?\(|\bimport (?:os|socket|subprocess|base64|requests|urllib)\b|\brequire\(|\bpowershell\b|\binvoke-(?:webrequest|expression|restmethod)\b|\brm -rf\b|\bchmod [+\d]|\/dev\/tcp\/|\bnc -|\bid_rsa\b|~\/\.(?:ssh|aws)|\b(?:ignore|disregard|forget) (?:all|any|the|your|previous)\b|\bchild_process\b|\bos\.system\b|\bsubprocess\b|\b__import__\b|\bcrontab\b|\bauthorized_keys\b|\.(?:bash|zsh)rc\b|\b(?:do not|don't|never) (?:tell|mention|inform)\b|\b(?:you must|system prompt|the user must not)\b|\b(?:send|upload|post|forward)\b[^\n]{1,60}\bhttps?:|\bsecurity find-\w|\burlopen\b|\bpopen\b/gu;
const ADDRESS = /https?:\/\/[\w.-]{4,80}/gu;

function* findHidden({ file, hidden }: PlainText): Iterable<Hit> {
  for (const { start, end } of hidden) {
    const from = Math.max(0, start - REACH);
    const around = file.low.slice(from, Math.min(file.low.length, end + REACH));
    for (const [pattern, level, message] of [
      [PAYLOAD, 'high', 'an encoded or split text contains a command or an order'],
      [ADDRESS, 'medium', 'an encoded or split text contains an address'],
    ] as const) {
      const overlaps = [...around.matchAll(pattern)].some(
        (match) => from + match.index < end && from + match.index + match[0].length > start,
      );
      if (!overlaps) continue;
      yield { file, start, end: Math.max(start, end - 1), level, message };
      break;
    }
  }
}

/** Length of the text around a hidden part that may complete a command. */
const REACH = 24;

const COMMANDS = new Set([
  'curl',
  'wget',
  'bash',
  'eval',
  'base64',
  'python',
  'python3',
  'sudo',
  'chmod',
  'netcat',
  'node',
]);

/** A shell reads `c""url` and `cu\rl` as `curl`. */
function* findSplitCommands(file: TextFile): Iterable<Hit> {
  for (const place of matchesIn(file, /(?<![\w'"\\])[a-z](?:[a-z0-9]|''|""|\\(?=[a-z])){3,16}(?![\w'"\\])/gu)) {
    const [written] = place.match;
    if (!/''|""|\\/u.test(written)) continue;
    if (COMMANDS.has(written.replace(/''|""|\\/gu, '')))
      yield { ...place, level: 'high', message: 'splits the name of a command to hide it from searches' };
  }
}
