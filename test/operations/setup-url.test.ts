/** `setup --url`: an entry for a shared catalog, whose token stays in the environment. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/all.ts';
import { CLIENT_NAMES, type ClientName, type Scope } from '../../src/clients/names.ts';
import { catalogAddress } from '../../src/core/catalog-address.ts';
import type { AnswerOf, GivenTo } from '../../src/operations/perform.ts';
import { setupClient } from '../../src/operations/setup-client.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { WRITABLE_CLIENTS } from '../support/client-scopes.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import type { TempFolder } from '../support/temp-folder.ts';

let folder: TempFolder;
let projectDir: string;
let userDir: string;
beforeEach(() => {
  folder = project({}, 'disk');
  projectDir = folder.at('project');
  userDir = folder.at('home');
});
afterEach(() => folder[Symbol.dispose]());

const URL_OF_CATALOG = 'https://skills.example.com';
type Request = Partial<GivenTo<typeof setupClient, 'library'>>;

async function setup(client: ClientName, scope: Scope, more: Request = {}): Promise<AnswerOf<typeof setupClient>> {
  const environment = { LECTERN_TOKEN: 'lct_secret' };
  const workspace = await Workspace.open({ projectDir, userDir, environment });
  return ask(setupClient, { client, scope, platform: 'linux', ...more }, workspace);
}

function fileOf(client: ClientName, scope: Scope): string {
  return CLIENTS[client].files(scope, { projectDir, userDir, environment: {}, platform: 'linux' })?.at(-1) ?? '';
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

test.each(CLIENT_NAMES)('the entry of %s, in each scope, with its command and its notes', async (client) => {
  const parts: string[] = [];
  for (const scope of CLIENTS[client].scopes) {
    const { snippet, commands, note, format } = await setup(client, scope, { url: URL_OF_CATALOG });
    parts.push(
      `## ${scope}`,
      `\`\`\`${format}\n${snippet}\`\`\``,
      ...(commands ? [`\`\`\`sh\n${commands['bash']?.replaceAll(projectDir, '/project') ?? ''}\n\`\`\``] : []),
      ...(note === undefined ? [] : [note]),
    );
  }
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(`__snapshots__/setup-url/${client}.md`);
});

test.each(WRITABLE_CLIENTS)(
  '%s: written once, then unchanged, then removed; the token is in no file',
  async (client) => {
    for (const scope of CLIENTS[client].scopes) {
      const request = { url: URL_OF_CATALOG };
      expect(await setup(client, scope, { ...request, write: true })).toMatchObject({ state: 'created' });
      expect(await setup(client, scope, { ...request, write: true })).toMatchObject({ state: 'unchanged' });
      const text = fs.readFileSync(fileOf(client, scope), 'utf8');
      expect(text).toContain(URL_OF_CATALOG);
      expect(text).not.toContain('lct_secret');
      // Without the address: the entry itself says whose it is.
      expect(await setup(client, scope, { remove: true })).toMatchObject({ state: 'removed' });
    }
  },
);

test('an address is taken with and without its endpoint and slashes', () => {
  for (const given of ['https://x.example', 'https://x.example/', 'https://x.example/mcp', 'https://x.example/mcp/'])
    expect(catalogAddress(given)).toBe('https://x.example');
  expect(catalogAddress('https://x.example/team/mcp')).toBe('https://x.example/team');
});

test.each(['?d=e', '#f', '?d=e#f'])('an address with %s is refused, because that would be lost', async (rest) => {
  const request = { url: `https://a.example/c${rest}`, write: true };
  await expect(setup('claude', 'project', request)).rejects.toMatchObject({
    code: 'USAGE',
    message: `"https://a.example/c${rest}" has more than the address of a catalog.`,
    hint: `Leave out ${rest}.`,
  });
  expect(fs.existsSync(fileOf('claude', 'project'))).toBe(false);
});

test('a server on this machine needs no token, and neither does a client that signs in', async () => {
  expect((await setup('claude', 'project', { url: 'http://127.0.0.1:4000' })).snippet).not.toContain('headers');
  const signingIn = await setup('zed', 'user', { url: URL_OF_CATALOG, signIn: true });
  expect(JSON.parse(signingIn.snippet)).toEqual({
    context_servers: { lectern: { url: `${URL_OF_CATALOG}/mcp` } },
  });
});

test('a server on this machine gets the token if the environment has one', async () => {
  const run = async (env: Record<string, string>): Promise<string> =>
    (await lectern(folder, ['setup', 'claude', '--url', 'http://127.0.0.1:4000', '--json'], { env })).stdout;
  expect(await run({})).not.toContain('LECTERN_TOKEN');
  const told = await run({ LECTERN_TOKEN: 'lct_secret' });
  expect(told).toContain('LECTERN_TOKEN');
  expect(told).not.toContain('lct_secret');
});

test.each(CLIENT_NAMES)('%s: no command is shown that would lose a variable which the entry names', async (client) => {
  for (const scope of CLIENTS[client].scopes) {
    const { snippet, commands } = await setup(client, scope, { url: URL_OF_CATALOG, transport: 'stdio' });
    if (snippet.includes('LECTERN_TOKEN')) expect(commands).toBeUndefined();
    const plain = await setup(client, scope, { transport: 'stdio' });
    if (CLIENTS[client].command && scope === 'user') expect(plain.commands).toBeDefined();
  }
});

test('with stdio, the server joins the catalog with the local skills; the variable is named where clients hide it', async () => {
  const joined = async (client: ClientName) =>
    (await setup(client, 'user', { url: `${URL_OF_CATALOG}/mcp`, transport: 'stdio' })).snippet;
  expect(await joined('claude')).toContain(
    '"args": ["-y", "lectern", "mcp", "--catalog", "https://skills.example.com", "--for", "claude"]',
  );
  expect(await joined('codex')).toContain('env_vars = ["LECTERN_TOKEN"]');
  expect(await joined('gemini')).toContain('"LECTERN_TOKEN": "${LECTERN_TOKEN}"');
});

test('the note names the required variable for each transport, and mentions if it is not set here', async () => {
  const noteOf = async (environment: Record<string, string>, ...more: string[]): Promise<unknown> => {
    const run = await lectern(folder, ['setup', 'cursor', '--url', URL_OF_CATALOG, '--json', ...more], {
      env: environment,
    });
    return (JSON.parse(run.stdout) as { note: unknown }).note;
  };
  const joins = 'Cursor starts lectern mcp --catalog, which reads the token from LECTERN_TOKEN.';
  const stdio = ['--transport', 'stdio'];
  expect(await noteOf({ LECTERN_TOKEN: 'lct_secret' }, ...stdio)).toMatch(new RegExp(`^${joins} If the`, 'u'));
  expect(await noteOf({}, ...stdio)).toMatch(new RegExp(`^${joins} LECTERN_TOKEN is not set here\\.`, 'u'));
  expect(await noteOf({})).toContain(
    'reads the token from LECTERN_TOKEN when it starts. LECTERN_TOKEN is not set here.',
  );
});

test('a client that cannot read a token from the environment is not given a header over HTTP', async () => {
  await expect(setup('zed', 'user', { url: URL_OF_CATALOG, transport: 'http' })).rejects.toMatchObject({
    code: 'REFUSED',
    hint: expect.stringContaining('--sign-in'),
  });
});

describe('an entry that is already there', () => {
  const stdio = { type: 'stdio', command: 'npx', args: ['-y', 'lectern', 'mcp'] };
  const writeClaude = (entry: object): void =>
    write(fileOf('claude', 'project'), JSON.stringify({ mcpServers: { lectern: entry, other: { command: 'o' } } }));
  const written = (): Record<string, unknown> => JSON.parse(fs.readFileSync(fileOf('claude', 'project'), 'utf8'));

  test('other headers and settings stay when the address changes', async () => {
    writeClaude({
      type: 'http',
      url: 'https://old.example/mcp',
      headers: { 'X-Team': 'a', Authorization: 'x' },
      timeout: 5,
    });
    const request = { url: URL_OF_CATALOG, write: true };
    await expect(setup('claude', 'project', request)).rejects.toMatchObject({ code: 'REFUSED' });
    await setup('claude', 'project', { ...request, force: true });
    expect(written()).toEqual({
      mcpServers: {
        lectern: {
          type: 'http',
          url: `${URL_OF_CATALOG}/mcp`,
          headers: { 'X-Team': 'a', Authorization: 'Bearer ${LECTERN_TOKEN}' },
          timeout: 5,
        },
        other: { command: 'o' },
      },
    });
  });

  test('an entry that starts a command keeps no headers', async () => {
    await setup('claude', 'project', { url: URL_OF_CATALOG, write: true });
    await setup('claude', 'project', { write: true, force: true });
    expect(written()).toEqual({ mcpServers: { lectern: stdio } });
    await setup('codex', 'user', { url: URL_OF_CATALOG, write: true });
    await setup('codex', 'user', { write: true, force: true });
    expect(fs.readFileSync(fileOf('codex', 'user'), 'utf8')).not.toContain('bearer_token_env_var');
  });

  test.each<[string, object]>([
    ['a command of somebody else', { command: 'uvx', args: ['pulpit', 'mcp'] }],
    ['an address of somebody else', { type: 'http', url: 'https://elsewhere.example/mcp' }],
  ])('%s is not removed', async (_, entry) => {
    writeClaude(entry);
    const before = fs.readFileSync(fileOf('claude', 'project'), 'utf8');
    for (const dryRun of [true, false])
      await expect(setup('claude', 'project', { remove: true, dryRun })).rejects.toMatchObject({
        code: 'REFUSED',
        message: expect.stringContaining('does not belong to Lectern'),
      });
    expect(fs.readFileSync(fileOf('claude', 'project'), 'utf8')).toBe(before);
    expect(await setup('claude', 'project', { remove: true, force: true })).toMatchObject({ state: 'removed' });
    expect(written()).toEqual({ mcpServers: { other: { command: 'o' } } });
  });

  test.each<[string, object]>([
    ['the published package', stdio],
    ['a version of it', { command: 'npx', args: ['-y', 'lectern@1.2.3', 'mcp'] }],
    ['a clone in any folder', { command: 'node', args: ['/somewhere/dist/cli.cjs', 'mcp'] }],
    ['a server on this machine', { type: 'http', url: 'http://127.0.0.1:3000/mcp' }],
  ])('%s is removed', async (_, entry) => {
    writeClaude(entry);
    expect(await setup('claude', 'project', { remove: true })).toMatchObject({ state: 'removed' });
  });
});

test('--all continues after a client that fails, reports it, and exits with 1', async () => {
  const claude = path.join(projectDir, '.mcp.json');
  const foreign = '{ "mcpServers": { "lectern": { "command": "pulpit" } } }';
  write(claude, foreign);
  write(path.join(projectDir, '.vscode', 'mcp.json'), '{}');
  const run = (...args: string[]) => lectern(folder, ['setup', '--all', '--published', ...args], { cwd: projectDir });
  const set = await run('--write', '--json');
  expect(set.code).toBe(1);
  const { clients } = JSON.parse(set.stdout) as { clients: Record<string, unknown>[] };
  expect(clients.map(({ client, state, error }) => [client, state ?? (error as { code: string }).code])).toEqual([
    ['claude', 'REFUSED'],
    ['vscode', 'changed'],
    // It reads the project's .mcp.json too, but is set up for the user.
    ['copilot', 'created'],
  ]);
  expect(fs.readFileSync(claude, 'utf8')).toBe(foreign);
  const removed = await run('--remove');
  expect(removed.code).toBe(1);
  expect(removed.stdout).toContain('does not belong to Lectern');
  expect(removed.stdout).toContain('VS Code no longer has the server');
});

test('no entry is written for an address where the token could be read on its way', async () => {
  for (const more of [{ transport: 'stdio' }, { transport: 'http' }, { signIn: true }, {}] as const) {
    const plain = { url: 'http://skills.example.com', write: true, ...more };
    await expect(setup('claude', 'project', plain)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('is not encrypted'),
    });
  }
  expect(fs.existsSync(fileOf('claude', 'project'))).toBe(false);
  const { snippet } = await setup('claude', 'project', { url: 'http://127.0.0.1:8080/mcp', transport: 'stdio' });
  expect(snippet).toContain('"--catalog", "http://127.0.0.1:8080"');
});
