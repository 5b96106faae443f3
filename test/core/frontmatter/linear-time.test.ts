import { expect, test } from 'vitest';
import { readFrontmatter } from '../../../src/core/frontmatter/read.ts';

const SMALL = 8 * 1024;
const GROWTH = 7;

function fill(piece: string, bytes: number): string {
  return piece.repeat(Math.ceil(bytes / Buffer.byteLength(piece))).slice(0, bytes);
}

function nested(bytes: number): string {
  const rows: string[] = [];
  for (let depth = 0, used = 0; used + depth + 3 < bytes; depth++) {
    rows.push(`${' '.repeat(depth)}a:`);
    used += depth + 3;
  }
  return rows.join('\n');
}

function aliasBomb(bytes: number): string {
  const rows = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]'];
  for (let level = 1; rows.join('\n').length + 60 < bytes; level++) {
    const before = `*a${level - 1}`;
    rows.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => before).join(',')}]`);
  }
  return rows.join('\n');
}

const ATTACKS: [story: string, make: (bytes: number) => string][] = [
  ['opening brackets', (bytes) => `k: ${fill('[', bytes)}`],
  ['opening and closing brackets', (bytes) => `k: ${fill('[]', bytes)}`],
  ['dashes in a row', (bytes) => fill('- ', bytes)],
  ['a dash on every line', (bytes) => fill('- \n', bytes)],
  ['keys in a row', (bytes) => fill('a: ', bytes)],
  ['a key on every line', (bytes) => fill('a: b: c\n', bytes)],
  [
    'another key on every line',
    (bytes) => Array.from({ length: bytes / 12 }, (_, index) => `k${index}: v: w`).join('\n'),
  ],
  ['keys and commas in a row', (bytes) => `"x": y [ ${fill('a,: ', bytes)}`],
  ['dashes and commas in a row', (bytes) => `x: y [\n- ${fill('- , ', bytes)}`],
  ['a map of many keys on one line', (bytes) => `k: {${fill('a: b, ', bytes)}}`],
  ['quotes after blanks', (bytes) => `k: ${fill(' "\\" \'', bytes)}`],
  ['double quotes', (bytes) => `k: ${fill('"', bytes)}`],
  ['single quotes, an even number', (bytes) => `k: ${fill("''", bytes)}'`],
  ['single quotes between letters', (bytes) => `k: '${fill("a''", bytes)}`],
  ['aliases', (bytes) => `k: ${fill('*a ', bytes)}`],
  ['aliases in a list', (bytes) => `a: &a x\nk: [${fill('*a,', bytes)}*a]`],
  ['anchors', (bytes) => `k: ${fill('&a ', bytes)}`],
  ['tags', (bytes) => `k: ${fill('!t ', bytes)}`],
  ['a tag on every line', (bytes) => fill('- !t x\n', bytes)],
  ['question marks', (bytes) => fill('? ', bytes)],
  ['colons', (bytes) => `k: ${fill(':', bytes)}`],
  ['hashes', (bytes) => `k: ${fill(' #', bytes)}`],
  ['backslashes', (bytes) => `k: "${fill('\\\\', bytes)}`],
  ['spaces', (bytes) => `k:${fill(' ', bytes)}x`],
  ['spaces on many lines', (bytes) => fill(`${' '.repeat(60)}\n`, bytes)],
  ['tabs', (bytes) => `k:\n${fill('\t', bytes)}x`],
  ['deep indentation', nested],
  ['an alias bomb', aliasBomb],
  [
    'merge keys',
    (bytes) =>
      `a: &a {${Array.from({ length: bytes / 24 }, (_, index) => `k${index}: v`).join(', ')}}\nb: {<<: [${fill('*a,', bytes / 2)}*a]}`,
  ],
  ['one key again and again', (bytes) => fill('name: x\n', bytes)],
  ['an open block and blank lines', (bytes) => `k: |\n${fill(' \n', bytes)}`],
  ['fences that are not', (bytes) => fill('--- x\n', bytes)],
];

function cpuMs(text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 2; run++) {
    const before = process.cpuUsage();
    readFrontmatter(text);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** As long, nothing wrong with it, and in need of the full parser. */
function honest(bytes: number): string {
  return `---\n${Array.from({ length: bytes / 30 }, (_, index) => `key-${index}: "a \\"value\\" ${index}"`).join('\n')}\n---\n`;
}

/** Another program may take the processor in the middle of one comparison, hardly in the middle of each. */
const ATTEMPTS = 4;

test.each(ATTACKS)('%s: seven times the text takes nothing like forty-nine times the time', (_, make) => {
  const wrap = (bytes: number): string => `---\nname: a\ndescription: b\n${make(bytes)}\n---\n`;
  const compare = (): { large: number; allowed: number } => {
    const small = cpuMs(wrap(SMALL));
    const large = cpuMs(wrap(SMALL * GROWTH));
    // Below what an honest text of that size costs nobody could be hurt, and the clock is too coarse to compare.
    return { large, allowed: Math.max(3 * cpuMs(honest(SMALL * GROWTH)), small * GROWTH * 3) };
  };
  let result = compare();
  for (let attempt = 1; attempt < ATTEMPTS && result.large > result.allowed; attempt++) result = compare();
  expect(result.large).toBeLessThanOrEqual(result.allowed);
});
