/** `lectern context --ask-servers`: which servers are started, after which question, and the size of their tools. */
import { describe, expect, test } from 'vitest';
import type { ServerAnswer } from '../../src/agents/context/servers.ts';
import type { ServerStart } from '../../src/clients/server-start.ts';
import { context, type ContextItem, type ContextOutput } from '../../src/operations/context.ts';
import type { Person } from '../../src/operations/define.ts';
import { perform } from '../../src/operations/perform.ts';
import { HOME, PROJECT, project, type ProjectFiles } from '../support/project.ts';

const GIT = { '/repo/project/.git/HEAD': 'ref: refs/heads/main\n' };
const TWO_TOOLS: ServerAnswer = {
  instructions: undefined,
  tools: [
    { name: 'read', description: 'Reads "it"', schema: { type: 'object' } },
    { name: 'write', description: '', schema: {} },
  ],
};

interface Options {
  /** Null for all that are found. */
  agent?: string | null;
  yes?: boolean;
  answer?: ServerAnswer;
  /** Answer of a user at a terminal, if there is one. */
  agrees?: boolean;
  environment?: Record<string, string>;
  projectDir?: string;
}

interface Result {
  output: ContextOutput;
  started: ServerStart[];
  timeouts: number[];
  /** Plans that the user saw. */
  asked: object[];
}

async function askWith(files: ProjectFiles, options: Options = {}): Promise<Result> {
  const { agent = 'claude', yes = true, answer = TWO_TOOLS, agrees, environment = {}, projectDir = PROJECT } = options;
  const workspace = await project(files).open({ projectDir });
  const started: ServerStart[] = [];
  const timeouts: number[] = [];
  const asked: object[] = [];
  const person: Pick<Person, 'confirm'> = {
    async confirm(plan) {
      asked.push(plan);
      return agrees === true;
    },
  };
  const { output } = await perform(
    context,
    { ...(agent === null ? {} : { agent }), askServers: true, yes, timeout: 7 },
    () => Promise.resolve(workspace),
    {
      face: 'cli',
      wording: { code: 'USAGE', prefix: '', whole: 'the input', unknown: 'key' },
      context: {
        environment,
        async askServer(start, { timeoutMs }) {
          started.push(start);
          timeouts.push(timeoutMs);
          return answer;
        },
        ...(agrees === undefined ? {} : { person: person as Person }),
      },
    },
  );
  return { output, started, timeouts, asked };
}

const serversIn = ({ items = [] }: ContextOutput): ContextItem[] => items.filter(({ kind }) => kind === 'mcp-server');
const MINE = JSON.stringify({ mcpServers: { mine: { command: 'serve', args: ['--all'], env: { KEY: 'secret' } } } });

describe('only servers in the user’s own files are started', () => {
  test('a server of the project is named with its file and the agent’s command, and never started', async () => {
    const { output, started } = await askWith({
      ...GIT,
      'home/.claude.json': MINE,
      'project/.mcp.json':
        '{"mcpServers":{"theirs":{"command":"evil"},"far":{"type":"http","url":"https://x.example"}}}',
    });
    expect(started).toEqual([
      { kind: 'program', command: 'serve', args: ['--all'], dir: HOME, environment: { KEY: 'secret' } },
    ]);
    const theirs = serversIn(output).filter(({ name }) => name !== 'mine');
    expect(theirs).toHaveLength(2);
    for (const item of theirs)
      expect(item).toMatchObject({
        status: 'unknown',
        characters: null,
        path: `${PROJECT}/.mcp.json`,
        reason: `${PROJECT}/.mcp.json defines it, which belongs to the project, so it is never started`,
        fix: 'List its tools with /mcp in Claude Code',
      });
  });

  test.each<[string, ProjectFiles, string?]>([
    [
      'the file is a link into the project',
      { 'home/.claude.json': { link: `${PROJECT}/c.json` }, 'project/c.json': MINE },
    ],
    [
      'the file is a link that passes through the project',
      {
        'home/.claude.json': { link: `${PROJECT}/c.json` },
        'project/c.json': { link: '/elsewhere/c.json' },
        '/elsewhere/c.json': MINE,
      },
    ],
    ['the project is the home folder', { 'home/.claude.json': MINE }, HOME],
    [
      'the project contains the home folder',
      { 'home/.claude.json': MINE, '/home/.git/HEAD': 'x' },
      '/home/someone/sub',
    ],
  ])('no server is started if %s', async (_, files, projectDir = PROJECT) => {
    const { output, started } = await askWith({ ...GIT, '/home/someone/sub/x': '', ...files }, { projectDir });
    expect(started).toEqual([]);
    expect(serversIn(output)).toMatchObject([{ name: 'mine', status: 'unknown', characters: null }]);
    expect(serversIn(output)[0]?.reason).toContain('never started');
  });

  test('a home folder that is reached through a link is still the user’s own', async () => {
    const { started } = await askWith(
      {
        ...GIT,
        'home/.codex': { link: '/data/codex' },
        '/data/codex/config.toml': '[mcp_servers.mine]\ncommand = "serve"\n',
      },
      { agent: 'codex' },
    );
    expect(started).toMatchObject([{ command: 'serve', dir: HOME }]);
  });

  test('the user’s own servers for this project are started too, and those for another project are not', async () => {
    const { started } = await askWith({
      ...GIT,
      'home/.claude.json': JSON.stringify({
        projects: {
          [PROJECT]: { mcpServers: { here: { command: 'here' } } },
          '/other': { mcpServers: { x: { command: 'x' } } },
        },
      }),
    });
    expect(started).toMatchObject([{ command: 'here' }]);
  });

  test('a file of the project cannot pretend to be the user’s file', async () => {
    const { started } = await askWith({
      ...GIT,
      'project/.mcp.json': JSON.stringify({ projects: { [PROJECT]: { mcpServers: { x: { command: 'x' } } } } }),
    });
    expect(started).toEqual([]);
  });

  test('no server is started in a folder of the project', async () => {
    const files = {
      ...GIT,
      'home/.claude.json': JSON.stringify({ mcpServers: { mine: { command: 'serve', cwd: `${PROJECT}/tools` } } }),
      'project/tools/x': '',
    };
    const { output, started } = await askWith(files);
    expect(started).toEqual([]);
    expect(serversIn(output)[0]?.reason).toContain('starts no server in a project');
  });
});

describe('confirmation', () => {
  const FILES = { ...GIT, 'home/.claude.json': MINE };

  test('without a terminal, --yes is needed, and the failure names each command with masked values', async () => {
    const failed = await askWith(FILES, { yes: false }).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'CONFIRM_NEEDED',
      hint: 'Use --yes to confirm. It starts or calls mine: KEY=*** serve --all',
    });
    expect(String((failed as Error).message)).not.toContain('writes');
  });

  test('on a terminal, the user sees each command first, and may refuse', async () => {
    const { asked, started } = await askWith(FILES, { yes: false, agrees: true });
    expect([asked, started.length]).toEqual([
      [{ servers: [{ agent: 'claude', name: 'mine', file: `${HOME}/.claude.json`, starts: 'KEY=*** serve --all' }] }],
      1,
    ]);
    await expect(askWith(FILES, { yes: false, agrees: false })).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'No MCP server was started.',
    });
  });

  test('nothing is asked if there is nothing to start', async () => {
    const { asked, output } = await askWith(GIT, { yes: false, agrees: true });
    expect([asked, output.servers]).toEqual([[], []]);
  });
});

describe('the size of the tools is that of the agent', () => {
  const config = { mine: { command: 'serve' }, other: { command: 'serve', args: ['2'] } };
  const CONFIGS: Record<string, ProjectFiles> = {
    claude: { 'home/.claude.json': JSON.stringify({ mcpServers: config }) },
    codex: {
      'home/.codex/config.toml':
        '[mcp_servers.mine]\ncommand="serve"\n[mcp_servers.other]\ncommand="serve"\nargs=["2"]\n',
    },
    opencode: {
      'home/.config/opencode/opencode.json': JSON.stringify({
        mcp: { mine: { type: 'local', command: ['serve'] }, other: { type: 'local', command: ['serve', '2'] } },
      }),
    },
    gemini: { 'home/.gemini/settings.json': JSON.stringify({ mcpServers: config }) },
    cursor: { 'home/.cursor/mcp.json': JSON.stringify({ mcpServers: config }) },
  };
  const sizes = async (agent: string, answer: ServerAnswer): Promise<(number | null)[]> => {
    const { output } = await askWith({ ...GIT, ...CONFIGS[agent] }, { agent, answer });
    return serversIn(output).map(({ characters }) => characters);
  };

  test('Claude Code gets the names of the tools, and the instructions below one heading', async () => {
    const names = 'mcp__mine__read\nmcp__mine__write\n'.length;
    expect(await sizes('claude', TWO_TOOLS)).toEqual([names, names + 2]);
    const heading =
      '# MCP Server Instructions\n\nThe following MCP servers have provided instructions for how to use their tools and resources:\n\n';
    const section = '## mine\nDo.\n\n'.length;
    expect(await sizes('claude', { ...TWO_TOOLS, instructions: 'Do.' })).toEqual([
      names + heading.length + section,
      names + 2 + section + 1,
    ]);
  });

  test('Codex gets one line for each server', async () => {
    const heading = '<tools>\nDeferred tool namespaces:\n</tools>'.length;
    expect(await sizes('codex', TWO_TOOLS)).toEqual([heading + '- mcp__mine\n'.length, '- mcp__other\n'.length]);
    expect(await sizes('codex', { ...TWO_TOOLS, instructions: 'Do.' })).toEqual([
      heading + '- mcp__mine: Do.\n'.length,
      '- mcp__other: Do.\n'.length,
    ]);
  });

  test('opencode and Gemini CLI get whole definitions', async () => {
    const definition =
      ',{"type":"function","function":{"name":"mine_read","description":"Reads \\"it\\"","parameters":{"type":"object"}}},"additionalProperties":false';
    const rest = definition
      .replace('mine_read', 'mine_write')
      .replace('"Reads \\"it\\""', '""')
      .replace('{"type":"object"}', '{}');
    expect((await sizes('opencode', TWO_TOOLS))[0]).toBe(definition.length + rest.length);
    expect((await sizes('gemini', TWO_TOOLS))[0]).toBeGreaterThan(2 * 227);
  });

  test('for an agent whose requests were not observed, the size stays unknown', async () => {
    const { output } = await askWith({ ...GIT, ...CONFIGS['cursor'] }, { agent: 'cursor' });
    expect(serversIn(output)[0]).toMatchObject({ characters: null, status: 'unknown', tools: 2 });
    expect(serversIn(output)[0]?.reason).toContain('was not observed');
  });

  test('tools are in the total, and a failed server is unknown with its reason', async () => {
    const files = { ...GIT, 'home/.claude.json': MINE };
    const { output } = await askWith(files);
    expect(serversIn(output)).toMatchObject([{ status: 'loaded', exact: false, tools: 2, sends: 'names' }]);
    const failed = (await askWith(files, { answer: { reason: 'it did not answer within 30 seconds' } })).output;
    expect(serversIn(failed)).toMatchObject([
      {
        status: 'unknown',
        characters: null,
        reason: 'it did not answer within 30 seconds',
        fix: 'List its tools with /mcp in Claude Code',
      },
    ]);
    expect((output.total?.characters ?? 0) - (failed.total?.characters ?? 0)).toBe(serversIn(output)[0]?.characters);
  });

  test('a server that several agents share is asked once', async () => {
    const files = { ...GIT, ...CONFIGS['claude'], ...CONFIGS['gemini'], 'home/.claude/x': '', 'home/.gemini/x': '' };
    const { started, timeouts, output } = await askWith(files, { agent: null });
    expect(timeouts).toEqual([7_000, 7_000]);
    expect(output.agents?.map(({ agent }) => agent)).toEqual(expect.arrayContaining(['claude', 'gemini']));
    expect(output.servers?.map(({ agent, name }) => `${agent} ${name}`)).toEqual([
      'claude mine',
      'claude other',
      'gemini mine',
      'gemini other',
    ]);
    expect(started.map((each) => (each.kind === 'program' ? each.args : []))).toEqual([[], ['2']]);
  });
});

test('without --ask-servers nothing is started, and the fix is the command that asks', async () => {
  const workspace = await project({ ...GIT, 'home/.claude.json': MINE }).open();
  const { output } = await perform(context, { agent: 'claude' }, () => Promise.resolve(workspace), {
    face: 'library',
    wording: { code: 'USAGE', prefix: '', whole: 'the input', unknown: 'key' },
  });
  expect(serversIn(output)).toMatchObject([
    { status: 'unknown', characters: null, fix: 'lectern context claude --ask-servers' },
  ]);
});

test.each(['mcp', 'web', 'library'] as const)('%s does not have the flag', async (face) => {
  const workspace = await project({ ...GIT, 'home/.claude.json': MINE }).open();
  const given = { agent: 'claude', askServers: true } as object;
  await expect(
    perform(context, given, () => Promise.resolve(workspace), {
      face,
      wording: { code: 'USAGE', prefix: '', whole: 'the input', unknown: 'key' },
    }),
  ).rejects.toMatchObject({ code: 'USAGE' });
});
