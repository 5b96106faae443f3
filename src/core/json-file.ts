import { type FileTree, FileTrouble } from './disk/tree.ts';
import { jsonBreaksAt } from './json-place.ts';
import { LIMITS } from './limits.ts';

export type JsonRead =
  | { kind: 'missing' }
  | { kind: 'value'; value: unknown; text: string }
  | { kind: 'broken'; reason: string; line?: number };

/** A JSON file of somebody else's, read without surprises: bounded, following links, never throwing. */
export function readJsonFile(tree: FileTree, path: string): JsonRead {
  let text: string;
  try {
    const target = tree.follow(path);
    if (!target) return { kind: 'missing' };
    if (target.kind !== 'file') return { kind: 'broken', reason: 'not a regular file' };
    text = Buffer.from(tree.read(target.realPath, LIMITS.jsonFileBytes.value).bytes).toString('utf8');
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    return { kind: 'broken', reason: error.reason === 'not-permitted' ? 'not permitted' : error.reason };
  }
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  try {
    const value: unknown = JSON.parse(text);
    return { kind: 'value', value, text };
  } catch {
    // The engine's message quotes the text, and the path may be a link to something private. The place is enough.
    return { kind: 'broken', reason: 'not JSON', line: text.slice(0, jsonBreaksAt(text)).split('\n').length };
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
