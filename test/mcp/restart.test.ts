/** Skills are added, changed and removed between two runs: the first list of the second run is current. */
import { rmSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { serve, type ServeTransport } from '../../src/server/serve-workspace.ts';
import { CachedListing } from '../../src/workspace/cached-listing.ts';
import { readSettings } from '../../src/workspace/settings.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { LinesTransport } from '../support/connect.ts';
import { times } from '../support/effort.ts';
import { project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import type { TempFolder } from '../support/temp-folder.ts';

type Sdk = 'the first SDK' | 'the second SDK';
type Kind = 'stdio' | 'http';

/** Runs a server once and returns the first lists that a client gets. The limit for waiting never passes. */
async function firstLists(folder: TempFolder, sdk: Sdk, kind: Kind) {
  const options = { projectDir: folder.at('project'), userDir: folder.at('home'), descriptionBudget: 0 };
  const { settings } = readSettings(nodeDisk, options);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport: ServeTransport =
    kind === 'stdio' ? { kind, input, output } : { kind, host: '127.0.0.1', port: 0, tokens: [], allowedHosts: [] };
  let url = '';
  let scan = (): void => undefined;
  const requested = new Promise<void>((resolve) => void (scan = resolve));
  const running = await serve({
    open: () => requested.then(() => Workspace.open({ ...options, notesStates: true })),
    settings,
    findSpecs: () => false,
    cached: CachedListing.find(nodeDisk, options, settings),
    patience: () => new Promise(() => undefined),
    log: {
      info: (text) => void (url ||= / at (\S+\/)mcp;/u.exec(text)?.[1] ?? ''),
      warn: () => undefined,
      bug: (error) => expect(error).toBeUndefined(),
    },
    transport,
  });
  const [client, end] =
    sdk === 'the second SDK'
      ? [
          new Client({ name: 'test', version: '1' }),
          kind === 'stdio' ? new LinesTransport(output, input) : new StreamableHTTPClientTransport(new URL('mcp', url)),
        ]
      : [
          new FirstClient({ name: 'test', version: '1' }),
          kind === 'stdio' ? new LinesTransport(output, input) : new FirstHttpTransport(new URL('mcp', url)),
        ];
  // The optional properties of the first SDK are not exact, and both have the same messages.
  await (client as Client).connect(end as LinesTransport);
  try {
    const lists = Promise.all([client.listTools(), client.listPrompts(), client.listResources()]);
    // The server has the requests before it starts to scan.
    await client.ping();
    scan();
    const [{ tools }, { prompts }, { resources }] = await lists;
    return { description: tools[0]?.description ?? '', prompts, resources };
  } finally {
    await client.close();
    await running.close();
  }
}

const nameOf = (index: number): string => `skill-${String(index).padStart(5, '0')}`;
const fileOf = (index: number): string => `project/.claude/skills/${nameOf(index)}/SKILL.md`;

async function restart(size: number, sdk: Sdk, kind: Kind): Promise<void> {
  const numbers = Array.from({ length: size }, (_, index) => index);
  using folder = project(
    Object.fromEntries(numbers.map((index) => [fileOf(index), skillText({ name: nameOf(index) })])),
    'disk',
  );
  await firstLists(folder, sdk, kind);
  folder.write({
    'project/.claude/skills/added/SKILL.md': skillText({ name: 'added' }),
    [fileOf(0)]: skillText({ name: nameOf(0), description: 'Says something else now.' }),
  });
  rmSync(folder.at(fileOf(size - 1), '..'), { recursive: true });
  const { description, prompts, resources } = await firstLists(folder, sdk, kind);
  // Ten thousand are listed by name only.
  expect(description).toMatch(/^(?:<name>)?added\b/mu);
  expect(description).not.toContain(nameOf(size - 1));
  expect(prompts.slice(0, 3)).toMatchObject([
    { name: 'added' },
    { name: 'skill' },
    { name: nameOf(0), description: 'Says something else now.' },
  ]);
  expect(resources[0]).toMatchObject({ name: 'added' });
}

describe.each(['the first SDK', 'the second SDK'] as const)('after a restart, %s', (sdk) => {
  test.each([
    [2, 'stdio'],
    [2, 'http'],
    [40, 'stdio'],
    [40, 'http'],
  ] as const)('gets the current list of %d skills first, over %s', (size, kind) => restart(size, sdk, kind));
});

const EVERY_WAY = [
  ['the second SDK', 'stdio'],
  ['the first SDK', 'http'],
  ['the first SDK', 'stdio'],
  ['the second SDK', 'http'],
] as const;

// Writing ten thousand files takes longer than everything else here.
test.each(EVERY_WAY.slice(0, times(1, EVERY_WAY.length)))(
  'after a restart, %s gets the current list of 10,000 skills first, over %s',
  (sdk, kind) => restart(10_000, sdk, kind),
);
