import { tryReadTarget } from './disk/answers.ts';
import { type FileTree, FileTrouble, reasonText } from './disk/tree.ts';
import { jsonBreaksAt } from './json-place.ts';
import { LIMITS } from './limits.ts';

export type JsonRead =
  | { kind: 'missing' }
  | { kind: 'value'; value: unknown; text: string }
  | { kind: 'broken'; reason: string; line?: number };

/** Reads a JSON file of another program. The size is bounded, links are followed, and it never throws. */
export function readJsonFile(tree: FileTree, path: string): JsonRead {
  const read = tryReadTarget(tree, path, LIMITS.jsonFileBytes.value);
  if (!read) return { kind: 'missing' };
  if (read instanceof FileTrouble) return { kind: 'broken', reason: reasonText(read) };
  let text = Buffer.from(read.bytes).toString('utf8');
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  try {
    const value: unknown = JSON.parse(text);
    return { kind: 'value', value, text };
  } catch {
    // The engine's message quotes the text, which may be private if the path is a link. So only the line is reported.
    return { kind: 'broken', reason: 'not JSON', line: text.slice(0, jsonBreaksAt(text)).split('\n').length };
  }
}

/** Returns undefined for invalid JSON. No valid JSON has this value. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
