// npm run bench: what the commands cost, as ratios against a bare `node -e 0` and against other tools for skills.
// Usage: node bench/run.mjs [sizes…] [--before path/to/another/dist/cli.cjs] [--node path/to/another/node] [--aims]
// --node measures the table of aims with a second version of Node.js too, and --aims measures only that table.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCorpus } from './corpus.mjs';
import { measure, measureTogether } from './measure.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const store = join(root, '.bench');
const cli = join(root, 'dist/cli.cjs');
const words = process.argv.slice(2);
/** An earlier build to compare with, measured in turns with this one. */
const before = words.includes('--before') ? words[words.indexOf('--before') + 1] : undefined;
const sizes = words.map(Number).filter(Boolean);
const SIZES = sizes.length > 0 ? sizes : [20, 300, 10_000];
/** What people and agents run most, at the size that most of them have. */
const COMMANDS = [
  [],
  ['list'],
  ['list', '--json'],
  ['show', 'SKILL'],
  ['search', 'billing', 'queue'],
  ['validate'],
  ['doctor'],
  ['spec', 'list'],
  ['spec', 'validate'],
  ['change', 'list'],
  ['change', 'validate'],
  ['validate', '--all'],
  ['setup', 'claude'],
  ['completion', 'bash'],
];
const RIVALS = { openskills: '1.5.0', skills: '1.7.4' };

const rows = [];
const report = (what, size, result, bare, note = '') => {
  if (result.failed) {
    rows.push([what, size, 'skipped', '', '', '', result.failed]);
    return;
  }
  rows.push([
    what,
    size,
    result.cpu.toFixed(0),
    result.wall.toFixed(0),
    result.rss.toFixed(0),
    `${(result.cpu / bare.cpu).toFixed(2)}x`,
    note,
  ]);
};

/** A command, and its aim at each size, as a ratio to a bare start of Node.js 24. SKILL is the name of the last skill. */
const AIMS = [
  [['--help'], { 20: 1.6 }],
  [['list', '--json'], { 20: 2.2, 300: 3, 10_000: 15 }],
  [['show', 'SKILL'], { 20: 3.2, 3_000: 6, 10_000: 6 }],
  [['show', 'SKILL', '--json'], { 10_000: 18.75 }],
  [['search', 'billing', 'queue'], { 20: 4.5, 300: 6, 10_000: 20 }],
  [['agents'], { 300: 4.5, 10_000: 25 }],
  [['doctor'], { 300: 20 }],
  [['scan'], { 300: 25 }],
];

mkdirSync(store, { recursive: true });
const node = process.execPath;
const second = words.includes('--node') ? words[words.indexOf('--node') + 1] : undefined;
if (words.includes('--aims')) {
  compareAims(installRivals());
  process.exit();
}
compareBuilds('', ['--version'], store, 15, 'target 1.50x');
compareBuilds('', ['--help'], store, 15, 'target 2.20x');

const rivals = installRivals();
const RIVAL_ENV = { DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' };
for (const size of SIZES) {
  const cwd = makeCorpus(join(store, `skills-${size}`), size);
  const runs = size >= 10_000 ? 9 : 7;
  const { openskills, skills } = rivals;
  const compared = [['-e', '0'], [join(root, 'bench/read-headers.cjs')], [cli, 'list', '--json']].map((args) => ({
    node,
    args,
  }));
  if (!openskills.failed) compared.push({ node: openskills.node, args: [...openskills.words, 'list'] });
  const [bare, headers, list, besides = openskills] = measureTogether(compared, { cwd, env: RIVAL_ENV, runs });
  report('node -e 0', size, bare, bare);
  if (before !== undefined) compareBuilds(size, ['list', '--json'], cwd, runs);
  report('reading the headers alone', size, headers, bare, 'open, fstat, read 2 KB, close; nothing parsed');
  const listed = JSON.parse(list.output);
  report(
    'lectern list --json',
    size,
    list,
    bare,
    `${listed.counts.total} skills, ${listed.diagnostics.length} diagnostics`,
  );
  const compare = (rival, result) =>
    report(
      `${rival} list`,
      size,
      result,
      bare,
      result.failed
        ? ''
        : `${(result.cpu / list.cpu).toFixed(1)} times the CPU of lectern list --json${rival === 'openskills' && size >= 10_000 ? ', target 2' : ''}`,
    );
  compare('openskills', besides);
  compare(
    'skills',
    skills.failed
      ? skills
      : measure(skills.node, [...skills.words, 'list'], { cwd, env: RIVAL_ENV, runs: size >= 10_000 ? 1 : 3 }),
  );
  const name = listed.skills.at(-1).name;
  if (size <= 20)
    for (const args of COMMANDS)
      compareBuilds(
        size,
        args.map((word) => (word === 'SKILL' ? name : word)),
        cwd,
        runs,
        'target 2.20x',
      );
  report('lectern show', size, measure(node, [cli, 'show', name, '--json'], { cwd, runs }), bare);
  report('lectern search', size, measure(node, [cli, 'search', 'billing', 'queue', '--json'], { cwd, runs }), bare);
}
compareAgents();
compareAims(rivals);
print(['what', 'skills', 'CPU ms', 'wall ms', 'peak MB', 'CPU / bare', 'note'], rows);

/** One command of this build, and of the one before, in turns with a bare start. */
function compareBuilds(size, args, cwd, runs, note = '') {
  const builds = before === undefined ? [cli] : [cli, before];
  const programs = [['-e', '0'], ...builds.map((build) => [build, ...args])].map((each) => ({ node, args: each }));
  const [bare, now, earlier] = measureTogether(programs, { cwd, runs });
  const change = earlier ? `before: ${earlier.cpu.toFixed(0)} ms, ${(now.cpu - earlier.cpu).toFixed(0)} ms more; ` : '';
  report(['lectern', ...args].join(' '), size, now, bare, `${change}${note}`);
}

/** Every command with an aim, with this Node.js and the second one; `show` in turns with `openskills read`. */
function compareAims({ openskills }) {
  const table = [];
  for (const program of [node, ...(second === undefined ? [] : [second])]) {
    const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim();
    for (const [command, aims] of AIMS) {
      for (const [size, aim] of Object.entries(aims)) {
        const cwd = makeCorpus(join(store, `skills-${size}`), Number(size));
        const name = readdirSync(join(cwd, '.claude/skills')).sort().at(-1);
        const args = command.map((word) => (word === 'SKILL' ? name : word));
        const programs = [{ node: program, args: ['-e', '0'] }];
        programs.push({ node: program, args: [cli, ...args] });
        if (command[0] === 'show' && !openskills.failed)
          programs.push({ node: openskills.node, args: [...openskills.words, 'read', name] });
        const [bare, ours, peer] = measureTogether(programs, { cwd, env: { DO_NOT_TRACK: '1' }, runs: 7 });
        // A program that ends early looks fast, so one without output has failed.
        const ratio = (each) => (each.failed || each.output === '' ? 'failed' : `${(each.cpu / bare.cpu).toFixed(2)}x`);
        const memory = ours.failed ?? ours.rss.toFixed(0);
        const note = peer ? `openskills read ${ratio(peer)}` : '';
        table.push([['lectern', ...command].join(' '), size, version, ratio(ours), `${aim}x`, memory, note]);
      }
    }
  }
  print(['aims', 'skills', 'Node.js', 'CPU / bare', 'aim', 'peak MB', 'note'], table);
  console.log();
}

/** Commands about agents, in turns with `lectern list`, in a repository with memory files. */
function compareAgents() {
  const size = 60;
  const cwd = makeCorpus(join(store, `skills-${size}`), size);
  mkdirSync(join(cwd, '.git'), { recursive: true });
  writeFileSync(join(cwd, '.git/HEAD'), 'ref: refs/heads/main\n');
  for (const name of ['CLAUDE.md', 'AGENTS.md'])
    writeFileSync(join(cwd, name), `# ${name}\n\nRun the tests.\n`.repeat(50));
  const targets = [
    [['list'], undefined],
    [['agents'], 1.3],
    [['context'], 1.6],
    [['context', 'claude'], 1.6],
  ];
  const programs = [['-e', '0'], ...targets.map(([args]) => [cli, ...args])].map((args) => ({ node, args }));
  const [bare, ...results] = measureTogether(programs, { cwd, runs: 21 });
  for (const [index, [args, target]] of targets.entries()) {
    const ratio = (results[index].cpu / results[0].cpu).toFixed(2);
    const note = target === undefined ? '' : `${ratio} times the CPU of lectern list, target ${target}`;
    report(['lectern', ...args].join(' '), size, results[index], bare, note);
  }
}

/** The other tools, installed beside the corpora; what cannot be installed is skipped by name. */
function installRivals() {
  const place = join(store, 'rivals');
  if (!existsSync(join(place, 'package.json'))) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{"private":true}');
  }
  const found = {};
  for (const [name, version] of Object.entries(RIVALS)) {
    const manifest = join(place, 'node_modules', name, 'package.json');
    if (!existsSync(manifest))
      spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`, 'node@22'], {
        cwd: place,
        stdio: 'ignore',
      });
    if (!existsSync(manifest)) {
      found[name] = { failed: `${name}@${version} could not be installed` };
      continue;
    }
    const { bin, engines } = JSON.parse(readFileSync(manifest, 'utf8'));
    const newer = join(place, 'node_modules/node/bin/node');
    const needsNewer = /22|24/u.test(engines?.node ?? '') && Number(process.versions.node.split('.')[0]) < 22;
    if (needsNewer && !existsSync(newer)) found[name] = { failed: `${name} needs Node.js ${engines.node}` };
    else
      found[name] = {
        node: needsNewer ? newer : process.execPath,
        words: [join(dirname(manifest), typeof bin === 'string' ? bin : (bin[name] ?? Object.values(bin)[0]))],
      };
  }
  return found;
}

function print(head, body) {
  const columns = head.map((title, index) => Math.max(title.length, ...body.map((row) => String(row[index]).length)));
  for (const row of [head, columns.map((width) => '-'.repeat(width)), ...body])
    console.log(
      row
        .map((cell, index) =>
          index === 0 || index === 6 ? String(cell).padEnd(columns[index]) : String(cell).padStart(columns[index]),
        )
        .join('  ')
        .trimEnd(),
    );
}
