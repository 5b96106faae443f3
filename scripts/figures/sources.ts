/** Parses every TypeScript file of `src` once, for the figures and for the tests that keep them from rising. */
import fs from 'node:fs';
import path from 'node:path';
import { type Comment, type Node, parseSync, visitorKeys } from 'oxc-parser';

export interface ParsedSource {
  /** Path below `src`, with forward slashes. */
  file: string;
  text: string;
  program: Node;
  comments: Comment[];
}

export function parseSources(src: string): ParsedSource[] {
  return fs
    .readdirSync(src, { recursive: true })
    .map((name) => String(name).split(path.sep).join('/'))
    .filter((file) => /\.tsx?$/u.test(file))
    .sort()
    .map((file) => {
      const text = fs.readFileSync(path.join(src, file), 'utf8');
      const { program, comments, errors } = parseSync(file, text);
      if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
      return { file, text, program, comments };
    });
}

/** Calls `visit` for a node and everything below it. Returning false skips the nodes below. */
export function walk(node: Node, visit: (node: Node) => boolean | void): void {
  if (visit(node) === false) return;
  const fields = node as unknown as Record<string, unknown>;
  for (const key of visitorKeys[node.type] ?? []) {
    const below = fields[key];
    for (const each of Array.isArray(below) ? below : [below]) if (isNode(each)) walk(each, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
