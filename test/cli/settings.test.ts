/** Which settings each command accepts as flags. A flag that a command would ignore is refused as unknown. */
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { settingFlags } from '../../src/cli/flags.ts';
import { helpFor } from '../../src/cli/help.ts';
import { parseCommandLine } from '../../src/cli/parse.ts';

const PER_COMMAND: Readonly<Record<string, string>> = {
  '': 'skills, filters, specs',
  list: 'skills, filters',
  show: 'skills, filters',
  search: 'skills, filters, specs',
  agents: 'skills',
  context: 'skills',
  try: 'skills',
  uninstall: 'skills',
  'completion install': '',
  why: 'skills',
  usage: 'skills, filters',
  overlap: 'skills',
  validate: 'skills, filters, specs',
  scan: 'skills, filters',
  doctor: 'skills, filters, specs',
  enable: 'skills, filters',
  disable: 'skills, filters',
  fit: 'skills',
  new: 'skills, filters',
  install: '',
  share: 'skills',
  outdated: '',
  update: '',
  remove: '',
  verify: '',
  sync: 'skills, filters',
  'spec list': 'specs',
  'spec show': 'specs',
  'spec search': 'specs',
  'spec validate': 'specs',
  'change list': 'specs',
  'change status': 'specs',
  'change show': 'specs',
  'change validate': 'specs',
  'change diff': 'specs',
  'change overlap': 'specs',
  'change new': 'specs',
  'change view': 'specs',
  'change archive': 'specs',
  index: 'skills, filters, specs',
  setup: '',
  web: 'server, project-server, skills, filters, specs',
  mcp: 'server, project-server, skills, filters, specs',
  'mcp serve': 'server, project-server, skills, filters, specs',
  'mcp-server': 'server, project-server, skills, filters, specs',
  serve: 'server',
  publish: '',
  history: '',
  rollback: '',
  'db migrate': '',
  'db check': '',
  'db status': '',
  'db prune': '',
  'team add': '',
  'team list': '',
  'team remove': '',
  'source add': '',
  'source list': '',
  'source remove': '',
  'source usage': '',
  'grant add': '',
  'grant list': '',
  'grant remove': '',
  'token add': '',
  'token list': '',
  'token revoke': '',
  audit: '',
  completion: '',
};

test('each command accepts the settings that it uses', () => {
  const found = Object.fromEntries(COMMANDS.map(({ name, settings }) => [name, settings.join(', ')]));
  expect(found, 'for a new command, add a line to PER_COMMAND in this file').toEqual(PER_COMMAND);
});

describe.each(['install', 'update', 'outdated', 'remove', 'verify'])('lectern %s', (command) => {
  test.each(settingFlags(['skills', 'filters', 'specs']).map(({ names: [name], value }) => [name, value] as const))(
    'refuses %s, which has no effect on installed skills',
    (name, value) => {
      const words = value === undefined ? [name] : [name, 'pdf'];
      expect(() => parseCommandLine([command, 'pdf', ...words], COMMANDS)).toThrow(`Unknown flag "${name}".`);
    },
  );
});

test('a server flag of lectern setup is refused with a hint to put it after two hyphens', () => {
  expect(() => parseCommandLine(['setup', 'claude', '--exclude', 'pdf'], COMMANDS)).toThrow(
    expect.objectContaining({
      message: 'Unknown flag "--exclude".',
      hint: 'Put flags of the server after two hyphens: lectern setup [client] -- --exclude',
    }),
  );
});

test.each(['verify', 'outdated'])('lectern %s accepts --dry-run without listing it in its help', (name) => {
  const command = COMMANDS.find((each) => each.name === name);
  expect(parseCommandLine([name, '--dry-run'], COMMANDS)).toMatchObject({ given: { param: { dryRun: true } } });
  expect(helpFor(command, COMMANDS).flags.flatMap(({ names }) => names)).not.toContain('--dry-run');
});

test.each(['publish', 'history', 'rollback'])('the catalog URL of lectern %s is documented as --url', (name) => {
  const { flags } = helpFor(
    COMMANDS.find((each) => each.name === name),
    COMMANDS,
  );
  expect(flags.find(({ value }) => value === 'url')?.names[0]).toBe('--url');
});

test('the earlier spelling --to of the catalog URL is accepted', () => {
  const words = ['history', 'a/b', '--to', 'https://skills.example.com'];
  expect(parseCommandLine(words, COMMANDS)).toMatchObject({
    given: { param: { url: 'https://skills.example.com' } },
  });
});
