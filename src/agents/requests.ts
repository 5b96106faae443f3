/** Reads and changes `skills.requests.yaml`: requests with the skill that should be first for each. */
import type { Diagnostic } from '../core/diagnostics.ts';
import { Failure } from '../core/failure.ts';
import { readYamlNodes, withYamlItems, type YamlNode } from '../core/frontmatter/yaml-list.ts';
import { LIMITS } from '../core/limits.ts';
import { echo, grouped, oneLine } from '../core/text.ts';
import { REQUESTS_FILE } from './names.ts';
import { requestsDuplicate, requestsInvalidEntry, requestsUnknownKey } from './codes.ts';

const VERSION = 1;

export interface Expectation {
  request: string;
  /** Name of a skill, or `none`. */
  expect: string;
  /** Agents that it applies to. Undefined for all that are found. */
  agents?: readonly string[] | undefined;
}

export interface SavedRequest extends Expectation {
  line: number;
  /** Position in the file's list. */
  at: number;
}

export interface Requests {
  requests: SavedRequest[];
  diagnostics: Diagnostic[];
}

const TOP_KEYS: ReadonlySet<string> = new Set(['version', 'requests']);
const ENTRY_KEYS: ReadonlySet<string> = new Set(['request', 'expect', 'agents']);

/** Fails if the file as a whole cannot be used. */
export function readRequests(text: string, file: string): Requests {
  const root = readYamlNodes(text);
  if ('message' in root) throw broken(file, root.line, `it is not valid YAML: ${root.message}`);
  if (!root.entries) throw broken(file, root.line, 'it has no list of requests');
  const diagnostics = root.entries
    .filter(({ key }) => !TOP_KEYS.has(key))
    .map(({ key, line }) => requestsUnknownKey.at({ path: file, line, message: `"${echo(key)}" is not a known key` }));
  const twice = repeatedKey(root);
  if (twice) throw broken(file, twice.line, `the key ${echo(twice.key)} occurs twice`);
  const version = valueOf(root, 'version');
  if (version?.scalar !== VERSION)
    throw broken(file, version?.line ?? root.line, `it needs "version: ${VERSION}" as its first line`);
  const list = valueOf(root, 'requests');
  if (!list?.items && list?.scalar !== null && list !== undefined)
    throw broken(file, list.line, 'requests is not a list');
  const items = list?.items ?? [];
  const { value: max } = LIMITS.savedRequests;
  if (items.length > max)
    throw broken(file, list?.line ?? 1, `it has ${grouped(items.length)} requests, and ${grouped(max)} are allowed`);
  const requests: SavedRequest[] = [];
  const lines = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const read = readEntry(item, file, diagnostics);
    if (!read) continue;
    const before = lines.get(read.request);
    if (before === undefined) requests.push({ ...read, line: item.line, at });
    else
      diagnostics.push(
        requestsDuplicate.at({ path: file, line: item.line, message: `line ${before} has the same request` }),
      );
    lines.set(read.request, before ?? item.line);
  }
  return { requests, diagnostics };
}

/** Adds to `diagnostics`. */
function readEntry(item: YamlNode, file: string, diagnostics: Diagnostic[]): Expectation | undefined {
  const refuse = (message: string, { line }: { line: number } = item): undefined => {
    diagnostics.push(requestsInvalidEntry.at({ path: file, line, message }));
    return undefined;
  };
  if (!item.entries) return refuse('the entry is not a list of "key: value" lines');
  for (const { key, line } of item.entries)
    if (!ENTRY_KEYS.has(key))
      diagnostics.push(
        requestsUnknownKey.at({ path: file, line, message: `"${echo(key)}" is not a known key of a request` }),
      );
  const twice = repeatedKey(item);
  if (twice) return refuse(`the key ${echo(twice.key)} occurs twice`, twice);
  const request = oneLine(textIn(item, 'request'));
  if (request === '') return refuse('the entry has no request');
  const { value: max } = LIMITS.triedCharacters;
  if (request.length > max) return refuse(`the request is longer than ${grouped(max)} characters`);
  const expect = oneLine(textIn(item, 'expect'));
  if (expect === '') return refuse('the entry has no expect: the name of a skill, or none');
  const agents = valueOf(item, 'agents');
  if (agents === undefined || agents.scalar === null) return { request, expect };
  const ids = (agents.items ?? []).flatMap(({ scalar }) => (typeof scalar === 'string' ? scalar : []));
  if (ids.length === 0 || ids.length !== agents.items?.length) return refuse('agents is not a list of agents', agents);
  return { request, expect, agents: ids };
}

function repeatedKey({ entries = [] }: YamlNode): { key: string; line: number } | undefined {
  const seen = new Set<string>();
  return entries.find(({ key }) => seen.size === seen.add(key).size);
}

function valueOf({ entries = [] }: YamlNode, key: string): YamlNode | undefined {
  return entries.find((entry) => entry.key === key)?.value;
}

function textIn(node: YamlNode, key: string): string {
  const { scalar } = valueOf(node, key) ?? {};
  return typeof scalar === 'string' || typeof scalar === 'number' ? String(scalar) : '';
}

function broken(file: string, line: number, problem: string): Failure {
  return new Failure('INVALID_CONFIG', `${REQUESTS_FILE} cannot be used: ${problem}.`, {
    path: file,
    line,
    hint: 'Correct the file, or move it away and save the requests again.',
  });
}

/** Returns the text of the file with these expectations. An entry with the same request is replaced. */
export function withRequests(
  before: string | undefined,
  file: string,
  wanted: readonly Expectation[],
): { text: string; added: number; replaced: number } {
  const known = before === undefined ? [] : readRequests(before, file).requests;
  const places = new Map(known.map(({ request, at }) => [request, at]));
  const changes = wanted.map(({ request, expect, agents }) => ({
    at: places.get(request),
    item: { request, expect, agents: agents && [...agents] },
  }));
  const replaced = changes.filter(({ at }) => at !== undefined).length;
  const { value: max } = LIMITS.savedRequests;
  if (known.length + changes.length - replaced > max)
    throw new Failure('REFUSED', `${REQUESTS_FILE} would have more than ${grouped(max)} requests.`, {
      path: file,
      hint: 'Delete the requests that are not needed.',
    });
  const text = withYamlItems(before ?? NEW_FILE, 'requests', changes);
  return { text, added: changes.length - replaced, replaced };
}

const NEW_FILE = `# Requests and the skill that should be first for each. Check them with: lectern try --check\nversion: ${VERSION}\n`;
