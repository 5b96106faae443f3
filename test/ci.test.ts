/** The action, the templates and the workflows of docs/ci.md: they are parsed, and their commands run on a repository. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { OPERATIONS } from '../src/operations/index.ts';
import { PACKAGE_DIR } from './support/run-lectern.ts';
import { skillText } from './support/skill-text.ts';
import { type TempFolder, tempFolder } from './support/temp-folder.ts';

const read = (file: string): string => fs.readFileSync(path.join(PACKAGE_DIR, file), 'utf8');

const Step = z.object({ run: z.string().optional(), env: z.record(z.string(), z.string()).optional() });
const Action = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(Step.extend({ shell: z.literal('bash') })) }),
});
const Workflow = z.object({ jobs: z.record(z.string(), z.object({ steps: z.array(Step.loose()).min(2) })) });
const GitlabJob = z.object({ image: z.string(), script: z.array(z.string()) });
const Hooks = z.array(z.object({ id: z.string(), entry: z.string(), language: z.literal('node') }));

const action = Action.parse(parse(read('action.yml')));
const blocks = [...read('docs/ci.md').matchAll(/^```yaml\n(.*?)^```$/gmsu)].map(
  ([, yaml = '']) => parse(yaml) as unknown,
);

let folder: TempFolder;
let bin: string;

/** npm and the action as children of a test must not take settings from the run they are in. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_|GITHUB_|RUNNER_)/u.test(name) || name === 'npm_config_registry',
    ),
  ),
  HOME: folder.at('home'),
});

beforeAll(() => {
  folder = tempFolder({
    'home/x': '',
    'good/.git/HEAD': 'ref: refs/heads/main\n',
    'good/.claude/skills/pdf/SKILL.md': skillText({
      name: 'pdf',
      description: 'Merges PDF files. Use when several PDFs become one file.',
    }),
    'bad/.git/HEAD': 'ref: refs/heads/main\n',
    'bad/.claude/skills/pdf/SKILL.md': skillText({
      name: 'pdf',
      description: 'Merges PDF files. Use when several PDFs become one file.',
    }),
    'bad/.claude/skills/broken/SKILL.md': '---\nname: broken\n---\n',
    'bad/skills.requests.yaml':
      'version: 1\nrequests:\n  - request: merge two PDF files\n    expect: none\n    agents: [claude]\n',
  });
  const options = { encoding: 'utf8', env: environment(), timeout: 600_000 } as const;
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.dir];
  const [packed] = JSON.parse(spawnSync('npm', pack, { ...options, cwd: PACKAGE_DIR }).stdout) as [
    { filename: string },
  ];
  const [install] = action.runs.steps;
  const { status, stderr } = spawnSync('bash', ['-c', install?.run ?? ''], {
    ...options,
    cwd: folder.dir,
    env: { ...options.env, RUNNER_TEMP: folder.at('runner'), PACKAGE: folder.at(packed.filename) },
  });
  if (status !== 0 || stderr !== '') throw new Error(`The packed tarball could not be installed: ${stderr}`);
  bin = folder.at('runner/lectern/node_modules/.bin');
});
afterAll(() => folder[Symbol.dispose]());

/** Runs commands in a repository, with the packed Lectern in place of the published one. */
function run(script: string, dir: string, more: NodeJS.ProcessEnv = {}): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', script.replaceAll('npx --yes lectern', 'lectern')], {
    encoding: 'utf8',
    cwd: folder.at(dir),
    env: { ...environment(), ...more, PATH: `${bin}${path.delimiter}${process.env['PATH']}` },
  });
  return { status, output: stdout + stderr };
}

describe('the action', () => {
  const check = (dir: string, more: NodeJS.ProcessEnv = {}) => {
    const { run: script = '', env = {} } = action.runs.steps[1] ?? {};
    const value = (text: string): string =>
      text
        .replace(/\$\{\{ inputs\.([\w-]+) \}\}/u, (_, name: string) => action.inputs[name]?.default ?? '')
        .replace('${{ runner.temp }}', folder.at('runner'));
    const given = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, value(text)]));
    return run(script, dir, { ...given, GITHUB_ACTION_PATH: PACKAGE_DIR, ...more });
  };

  test('uses every input, and no other', () => {
    const used = action.runs.steps.flatMap(({ env = {} }) =>
      Object.values(env).flatMap((text) => [...text.matchAll(/inputs\.([\w-]+)/gu)].map(([, name]) => name)),
    );
    expect(used.toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    for (const name of Object.keys(action.inputs)) expect(read('docs/ci.md')).toContain(`| \`${name}\` |`);
  });

  test('never puts an input into a command, where it could be run', () => {
    for (const { run: script = '' } of action.runs.steps) expect(script).not.toContain('${{');
  });

  test('passes on a good repository, and runs only the checks that apply', () => {
    const { status, output } = check('good');
    expect(status).toBe(0);
    expect(output.match(/^lectern \w+/gmu)).toEqual(['lectern validate', 'lectern scan']);
  });

  test('fails on a bad one after all checks, with annotations', () => {
    const { status, output } = check('bad');
    expect(status).toBe(1);
    expect(output).toMatch(/^::error file=\.claude\/skills\/broken\/SKILL\.md,line=\d+,/mu);
    expect(output).toMatch(/^::error file=skills\.requests\.yaml,line=3,title=lectern%3A try-failed::/mu);
  });

  test('runs the checks that are named, on the folders that are named, and writes SARIF', () => {
    const { status, output } = check('.', { CHECKS: 'validate', PATHS: 'good\nbad\n', SARIF: 'sarif' });
    expect([status, output.match(/^lectern \w+/gmu)]).toEqual([1, ['lectern validate', 'lectern validate']]);
    expect(fs.readdirSync(folder.at('sarif')).toSorted()).toEqual([
      'lectern-validate-bad.sarif',
      'lectern-validate-good.sarif',
    ]);
  });

  test('takes hostile values as values', () => {
    const { output } = check('good', { CHECKS: '$(touch hacked)', PATHS: '`touch hacked`', PROFILE: '; touch hacked' });
    expect(output).not.toContain('lectern verify');
    expect(fs.existsSync(folder.at('good/hacked'))).toBe(false);
  });
});

describe('workflows in the docs', () => {
  const workflows = blocks.flatMap((block) => Workflow.safeParse(block).data ?? []);

  test('are all parsed', () => expect([blocks.length, workflows.length]).toEqual([5, 3]));

  test('have commands that pass on a good repository', () => {
    const scripts = workflows.flatMap(({ jobs }) =>
      Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run: script }) => script ?? [])),
    );
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts) expect([script, run(script, 'good').status]).toEqual([script, 0]);
  });

  test('GitLab: the example and the template pass, and write a Code Quality report', () => {
    const example = z.object({ lectern: GitlabJob }).parse(blocks[3]).lectern;
    const template = z.object({ lectern: GitlabJob }).parse(parse(read('ci/lectern.gitlab-ci.yml'))).lectern;
    for (const { script } of [example, { ...template, script: template.script.slice(1) }]) {
      expect(run(script.join('\n'), 'good').status).toBe(0);
      expect(JSON.parse(fs.readFileSync(folder.at('good/gl-code-quality-report.json'), 'utf8'))).toEqual([]);
    }
  });

  test('pre-commit: the hooks of the example exist and run', () => {
    const hooks = Hooks.parse(parse(read('.pre-commit-hooks.yaml')));
    expect(JSON.stringify(blocks[4])).toContain(JSON.stringify(hooks.map(({ id }) => ({ id }))));
    for (const { entry } of hooks) expect([entry, run(entry, 'good').status]).toEqual([entry, 0]);
  });
});

test('the commands of the table exist', () => {
  const commands = new Set(OPERATIONS.flatMap((operation) => ('command' in operation ? operation.command.name : [])));
  for (const [, name = ''] of read('docs/ci.md').matchAll(/\| `lectern (\w+) /gu)) expect(commands).toContain(name);
});
