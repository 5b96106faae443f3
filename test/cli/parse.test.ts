import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { helpFor, renderHelp } from '../../src/cli/help.ts';
import { parseCommandLine } from '../../src/cli/parse.ts';
import { Failure } from '../../src/core/failure.ts';

function refusal(...argv: string[]): Failure {
  try {
    parseCommandLine(argv, COMMANDS);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('It was understood.');
}

function printed(...argv: string[]): string {
  const parsed = parseCommandLine(argv, COMMANDS);
  if (parsed.kind !== 'help') throw new Error('No help was asked for.');
  return renderHelp(helpFor(parsed.of, COMMANDS));
}

describe('flags may stand anywhere', () => {
  test.each([
    [['spec', '--project-dir', 'X', 'list'], 'spec list', {}],
    [['--project-dir', 'X', 'spec', '--json', 'show', 'auth'], 'spec show', { spec_id: 'auth' }],
    [['change', '--project-dir=X', 'show', '--json', 'add-login'], 'change show', { change_id: 'add-login' }],
    [['mcp', '--port', '4000', 'serve'], 'mcp serve', { port: '4000' }],
    [['show', '--project-dir', 'list', 'git'], 'show', { name: 'git' }],
  ])('%j', (argv, name, param) => {
    expect(parseCommandLine(argv, COMMANDS)).toMatchObject({ kind: 'command', command: { name }, given: { param } });
  });

  test('flags may also surround --help and help', () => {
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

describe('empty arguments are refused, since a shell variable may be unset', () => {
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

  test('but an empty filter overrides the configuration', () => {
    expect(parseCommandLine(['list', '--exclude=', '--include', ''], COMMANDS)).toMatchObject({
      given: { setting: { exclude: [''], include: [''] } },
    });
  });
});

describe('suggestions for typos', () => {
  test.each([
    [['hlep'], ['help']],
    [['spec', 'lst'], ['spec list']],
    [['change', 'shw'], ['change show']],
    [['change', '--json', 'shw'], ['change show']],
    [['lits'], ['list']],
  ])('%j', (argv, suggestions) => {
    expect(refusal(...argv).suggestions).toEqual(suggestions);
  });

  test('no close match: the hint lists the commands', () => {
    expect(refusal('spec', 'kubernetes')).toMatchObject({
      suggestions: [],
      hint: expect.stringContaining('lectern spec list, lectern spec show'),
    });
  });
});

test('two switches that ask for different things are refused, and one that is repeated is not', () => {
  expect(refusal('install', 'owner/repo', '--copy', '--link')).toMatchObject({
    code: 'USAGE',
    message: '--link contradicts another flag: copy.',
  });
  expect(parseCommandLine(['install', 'owner/repo', '--copy', '--copy'], COMMANDS)).toMatchObject({
    given: { param: { mode: 'copy' } },
  });
});

test('two names of one flag with different values are refused; repeated, the last value counts', () => {
  const words = ['history', 'a/b', '--to', 'https://one.example'];
  expect(refusal(...words, '--url', 'https://two.example')).toMatchObject({
    code: 'USAGE',
    message: '--to and --url mean the same, but have different values.',
  });
  const understood = { kind: 'command', given: { param: { url: 'https://one.example' } } };
  expect(parseCommandLine([...words, '--url', 'https://one.example'], COMMANDS)).toMatchObject(understood);
  expect(parseCommandLine(['history', 'a/b', '--to', 'x', ...words.slice(2)], COMMANDS)).toMatchObject(understood);
});
