/** Sizes of functions and number of casts. */
import type { Node } from 'oxc-parser';
import { lineOf, type ParsedSource, walk } from './sources.ts';

interface MeasuredFunction {
  file: string;
  line: number;
  lines: number;
  parameters: number;
  complexity: number;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

const BRANCHES = new Set([
  'IfStatement',
  'ConditionalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
  'LogicalExpression',
]);

export function functionsIn({ file, text, program }: ParsedSource): MeasuredFunction[] {
  const functions: MeasuredFunction[] = [];
  walk(program, (node) => {
    if ('params' in node && FUNCTIONS.has(node.type))
      functions.push({
        file,
        line: lineOf(text, node.start),
        lines: text.slice(node.start, node.end).split('\n').length,
        parameters: (node.params as unknown[]).length,
        complexity: complexityOf(node),
      });
    return true;
  });
  return functions;
}

/** Number of paths through a function; nested functions count for themselves. */
function complexityOf(start: Node): number {
  let paths = 1;
  walk(start, (node) => {
    if (node !== start && FUNCTIONS.has(node.type)) return false;
    if (BRANCHES.has(node.type) || (node.type === 'SwitchCase' && node.test !== null)) paths += 1;
    return true;
  });
  return paths;
}

/** `as T` without `as const`, and `<T>x`. */
export function castsIn({ file, text, program }: ParsedSource): { file: string; line: number }[] {
  const casts: { file: string; line: number }[] = [];
  walk(program, (node) => {
    if (node.type !== 'TSAsExpression' && node.type !== 'TSTypeAssertion') return true;
    if (text.slice(node.typeAnnotation.start, node.typeAnnotation.end) !== 'const')
      casts.push({ file, line: lineOf(text, node.start) });
    return true;
  });
  return casts;
}
