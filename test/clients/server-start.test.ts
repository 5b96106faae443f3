import { describe, expect, test } from 'vitest';
import { planStart, type StartPlan } from '../../src/clients/server-start.ts';

const ENVIRONMENT = { TOKEN: 'secret', DIR: '/data' };

function plan(entry: Record<string, unknown>, isAllowed: (dir: string) => boolean = () => true): StartPlan {
  const server = { name: 'x', scope: 'user', file: '/home/me/.config/x.json', entry } as const;
  return planStart(server, { userDir: '/home/me', environment: ENVIRONMENT, isAllowed });
}

describe('the program of an entry', () => {
  const program = (more: object): object => ({ kind: 'program', args: [], dir: '/home/me', environment: {}, ...more });

  test.each<[string, Record<string, unknown>, object, string]>([
    ['a command with arguments', { command: 'a', args: ['b c'] }, { command: 'a', args: ['b c'] }, "a 'b c'"],
    ['opencode and Kilo Code write one list', { command: ['a', 'b'] }, { command: 'a', args: ['b'] }, 'a b'],
    [
      'references to variables are replaced, and shown as written',
      { command: '${DIR}/a', args: ['${env:DIR}', '{env:DIR}', '${NO:-no}'] },
      { command: '/data/a', args: ['/data', '/data', 'no'] },
      "'${DIR}/a' '${env:DIR}' '{env:DIR}' '${NO:-no}'",
    ],
    [
      'variables of the entry, also by name only',
      { command: 'a', env: { A: '${TOKEN}', N: 1 }, env_vars: ['TOKEN', 'MISSING'] },
      { command: 'a', environment: { A: 'secret', N: '1', TOKEN: 'secret' } },
      'TOKEN=*** A=*** N=*** a',
    ],
    [
      'opencode calls them environment',
      { command: ['a'], environment: { A: 'b' } },
      { command: 'a', environment: { A: 'b' } },
      'A=*** a',
    ],
    ['a folder', { command: 'a', cwd: '${DIR}' }, { command: 'a', dir: '/data' }, 'a'],
    [
      'arguments that look like secrets are masked',
      { command: 'a', args: ['--api-key', 'k1', '--token=k2', 'KEY=k3', '--port=1', 'https://u:k4@h/p?key=k5'] },
      { command: 'a', args: ['--api-key', 'k1', '--token=k2', 'KEY=k3', '--port=1', 'https://u:k4@h/p?key=k5'] },
      "a --api-key *** --token=*** KEY=*** --port=1 'https://h/p?***'",
    ],
    [
      'control characters are shown as escapes',
      { command: 'a', args: ['\u001b[2J\n'] },
      { command: 'a', args: ['\u001b[2J\n'] },
      String.raw`a '\x1b[2J\n'`,
    ],
  ])('%s', (_, entry, start, shown) => {
    expect(plan(entry)).toEqual({ start: program(start), shown });
  });

  test('starts in the folder of its file if the home folder is in the project', () => {
    expect(plan({ command: 'a' }, (dir) => dir !== '/home/me')).toMatchObject({ start: { dir: '/home/me/.config' } });
  });

  test.each([
    ['names no command', {}, 'neither a command nor an address'],
    ['has a command that is not text', { command: 1 }, 'neither a command nor an address'],
    ['needs a variable that is not set', { command: '${NO}' }, 'the environment variable NO, which is not set'],
    ['starts in a relative folder', { command: 'a', cwd: './tools' }, 'in the folder ./tools'],
  ])('cannot be started if it %s', (_, entry, reason) => {
    expect(plan(entry)).toEqual({ reason: expect.stringContaining(reason) });
  });

  test('cannot be started in a folder that is not allowed', () => {
    expect(plan({ command: 'a', cwd: '/repo' }, (dir) => dir !== '/repo')).toHaveProperty('reason');
  });
});

describe('the address of an entry', () => {
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    [
      'headers with references',
      { url: 'https://h/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
      { Authorization: 'Bearer secret' },
    ],
    ['the token of Codex', { url: 'https://h/mcp', bearer_token_env_var: 'TOKEN' }, { Authorization: 'Bearer secret' }],
    [
      'the headers of Codex',
      { url: 'https://h/mcp', http_headers: { A: '${B}' }, env_http_headers: { C: 'TOKEN' } },
      { A: '${B}', C: 'secret' },
    ],
    ['the key of Gemini CLI', { httpUrl: 'https://h/mcp' }, {}],
  ])('%s', (_, entry, headers) => {
    expect(plan(entry)).toEqual({ start: { kind: 'address', url: 'https://h/mcp', headers }, shown: 'https://h/mcp' });
  });

  test('is shown without passwords and keys', () => {
    expect(plan({ url: 'https://u:p@h/mcp?key=k' })).toMatchObject({ shown: 'https://h/mcp?***' });
  });

  test.each([
    [{ type: 'sse', url: 'https://h/sse' }, 'the transport sse'],
    [{ url: 'file:///etc/passwd' }, 'no http or https address'],
    [{ url: 'https://h/mcp', bearer_token_env_var: 'NO' }, 'the environment variable NO'],
  ])('%j has a reason', (entry, reason) => {
    expect(plan(entry)).toEqual({ reason: expect.stringContaining(reason) });
  });
});
