import { type FileTree, FileTrouble } from './files.js';
import { LIMITS } from './limits.js';

export type JsonRead = { kind: 'missing' } | { kind: 'value'; value: unknown; text: string } | { kind: 'broken'; reason: string; line?: number };

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
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return { kind: 'value', value, text };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not JSON';
    const position = /position (\d+)/u.exec(message)?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    return { kind: 'broken', reason: `not JSON: ${message.replace(/\s+/gu, ' ').slice(0, 160)}`, ...(line === undefined ? {} : { line }) };
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
