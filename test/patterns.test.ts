/** Every regular expression of the product takes linear time, whatever text it is given. */
import fs from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test, vi } from 'vitest';
import { slowParts } from './support/linear-pattern.ts';
import { PACKAGE_DIR } from './support/run-lectern.ts';

const SRC = path.join(PACKAGE_DIR, 'src');

interface Found {
  /** File and line. */
  at: string;
  source: string;
  flags: string;
}

interface Sources {
  literals: Found[];
  /** Expressions that are put together when a module is loaded. */
  composed: { at: string; file: string }[];
  /** Expressions that are put together later, so possibly from a file or a request. */
  compiledLater: string[];
}

function readSources(): Sources {
  const found: Sources = { literals: [], composed: [], compiledLater: [] };
  for (const name of fs.readdirSync(SRC, { recursive: true }).map(String).sort()) {
    if (!/\.tsx?$/u.test(name)) continue;
    const file = path.join(SRC, name);
    const text = fs.readFileSync(file, 'utf8');
    const visit = (node: unknown, inFunction: boolean): void => {
      if (Array.isArray(node)) return node.forEach((each) => visit(each, inFunction));
      if (!isNode(node)) return;
      const at = `${name.split(path.sep).join('/')}:${text.slice(0, node.start).split('\n').length}`;
      const { pattern, flags } = node.regex ?? {};
      if (pattern !== undefined) found.literals.push({ at, source: pattern, flags: flags ?? '' });
      if (compiles(node)) {
        if (inFunction) found.compiledLater.push(at);
        else found.composed.push({ at, file });
      }
      const isInside = inFunction || /Function|MethodDefinition/u.test(node.type);
      for (const child of Object.values(node)) visit(child, isInside);
    };
    visit(parseAst(text, { lang: name.endsWith('x') ? 'tsx' : 'ts' }, file), false);
  }
  return found;
}

interface AstNode {
  type: string;
  start: number;
  regex?: { pattern: string; flags: string };
  callee?: { name?: string; property?: { name?: string } };
  arguments?: { type: string; value?: unknown }[];
}

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** `new RegExp(…)`, `RegExp(…)`, and methods of texts that turn a text into an expression. */
function compiles({ type, callee, arguments: given = [] }: AstNode): boolean {
  if (type !== 'NewExpression' && type !== 'CallExpression') return false;
  if (callee?.name === 'RegExp') return true;
  const [first] = given;
  const isText = first?.type === 'TemplateLiteral' || typeof first?.value === 'string';
  return isText && ['match', 'matchAll'].includes(callee?.property?.name ?? '');
}

/** What a module compiles while it is loaded. */
async function compiledBy(file: string): Promise<Omit<Found, 'at'>[]> {
  const compiled: Omit<Found, 'at'>[] = [];
  vi.resetModules();
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, given: [string | RegExp, string?]) {
        const made = new target(...given);
        compiled.push({ source: made.source, flags: made.flags });
        return made;
      },
    }),
  );
  try {
    await import(file);
  } finally {
    vi.unstubAllGlobals();
  }
  return compiled;
}

const { literals, composed, compiledLater } = readSources();
/** How an expression reads in a message, and what is wrong with it. */
const verdictOn = ({ at, source, flags }: Found): string[] =>
  slowParts(source, flags).map((problem) => `${at} /${source}/${flags}: ${problem}`);

describe('regular expressions', () => {
  test('there is something to check', () => {
    expect(literals.length).toBeGreaterThan(500);
    expect(composed.length).toBeGreaterThan(10);
  });

  test('every literal takes linear time', () => {
    expect(literals.flatMap(verdictOn)).toEqual([]);
  });

  test('every expression that a module puts together takes linear time', async () => {
    for (const file of new Set(composed.map((each) => each.file))) {
      const own = composed.filter((each) => each.file === file);
      const compiled = await compiledBy(file);
      expect(compiled.length, `expressions of ${file}`).toBeGreaterThanOrEqual(own.length);
      expect(compiled.flatMap((each) => verdictOn({ at: own[0]?.at ?? file, ...each }))).toEqual([]);
    }
  });

  test('no function compiles one: patterns of files and requests go through the wildcard matcher', () => {
    expect(compiledLater).toEqual([]);
  });
});

describe('the proof', () => {
  test.each([
    [/^(a|a)*$/u],
    [/^(?:a*)*$/u],
    [/(?:a+)+b/u],
    [/\s+$/u],
    [/[ \t]*$/u],
    [/^\s*\|?[\s:|-]+$/u],
    [/^\s*(.*)$/u],
    [/^\s*import\b/mu],
    [/a[^b]*b|a/gu],
    [/<!--[\s\S]*?-->/gu],
    [/(?=.*a)b/u],
    [/^(?:(?=.*b)a)*$/u],
    [/(?<=a*)b/u],
    [/^(.*),\1$/u],
    [/x\w*y/u],
    [/#[^\n]*\n\s*\n/u],
    [/x[^\n]{0,900}y[^\n]{0,900}z/u],
    [/İ.*i̇/iu],
  ])('%s is reported', (pattern) => {
    expect(slowParts(pattern.source, pattern.flags)).not.toEqual([]);
  });

  test.each([
    [/a*/u],
    [/^(?:a?)*$/u],
    [/\bx\w*y/u],
    [/^(?=.*a)(?=.*b).*c/mu],
    [/^\s+/u],
    [/foo.*/gu],
    [/^[ \t]*(?:[-*+]|\d+[.)])[ \t]/gmu],
    [/^"(?:[^"\\]|\\.)*"$/u],
    [/\bcurl\b[^\n|]{0,200}\|/u],
    [/^(?:[!-~]+(?: [!-~]+)*)?$/u],
    [/\b\w+\b/gu],
    [/(?<!\w)\d+/u],
    [/^(["'])[^"']*\1$/u],
    [/(?:(?!-->)[^<])*x/uy],
    [/^\p{L}+-\d+$/u],
    [/[^\r\n]+(?:\r\n|\r|\n)?|\r\n|\r|\n/gu],
  ])('%s is accepted', (pattern) => {
    expect(slowParts(pattern.source, pattern.flags)).toEqual([]);
  });
});
