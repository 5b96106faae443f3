import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { openRecords, recordName } from '../../src/core/disk/records.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

const CLI = path.resolve('dist/cli.cjs');
const BOOKSHOP = path.resolve('examples/bookshop');

const state = tempFolder();
afterAll(() => state[Symbol.dispose]());

interface Result {
  status: number | null;
  stdout: string;
  stderr: string;
}

function lectern(cwd: string, words: readonly string[]): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...words], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: path.join(cwd, 'no-home'),
      XDG_STATE_HOME: state.dir,
      COLUMNS: '100',
      TZ: 'UTC',
    },
  });
  return { status, stdout, stderr };
}

/** A copy of the example project that a command may change. */
function bookshop(): TempFolder {
  const folder = tempFolder();
  fs.cpSync(BOOKSHOP, folder.dir, { recursive: true });
  fs.mkdirSync(folder.at('.git'));
  return folder;
}

/** Commands with what they print, as a document; places and days are the machine's. */
function transcript(cwd: string, commands: readonly string[][]): string {
  const sections = commands.map((words) => {
    const { status, stdout, stderr } = lectern(cwd, words);
    const shown = [stdout, stderr && `(standard error)\n${stderr}`].filter(Boolean).join('\n');
    const text = shown.replaceAll(cwd, '<project>').replaceAll(/\d{4}-\d\d-\d\d-(?!sign-in)/gu, '<day>-');
    return `## lectern ${words.join(' ')}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n\nexit code ${status ?? 'none'}\n`;
  });
  return `# Specs and changes\n\n${sections.join('\n')}`;
}

describe('the commands for specs and changes', () => {
  test('print the expected transcript', async () => {
    using project = bookshop();
    const text = transcript(project.dir, [
      ['spec', 'list'],
      ['spec', 'show', 'checkout', 'Reserving copies'],
      ['spec', 'show', 'chekout'],
      ['spec', 'validate', '--strict'],
      ['change', 'list'],
      ['change', 'list', '--archived'],
      ['change', 'status', 'faster-checkout'],
      ['change', 'show', 'add-wish-list'],
      ['change', 'validate'],
      ['change', 'diff', 'faster-checkout'],
      ['change', 'overlap'],
      ['change', 'new', 'gift-cards'],
      ['change', 'validate', 'gift-cards', '--strict'],
      ['change', 'archive', 'faster-checkout'],
      ['change', 'archive', 'faster-checkout', '--dry-run'],
      ['change', 'archive', 'faster-checkout', '--allow-open-tasks'],
      ['change', 'new', '../evil'],
      ['spec', 'lst'],
      [],
    ]);
    await expect(text).toMatchFileSnapshot('specs.md');
  });

  test('leave one JSON document, whatever happens', () => {
    using project = bookshop();
    const commands = [
      ['spec', 'list'],
      ['spec', 'show', 'checkout'],
      ['spec', 'show', '../../etc/passwd'],
      ['spec', 'validate'],
      ['change', 'list'],
      ['change', 'status', 'faster-checkout'],
      ['change', 'show', 'add-wish-list'],
      ['change', 'diff', 'add-wish-list'],
      ['change', 'overlap'],
      ['change', 'validate'],
      ['change', 'archive', 'nothing'],
      ['change', 'new', 'Bad Name'],
      ['validate', '--all'],
      ['doctor'],
    ];
    const outcomes = commands.map((words) => {
      const { status, stdout } = lectern(project.dir, [...words, '--json']);
      const value: unknown = JSON.parse(stdout);
      return [
        words.join(' '),
        status,
        typeof value === 'object' && value !== null && 'error' in value ? 'error' : 'data',
      ];
    });
    expect(outcomes).toEqual([
      ['spec list', 0, 'data'],
      ['spec show checkout', 0, 'data'],
      ['spec show ../../etc/passwd', 2, 'error'],
      ['spec validate', 0, 'data'],
      ['change list', 0, 'data'],
      ['change status faster-checkout', 0, 'data'],
      ['change show add-wish-list', 0, 'data'],
      ['change diff add-wish-list', 0, 'data'],
      ['change overlap', 1, 'data'],
      ['change validate', 0, 'data'],
      ['change archive nothing', 2, 'error'],
      ['change new Bad Name', 2, 'error'],
      ['validate --all', 0, 'data'],
      ['doctor', 0, 'data'],
    ]);
  });

  test('a delta that cannot be applied is shown as far as it goes, and is an error of the content', () => {
    using project = bookshop();
    const delta = project.at('openspec/changes/faster-checkout/specs/checkout/spec.md');
    fs.appendFileSync(delta, '\n## MODIFIED Requirements\n\n### Requirement: Nobody has written this\nIt SHALL.\n');
    const { status, stdout } = lectern(project.dir, ['change', 'diff', 'faster-checkout']);
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/cannot be applied: .*Nobody has written this[\s\S]*\+ added/u),
    ]);
    const { capabilities } = JSON.parse(lectern(project.dir, ['change', 'diff', 'faster-checkout', '--json']).stdout);
    expect(capabilities).toMatchObject([{ refused: expect.stringContaining('Nobody has written this') }]);
  });

  test('an archived change is found by the id it had, unless an active one has it or several had it', () => {
    using project = bookshop();
    const show = (id: string): { status: number | null; id?: string; error?: { suggestions: string[] } } => {
      const { status, stdout } = lectern(project.dir, ['change', 'show', id, '--json']);
      const { change_id, error } = JSON.parse(stdout);
      return { status, id: change_id, error };
    };
    expect(show('sign-in-by-link')).toMatchObject({ status: 0, id: '2026-08-03-sign-in-by-link' });
    expect(lectern(project.dir, ['change', 'diff', 'sign-in-by-link']).status).toBe(0);
    expect(lectern(project.dir, ['change', 'archive', 'sign-in-by-link'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('already archived'),
    });
    project.write({ 'openspec/changes/archive/2026-09-01-sign-in-by-link/proposal.md': '# Again\n' });
    expect(show('sign-in-by-link')).toMatchObject({
      status: 2,
      error: { suggestions: ['2026-08-03-sign-in-by-link', '2026-09-01-sign-in-by-link'] },
    });
    project.write({ 'openspec/changes/sign-in-by-link/proposal.md': '# Now\n' });
    expect(show('sign-in-by-link')).toMatchObject({ status: 0, id: 'sign-in-by-link' });
  });

  test('report skipped files on standard error and continue', () => {
    using project = bookshop();
    fs.mkdirSync(project.at('openspec/specs/away'));
    fs.symlinkSync('/etc/hostname', project.at('openspec/specs/away/spec.md'));
    const { status, stdout, stderr } = lectern(project.dir, ['spec', 'list', '--json']);
    expect([status, JSON.parse(stdout).specs.length]).toEqual([0, 3]);
    expect(stderr).toContain('[spec-symlink-outside]');
  });

  describe('an archive run that was interrupted', () => {
    const interrupted = (direction: 'forward' | 'back'): TempFolder => {
      const project = bookshop();
      const journal = {
        version: 1,
        direction,
        change: 'add-wish-list',
        archivedAs: '2026-01-02-add-wish-list',
        specs: [],
      };
      const runs = openRecords(nodeDisk, { stateDir: state.at('lectern'), project: project.dir });
      const name = recordName(nodeDisk, 'archive', project.at('openspec/changes'));
      nodeDisk.create(path.join(runs, name, 'journal.json'), JSON.stringify(journal));
      return project;
    };

    test.each([
      ['forward', 'completed', [2, false]],
      ['back', 'undid', [2, true]],
    ] as const)(
      '%s: archiving another change reports that it was %s, even if that change is refused',
      (direction, word, after) => {
        using project = interrupted(direction);
        const { status, stdout, stderr } = lectern(project.dir, ['change', 'archive', 'faster-checkout']);
        expect([status, fs.existsSync(project.at('openspec/changes/add-wish-list'))]).toEqual(after);
        expect(stdout).toBe('');
        expect(stderr).toContain(`lectern: ${word} the interrupted archive of "add-wish-list" first\n`);
        expect(stderr).toContain('--allow-open-tasks');
      },
    );

    test('the recovery is reported once on standard error and in the JSON', () => {
      using project = interrupted('forward');
      const { status, stdout, stderr } = lectern(project.dir, [
        'change',
        'archive',
        'faster-checkout',
        '--allow-open-tasks',
        '--json',
      ]);
      expect([status, JSON.parse(stdout)]).toMatchObject([
        0,
        { recovered: 'completed', recovered_change: 'add-wish-list' },
      ]);
      expect(stderr).toBe('lectern: completed the interrupted archive of "add-wish-list" first\n');
    });

    test.each(['spec', 'change'])('%s list names it', (word) => {
      using project = interrupted('forward');
      expect(lectern(project.dir, [word, 'list']).stderr).toContain('[archive-unfinished]');
    });
  });

  test('read the folders they are given', () => {
    using project = tempFolder({ 'a/login/spec.md': '# Login\n', 'b/go/tasks.md': '- [x] a\n' });
    const flags = ['--specs-dir', 'a', '--changes-dir', 'b', '--json'];
    expect(JSON.parse(lectern(project.dir, ['spec', 'list', ...flags]).stdout)).toEqual({
      specs: [{ id: 'login', title: 'Login', purpose: '', requirements: 0, scenarios: 0, touched: [], untested: [] }],
    });
    expect(JSON.parse(lectern(project.dir, ['change', 'list', ...flags]).stdout)).toMatchObject({
      changes: [{ id: 'go', task_progress: { completed: 1, total: 1 } }],
    });
  });

  test('complete ids', () => {
    const complete = (...words: string[]): string[] =>
      lectern(BOOKSHOP, ['__complete', '--', ...words])
        .stdout.trim()
        .split('\n');
    expect(complete('sp')).toEqual(['spec']);
    expect(complete('change', '')).toEqual([
      'archive',
      'diff',
      'list',
      'new',
      'overlap',
      'show',
      'status',
      'validate',
      'view',
    ]);
    expect(complete('spec', 'show', 'c')).toEqual(['catalog/search', 'checkout']);
    expect(complete('change', 'archive', 'f')).toEqual(['faster-checkout']);
    expect(complete('show', 'rel')).toEqual(['release-notes']);
  });
});
