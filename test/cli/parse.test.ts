import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/parse.ts';
import { Failure } from '../../src/core/failure.ts';

function refusal(...argv: string[]): Failure {
  try {
    parseCommandLine(argv);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('It was understood.');
}

function printed(...argv: string[]): string {
  const parsed = parseCommandLine(argv);
  if (parsed.kind !== 'print') throw new Error('A command would run.');
  return parsed.text();
}

describe('flags may stand anywhere', () => {
  test.each([
    [['spec', '--project-dir', 'X', 'list'], 'spec list', []],
    [['--project-dir', 'X', 'spec', '--json', 'show', 'auth'], 'spec show', ['auth']],
    [['change', '--project-dir=X', 'show', '--json', 'add-login'], 'change show', ['add-login']],
    [['mcp', '--port', '4000', 'serve'], 'mcp serve', []],
    [['show', '--project-dir', 'list', 'git'], 'show', ['git']],
  ])('%j', (argv, name, words) => {
    expect(parseCommandLine(argv)).toMatchObject({ kind: 'command', command: { name }, arguments: words });
  });

  test('also where help is asked for', () => {
    const [program, group] = [printed('--help'), printed('spec', '--help')];
    expect(group).toContain('spec validate');
    expect(printed('spec', '--help', '--project-dir', 'X')).toBe(group);
    expect(printed('spec', '--project-dir', 'X', '--help')).toBe(group);
    expect(printed('help', 'spec', '--project-dir', 'X')).toBe(group);
    expect(printed('help', '--project-dir', 'X')).toBe(program);
    expect(printed('--project-dir', 'spec', '--help')).toBe(program);
    expect(printed('help', '--project-dir', 'X', 'spec', 'list')).toBe(printed('spec', 'list', '--help'));
  });
});

describe('what is empty is refused: a variable of the shell may be unset', () => {
  test.each([
    [['disable', ''], '<names...>'],
    [['enable', 'git', ' '], '<names...>'],
    [['disable', ','], '<names...>'],
    [['validate', ''], '[target]'],
    [['show', ''], '<name>'],
    [['spec', 'show', ''], '<spec>'],
    [['change', 'archive', ''], '<change>'],
    [['list', '--project-dir='], '--project-dir'],
    [['list', '--skill-dir', ''], '--skill-dir'],
    [['list', '--skill-dir', '?scope=team'], '--skill-dir'],
    [['list', '--root', ''], '--root'],
    [['list', '--user-dir', ''], '--user-dir'],
    [['mcp', '--host', ''], '--host'],
    [['mcp', '--token='], '--token'],
  ])('%j', (argv, part) => {
    expect(refusal(...argv)).toMatchObject({ code: 'USAGE', message: expect.stringContaining(part) });
  });

  test('but an empty filter takes back what the configuration says', () => {
    expect(parseCommandLine(['list', '--exclude=', '--include', ''])).toMatchObject({
      flags: { exclude: [''], include: [''] },
    });
  });
});

describe('what may have been meant', () => {
  test.each([
    [['hlep'], ['help']],
    [['spec', 'lst'], ['spec list']],
    [['change', 'shw'], ['change show']],
    [['change', '--json', 'shw'], ['change show']],
    [['lits'], ['list']],
  ])('%j', (argv, suggestions) => {
    expect(refusal(...argv).suggestions).toEqual(suggestions);
  });

  test('nothing near: what there is', () => {
    expect(refusal('spec', 'kubernetes')).toMatchObject({
      suggestions: [],
      hint: expect.stringContaining('lectern spec list, lectern spec show'),
    });
  });
});
