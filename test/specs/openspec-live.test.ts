/** OpenSpec itself, asked about the same files. Its own classes are called in this process, which spares a Node start for each. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Diagnostic, isDecisive } from '../../src/core/diagnostics.ts';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { reportOf } from '../../src/core/report.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';
import { judgeChanges, judgeSpecs } from '../../src/specs/validate.ts';
import { validateSpecText } from '../../src/specs/validate-spec.ts';
import { fc, times } from '../support/effort.ts';

interface Report {
  valid: boolean;
  issues: { level: string; message: string; line?: number }[];
}

interface Validator {
  validateSpecContent(name: string, content: string): Promise<Report>;
  validateChangeDeltaSpecs(dir: string, options: { mainSpecsDir: string; projectRoot: string }): Promise<Report>;
}

const MODULE = path.resolve('node_modules/@fission-ai/openspec/dist/core/validation/validator.js');
let plain: Validator;
let strict: Validator;
let temp: string;

beforeAll(async () => {
  const { Validator } = (await import(pathToFileURL(MODULE).href)) as { Validator: new (strict: boolean) => Validator };
  plain = new Validator(false);
  strict = new Validator(true);
  temp = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-openspec-'));
});

afterAll(() => fs.rmSync(temp, { recursive: true, force: true }));

function ours(diagnostics: readonly Diagnostic[]): { valid: boolean; strict: boolean } {
  const passes = (strictly: boolean): boolean => !diagnostics.some((diagnostic) => isDecisive(diagnostic, strictly));
  return { valid: passes(false), strict: passes(true) };
}

/** Lines that matter to the grammar, in the spellings that people use, and a few that only look as if they did. */
const NAMES = ['Alpha', 'Beta', 'alpha', 'Alpha ###', 'The system SHALL x', 'C#', ''];
const SPEC_LINES = [
  '# cap Specification',
  '## Purpose',
  '## purpose',
  '### Purpose',
  'This capability exists so that there is a purpose that is long enough to pass.',
  'Short.',
  'TBD - later',
  'todo el mundo sabe para que sirve esta capacidad del sistema, y nadie lo dice.',
  '## Requirements',
  '# Requirements',
  '## REQUIREMENTS ',
  '## Notes',
  '## ADDED Requirements',
  '##  MODIFIED   Requirements',
  ...NAMES.map((name) => `### Requirement: ${name}`),
  '###Requirement: Tight',
  '### requirement:Lower',
  '#### Requirement: Deep',
  '## Requirement: High',
  ' ### Requirement: Indented',
  '### Notes',
  'The system SHALL do it.',
  'The system does it.',
  'the system shall do it, but MUSTARD is no keyword',
  '**Priority**: MUST have',
  '**Priority**: high',
  '#### Scenario: One',
  '#### Scenario: One ####',
  '#### Edge case',
  '##### Deeper',
  '###### Deepest',
  '- **WHEN** a',
  '- **THEN** b',
  '```',
  '~~~',
  '````md',
  '  ```',
  '<!-- x -->',
  '',
  '',
  '   ',
  '####',
  '#hash',
];

describe('random specs get the verdict of OpenSpec', () => {
  test('plain and strict', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...SPEC_LINES), { minLength: 1, maxLength: 24 }),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        async (lines, framed, end) => {
          const frame = framed
            ? ['# T', '## Purpose', 'This capability exists so that there is a purpose long enough.', '## Requirements']
            : [];
          const text = [...frame, ...lines].join(end);
          const verdict = ours(validateSpecText('spec.md', text));
          const [a, b] = [await plain.validateSpecContent('cap', text), await strict.validateSpecContent('cap', text)];
          expect({ ...verdict, text, issues: [] }).toEqual({
            valid: a.valid,
            strict: b.valid,
            text,
            issues: a.valid === verdict.valid ? [] : a.issues,
          });
        },
      ),
      { numRuns: times(300) },
    );
  });
});

const DELTA_LINES = [
  '## ADDED Requirements',
  '## MODIFIED Requirements',
  '## REMOVED Requirements',
  '## RENAMED Requirements',
  '## Modified requirements',
  '## ADDED  Requirements',
  '## Notes',
  '## Purpose',
  'A purpose for the new capability that is certainly long enough to be one.',
  ...['Alpha', 'Beta', 'beta', 'Gamma', 'Alpha ###'].map((name) => `### Requirement: ${name}`),
  '###Requirement: Beta',
  '### Requirement:',
  '### Notes',
  'The system SHALL do it.',
  'The system SHALL do alpha.',
  'The system does it.',
  '#### Scenario: One',
  '#### Two',
  '#### Scenario: B',
  '##### Scenario: Deeper',
  '- **WHEN** a',
  '- **THEN** b',
  '- `### Requirement: Alpha`',
  '* ### Requirement: Beta',
  '- Alpha',
  '- FROM: `### Requirement: Alpha`',
  '- TO: `### Requirement: Delta`',
  'FROM: ### Requirement: Beta',
  'TO: ### Requirement: Gamma',
  '**FROM**: Alpha',
  '**TO**: Delta',
  '```',
  '~~~',
  '',
  '',
];

const MAIN = `# cap Specification

## Purpose
This capability exists so that the deltas have something to change.

## Requirements

### Requirement: Alpha
The system SHALL do alpha.

#### Scenario: One
- **WHEN** a
- **THEN** b

#### Two
- **WHEN** c

### Requirement: Beta
The system SHALL beta.

#### Scenario: B
- **WHEN** a
- **THEN** b
`;

const TASK_LINES = [
  '## 1. Do',
  '## 2. More',
  '## Notes',
  '- [ ] 1.1 a',
  '- [x] 2.1 b',
  '- 1.2 c',
  '1. d',
  '* [ ]',
  '```',
  '    - deep',
  '<!-- - x',
  '-->',
  '---',
  '',
];

describe('random changes get the verdict of OpenSpec', () => {
  test('plain and strict', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...DELTA_LINES), { minLength: 1, maxLength: 24 }),
        fc.option(fc.array(fc.constantFrom(...TASK_LINES), { maxLength: 10 })),
        fc.constantFrom('cap', 'fresh', 'area/cap'),
        async (lines, tasks, capability) => {
          const root = path.join(temp, String((run += 1)));
          const change = path.join(root, 'openspec/changes/go');
          const write = (file: string, text: string): void => {
            fs.mkdirSync(path.dirname(file), { recursive: true });
            fs.writeFileSync(file, text);
          };
          write(path.join(root, 'openspec/specs/cap/spec.md'), MAIN);
          write(path.join(change, 'specs', capability, 'spec.md'), lines.join('\n'));
          if (tasks) write(path.join(change, 'tasks.md'), tasks.join('\n'));
          const options = { mainSpecsDir: path.join(root, 'openspec/specs'), projectRoot: root };
          const [a, b] = [
            await plain.validateChangeDeltaSpecs(change, options),
            await strict.validateChangeDeltaSpecs(change, options),
          ];
          const catalog = new SpecCatalog(nodeFiles, { projectDir: root, ancestors: [root] });
          const judged = (strictly: boolean): boolean | undefined =>
            reportOf(judgeChanges(catalog), { strict: strictly }).items[0]?.valid;
          const report = reportOf(judgeChanges(catalog), { strict: false });
          const refused = [...report.info, ...report.warnings].filter(
            ({ code }) => code === 'delta-archive-refused' || code === 'delta-target-missing',
          ).length;
          const theirs = a.issues.filter(({ message }) => message.startsWith('Archive would refuse')).length;
          expect({ valid: judged(false), strict: judged(true), refused: refused > 0, text: lines.join('\n') }).toEqual({
            valid: a.valid,
            strict: b.valid,
            refused: theirs > 0,
            text: lines.join('\n'),
          });
        },
      ),
      { numRuns: times(100) },
    );
  });
});

/** The command itself, on copies, because it may write its configuration beside them. */
function openspec(cwd: string, ...words: string[]): unknown {
  const { stdout } = spawnSync(
    process.execPath,
    [path.resolve('node_modules/@fission-ai/openspec/bin/openspec.js'), ...words, '--json'],
    {
      cwd,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: temp,
        XDG_CONFIG_HOME: temp,
        XDG_DATA_HOME: temp,
        OPENSPEC_TELEMETRY: '0',
        DO_NOT_TRACK: '1',
      },
    },
  );
  return JSON.parse(stdout);
}

describe.each([
  'examples/bookshop',
  'test/fixtures/openspec-verdicts/specs-cases',
  'test/fixtures/openspec-verdicts/change-cases',
])('%s', (project) => {
  test('has the same items, numbers and verdicts for openspec and for us', () => {
    const dir = path.join(temp, path.basename(project));
    fs.cpSync(path.resolve(project, 'openspec'), path.join(dir, 'openspec'), { recursive: true });
    const catalog = new SpecCatalog(nodeFiles, { projectDir: dir, ancestors: [dir] });

    const validated = openspec(dir, 'validate', '--all') as { items: { type: string; id: string; valid: boolean }[] };
    const verdicts = validated.items.map(({ type, id, valid }) => `${type} ${id} ${valid}`).sort();
    const ours = reportOf([...judgeSpecs(catalog), ...judgeChanges(catalog)], { strict: false }).items;
    expect(ours.map(({ type, id, valid }) => `${type} ${id} ${valid}`).sort()).toEqual(verdicts);

    const { specs } = openspec(dir, 'list', '--specs') as { specs: { id: string; requirementCount: number }[] };
    const isValid = new Map(ours.filter(({ type }) => type === 'spec').map(({ id, valid }) => [id, valid]));
    // In a spec that is not valid we may well find more requirements than openspec does.
    const counted = specs
      .filter(({ id }) => isValid.get(id))
      .map(({ id, requirementCount }) => `${id} ${requirementCount}`);
    expect(
      catalog.specs.filter(({ id }) => isValid.get(id)).map(({ id, parsed }) => `${id} ${parsed.requirements.length}`),
    ).toEqual(counted.sort());

    const { changes } = openspec(dir, 'list') as {
      changes: { name: string; completedTasks: number; totalTasks: number }[];
    };
    // openspec counts a box inside a code fence as work; to us it is an example.
    const isComparable = (name: string): boolean => name !== 'tasks-forms';
    const tasks = changes
      .filter(({ name }) => isComparable(name))
      .map(({ name, completedTasks, totalTasks }) => `${name} ${completedTasks}/${totalTasks}`);
    const counts = catalog.changes
      .filter(({ name }) => isComparable(name))
      .map(({ name, progress }) => `${name} ${progress.completed}/${progress.total}`);
    expect(counts.sort()).toEqual(tasks.sort());
  });
});
