// What the commands for specs cost beside openspec on the same files, in one run; then what a warm call costs a server.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { measure } from './measure.mjs';
import { makeSpecCorpus } from './spec-corpus.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'dist/cli.cjs');
const rival = join(root, 'node_modules/@fission-ai/openspec/bin/openspec.js');
const SIZE = { specs: 380, changes: 440 };
const cwd = makeSpecCorpus(join(root, '.bench', `specs-${SIZE.specs}-${SIZE.changes}`), SIZE);
const env = { OPENSPEC_TELEMETRY: '0', DO_NOT_TRACK: '1' };

const bare = measure(process.execPath, ['-e', '0'], { cwd, runs: 9 });
const pairs = [
  { what: 'list specs', ours: ['spec', 'list', '--json'], theirs: ['list', '--specs', '--json'], target: 8 },
  { what: 'list changes', ours: ['change', 'list', '--json'], theirs: ['list', '--json'], target: 8 },
  { what: 'validate all', ours: ['validate', '--all', '--json'], theirs: ['validate', '--all', '--json'], target: 5 },
];
console.log(`${SIZE.specs} specs, ${SIZE.changes} changes; bare Node ${bare.cpu.toFixed(0)} ms CPU\n`);
for (const { what, ours, theirs, target } of pairs) {
  const mine = measure(process.execPath, [cli, ...ours], { cwd, runs: 7 });
  console.log(line(`lectern ${ours.join(' ')}`, mine));
  if (!existsSync(rival)) {
    console.log('openspec is not installed');
    continue;
  }
  const other = measure(process.execPath, [rival, ...theirs], { cwd, env, runs: 3 });
  console.log(line(`openspec ${theirs.join(' ')}`, other));
  if (!other.failed) console.log(`  ${what}: ${(other.cpu / mine.cpu).toFixed(1)} times less CPU (target ${target})\n`);
}

const { openCatalog } = await import(pathToFileURL(join(root, 'dist/index.js')).href);
const catalog = await openCatalog({ projectDir: cwd, userDir: undefined });
const [{ id: spec_id }] = (await catalog.specs.list()).specs;
const [{ name: requirement }] = (await catalog.specs.requirements({ spec_id })).requirements;
const [{ id: change_id }] = (await catalog.specs.changes()).changes;
await catalog.specs.validateChanges();
const warm = {
  list_specs: () => catalog.specs.list(),
  get_spec_requirements: () => catalog.specs.requirements({ spec_id }),
  get_scenario: () => catalog.specs.scenario({ spec_id, requirement }),
  list_changes: () => catalog.specs.changes(),
  get_change: () => catalog.specs.change({ change_id }),
  'validate_spec, one': () => catalog.specs.validateSpecs({ spec_id }),
  'validate_change, one': () => catalog.specs.validateChanges({ change_id }),
  'reload, nothing changed': () => catalog.reload(),
};
console.log('warm calls, CPU ms (target under 10)');
for (const [name, call] of Object.entries(warm)) {
  const started = process.cpuUsage();
  for (let run = 0; run < 10; run++) await call();
  const { user, system } = process.cpuUsage(started);
  console.log(`  ${name.padEnd(26)} ${((user + system) / 10_000).toFixed(2)}`);
}

function line(what, result) {
  if (result.failed) return `${what.padEnd(40)} skipped: ${result.failed}`;
  return `${what.padEnd(40)} ${result.cpu.toFixed(0).padStart(6)} ms CPU ${result.wall.toFixed(0).padStart(6)} ms ${result.rss.toFixed(0).padStart(5)} MB  ${(result.cpu / bare.cpu).toFixed(2)}x bare`;
}
