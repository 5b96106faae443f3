/** The official inspector's command line, against the server as people start it. */
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFetched } from '../support/fetched-packages.ts';
import { skillText } from '../support/skill-text.ts';
import { folderFlags, type StartedServer, startServer } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { CLI } from '../support/run-lectern.ts';

/** Undefined if the inspector could not be installed. */
const INSPECTOR = findFetched('inspector', 'clients/launcher/build/index.js');

const folder = project(
  {
    'project/.claude/skills/alpha/SKILL.md': skillText({ name: 'alpha', body: '# Alpha\n\nFirst letter.\n' }),
    'project/.claude/skills/alpha/references/guide.md': '# Guide\n',
    'project/.agents/skills/beta/SKILL.md': skillText({ name: 'beta' }),
  },
  'disk',
);
let servers: Record<'http' | 'sse', StartedServer>;
beforeAll(
  async () => void (servers = { http: await startServer(folder, 'http'), sse: await startServer(folder, 'sse') }),
);
afterAll(async () => {
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  folder[Symbol.dispose]();
});

type Transport = 'stdio' | 'http' | 'sse';

interface Inspected {
  exitCode: number;
  documents: unknown[];
  stderr: string;
}

function inspect(
  transport: Transport,
  args: readonly string[],
  command: readonly string[] = ['mcp'],
): Promise<Inspected> {
  const target =
    transport === 'stdio'
      ? [process.execPath, CLI, ...command, ...folderFlags(folder)]
      : [servers[transport].url, '--transport', transport];
  const all = [INSPECTOR ?? '', '--cli', ...target, ...args, '--format', 'json', '--quiet'];
  return new Promise((resolve) => {
    // It keeps a store in the home folder.
    const child = execFile(
      process.execPath,
      all,
      { env: { PATH: process.env['PATH'], HOME: folder.at('home') }, maxBuffer: 2 ** 24 },
      (_, stdout, stderr) =>
        resolve({
          exitCode: child.exitCode ?? -1,
          documents: stdout
            .split('\n')
            .filter(Boolean)
            .map((line): unknown => JSON.parse(line)),
          stderr,
        }),
    );
  });
}

const WAYS: readonly (readonly [Transport, era: string])[] = [
  ['stdio', 'legacy'],
  ['stdio', 'modern'],
  ['http', 'legacy'],
  ['http', 'modern'],
  ['sse', 'legacy'],
];

describe.skipIf(INSPECTOR === undefined).each(WAYS)('the inspector over %s, %s era', (transport, era) => {
  const ask = (...args: string[]) => inspect(transport, ['--protocol-era', era, ...args]);

  test.concurrent('lists the tools, and finds no schema that some client could stumble over', async () => {
    const { exitCode, documents, stderr } = await ask('--method', 'tools/list', '--strict');
    expect({ exitCode, stderr, documents }).toEqual({
      exitCode: 0,
      stderr: '',
      documents: [
        {
          result: expect.objectContaining({
            tools: expect.arrayContaining([
              expect.objectContaining({ name: 'skill', description: expect.stringContaining('<name>alpha</name>') }),
            ]),
          }),
        },
      ],
    });
  });

  test.concurrent('loads a skill', async () => {
    const { exitCode, documents } = await ask(
      '--method',
      'tools/call',
      '--tool-name',
      'skill',
      '--tool-arg',
      'name=alpha',
    );
    const block = {
      type: 'text',
      text: expect.stringMatching(/^Loading: alpha\n[\s\S]*# Alpha\n\nFirst letter\.\n$/u),
    };
    expect({ exitCode, documents }).toEqual({
      exitCode: 0,
      documents: [{ result: expect.objectContaining({ content: [block] }) }],
    });
  });
});

describe.skipIf(INSPECTOR === undefined)('the inspector’s verdict', () => {
  test.concurrent('a skill that is not there is a failed call, and not a broken server', async () => {
    const { exitCode, stderr } = await inspect('http', [
      '--method',
      'tools/call',
      '--tool-name',
      'skill',
      '--tool-arg',
      'name=gamma',
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 5, stderr: expect.stringContaining('tool_is_error') });
  });

  test.concurrent('every skill of the extension conforms and has the digests it promises', async () => {
    const { exitCode, documents } = await inspect('http', [
      '--protocol-era',
      'modern',
      '--method',
      'skills/list',
      '--verify',
      '--require-digests',
    ]);
    const verified = (name: string, files: number) =>
      expect.objectContaining({
        name,
        conformance: [],
        frontmatter: [],
        outcome: 'verified',
        files: Array(files).fill(expect.objectContaining({ status: 'verified' })),
      });
    expect({ exitCode, documents }).toEqual({ exitCode: 0, documents: [verified('beta', 1), verified('alpha', 2)] });
  });

  test.concurrent.each([[['mcp-server']], [['mcp', 'serve']]])(
    'the tools of %s have schemas for every client too',
    async (command) => {
      const { exitCode, documents, stderr } = await inspect('stdio', ['--method', 'tools/list', '--strict'], command);
      expect({ exitCode, documents, stderr }).toEqual({
        exitCode: 0,
        documents: [{ result: { tools: expect.any(Array) } }],
        stderr: '',
      });
    },
  );
});
