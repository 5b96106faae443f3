/** Hints repeat the words that started the program. */
import { expect, test } from 'vitest';
import { typedName, withTypedName } from '../../src/cli/typed-name.ts';
import { verbatim } from '../../src/render/style.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';

/** The variables that npm 11 sets for `npx lectern` and `npm exec lectern`. */
const NPX = { npm_command: 'exec', npm_lifecycle_event: 'npx', npm_lifecycle_script: "'lectern'" };

test.each([
  ['nothing', {}, 'lectern'],
  ['npx', NPX, 'npx lectern'],
  ['npx on Windows', { ...NPX, npm_lifecycle_script: '"lectern"' }, 'npx lectern'],
  ['npx with a package', { ...NPX, npm_config_package: './lectern-1.0.0.tgz' }, 'npx -p ./lectern-1.0.0.tgz lectern'],
  ['npx with a version', { ...NPX, npm_config_package: 'lectern@next' }, 'npx lectern'],
  ['npx with odd characters', { ...NPX, npm_config_package: 'a;b' }, 'npx lectern'],
  ['a shell that npx started', { ...NPX, npm_lifecycle_script: "'bash'" }, 'lectern'],
  ['another tool that npx started', { ...NPX, npm_lifecycle_script: "'lectern-tools'" }, 'lectern'],
  [
    'a script of a package',
    { npm_command: 'run', npm_lifecycle_event: 'lint', npm_lifecycle_script: 'lectern' },
    'lectern',
  ],
  ['npm test', { npm_command: 'test', npm_lifecycle_event: 'test', npm_lifecycle_script: 'lectern list' }, 'lectern'],
])('started by %s', (_, environment, name) => {
  expect(typedName(environment)).toBe(name);
});

const COMMANDS = new Set(['list', 'setup', 'doctor', 'mcp']);
const named = (text: string): string => withTypedName(text, 'npx lectern', (word) => COMMANDS.has(word));

test.each([
  ['Run lectern list.', 'Run npx lectern list.'],
  ['  lectern setup <client>  connect', '  npx lectern setup <client>  connect'],
  ['`lectern doctor` shows (lectern list)', '`npx lectern doctor` shows (npx lectern list)'],
  ['\u001b[36mlectern list\u001b[39m', '\u001b[36mnpx lectern list\u001b[39m'],
  ['Run lectern --help, or lectern <command> --help', 'Run npx lectern --help, or npx lectern <command> --help'],
])('the command in %j gets the name', (text, expected) => {
  expect(named(text)).toBe(expected);
});

test.each([
  'lectern: There is no skill "pdf".',
  'lectern needs Node.js 20.19 or newer',
  'npx -y lectern mcp',
  'npx lectern list',
  'claude mcp add lectern -- npx -y lectern mcp',
  '~/lectern list',
  'my-lectern list',
  'lectern/list',
  verbatim('lectern list'),
])('%j stays as it is', (text) => {
  expect(named(text)).toBe(text);
});

test('after npx, hints and help use npx lectern; JSON keeps lectern', async () => {
  using folder = project({}, 'disk');
  const run = (...args: string[]) => lectern(folder, args, { env: NPX });
  expect((await run('lst')).stderr).toContain('Did you mean npx lectern list?');
  expect((await run('list', '--help')).stdout).toContain('Usage: npx lectern list');
  expect((await run()).stdout).toContain('npx lectern setup <client>');
  const json = await run('lst', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ error: { hint: 'Did you mean lectern list?' } });
  expect(JSON.parse((await run('list', '--help', '--json')).stdout)).toMatchObject({ command: 'lectern list' });
});
