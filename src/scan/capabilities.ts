/** Lists what a skill can do, from the facts in its files: nothing here is judged. */
import { matchesIn } from './rule.ts';
import { firstAddress, hostKind } from './hosts.ts';
import { type SkillFile, textsOf } from './scan.ts';
import { SECRET_FILE } from './sensitive.ts';
import type { TextFile } from './text-file.ts';
import { plainTextOf } from './plain/plain-text.ts';

export interface Capabilities {
  languages: string[];
  programs: string[];
  hosts: string[];
  reads: string[];
  writes: string[];
  packages: string[];
  tools: string[];
}

/** Most entries of each list. */
const MAX_ENTRIES = 100;

export function capabilitiesOf(files: readonly SkillFile[]): Capabilities {
  const found = new Map<keyof Capabilities, Set<string>>();
  const add = (list: keyof Capabilities, value: string): void => {
    const values = found.get(list) ?? new Set();
    if (values.size < MAX_ENTRIES && value !== '') values.add(value.slice(0, 120));
    found.set(list, values);
  };
  for (const text of textsOf(files)) {
    const plain = plainTextOf(text)?.file;
    for (const file of plain ? [text, plain] : [text]) collect(file, add);
    if (text.kind === 'code') {
      add('programs', text.path);
      add('languages', languageOf(text));
    }
    for (const key of ['allowed-tools', 'allowed_tools', 'tools'])
      for (const tool of toolsIn(text, key)) add('tools', tool);
  }
  const list = (name: keyof Capabilities): string[] => [...(found.get(name) ?? [])].sort();
  return {
    languages: list('languages'),
    programs: list('programs'),
    hosts: list('hosts'),
    reads: list('reads'),
    writes: list('writes'),
    packages: list('packages'),
    tools: list('tools'),
  };
}

const FILE_OUTSIDE =
  /(?<![\w.])(?:~|\$home|\$\{home\}|%userprofile%)[\\/][\w.@\\/-]{2,80}|(?<![\w.:/])\/(?:etc|var|usr|opt|library|root|proc)\/[\w.@/-]{2,80}/gu;
const KEY_FILE = new RegExp(SECRET_FILE, 'gu');
const WRITTEN =
  /(?:>{1,2}|\btee(?: -a)?|\b(?:cp|mv|ln -\w{1,3}|install)\s[^\n;|&]{1,120}?)\s{1,3}["']?((?:~|\$home|\$\{home\})\/[\w.@/-]{2,80}|\/(?:etc|var|usr|opt|library|root)\/[\w.@/-]{2,80})/gu;
const INSTALLED =
  /\b(?:pip3?|pipx|uv pip|python3? -m pip|npm|pnpm|yarn|bun|gem|cargo|go|brew|apt(?:-get)?|uv tool) (?:install|add|i|get)((?: {1,2}["']?[@\w][\w@/.=<>~^[\],:-]{0,80}["']?| {1,2}-{1,2}[\w-]{1,30}){1,12})/gu;
const STARTED = /\b(?:npx|bunx|uvx|pnpm dlx)(?: -{1,2}[\w-]{1,12}){0,3} ([@a-z][\w@/.-]{1,80})/gu;

function collect(file: TextFile, add: (list: keyof Capabilities, value: string) => void): void {
  const isProgram = file.kind === 'code';
  for (const { match, start, end } of matchesIn(file, /\bhttps?:\/\/[^\s"'`)<>]{3,200}/gu)) {
    const before = file.low.slice(Math.max(file.passageAt(start).start, start - 120), start);
    if (!isProgram && !/\b(?:curl|wget|fetch|iwr|irm|post|send|git clone|http)\b/u.test(before)) continue;
    const address = firstAddress(match[0]) ?? '';
    const kind = hostKind(address);
    if (kind !== 'local' && kind !== 'example' && file.contextAt(start, end) !== 'comment')
      add('hosts', /^[\w.-]+/u.exec(address)?.[0] ?? '');
  }
  for (const { match, start, end } of [...matchesIn(file, FILE_OUTSIDE), ...matchesIn(file, KEY_FILE)])
    if (isProgram && file.contextAt(start, end) === 'code') add('reads', match[0].trim());
  for (const { match } of matchesIn(file, WRITTEN)) add('writes', match[1] ?? '');
  for (const { match } of matchesIn(file, INSTALLED))
    for (const word of (match[1] ?? '').trim().split(/\s+/u)) if (!/^[-"'.]/u.test(word)) add('packages', word);
  for (const { match } of matchesIn(file, STARTED)) add('packages', match[1] ?? '');
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  fish: 'shell',
  py: 'Python',
  js: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  ps1: 'PowerShell',
  psm1: 'PowerShell',
  rb: 'Ruby',
  pl: 'Perl',
  php: 'PHP',
  go: 'Go',
  rs: 'Rust',
  bat: 'batch',
  cmd: 'batch',
  lua: 'Lua',
  r: 'R',
  swift: 'Swift',
  java: 'Java',
  kt: 'Kotlin',
  sql: 'SQL',
};

function languageOf({ path, text }: TextFile): string {
  const extension = /\.(\w{1,6})$/u.exec(path)?.[1]?.toLowerCase() ?? '';
  const first = /^#!\S{0,40}?(?:env )?\/?(\w{2,10})(?:\s|$)/u.exec(text.slice(0, 80).replace(/^#!\S*\//u, '#!'))?.[1];
  return LANGUAGES[extension] ?? (first === undefined ? extension : (LANGUAGES[first] ?? first));
}

function toolsIn({ frontmatter }: TextFile, key: string): string[] {
  const value = frontmatter?.data[key];
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap((each) =>
    typeof each === 'string' ? (each.match(/[^\s,(]{1,80}(?:\([^)]{0,200}\))?/gu) ?? []) : [],
  );
}
