import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { COMMANDS } from '../../src/cli/commands.ts';
import { CLIENTS } from '../../src/clients/all.ts';
import { CLIENT_NAMES, type ClientName } from '../../src/clients/names.ts';
import { WRITABLE_CLIENTS } from '../support/client-scopes.ts';
import { oneOfEachKind } from '../support/effort.ts';
import { project } from '../support/project.ts';
import { CLI, hasOrdinaryUser, lectern as run, type RunOptions } from '../support/run-lectern.ts';
import type { TempFolder } from '../support/temp-folder.ts';

let folder: TempFolder;
let cwd: string;
let home: string;
beforeEach(() => {
  folder = project({}, 'disk');
  cwd = folder.at("it's a $HOME ü😀");
  fs.mkdirSync(cwd);
  home = folder.at('home');
});
afterEach(() => folder[Symbol.dispose]());

const lectern = (args: readonly string[], options: RunOptions = {}) => run(folder, args, { cwd, ...options });

/** Each case starts several processes. All clients are tested in one process by `test/operations/setup-client.test.ts`. */
const formatOf = (client: ClientName): string => CLIENTS[client].format;
const WRITABLE_SAMPLE = oneOfEachKind(WRITABLE_CLIENTS, formatOf);

test.each(WRITABLE_SAMPLE)('setup %s: prints, writes once, and then has nothing to do', async (client) => {
  const printed = await lectern(['setup', client]);
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  const first = await lectern(['setup', client, '--write', '--json']);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const { state, file, snippet } = JSON.parse(first.stdout) as { state: string; file: string; snippet: string };
  expect(state).toBe('created');
  expect(printed.stdout).toContain(path.basename(file));
  expect(printed.stdout).toContain(snippet);
  expect(fs.readFileSync(file, 'utf8')).toBe(snippet);
  const second = await lectern(['setup', client, '--write']);
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toContain('nothing was changed');
});

test('the printed command can be copied into bash: it runs in the project, with its words whole', async () => {
  const bin = folder.at('bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'claude'), '#!/bin/bash\npwd\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const { stdout } = await lectern(['setup', 'claude', '--published', '--', '--skill-dir', "a 'b' $c"]);
  const line = stdout.split('\n').find((each) => each.includes('claude mcp add')) ?? '';
  const ran = execFileSync('bash', ['--norc', '-c', line], {
    encoding: 'utf8',
    cwd: folder.dir,
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  });
  expect(ran.trimEnd().split('\n')).toEqual([
    cwd,
    ...'mcp add --scope project lectern -- npx -y lectern mcp --skill-dir'.split(' '),
    "a 'b' $c",
  ]);
});

test('setup codex explains how to show the tools immediately, with the server name Codex uses', async () => {
  const { stdout } = await lectern(['setup', 'codex', '--name', 'team-skills']);
  expect(stdout).toContain('direct_only_tool_namespaces = ["mcp__team_skills"] under [features.code_mode]');
});

test('--local starts this very installation, through links', () => {
  const link = folder.at('lectern');
  fs.symlinkSync(CLI, link);
  const stdout = execFileSync(process.execPath, [link, 'setup', 'cursor', '--local', '--json'], {
    cwd,
    env: { HOME: home },
    encoding: 'utf8',
  });
  const { snippet } = JSON.parse(stdout) as { snippet: string };
  const { command, args } = (JSON.parse(snippet) as { mcpServers: { lectern: { command: string; args: string[] } } })
    .mcpServers.lectern;
  expect([command, ...args]).toEqual(['node', CLI, 'mcp', '--for', 'cursor']);
});

const PARSERS: Record<'json' | 'toml' | 'yaml', (text: string) => unknown> = {
  json: JSON.parse,
  toml: parseToml,
  yaml: parseYaml,
};
const hasServer = COMMANDS.some(({ name }) => name === 'mcp');
test.skipIf(!hasServer).each(oneOfEachKind(CLIENT_NAMES, formatOf))(
  'the command in the entry for %s, started as it is written, answers initialize',
  async (client) => {
    const { stdout } = await lectern(['setup', client, '--local', '--json']);
    const { snippet, format } = JSON.parse(stdout) as { snippet: string; format: keyof typeof PARSERS };
    const words = wordsOf(PARSERS[format](snippet));
    const [command = '', ...args] = words;
    const child = spawn(command, args, { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: home } });
    const line = new Promise<string>((resolve) => void createInterface(child.stdout).once('line', resolve));
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    expect(JSON.parse(await line)).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
    child.stdin.end();
    await new Promise<void>((resolve) => void child.once('close', () => resolve()));
  },
);

/** The command of the only entry in a document, with its arguments: in two keys, or in one list. */
function wordsOf(document: unknown): string[] {
  const entry = (document ?? {}) as { command?: string | string[]; cmd?: string; args?: string[] };
  const { command = entry.cmd, args = [] } = entry;
  if (command !== undefined) return [command, args].flat();
  return wordsOf(Object.values(document as object)[0]);
}

test('--shell chooses the shell', async () => {
  expect((await lectern(['setup', 'claude', '--scope', 'project', '--shell', 'powershell'])).stdout).toContain(
    "Set-Location -LiteralPath '",
  );
  expect((await lectern(['setup', 'claude', '--scope', 'project', '--shell', 'cmd'])).stdout).toContain('cd /d "');
});

test('--dry-run shows the change and writes nothing', async () => {
  fs.writeFileSync(path.join(cwd, '.mcp.json'), '{\n  "mcpServers": {}\n}\n');
  const { code, stdout } = await lectern(['setup', 'claude', '--scope', 'project', '--dry-run']);
  expect(code).toBe(0);
  expect(stdout).toContain('-  "mcpServers": {}\n+  "mcpServers": {\n+    "lectern": {');
  expect(fs.readFileSync(path.join(cwd, '.mcp.json'), 'utf8')).toBe('{\n  "mcpServers": {}\n}\n');
});

describe('refused with exit code 2, and one JSON document on request', async () => {
  const broken = '{ "mcpServers": ';
  test.each<[string, string, string[], string]>([
    ['a broken file', broken, ['claude', '--scope', 'project', '--write'], 'INVALID_CONFIG'],
    [
      'an entry that differs',
      '{"mcpServers":{"lectern":{"command":"x"}}}',
      ['claude', '--published', '--write'],
      'REFUSED',
    ],
    ['a generic entry to write', '{}', ['json', '--write'], 'USAGE'],
    ['a file in YAML to write', '{}', ['goose', '--write'], 'REFUSED'],
    ['a scope that the client does not have', '{}', ['cline', '--scope', 'project'], 'REFUSED'],
    ['an unknown client', '{}', ['clade'], 'USAGE'],
    ['no client', '{}', [], 'USAGE'],
    ['two clients', '{}', ['claude', 'cursor'], 'USAGE'],
    ['a scope that is none', '{}', ['claude', '--scope', 'global'], 'USAGE'],
    ['a name that is none', '{}', ['claude', '--name', 'a b'], 'USAGE'],
    ['an address that is none', '{}', ['claude', '--url', 'file:///x'], 'USAGE'],
    [
      'a flag that the server does not know',
      '{}',
      ['claude', '--write', '--local', '--', '--includ', 'claude'],
      'USAGE',
    ],
    ['a value that the server refuses', '{}', ['claude', '--write', '--', '--tools', 'skils'], 'USAGE'],
    ['a port that is none', '{}', ['claude', '--write', '--', '--port', 'x'], 'USAGE'],
    ['a word that the server does not take', '{}', ['claude', '--write', '--', '--no-plugins', 'git'], 'USAGE'],
    ['help instead of a server', '{}', ['claude', '--write', '--', '--help'], 'USAGE'],
    ['a flag for the server before the hyphens', '{}', ['claude', '--skill-dir', 'x'], 'USAGE'],
  ])('%s', async (_, text, args, error) => {
    const file = path.join(cwd, '.mcp.json');
    fs.writeFileSync(file, text);
    const plain = await lectern(['setup', ...args]);
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toMatch(/^lectern: .+/u);
    expect(plain.stderr).not.toMatch(/undefined|\[object| at .*:\d+:\d+/u);
    const json = await lectern(['setup', '--json', ...args]);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: error } });
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
  });

  test.skipIf(!hasOrdinaryUser)('a folder that may not be written', async () => {
    fs.chmodSync(cwd, 0o555);
    const { code, stderr } = await lectern(['setup', 'claude', '--published', '--write'], { unprivileged: true });
    fs.chmodSync(cwd, 0o700);
    expect(code).toBe(2);
    expect(stderr).toContain('Cannot write');
  });
});

test.each([
  [['cluade'], 'Did you mean claude? For any other client, lectern setup json prints an entry to add by hand.'],
  [['jetbrains'], '  For any other client, lectern setup json prints an entry to add by hand.'],
])('an unknown client %j gets the nearest names and the generic entry', async (client, hint) => {
  const { code, stderr } = await lectern(['setup', ...client]);
  expect(code).toBe(2);
  expect(stderr).toContain(hint);
});

test('a generic entry is printed with its next step, without a file', async () => {
  const { code, stdout } = await lectern(['setup', 'json', '--published']);
  expect(code).toBe(0);
  expect(stdout).toContain('"args": ["-y", "lectern", "mcp"]');
  expect(stdout).toContain('add it to the configuration of the client');
});

test('a shared file gets a path of this machine only on request, with a sentence about colleagues', async () => {
  expect((await lectern(['setup', 'claude', '--write'])).stdout).not.toContain('colleagues');
  expect(fs.existsSync(path.join(cwd, '.mcp.json'))).toBe(false);
  expect(fs.existsSync(path.join(home, '.claude.json'))).toBe(true);
  const shared = await lectern(['setup', 'claude', '--write', '--scope', 'project']);
  expect(shared.stdout).toContain('.mcp.json will not work for colleagues. Use --published');
  expect(fs.existsSync(path.join(cwd, '.mcp.json'))).toBe(true);
});

test('--all prints the entries that can only be added by hand', async () => {
  fs.mkdirSync(path.join(home, '.config/goose'), { recursive: true });
  fs.mkdirSync(path.join(home, '.codex'), { recursive: true });
  const states = async (...flags: string[]): Promise<unknown> => {
    const { stdout, code } = await lectern(['setup', '--all', '--published', '--json', ...flags]);
    const { clients } = JSON.parse(stdout) as { clients: { client: string; state: string }[] };
    return { code, clients: clients.map(({ client, state }) => `${client}: ${state}`) };
  };
  expect(await states('--write')).toEqual({ code: 0, clients: ['codex: created', 'goose: printed'] });
  expect(await states('--remove')).toEqual({ code: 0, clients: ['codex: removed'] });
});

test('a flag for the server is held against those it knows', async () => {
  expect((await lectern(['setup', 'cursor', '--', '--includ', 'claude'])).stderr).toContain('Did you mean --include');
});

test('clients are completed', async () => {
  expect((await lectern(['__complete', '--', 'setup', 'c'])).stdout.trim().split('\n')).toEqual([
    'claude',
    'claude-desktop',
    'cline',
    'codex',
    'copilot',
    'cursor',
  ]);
  expect((await lectern(['__complete', '--', 'setup', 'claude', '--scope', ''])).stdout.trim().split('\n')).toEqual([
    'project',
    'user',
  ]);
});

describe('the entry starts', () => {
  const commandOf = (stdout: string): string[] =>
    wordsOf(JSON.parse((JSON.parse(stdout) as { snippet: string }).snippet));

  test('this copy, if it is a clone or a global link; --published starts the package', async () => {
    expect(commandOf((await lectern(['setup', 'cursor', '--json'])).stdout)).toEqual([
      'node',
      CLI,
      'mcp',
      '--for',
      'cursor',
    ]);
    const published = await lectern(['setup', 'cursor', '--json', '--published']);
    expect(commandOf(published.stdout)).toEqual(['npx', '-y', 'lectern', 'mcp', '--for', 'cursor']);
  });

  test('the package, if this copy was installed from the registry', async () => {
    const installed = folder.at('node_modules/lectern');
    fs.mkdirSync(path.dirname(installed), { recursive: true });
    fs.cpSync(path.dirname(CLI), path.join(installed, 'dist'), { recursive: true });
    const stdout = execFileSync(process.execPath, [path.join(installed, 'dist/cli.cjs'), 'setup', 'cursor', '--json'], {
      cwd,
      env: { HOME: home },
      encoding: 'utf8',
    });
    expect(commandOf(stdout)).toEqual(['npx', '-y', 'lectern', 'mcp', '--for', 'cursor']);
  });

  test('when it is written it is tried once, if it starts this copy', async () => {
    const tried = await lectern(['setup', 'cursor', '--write']);
    expect(tried).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The server was started once and responded.'),
    });
    // Also if it joins a catalog, which does not have to answer.
    const joining = ['setup', 'cursor', '--force', '--write', '--transport=stdio', '--url=https://skills.invalid'];
    expect((await lectern(joining)).stdout).toContain('The server was started once and responded.');
    for (const flag of ['--published', '--transport=http', '--url=https://skills.invalid']) {
      const { stdout } = await lectern(['setup', 'vscode', '--write', '--force', flag]);
      expect(stdout).toContain('The server was not tried');
    }
  });

  test('a server that does not start is not written, unless forced', async () => {
    const bin = folder.at('bin');
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, 'node'), '#!/bin/sh\necho no such luck >&2\nexit 1\n', { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const refused = await lectern(['setup', 'cursor', '--write'], { env });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no such luck') });
    expect(fs.existsSync(path.join(home, '.cursor/mcp.json'))).toBe(false);
    expect((await lectern(['setup', 'cursor', '--write', '--force'], { env })).code).toBe(0);
    expect(fs.existsSync(path.join(home, '.cursor/mcp.json'))).toBe(true);
  });
});

test('doctor starts nothing that a file names', async () => {
  const witness = folder.at('witness');
  const script = folder.at('lectern/dist/cli.cjs');
  fs.mkdirSync(path.dirname(script), { recursive: true });
  fs.writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(witness)}, '')`);
  const entry = { command: 'node', args: [script, 'mcp'] };
  fs.writeFileSync(path.join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { lectern: entry } }));
  expect((await lectern(['doctor'])).stdout).toContain('set up');
  entry.args.unshift('--no-warnings');
  fs.writeFileSync(path.join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { lectern: entry } }));
  expect((await lectern(['doctor'])).stdout).toContain('cannot tell');
  expect(fs.existsSync(witness)).toBe(false);
});

test.each(WRITABLE_SAMPLE)('setup %s --remove takes out what --write put in, and nothing else', async (client) => {
  const flags = ['--published', '--name', 'mine'];
  const { file, format } = JSON.parse((await lectern(['setup', client, ...flags, '--json'])).stdout) as {
    file: string;
    format: string;
  };
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const before = format === 'toml' ? 'model = "x"\n\n[other]\na = 1\n' : '{\n  "other": { "a": 1 }\n}\n';
  fs.writeFileSync(file, before);
  await lectern(['setup', client, ...flags, '--write']);
  await lectern(['setup', client, '--published', '--name', 'second', '--write']);
  const both = fs.readFileSync(file, 'utf8');
  expect((await lectern(['setup', client, '--published', '--name', 'second', '--remove'])).stdout).toContain(
    'no longer has',
  );
  const one = fs.readFileSync(file, 'utf8');
  expect(one).toContain('mine');
  expect(one).not.toContain('second');
  await lectern(['setup', client, '--published', '--name', 'second', '--write']);
  expect(fs.readFileSync(file, 'utf8')).toBe(both);
  expect((await lectern(['setup', client, '--name', 'third', '--remove'])).stdout).toContain('nothing was changed');
});

test('--all connects every client that is found, and aliases name them', async () => {
  fs.mkdirSync(path.join(home, '.codex'), { recursive: true });
  fs.mkdirSync(path.join(cwd, '.cursor'), { recursive: true });
  fs.writeFileSync(path.join(cwd, '.cursor/mcp.json'), '{}\n');
  const { stdout } = await lectern(['setup', '--all', '--write', '--published', '--json']);
  const { clients } = JSON.parse(stdout) as { clients: { client: string; state: string }[] };
  expect(clients.map(({ client, state }) => [client, state])).toEqual([
    ['codex', 'created'],
    ['cursor', 'changed'],
  ]);
  for (const [alias, client] of Object.entries({
    'claude-code': 'claude',
    'vs-code': 'vscode',
    'gemini-cli': 'gemini',
  }))
    expect(JSON.parse((await lectern(['setup', alias, '--json'])).stdout)).toMatchObject({ client });
});

test('it is among the next steps if it would add skills, until a client is connected', async () => {
  fs.mkdirSync(path.join(cwd, '.claude/skills/pdf'), { recursive: true });
  fs.writeFileSync(path.join(cwd, '.claude/skills/pdf/SKILL.md'), '---\nname: pdf\ndescription: x\n---\n');
  expect((await lectern([])).stdout).not.toContain('lectern setup');
  fs.mkdirSync(path.join(cwd, '.codex/skills/git'), { recursive: true });
  fs.writeFileSync(path.join(cwd, '.codex/skills/git/SKILL.md'), '---\nname: git\ndescription: x\n---\n');
  expect((await lectern([])).stdout).toContain('lectern setup');
  await lectern(['setup', 'claude', '--write', '--published']);
  expect((await lectern([])).stdout).not.toContain('lectern setup');
});
