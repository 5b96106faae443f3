import fs from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/all.ts';
import { launchServer } from '../../src/clients/launch.ts';
import { CLIENT_NAMES, type ClientName, type Scope, type SetupName, flagsForOne } from '../../src/clients/names.ts';
import type { AnswerOf, GivenTo } from '../../src/operations/perform.ts';
import { setupClient } from '../../src/operations/setup-client.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { CLIENT_SCOPES } from '../support/client-scopes.ts';
import { project } from '../support/project.ts';
import type { TempFolder } from '../support/temp-folder.ts';

let folder: TempFolder;
let projectDir: string;
let userDir: string;
beforeEach(() => {
  folder = project({}, 'disk');
  projectDir = folder.at("my project's ü😀 $x");
  fs.mkdirSync(projectDir);
  userDir = folder.at('home');
});
afterEach(() => folder[Symbol.dispose]());

type Request = Partial<GivenTo<typeof setupClient, 'library'>>;
type SetupOutput = AnswerOf<typeof setupClient>;

async function setup(client: SetupName, scope: Scope | undefined, more: Request = {}): Promise<SetupOutput> {
  const workspace = await Workspace.open({ projectDir, userDir, environment: {} });
  return ask(setupClient, { client, scope, platform: 'linux', ...more }, workspace);
}

function fileOf(client: ClientName, scope: Scope): string {
  return CLIENTS[client].files(scope, { projectDir, userDir, environment: {}, platform: 'linux' })?.at(-1) ?? '';
}

function write(file: string, text: string | Uint8Array): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** Every file with its content, so that "nothing was touched" can be said of all of them. */
function snapshot(): Record<string, string> {
  const files = fs.readdirSync(folder.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => [
      path.join(entry.parentPath, entry.name),
      fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1'),
    ]),
  );
}

const WRITABLE = CLIENT_SCOPES.filter(([client]) => CLIENTS[client].format !== 'yaml');

describe.each(WRITABLE)('%s, %s', (name, scope) => {
  const client = CLIENTS[name];
  const isToml = client.format === 'toml';
  const { keys, entry } = client.place(
    'lectern',
    launchServer({ platform: 'linux', flags: flagsForOne(client.name, scope) }),
    undefined,
    scope,
  );
  const [parent = ''] = keys;
  const comment = isToml ? '# mine\n' : client.dialect.comments ? '// mine\n' : '';
  const withOthers = isToml
    ? `${comment}model = "x"\n\n[${parent}.other]\ncommand = "o" # keep\n`
    : `${comment}{\n    "theme": "dark",\n    "${parent}": {\n        "other": { "command": "o" }\n    },\n    "last": [1,2]\n}\n`;
  const parsed = (text: string): unknown =>
    isToml ? parseToml(text) : parseJsonc(text, [], { allowTrailingComma: true });
  const entryIn = (text: string): unknown =>
    keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], parsed(text.replace('\ufeff', '')));
  const written = (): string => fs.readFileSync(fileOf(name, scope), 'utf8');

  async function expectMerged(state: SetupOutput['state']): Promise<string> {
    expect(await setup(name, scope, { write: true })).toMatchObject({ state, file: fileOf(name, scope), scope });
    const text = written();
    expect(JSON.parse(JSON.stringify(entryIn(text)))).toEqual(entry);
    expect(await setup(name, scope, { write: true })).toMatchObject({ state: 'unchanged' });
    expect(written()).toBe(text);
    return text;
  }

  test('a missing file is created with its folders and holds the snippet', async () => {
    const { snippet } = await setup(name, scope);
    expect(await expectMerged('created')).toBe(snippet);
    expect(Object.keys(snapshot())).toHaveLength(1);
  });

  test('an empty file is filled', async () => {
    write(fileOf(name, scope), '');
    const { snippet } = await setup(name, scope);
    expect(await expectMerged('changed')).toBe(snippet);
  });

  test('other entries, comments and formatting stay', async () => {
    write(fileOf(name, scope), withOthers);
    const after = await expectMerged('changed');
    for (const line of withOthers.split('\n')) expect(after).toContain(line.replace(/\}$/u, ''));
    const others = parsed(after) as Record<string, Record<string, unknown>>;
    delete others[parent]?.[keys[1] ?? ''];
    expect(others).toEqual(parsed(withOthers));
  });

  test('CRLF, a byte order mark and a missing final line break stay, if the client reads such a file', async () => {
    const text = `\ufeff${withOthers.trimEnd().replaceAll('\n', '\r\n')}`;
    write(fileOf(name, scope), text);
    if (client.refusesMark) {
      const refused = { code: 'REFUSED', message: expect.stringMatching(/not changed: .*byte order mark/u) };
      await expect(setup(name, scope, { write: true })).rejects.toMatchObject(refused);
      expect(written()).toBe(text);
      return;
    }
    const after = await expectMerged('changed');
    expect(after.startsWith('\ufeff')).toBe(true);
    expect(after.slice(1)).not.toContain('\ufeff');
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(after.endsWith('\n')).toBe(false);
  });

  test('a link stays a link, and its target keeps its mode', async () => {
    const target = scope === 'user' ? folder.at('dotfiles', 'config') : path.join(projectDir, 'shared', 'config');
    write(target, withOthers);
    fs.chmodSync(target, 0o600);
    fs.mkdirSync(path.dirname(fileOf(name, scope)), { recursive: true });
    fs.symlinkSync(path.relative(path.dirname(fileOf(name, scope)), target), fileOf(name, scope));
    await expectMerged('changed');
    expect(fs.lstatSync(fileOf(name, scope)).isSymbolicLink()).toBe(true);
    expect(fs.statSync(target).mode & 0o7777).toBe(0o600);
    expect(fs.readdirSync(path.dirname(target))).toEqual(['config']);
  });

  test.runIf(scope === 'project')('a link that leads out of the project is refused, and its target stays', async () => {
    const file = fileOf(name, scope);
    const target = folder.at('dotfiles');
    write(path.join(target, path.basename(file)), withOthers);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const refused = async (): Promise<void> => {
      const before = snapshot();
      await expect(setup(name, scope, { write: true })).rejects.toMatchObject({ code: 'REFUSED' });
      expect(snapshot()).toEqual(before);
    };
    fs.symlinkSync(path.join(target, path.basename(file)), file);
    await refused();
    if (path.dirname(file) === projectDir) return;
    fs.rmSync(path.dirname(file), { recursive: true });
    fs.symlinkSync(target, path.dirname(file));
    await refused();
    fs.rmSync(path.join(target, path.basename(file)));
    await refused();
  });

  test('a read-only file and a file with a second name are left as they are', async () => {
    const file = fileOf(name, scope);
    write(file, withOthers);
    fs.chmodSync(file, 0o444);
    await expect(setup(name, scope, { write: true })).rejects.toMatchObject({
      code: 'UNWRITABLE',
      message: expect.stringContaining('read-only'),
    });
    fs.chmodSync(file, 0o644);
    fs.linkSync(file, folder.at('second'));
    await expect(setup(name, scope, { write: true })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('another name'),
    });
    expect(fs.statSync(file).ino).toBe(fs.statSync(folder.at('second')).ino);
    expect(written()).toBe(withOthers);
  });

  test.each(['{"a": ', '\u0000', isToml ? 'a = ' : '[]'])(
    'a broken file is refused untouched, with place and reason: %j',
    async (text) => {
      write(fileOf(name, scope), text);
      const before = snapshot();
      await expect(setup(name, scope, { write: true, force: true })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        path: fileOf(name, scope),
        line: 1,
        message: expect.stringMatching(/was not changed: .+ \(line 1/u),
      });
      expect(snapshot()).toEqual(before);
    },
  );

  test('an entry that differs is shown and refused; with force it is replaced and the rest stays', async () => {
    const other = isToml
      ? `${withOthers}\n[${parent}.lectern]\ncommand = "old"\nenv = { KEY = "secret" }\n`
      : withOthers.replace(
          '"other": {',
          '"lectern": { "command": "old", "env": { "KEY": "secret" } },\n        "other": {',
        );
    write(fileOf(name, scope), other);
    const before = snapshot();
    const refused = await setup(name, scope, { write: true }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'REFUSED',
      path: fileOf(name, scope),
      message: expect.stringContaining('"command":"old"'),
    });
    expect(String(refused)).not.toContain('secret');
    expect(snapshot()).toEqual(before);
    expect(await setup(name, scope, { write: true, force: true })).toMatchObject({ state: 'changed' });
    expect(JSON.parse(JSON.stringify(entryIn(written())))).toEqual({ ...entry, env: { KEY: 'secret' } });
    expect(await setup(name, scope, { write: true })).toMatchObject({ state: 'unchanged' });
  });

  test('a dry run shows the change and writes nothing', async () => {
    expect(await setup(name, scope, { dryRun: true })).toMatchObject({
      state: 'would-create',
      diff: expect.stringContaining('+'),
    });
    write(fileOf(name, scope), withOthers);
    const before = snapshot();
    const { state, diff = '' } = await setup(name, scope, { dryRun: true, write: true });
    expect(state).toBe('would-change');
    expect(diff).toMatch(/^--- .+\n\+\+\+ .+\n@@ -\d+,\d+ \+\d+,\d+ @@\n/u);
    expect(snapshot()).toEqual(before);
  });

  test('printing writes nothing', async () => {
    expect(await setup(name, scope)).toMatchObject({ state: 'printed' });
    expect(snapshot()).toEqual({});
  });
});

describe('files that cannot be merged are left alone', () => {
  test('a link that leads nowhere', async () => {
    fs.symlinkSync('nowhere', path.join(projectDir, '.mcp.json'));
    await expect(setup('claude', 'project', { write: true })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('is a broken link'),
    });
  });

  test('a folder', async () => {
    fs.mkdirSync(path.join(projectDir, '.mcp.json'));
    await expect(setup('claude', 'project', { write: true })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('not a regular file'),
    });
  });

  test('text that is not UTF-8', async () => {
    write(path.join(projectDir, '.mcp.json'), new Uint8Array([0x7b, 0xff, 0x7d]));
    await expect(setup('claude', 'project', { write: true })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('not UTF-8'),
    });
  });
});

describe('setup options', () => {
  test('each client has a default scope', async () => {
    const scopes = await Promise.all(
      CLIENT_NAMES.map(async (client) => [client, (await setup(client, undefined)).scope]),
    );
    expect(Object.fromEntries(scopes)).toEqual({
      claude: 'project',
      codex: 'user',
      cursor: 'project',
      vscode: 'project',
      gemini: 'project',
      zed: 'user',
      opencode: 'project',
      copilot: 'user',
      'claude-desktop': 'user',
      windsurf: 'user',
      kiro: 'user',
      goose: 'user',
      amp: 'user',
      qwen: 'user',
      kilo: 'user',
      cline: 'user',
    });
  });

  test('an entry with a path of this machine goes to the user, unless the project is asked for', async () => {
    const installation = '/clone/dist/cli.cjs';
    for (const client of CLIENT_NAMES) expect((await setup(client, undefined, { installation })).scope).toBe('user');
    expect((await setup('claude', undefined, { installation, url: 'https://skills.example' })).scope).toBe('project');
    const shared = await setup('vscode', 'project', { installation });
    expect(shared).toMatchObject({
      scope: 'project',
      note: expect.stringContaining('so mcp.json will not work for colleagues. Use --published'),
    });
    expect((await setup('vscode', 'user', { installation })).note ?? '').not.toContain('colleagues');
    expect((await setup('vscode', 'project')).note ?? '').not.toContain('colleagues');
  });

  test('a scope that the client does not have is refused', async () => {
    await expect(setup('windsurf', 'project')).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'Windsurf has no configuration for a project.',
    });
  });

  test('json prints a generic entry that belongs to no file, and cannot be written', async () => {
    const printed = await setup('json', undefined);
    expect(printed.file).toBeUndefined();
    expect(JSON.parse(printed.snippet)).toEqual({
      mcpServers: { lectern: { command: 'npx', args: ['-y', 'lectern', 'mcp'] } },
    });
    for (const how of [{ write: true }, { dryRun: true }, { remove: true }])
      await expect(setup('json', undefined, how)).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('a configuration in YAML is printed, and never written', async () => {
    const { snippet, format, state } = await setup('goose', undefined, { name: 'no' });
    expect({ format, state }).toEqual({ format: 'yaml', state: 'printed' });
    expect(parseYaml(snippet)).toEqual({
      extensions: {
        no: {
          name: 'no',
          enabled: true,
          type: 'stdio',
          cmd: 'npx',
          args: ['-y', 'lectern', 'mcp', '--for', 'goose'],
          timeout: 300,
        },
      },
    });
    write(fileOf('goose', 'user'), 'extensions: {}\n');
    const before = snapshot();
    for (const how of [{ write: true }, { dryRun: true }, { remove: true }])
      await expect(setup('goose', undefined, how)).rejects.toMatchObject({
        code: 'REFUSED',
        message: expect.stringContaining('YAML'),
      });
    expect(snapshot()).toEqual(before);
  });

  test('a client whose format is only documented keeps a file with comments unchanged', async () => {
    const file = path.join(projectDir, 'kilo.jsonc');
    write(file, '{ // mine\n}\n');
    await expect(setup('kilo', 'project', { write: true })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('only files without comments'),
    });
    write(file, '{}\n');
    expect(await setup('kilo', 'project', { write: true })).toMatchObject({ state: 'changed', file });
  });

  test('a client that can only start commands gets no URL', async () => {
    await expect(setup('claude-desktop', undefined, { transport: 'http' })).rejects.toMatchObject({ code: 'REFUSED' });
    const joined = await setup('claude-desktop', undefined, { url: 'https://skills.example' });
    expect(joined.snippet).toContain('"--catalog", "https://skills.example"');
    expect(joined.note).toContain('add LECTERN_TOKEN to "env" of the entry by hand');
  });

  test('--remove names the scope that has an entry if the default has none', async () => {
    const installation = '/clone/dist/cli.cjs';
    await setup('claude', 'project', { write: true });
    expect(await setup('claude', undefined, { remove: true, installation })).toMatchObject({
      state: 'absent',
      scope: 'user',
      note: 'There is one for the project: lectern setup claude --scope project --remove',
    });
    expect(await setup('claude', 'project', { remove: true, installation })).toMatchObject({ state: 'removed' });
    expect((await setup('claude', undefined, { remove: true, installation })).note).not.toContain('There is one');
  });

  test('opencode: the file that exists is the one that is changed', async () => {
    write(path.join(projectDir, 'opencode.jsonc'), '{}\n');
    expect((await setup('opencode', 'project', { write: true })).file).toBe(path.join(projectDir, 'opencode.jsonc'));
  });

  test('a project’s .mcp.json serves Claude Code and Copilot CLI alike', async () => {
    await setup('claude', 'project', { write: true });
    expect(await setup('copilot', 'project', { write: true })).toMatchObject({ state: 'unchanged' });
  });

  test('for a client that reads skills itself, setup reports the skills the server adds', async () => {
    const skill = (name: string): string => `---\nname: ${name}\ndescription: d\n---\n`;
    write(path.join(projectDir, '.codex/skills/native/SKILL.md'), skill('native'));
    write(path.join(projectDir, '.claude/skills/other/SKILL.md'), skill('other'));
    expect((await setup('codex', 'user')).adds).toEqual({ native: 1, served: ['other'] });
    expect((await setup('codex', 'user', { everything: true })).adds).toBeUndefined();
    expect((await setup('codex', 'user', { everything: true })).snippet).not.toContain('--for');
    expect((await setup('codex', 'user', { flags: ['--for', 'claude'] })).adds).toEqual({
      native: 1,
      served: ['native'],
    });
    expect((await setup('claude', 'project')).adds).toBeUndefined();
  });

  test('the name, the flags and the address reach the entry', async () => {
    expect((await setup('cursor', 'user', { name: 'skills-2', flags: ['--include', 'a b'] })).snippet).toContain(
      '"skills-2": {\n      "command": "npx",\n      "args": ["-y", "lectern", "mcp", "--include", "a b", "--for", "cursor"]',
    );
    expect((await setup('cursor', 'user', { url: 'https://skills.example/mcp' })).snippet).toContain(
      '"url": "https://skills.example/mcp"',
    );
    expect((await setup('cursor', 'user', { transport: 'http' })).snippet).toContain(
      '"url": "http://127.0.0.1:3000/mcp"',
    );
  });

  test.each<[string, Request]>([
    ['an address that is none', { url: 'http://[' }],
    ['an address with a password', { url: 'https://me:secret@skills.example' }],
    ['flags with http', { transport: 'http', flags: ['--x'] }],
    ['an installation with http', { transport: 'http', installation: '/x/cli.js' }],
  ])('%s is refused', async (_, request) => {
    await expect(setup('claude', 'project', request)).rejects.toMatchObject({ code: 'USAGE' });
  });

  test.each(['', 'a b', '-x', 'a.b', '__proto__', 'ü', 'x'.repeat(65)])(
    '"%s" is no name for a server',
    async (name) => {
      await expect(setup('claude', 'project', { name })).rejects.toMatchObject({ code: 'USAGE' });
    },
  );

  test('without a home there is no user scope', async () => {
    const workspace = await Workspace.open({ projectDir, environment: {} });
    const request = { client: 'codex', platform: 'linux' } as const;
    await expect(ask(setupClient, request, workspace)).rejects.toMatchObject({
      code: 'REFUSED',
      hint: expect.stringContaining('--scope project'),
    });
  });

  test('the client’s own command, ready for three shells', async () => {
    expect((await setup('claude', 'project')).commands).toEqual({
      bash: `cd '${projectDir.replace("'", String.raw`'\''`)}' && claude mcp add --scope project lectern -- npx -y lectern mcp`,
      powershell: `Set-Location -LiteralPath '${projectDir.replace("'", "''")}'; claude mcp add --scope project lectern -- npx -y lectern mcp`,
      cmd: `cd /d "${projectDir}" && claude mcp add --scope project lectern -- npx -y lectern mcp`,
    });
    expect((await setup('claude', 'user', { transport: 'http' })).commands?.['bash']).toBe(
      'claude mcp add --scope user --transport http lectern http://127.0.0.1:3000/mcp',
    );
    expect((await setup('zed', 'user')).commands).toBeUndefined();
  });
});
