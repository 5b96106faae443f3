import { describe, expect, test } from 'vitest';
import { readClaudeEvent, readCodexEvent } from '../../src/agents/live/events.ts';
import { LAUNCHES } from '../../src/agents/live/launches.ts';
import { layOut } from '../../src/agents/live/lay-out.ts';
import { readRun, skillsReadIn } from '../../src/agents/live/read-run.ts';
import { runOnce } from '../../src/agents/live/run-once.ts';
import type { Seen } from '../../src/agents/seen-by.ts';
import { fc } from '../support/effort.ts';
import { failureOf } from '../support/failure-of.ts';

const line = (data: unknown): string => JSON.stringify(data);

describe('events of an agent', () => {
  test('all skills of one turn of Claude Code count, and the next event ends the run', () => {
    const run = readRun(readClaudeEvent, new Map());
    const call = (skill: unknown) => ({ type: 'tool_use', name: 'Skill', input: { skill } });
    expect(run.takeLine(line({ type: 'assistant', message: { content: [call('pdf'), call('slides')] } }))).toBe(false);
    expect(run.takeLine(line({ type: 'assistant', message: { content: [call('pdf'), call(3)] } }))).toBe(false);
    expect(run.takeLine(line({ type: 'user', message: { content: [{ type: 'tool_result' }] } }))).toBe(true);
    expect(run.loaded).toEqual(['pdf', 'slides']);
  });

  test('Claude Code also loads a skill by reading its file', () => {
    const run = readRun(readClaudeEvent, new Map([['/t/.claude/skills/a/SKILL.md', 'a']]));
    const read = (file: string) => ({ type: 'tool_use', name: 'Read', input: { file_path: file } });
    run.takeLine(
      line({ type: 'assistant', message: { content: [read('/t/.claude/skills/a/SKILL.md'), read('/x.md')] } }),
    );
    expect(run.loaded).toEqual(['a']);
  });

  test('a command of Codex counts if it succeeded', () => {
    const run = readRun(readCodexEvent, new Map());
    const item = { type: 'command_execution', command: "/bin/sh -c 'cat /s/pdf/SKILL.md'" };
    expect(run.takeLine(line({ type: 'item.started', item }))).toBe(false);
    expect(run.takeLine(line({ type: 'item.completed', item: { ...item, exit_code: 1 } }))).toBe(false);
    expect(run.loaded).toEqual([]);
    expect(run.takeLine(line({ type: 'item.completed', item: { ...item, exit_code: 0 } }))).toBe(true);
    expect(run.loaded).toEqual(['pdf']);
  });

  test('the last error of a run is its problem', () => {
    const run = readRun(readCodexEvent, new Map());
    run.takeLine(line({ type: 'error', message: 'Reconnecting' }));
    run.takeLine(line({ type: 'turn.failed', error: { message: 'no\nlogin' } }));
    expect(run.problem).toBe('no login');
  });

  test('no output makes the reader fail or keep more than it may', () => {
    const some = fc.oneof(
      fc.string(),
      fc.jsonValue().map(line),
      fc.jsonValue().map((item) => line({ type: 'item.completed', item })),
    );
    fc.assert(
      fc.property(fc.array(some), fc.constantFrom(readClaudeEvent, readCodexEvent), (lines, reader) => {
        const run = readRun(reader, new Map());
        for (const each of lines) run.takeLine(each);
        expect(run.loaded.length).toBeLessThanOrEqual(20);
      }),
    );
    const run = readRun(readClaudeEvent, new Map());
    for (let at = 0; at < 50; at++) {
      const skill = `${at}`.repeat(1_000);
      run.takeLine(
        line({ type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Skill', input: { skill } }] } }),
      );
    }
    expect(run.loaded).toHaveLength(20);
    expect(Math.max(...run.loaded.map((name) => name.length))).toBeLessThanOrEqual(200);
  });

  test.each([
    ["sed -n '1,200p' /home/me/.codex/skills/a/SKILL.md", ['Name of a']],
    ['cd .agents && cat skills/b/SKILL.md', ['b']],
    ['cat "./a/SKILL.md" b/SKILL.md', ['Name of a', 'b']],
    ['type C:\\me\\.codex\\skills\\c\\SKILL.md', ['c']],
    ['find . -name SKILL.md', []],
    ['rg pdf .agents/skills/*/SKILL.md', []],
    ['cat ../SKILL.md', []],
  ])('%s reads the skills %j', (command, names) => {
    expect(skillsReadIn(command, new Map([['/home/me/.codex/skills/a/SKILL.md', 'Name of a']]))).toEqual(names);
  });
});

describe('the command line of an agent', () => {
  test('a request is never read as a flag', () => {
    for (const { args } of Object.values(LAUNCHES)) expect(args('--help', []).slice(-2)).toEqual(['--', '--help']);
  });
});

describe('the folder of a run', () => {
  const at = {
    projectDir: '/p/app',
    folders: ['/p/app', '/p'],
    userDir: '/home/me',
    environment: {},
    now: 0,
  };
  const seen = { entries: [], verdicts: new Map() } as unknown as Seen;
  const read = (): Uint8Array => Buffer.from('x');
  const pathsFor = (home: 'copied' | 'in-place', memory: readonly string[]): string[] =>
    layOut({ seen, memory, at, home, read })
      .files.map(({ path }) => path)
      .filter((path) => !path.includes('.git/'));

  test('files keep their places below the project, and others are left out', () => {
    const memory = [
      '/p/CLAUDE.md',
      '/p/app/CLAUDE.md',
      '/home/me/.claude/CLAUDE.md',
      '/etc/CLAUDE.md',
      '/p2/CLAUDE.md',
    ];
    expect(pathsFor('copied', memory)).toEqual([
      'project/CLAUDE.md',
      'project/app/CLAUDE.md',
      '.claude/CLAUDE.md',
      'project/app/.keep',
    ]);
    expect(pathsFor('in-place', memory)).toEqual(['project/CLAUDE.md', 'project/app/CLAUDE.md', 'project/app/.keep']);
  });

  test('more than 64 MiB are refused', () => {
    const big = Buffer.alloc(33 * 1024 * 1024);
    const memory = ['/p/a', '/p/b'];
    expect(() => layOut({ seen, memory, at, home: 'copied', read: () => big })).toThrow(/64 MiB/u);
  });
});

describe('running a program once', () => {
  const node = (script: string, more: Partial<Parameters<typeof runOnce>[0]> = {}) =>
    runOnce({
      command: process.execPath,
      args: ['-e', script],
      cwd: process.cwd(),
      env: process.env,
      timeoutMs: 600_000,
      onLine: () => false,
      ...more,
    });

  test('lines arrive whole, and long ones are skipped', async () => {
    const lines: string[] = [];
    const script = `const w = (t) => require('fs').writeSync(1, t); w('a\\nb'); w('c\\r\\n\\n'); w('x'.repeat(5e6) + '\\n'); w('last')`;
    const onLine = (text: string): boolean => lines.push(text) > 100;
    expect(await node(script, { onLine })).toMatchObject({ by: 'itself', code: 0 });
    expect(lines).toEqual(['a', 'bc', 'last']);
  });

  test.skipIf(process.platform === 'win32')(
    'a program that ignores the polite signal is ended after the time limit',
    async () => {
      const script = `process.on('SIGTERM', () => 0); setInterval(() => 0, 1000); console.log(process.pid)`;
      let pid = 0;
      const end = await node(script, {
        timeoutMs: 500,
        onLine: (text) => {
          pid = Number(text);
          return false;
        },
      });
      expect(end.by).toBe('time');
      if (pid > 0) expect(() => process.kill(pid, 0)).toThrow();
    },
  );

  test('a stopped command ends the program', async () => {
    const stop = new AbortController();
    const run = node(`setInterval(() => 0, 1000); console.log('up')`, {
      signal: stop.signal,
      onLine: () => {
        stop.abort();
        return false;
      },
    });
    expect(await failureOf(run)).toMatchObject({ code: 'INTERRUPTED' });
    expect(await failureOf(node('', { signal: stop.signal }))).toMatchObject({ code: 'INTERRUPTED' });
  });

  test('a program that cannot be started is an error', async () => {
    await expect(node('', { command: '/no/such/program' })).rejects.toThrow(/ENOENT/u);
  });
});
