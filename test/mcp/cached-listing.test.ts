/** Lists that are requested before the first scan has ended: they wait for it, or come from the last run. */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { describe, expect, test, vi } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { Failure } from '../../src/core/failure.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { serve } from '../../src/server/serve-workspace.ts';
import { ServedWorkspace } from '../../src/mcp/served-workspace.ts';
import { CachedListing } from '../../src/workspace/cached-listing.ts';
import { readSettings } from '../../src/workspace/settings.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { LinesTransport, listedNames } from '../support/connect.ts';
import { project, type Project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

type OnDisk = Project & { at(...name: string[]): string };

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => void (open = resolve));
  return { opened, open };
}

/** A server whose scan and whose limit for waiting are controlled by the test, and a client of it. */
async function start(folder: OnDisk, more: { exclude?: string[]; autoRefresh?: boolean } = {}) {
  const options = { projectDir: folder.at('project'), userDir: folder.at('home'), ...more };
  const { settings } = readSettings(nodeDisk, options);
  const [scan, limit] = [gate(), gate()];
  const [input, output] = [new PassThrough(), new PassThrough()];
  const running = await serve({
    open: () => scan.opened.then(() => Workspace.open({ ...options, notesStates: true })),
    settings,
    findSpecs: () => false,
    cached: CachedListing.find(nodeDisk, options, settings),
    patience: () => limit.opened,
    log: { info: () => undefined, warn: () => undefined, bug: (error) => expect(error).toBeUndefined() },
    transport: { kind: 'stdio', input, output },
  });
  const client = new Client({ name: 'test', version: '1' });
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
  await client.connect(new LinesTransport(output, input));
  return {
    client,
    heard,
    scan: scan.open,
    /** The limit for waiting has passed. */
    passLimit: limit.open,
    names: async () => listedNames((await client.listTools()).tools[0]?.description ?? ''),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    async [Symbol.asyncDispose]() {
      scan.open();
      await client.close();
      await running.close();
    },
  };
}

/** Runs a server once, to its end. */
async function runOnce(folder: OnDisk, more = {}): Promise<void> {
  await using server = await start(folder, more);
  server.scan();
  await server.names();
}

/** Runs servers until the files are old enough for their stamps to count. */
async function runUntilSettled(folder: OnDisk): Promise<void> {
  const options = { projectDir: folder.at('project'), userDir: folder.at('home') };
  const listing = CachedListing.find(nodeDisk, options, readSettings(nodeDisk, options).settings);
  const isSettled = async (): Promise<boolean> => {
    await runOnce(folder);
    const found = listing?.read();
    return found !== undefined && (await listing?.isUnchanged(found, () => false)) === true;
  };
  await expect.poll(isSettled).toBe(true);
}

const files = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`project/skills/${name}/SKILL.md`, skillText({ name })]));

const cachedFiles = (folder: OnDisk): string[] =>
  readdirSync(folder.at('home/.cache/lectern/listings')).map((name) => folder.at('home/.cache/lectern/listings', name));

describe('the listing of the last run', () => {
  test('is served without waiting if every folder and file is unchanged', async () => {
    using folder = project(files('one', 'two'), 'disk');
    await runUntilSettled(folder);
    await using server = await start(folder);
    expect(await server.names()).toEqual(['one', 'two']);
    expect(await server.prompts()).toEqual(['one', 'skill', 'two']);
    expect(await server.resources()).toEqual(['skill://repo/one/SKILL.md', 'skill://repo/two/SKILL.md']);
    server.scan();
    await expect.poll(() => server.client.callTool({ name: 'skill', arguments: { name: 'one' } })).toBeTruthy();
    expect(await server.names()).toEqual(['one', 'two']);
    expect(server.heard).toEqual([]);
  });

  const copy = { 'home/.claude/skills/one/SKILL.md': skillText({ name: 'one' }), ...files('one', 'two') };

  test.each<[string, (folder: OnDisk) => void, string[]]>([
    ['a skill was added', (folder) => folder.write(files('three')), ['one', 'three', 'two']],
    ['a skill was removed', (folder) => rmSync(folder.at('project/skills/two'), { recursive: true }), ['one']],
    [
      'a SKILL.md was edited and kept its size and time of change',
      (folder) => {
        const file = folder.at('project/skills/two/SKILL.md');
        const { atime, mtime } = statSync(file);
        writeFileSync(file, readFileSync(file, 'utf8').replace('name: two', 'name: owt'));
        utimesSync(file, atime, mtime);
      },
      ['one', 'owt'],
    ],
    [
      'a folder of skills appeared where there was none',
      (folder) => folder.write({ 'home/.agents/skills/new/SKILL.md': skillText({ name: 'new' }) }),
      ['new', 'one', 'two'],
    ],
    [
      'a folder of another agent appeared',
      (folder) => folder.write({ 'home/.other/skills/new/SKILL.md': skillText({ name: 'new' }) }),
      ['new', 'one', 'two'],
    ],
    [
      'a configuration file appeared',
      (folder) => folder.write({ 'project/.lectern/config.json': '{ "priority": "project-first" }' }),
      ['one', 'two'],
    ],
    [
      'a plugin was switched off',
      (folder) => folder.write({ 'home/.claude/settings.json': '{ "enabledPlugins": {} }' }),
      ['one', 'two'],
    ],
    [
      'a bundled file made a copy differ',
      (folder) => folder.write({ 'home/.claude/skills/one/more.md': 'more' }),
      ['one', 'two'],
    ],
  ])('does not answer for the scan if %s', async (_, change, expected) => {
    using folder = project(copy, 'disk');
    await runUntilSettled(folder);
    change(folder);
    await using server = await start(folder);
    let answered = false;
    const asked = server.names().finally(() => (answered = true));
    await server.client.ping();
    expect(answered).toBe(false);
    server.scan();
    expect((await asked).sort()).toEqual(expected);
    expect(server.heard).toEqual([]);
  });

  test('is served after the limit although files changed, and clients are notified of every list that differs', async () => {
    using folder = project(files('one'), 'disk');
    await runOnce(folder);
    folder.write(files('two'));
    await using server = await start(folder);
    server.passLimit();
    expect(await server.names()).toEqual(['one']);
    expect(await server.prompts()).toEqual(['one', 'skill']);
    expect(await server.resources()).toEqual(['skill://repo/one/SKILL.md']);
    server.scan();
    for (const list of ['tools', 'prompts', 'resources'])
      await expect.poll(() => server.heard).toContain(`notifications/${list}/list_changed`);
    expect(await server.names()).toEqual(['one', 'two']);
    expect(await server.prompts()).toEqual(['one', 'skill', 'two']);
    expect(await server.resources()).toEqual(['skill://repo/one/SKILL.md', 'skill://repo/two/SKILL.md']);
  });

  test('is served after the limit, and nothing is announced if the scan finds the same', async () => {
    using folder = project(files('one'), 'disk');
    await runOnce(folder);
    await using server = await start(folder);
    server.passLimit();
    expect(await server.names()).toEqual(['one']);
    server.scan();
    await server.client.callTool({ name: 'skill', arguments: { name: 'one' } });
    await server.client.ping();
    expect(server.heard).toEqual([]);
  });

  test('has the prompts and resources with all details from the scan', async () => {
    const more = ['argument-hint: "[file]"'];
    const hidden = skillText({ name: 'hidden', more: ['user-invocable: false'] });
    const manual = skillText({ name: 'manual', more: ['disable-model-invocation: true'] });
    using folder = project(
      {
        'project/skills/one/SKILL.md': skillText({ name: 'one', more }),
        'project/skills/hidden/SKILL.md': hidden,
        'project/skills/manual/SKILL.md': manual,
      },
      'disk',
    );
    await runOnce(folder);
    const lists = async ({ client }: Awaited<ReturnType<typeof start>>) => [
      await client.listTools(),
      await client.listPrompts(),
      await client.listResources(),
    ];
    await using late = await start(folder);
    late.passLimit();
    const before = await lists(late);
    late.scan();
    await late.client.callTool({ name: 'skill', arguments: { name: 'one' } });
    expect(before).toEqual(await lists(late));
    expect(late.heard).toEqual([]);
  });

  test('makes no handshake wait, and a request waits for the limit of 400 ms', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      using folder = project(files('one'), 'disk');
      await runOnce(folder);
      const options = { projectDir: folder.at('project'), userDir: folder.at('home') };
      const { settings } = readSettings(nodeDisk, options);
      const served = new ServedWorkspace(
        new Promise(() => undefined),
        {
          serverName: 'test',
          tools: new Set(['skill']),
          toolNames: 'underscore',
          descriptionBudget: undefined,
          refreshIntervalMs: 30_000,
          watch: true,
        },
        { info: () => undefined, warn: () => undefined, bug: () => undefined },
        { cached: CachedListing.find(nodeDisk, options, settings) },
      );
      folder.write(files('two'));
      await served.checkCached();
      let text: string | undefined;
      const asked = served.skillDescription('test').then((description) => (text = description));
      await vi.advanceTimersByTimeAsync(LIMITS.firstScanWait.value - 1);
      expect([LIMITS.firstScanWait.value, text]).toEqual([400, undefined]);
      await vi.advanceTimersByTimeAsync(1);
      expect(listedNames(await asked)).toEqual(['one']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is rewritten when a server that noticed changes stops', async () => {
    using folder = project(files('one'), 'disk');
    {
      await using server = await start(folder);
      server.scan();
      expect(await server.names()).toEqual(['one']);
      folder.write(files('two'));
      await expect.poll(() => server.heard).toContain('notifications/tools/list_changed');
    }
    await using next = await start(folder);
    next.passLimit();
    expect(await next.names()).toEqual(['one', 'two']);
  });

  test.each([
    ['is damaged', (text: string) => text.slice(0, -10)],
    ['was edited', (text: string) => text.replaceAll('"one"', '"evil"')],
    ['is something else', () => '[]'],
  ])('does not count if it %s: the client waits for the scan', async (_, change) => {
    using folder = project(files('one'), 'disk');
    await runOnce(folder);
    for (const file of cachedFiles(folder)) writeFileSync(file, change(readFileSync(file, 'utf8')));
    await using server = await start(folder);
    server.passLimit();
    const asked = server.names();
    server.scan();
    expect(await asked).toEqual(['one']);
  });

  test('belongs to its settings: a server with other filters waits for its own scan', async () => {
    using folder = project(files('one', 'two'), 'disk');
    await runOnce(folder);
    await using server = await start(folder, { exclude: ['two'] });
    server.passLimit();
    const asked = server.names();
    server.scan();
    expect(await asked).toEqual(['one']);
    await expect.poll(() => cachedFiles(folder)).toHaveLength(2);
  });

  test('is not used by a server that cannot notify its clients of changes', async () => {
    using folder = project(files('one'), 'disk');
    await runOnce(folder, { autoRefresh: false });
    expect(() => cachedFiles(folder)).toThrow(/ENOENT/u);
  });

  test('may fail to be written', () => {
    const options = { projectDir: '/nowhere', userDir: '/' };
    const broken = {
      ...nodeDisk,
      replace: () => {
        throw new Failure('UNWRITABLE', 'no');
      },
    };
    const listing = CachedListing.find(broken, options, readSettings(nodeDisk, options).settings);
    expect(() => listing?.write([], undefined)).not.toThrow();
    expect(CachedListing.find(nodeDisk, { projectDir: '/' }, readSettings(nodeDisk, options).settings)).toBeUndefined();
  });
});
