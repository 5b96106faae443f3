/** Reads the entry of an MCP server: the program that it starts, or the address that it calls. */
import path from 'node:path';
import { isRecord } from '../core/json-file.ts';
import { quoteForBash } from '../core/quote-for-bash.ts';
import { lineForTerminal } from '../core/text.ts';
import type { ConfiguredServer } from './servers.ts';
import { urlOf } from './own-entry.ts';

export type ServerStart =
  | {
      kind: 'program';
      command: string;
      args: readonly string[];
      /** Variables of the entry, in addition to those that every program gets. */
      environment: Readonly<Record<string, string>>;
      /** Never a folder of the project. npx, for example, would take programs and settings from there. */
      dir: string;
    }
  | { kind: 'address'; url: string; headers: Readonly<Record<string, string>> };

/** How to reach a server, and the text to show before. `reason` is set if that is not possible. */
export type StartPlan = { start: ServerStart; shown: string } | { reason: string };

type Environment = Readonly<Record<string, string | undefined>>;

export interface StartPlaces {
  userDir: string | undefined;
  environment: Environment;
  /** Whether a program may be started in a folder. */
  isAllowed(dir: string): boolean;
}

export function planStart({ entry, file }: ConfiguredServer, places: StartPlaces): StartPlan {
  try {
    const url = urlOf(entry);
    return url === undefined ? planProgram(entry, file, places) : planCall(entry, url, places.environment);
  } catch (error) {
    if (error instanceof Unusable) return { reason: error.message };
    throw error;
  }
}

class Unusable extends Error {}

function planProgram(
  entry: Record<string, unknown>,
  file: string,
  { userDir = path.dirname(file), environment, isAllowed }: StartPlaces,
): StartPlan {
  const given = [entry['command'], entry['args']].flat().filter((word) => word !== undefined);
  if (!given.every((word) => typeof word === 'string') || given[0] === undefined || given[0] === '')
    throw new Unusable('its entry names neither a command nor an address');
  const written = textsIn(entry['env'] ?? entry['environment']);
  const passed = Object.fromEntries(
    listOf(entry['env_vars'])
      .map((name) => [name, environment[name]])
      .filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const [command = '', ...args] = given.map((word) => expand(word, environment));
  const usual = isAllowed(userDir) ? userDir : path.dirname(file);
  const dir = typeof entry['cwd'] === 'string' ? expand(entry['cwd'], environment) : usual;
  if (!path.isAbsolute(dir) || !isAllowed(dir))
    throw new Unusable(`its entry starts it in the folder ${dir}, and Lectern starts no server in a project`);
  return {
    start: { kind: 'program', command, args, dir, environment: { ...passed, ...expandAll(written, environment) } },
    shown: shownCommand(Object.keys({ ...passed, ...written }), given),
  };
}

function planCall(entry: Record<string, unknown>, written: string, environment: Environment): StartPlan {
  if (entry['type'] === 'sse') throw new Unusable('it uses the transport sse, which Lectern does not support');
  const url = expand(written, environment);
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol))
    throw new Unusable('its entry has no http or https address');
  const token = entry['bearer_token_env_var'];
  const fromVariables = { ...textsIn(entry['env_http_headers']) };
  if (typeof token === 'string') fromVariables['Authorization'] = token;
  const headers = {
    ...expandAll(textsIn(entry['headers']), environment),
    ...textsIn(entry['http_headers']),
    ...Object.fromEntries(
      Object.entries(fromVariables).map(([header, name]) => {
        const value = valueOf(name, environment);
        return [header, header === 'Authorization' && name === token ? `Bearer ${value}` : value];
      }),
    ),
  };
  const { origin, pathname, search } = new URL(url);
  return { start: { kind: 'address', url, headers }, shown: `${origin}${pathname}${search === '' ? '' : '?***'}` };
}

function listOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).filter((each) => typeof each === 'string');
}

function textsIn(value: unknown): Record<string, string> {
  const pairs = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    pairs.flatMap(([name, each]) => (isRecord(each) || Array.isArray(each) ? [] : [[name, String(each)]])),
  );
}

function expandAll(texts: Record<string, string>, environment: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(text, environment)]));
}

/** References to environment variables as clients write them: `${A}`, `${A:-default}`, `${env:A}` and `{env:A}`. */
const REFERENCE = /\$\{(?:env:)?([A-Za-z_]\w{0,99})(?::-([^}]{0,1000}))?\}|\{env:([A-Za-z_]\w{0,99})\}/gu;

function expand(text: string, environment: Environment): string {
  return text.replaceAll(REFERENCE, (_, name: string | undefined, fallback: string | undefined, other = '') => {
    const key = name ?? other;
    return environment[key] ?? fallback ?? valueOf(key, environment);
  });
}

function valueOf(name: string, environment: Environment): string {
  const value = environment[name];
  if (value === undefined) throw new Unusable(`it needs the environment variable ${name}, which is not set`);
  return value;
}

const SECRET_NAME = /(?:key|token|secret|password|passwd|credential|auth)/iu;
const MASK = '***';

/** Returns the command line as written in the file, so references are not replaced. Values that may be secret are masked. */
function shownCommand(variables: readonly string[], words: readonly string[]): string {
  const shown = words.map((word, index) => {
    const [, name = '', value] = /^(-{0,2}[\w.-]+)=([^]*)$/u.exec(word) ?? [];
    if (value !== undefined && (!name.startsWith('-') || SECRET_NAME.test(name))) return `${name}=${MASK}`;
    const before = words[index - 1] ?? '';
    const isSecret = index > 1 && before.startsWith('-') && !before.includes('=') && SECRET_NAME.test(before);
    return isSecret && !word.startsWith('-') ? MASK : quoteForBash(lineForTerminal(maskAddress(word)));
  });
  return [...variables.map((name) => `${lineForTerminal(name)}=${MASK}`), ...shown.map(lineForTerminal)].join(' ');
}

/** Addresses may contain a password or a key. */
function maskAddress(word: string): string {
  if (!/^[a-z][a-z+]*:\/\//iu.test(word) || !URL.canParse(word)) return word;
  const url = new URL(word);
  const isPlain = url.username === '' && url.password === '' && url.search === '';
  return isPlain ? word : `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : `?${MASK}`}`;
}
