// Draws docs/pictures/demo.svg: a terminal that runs four commands on a copy of the example. Run it with `npm run docs:demo`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../..');
const COLUMNS = 96;
const ROWS = 26;
const LINE = 18;
const CHARACTER = 8.1;
const SECONDS = 5;

const SCENES = [
  ['lectern', ['agents']],
  ['lectern', ['why', 'stock-import']],
  ['lectern', ['share', 'stock-import', '--to', 'codex', '--yes']],
  ['lectern', ['why', 'stock-import']],
];

const COLORS = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 36: 'c' };

const folder = mkdtempSync(join(tmpdir(), 'lectern-demo-'));
try {
  for (const name of ['bookshop', 'home'])
    cpSync(join(root, 'examples', name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'bookshop/.git'));
  writeFileSync(join(folder, 'bookshop/.git/HEAD'), 'ref: refs/heads/main\n');
  const frames = SCENES.map(([, words]) => [`$ lectern ${words.join(' ')}`, ...run(words)].slice(0, ROWS));
  writeFileSync(join(root, 'docs/pictures/demo.svg'), drawing(frames));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(words) {
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), FORCE_COLOR: '1', COLUMNS: String(COLUMNS) };
  const options = { cwd: join(folder, 'bookshop'), env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  try {
    return execFileSync(process.execPath, [join(root, 'dist/cli.cjs'), ...words], options)
      .trimEnd()
      .split('\n');
  } catch (error) {
    // `why` reports a skill that an agent does not use with 1.
    return error.stdout.trimEnd().split('\n');
  }
}

function drawing(frames) {
  const width = Math.round(COLUMNS * CHARACTER) + 32;
  const height = Math.max(...frames.map((lines) => lines.length)) * LINE + 56;
  const share = 100 / frames.length;
  const total = frames.length * SECONDS;
  const groups = frames.map((lines, index) => {
    const rows = lines.map((line, at) => `<text x="16" y="${52 + at * LINE}">${spans(line, at === 0)}</text>`);
    return `<g class="f" style="animation-delay:${index * SECONDS}s">${rows.join('')}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="lectern agents, why and share in a terminal">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#ece8df;white-space:pre}.p{fill:#7cc79b}.b{font-weight:700}.d{fill:#8d8674}.r{fill:#f29a90}.g{fill:#7cc79b}.y{fill:#e6b859}.c{fill:#93b9ee}.f{opacity:0;animation:f ${total}s step-end infinite}@keyframes f{0%{opacity:1}${share}%{opacity:0}}@media(prefers-reduced-motion:reduce){.f{animation:none}.f:last-of-type{opacity:1}}</style>
<rect width="${width}" height="${height}" rx="8" fill="#181715"/><circle cx="20" cy="18" r="5" fill="#f29a90"/><circle cx="38" cy="18" r="5" fill="#e6b859"/><circle cx="56" cy="18" r="5" fill="#7cc79b"/>
${groups.join('\n')}
</svg>
`;
}

/** Colored parts of a line. Escapes end up as classes, never as text. */
function spans(line, isPrompt) {
  if (isPrompt) return `<tspan class="p">$</tspan>${escaped(line.slice(1))}`;
  let style = '';
  return line
    .split(/(\u001B\[\d+m)/u)
    .map((part) => {
      const code = /^\u001B\[(\d+)m$/u.exec(part)?.[1];
      if (code !== undefined) {
        style = COLORS[code] ?? '';
        return '';
      }
      return part === '' ? '' : style === '' ? escaped(part) : `<tspan class="${style}">${escaped(part)}</tspan>`;
    })
    .join('');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
