/** The tools are listed before the first scan has ended, from what the last run found. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { Failure } from '../../src/core/failure.ts';
import { serve } from '../../src/mcp/serve.ts';
import { KeptListing } from '../../src/workspace/kept-listing.ts';
import { readSettings } from '../../src/workspace/settings.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { LinesTransport, listedNames } from '../support/connect.ts';
import { project, type Project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

type OnDisk = Project & { at(...name: string[]): string };

/** A server whose scan starts when it is told to, and a client of it. */
async function start(folder: OnDisk, more: { exclude?: string[]; autoRefresh?: boolean } = {}) {
  const options = { projectDir: folder.at('project'), userDir: folder.at('home'), ...more };
  const { settings } = readSettings(nodeDisk, options);
  let scan = (): void => undefined;
  const told = new Promise<void>((resolve) => void (scan = resolve));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const running = await serve({
    open: () => told.then(() => Workspace.open(options)),
    settings,
    findSpecs: () => false,
    kept: KeptListing.find(nodeDisk, options, settings),
    log: { info: () => undefined, warn: () => undefined, bug: (error) => expect(error).toBeUndefined() },
    transport: { kind: 'stdio', input, output },
  });
  const client = new Client({ name: 'test', version: '1' });
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
  await client.connect(new LinesTransport(output, input));
  return {
    scan,
    heard,
    names: async () => listedNames((await client.listTools()).tools[0]?.description ?? ''),
    async [Symbol.asyncDispose]() {
      scan();
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

const files = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`project/skills/${name}/SKILL.md`, skillText({ name })]));

const kept = (folder: OnDisk): string[] =>
  readdirSync(folder.at('home/.cache/lectern/listings')).map((name) => folder.at('home/.cache/lectern/listings', name));

describe('the listing of the last run', () => {
  test('is served while the scan is under way, and stays if nothing changed', async () => {
    using folder = project(files('one', 'two'), 'disk');
    await runOnce(folder);
    await using server = await start(folder);
    expect(await server.names()).toEqual(['one', 'two']);
    server.scan();
    await expect.poll(() => server.names()).toEqual(['one', 'two']);
    expect(server.heard).toEqual([]);
  });

  test('is replaced when the scan has ended, and clients are told', async () => {
    using folder = project(files('one'), 'disk');
    await runOnce(folder);
    folder.write(files('two'));
    await using server = await start(folder);
    expect(await server.names()).toEqual(['one']);
    server.scan();
    await expect.poll(() => server.heard).toContain('notifications/tools/list_changed');
    expect(await server.names()).toEqual(['one', 'two']);
    await using next = await start(folder);
    expect(await next.names()).toEqual(['one', 'two']);
  });

  test('is kept up to date while the server runs', async () => {
    using folder = project(files('one'), 'disk');
    {
      await using server = await start(folder);
      server.scan();
      expect(await server.names()).toEqual(['one']);
      folder.write(files('two'));
      await expect.poll(() => server.heard).toContain('notifications/tools/list_changed');
    }
    await using next = await start(folder);
    expect(await next.names()).toEqual(['one', 'two']);
  });

  test.each([
    ['is damaged', (text: string) => text.slice(0, -10)],
    ['was edited', (text: string) => text.replace('"one"', '"evil"')],
    ['is something else', () => '[]'],
  ])('does not count if it %s: the client waits for the scan', async (_, change) => {
    using folder = project(files('one'), 'disk');
    await runOnce(folder);
    for (const file of kept(folder)) writeFileSync(file, change(readFileSync(file, 'utf8')));
    await using server = await start(folder);
    const asked = server.names();
    server.scan();
    expect(await asked).toEqual(['one']);
  });

  test('belongs to its settings: a server with other filters waits for its own scan', async () => {
    using folder = project(files('one', 'two'), 'disk');
    await runOnce(folder);
    await using server = await start(folder, { exclude: ['two'] });
    const asked = server.names();
    server.scan();
    expect(await asked).toEqual(['one']);
    expect(kept(folder)).toHaveLength(2);
  });

  test('is not used by a server that cannot tell its clients of changes', async () => {
    using folder = project(files('one'), 'disk');
    await runOnce(folder, { autoRefresh: false });
    expect(() => kept(folder)).toThrow(/ENOENT/u);
  });

  test('that cannot be written is no trouble', () => {
    const options = { projectDir: '/nowhere', userDir: '/' };
    const broken = {
      ...nodeDisk,
      replace: () => {
        throw new Failure('UNWRITABLE', 'no');
      },
    };
    const listing = KeptListing.find(broken, options, readSettings(nodeDisk, options).settings);
    expect(() => listing?.write([])).not.toThrow();
    expect(KeptListing.find(nodeDisk, { projectDir: '/' }, readSettings(nodeDisk, options).settings)).toBeUndefined();
  });
});
