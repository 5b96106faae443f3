/** Help for people: what it shows, and that it fits the terminal. */
import { describe, expect, test } from 'vitest';
import { flagsOfCommand, HELP_TOPICS, shownName } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { GLOBAL_FLAGS, settingFlags } from '../../src/cli/flags.ts';
import { helpFor, renderHelp } from '../../src/cli/help.ts';
import { parseCommandLine } from '../../src/cli/parse.ts';
import { withTypedName } from '../../src/cli/typed-name.ts';
import { widthOf } from '../../src/core/columns.ts';
import { Failure } from '../../src/core/failure.ts';
import { OPERATORS_GROUP } from '../../src/operations/define.ts';
import { OPERATIONS } from '../../src/operations/index.ts';

type Page = Parameters<typeof helpFor>[0];

const FAMILIES = [...new Set(COMMANDS.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])))];
const PAGES: [string, Page][] = [
  ['lectern', undefined],
  ...COMMANDS.map((command): [string, Page] => [shownName(command.name), command]),
  ...FAMILIES.map((first): [string, Page] => [`lectern ${first} (group)`, first]),
  ...HELP_TOPICS.map((topic): [string, Page] => [`lectern help ${topic}`, { topic }]),
];
const textOf = (page: Page, width = 80): string => renderHelp(helpFor(page, COMMANDS), { width });
/** The text on one line, with broken command lines joined. */
const joined = (text: string): string => text.replaceAll(' \\\n', ' ').replaceAll(/\s+/gu, ' ');

describe.each([50, 80, 120])('at %i columns', (width) => {
  test.each(PAGES)('%s: no line is longer, and no word is cut', (_, page) => {
    const help = helpFor(page, COMMANDS);
    const text = textOf(page, width);
    expect(text.split('\n').filter((line) => widthOf(line) > width)).toEqual([]);
    const all = joined(text);
    for (const { command, about } of help.examples) expect(all).toContain(`${command} ${about}`);
    for (const { form, about } of help.arguments ?? []) expect(all).toContain(`${form} ${about}`);
    for (const flag of help.flags) if (flag.group === undefined) expect(all).toContain(flag.about);
    expect(all).toContain(joined(help.summary));
  });

  test('started with npx, the longer commands still fit', () => {
    const typed = (text: string): string => withTypedName(text, 'npx lectern', () => true);
    for (const [, page] of PAGES) {
      const text = renderHelp(helpFor(page, COMMANDS), { width, typed });
      expect(text.split('\n').filter((line) => widthOf(line) > width)).toEqual([]);
      expect(text).toContain('npx lectern');
    }
  });
});

test('lectern --help fits on two screens of 24 lines', () => {
  expect(textOf(undefined).trimEnd().split('\n').length).toBeLessThanOrEqual(48);
});

test('a command shows its own flags, and one line for the discovery and global flags', () => {
  const shared = [...settingFlags(['skills', 'filters', 'specs']), ...GLOBAL_FLAGS].map(({ names: [name] }) => name);
  for (const command of COMMANDS) {
    const text = textOf(command);
    const rows = [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gmu)].map(([, name = '']) => name);
    const own = flagsOfCommand(command).flatMap(({ names: [name], unlisted, target, group }) => {
      const isShared = target === 'setting' && (group === 'skills' || group === 'filters' || group === 'specs');
      return unlisted || (isShared && !command.firstFlags?.includes(name)) ? [] : [name];
    });
    expect([...rows].sort()).toEqual([...own].sort());
    expect(text).toMatch(/^(?:Discovery and global|Global) flags: lectern help flags$/mu);
  }
  const page = textOf({ topic: 'flags' });
  for (const name of shared) expect(page).toContain(name);
});

test('every command is in lectern --help or lectern help serve, by its first word', () => {
  const [program, operators] = [textOf(undefined), textOf({ topic: 'serve' })];
  const presets = new Set(COMMANDS.flatMap((command) => command.presets ?? []));
  for (const { name, group } of COMMANDS) {
    if (name === '' || presets.has(name)) continue;
    const row = `\n  ${name.split(' ')[0] ?? ''} `;
    const [here, there] = group === OPERATORS_GROUP ? [operators, program] : [program, operators];
    expect(here).toContain(row);
    expect(there).not.toContain(row);
  }
  expect(program).toContain('lectern help flags|serve');
});

test('help for people names no MCP tools', () => {
  const tools = OPERATIONS.flatMap(({ name, tool }) => (tool && name.includes('_') ? [name] : []));
  expect(tools.length).toBeGreaterThan(5);
  const found = PAGES.flatMap(([title, page]) => {
    const text = textOf(page);
    return tools.filter((tool) => text.includes(tool)).map((tool) => `${title}: ${tool}`);
  });
  expect(found).toEqual([]);
});

test('lectern help alone is lectern --help', () => {
  expect(parseCommandLine(['help'], COMMANDS)).toEqual(parseCommandLine(['--help'], COMMANDS));
});

test.each([
  [['help', 'flgs'], ['flags'], 'Did you mean lectern help flags?'],
  [['help', 'lst'], ['list'], 'Did you mean lectern help list?'],
  [['help', 'spec', 'lst'], ['spec list'], 'Did you mean lectern help spec list?'],
  [['help', 'kubernetes'], [], 'Run lectern help to see the commands.'],
])('%j is not a topic: the nearest ones are suggested', (argv, suggestions, hint) => {
  const refused = (): unknown => parseCommandLine(argv, COMMANDS);
  expect(refused).toThrow(Failure);
  expect(refused).toThrow(expect.objectContaining({ code: 'USAGE', suggestions, hint }));
});
