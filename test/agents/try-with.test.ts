/** `lectern try --with` runs the real agents; only their model is made up. */
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { project, type ProjectFiles } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { AGENTS, type ListedAgent } from './agents.ts';
import { type FakeModel, startFakeModel } from './fake-model.ts';
import { binOf, install, searchPath } from './install.ts';
import { GIT } from './scenes.ts';

const marker = (dir: string, name: string): string => `touch ${path.join(dir, 'ran', name)}`;

/** Everything that must not run writes a file into the folder `ran`. */
function files(dir: string): ProjectFiles {
  const hooks = (name: string): string =>
    JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: marker(dir, name) }] }] } });
  const server = (name: string): string =>
    JSON.stringify({ mcpServers: { x: { command: 'touch', args: [path.join(dir, 'ran', name)] } } });
  const pdf = skillText({
    name: 'pdf',
    description: 'Merge PDF files. PROJECT-SKILL',
    body: `Ready: !\`${marker(dir, 'skill')}\`\n`,
  });
  return {
    ...GIT,
    'ran/.keep': '',
    'project/CLAUDE.md': 'PROJECT-MEMORY\n',
    'project/AGENTS.md': 'PROJECT-MEMORY\n',
    'project/.mcp.json': server('project-server'),
    'project/.claude/settings.json': hooks('project-hook'),
    'project/.claude/skills/pdf/SKILL.md': pdf,
    'project/.agents/skills/pdf/SKILL.md': pdf,
    'home/.claude/CLAUDE.md': 'HOME-MEMORY\n',
    'home/.claude/settings.json': hooks('home-hook'),
    'home/.claude.json': server('home-server'),
    'home/.claude/skills/mine/SKILL.md': skillText({ name: 'mine', description: 'HOME-SKILL' }),
    'home/.agents/skills/mine/SKILL.md': skillText({ name: 'mine', description: 'HOME-SKILL' }),
    'home/.agents/skills/off/SKILL.md': skillText({ name: 'off', description: 'DISABLED-SKILL' }),
    'home/.codex/AGENTS.md': 'HOME-MEMORY\n',
    'home/.codex/hooks.json': hooks('home-hook'),
    'home/.codex/config.toml': [
      '[[skills.config]]',
      `path = "${path.join(dir, 'home/.agents/skills/off/SKILL.md')}"`,
      'enabled = false',
      '[mcp_servers.x]',
      'command = "touch"',
      `args = ["${path.join(dir, 'ran/home-server')}"]`,
      '',
    ].join('\n'),
  };
}

/**
 * Codex takes the address of its model only from the command line or from settings, which the run leaves out. So its command is
 * wrapped, in a package of the same name and version.
 */
function commandFolder(agent: ListedAgent, dir: string, model: FakeModel): string {
  if (agent.client !== 'codex') return path.dirname(binOf(agent));
  const manifest = path.join(path.dirname(binOf(agent)), '..', agent.package, 'package.json');
  const own = path.join(dir, 'wrapped');
  fs.mkdirSync(own, { recursive: true });
  fs.copyFileSync(manifest, path.join(own, 'package.json'));
  const settings = `-c 'openai_base_url="${model.url}/v1"' -c 'model="gpt-6.1-sol"'`;
  const script = `#!/bin/sh\nshift\nexec '${binOf(agent)}' exec ${settings} "$@"\n`;
  fs.writeFileSync(path.join(own, 'codex'), script, { mode: 0o755 });
  return own;
}

interface LiveRun {
  code: number | null;
  result: { with?: { loaded: string[]; agrees: boolean; predicted: string | null } };
  /** The first request to the model, as text. */
  asked: string;
  /** Names of the files that show what ran. */
  ran: string[];
  leftovers: string[];
}

async function tryWith(agent: ListedAgent, loads: boolean): Promise<LiveRun> {
  using folder = project({}, 'disk');
  folder.write(files(folder.dir));
  const read = `await tools.exec_command({cmd: "cat .agents/skills/pdf/SKILL.md"})`;
  await using model = await startFakeModel({
    find: (tools) => (loads ? tools.find(({ name }) => name === 'Skill' || name === 'exec_command') : undefined),
    input: agent.client === 'claude' ? { skill: 'pdf' } : { cmd: 'cat .agents/skills/pdf/SKILL.md' },
    ...(loads && agent.client === 'codex'
      ? { program: { tool: 'exec', script: `text(JSON.stringify(${read}));` } }
      : {}),
  });
  const { code, stdout } = await lectern(
    folder,
    ['try', 'merge two PDF files', '--with', agent.client, '--yes', '--json'],
    {
      env: {
        PATH: [commandFolder(agent, folder.dir, model), searchPath(agent)].join(path.delimiter),
        ...agent.environment(model.url),
        CODEX_API_KEY: 'none',
        HTTP_PROXY: model.url,
        HTTPS_PROXY: model.url,
        NO_PROXY: '127.0.0.1,localhost',
      },
    },
  );
  const first = model.asked.find(({ tools }) => tools.length > 0);
  return {
    code,
    result: JSON.parse(stdout) as LiveRun['result'],
    asked: JSON.stringify(first?.body ?? ''),
    ran: fs.readdirSync(folder.at('ran')).filter((name) => name !== '.keep'),
    leftovers: fs.readdirSync(folder.at('tmp')).filter((name) => name.startsWith('lectern-try')),
  };
}

const LIVE = AGENTS.filter(({ id }) => id === 'claude' || id === 'codex');

describe.each(LIVE.map((agent) => [agent.title, agent] as const))('%s, run by lectern try', (_, agent) => {
  let missing: string | undefined;
  let run: LiveRun;
  beforeAll(async () => {
    missing = await install(agent);
    if (missing === undefined) run = await tryWith(agent, true);
  });
  const skipIfMissing = ({ skip }: TestContext): void => void (missing !== undefined && skip(missing));

  test('loads the skill that its model chooses', (context) => {
    skipIfMissing(context);
    expect(run.result).toMatchObject({ with: { loaded: ['pdf'], predicted: 'pdf', agrees: true } });
    expect(run.code).toBe(0);
  });

  test('shows its model the skills and memory files of the project and of the home folder', (context) => {
    skipIfMissing(context);
    for (const word of ['PROJECT-SKILL', 'PROJECT-MEMORY', 'HOME-SKILL', 'HOME-MEMORY'])
      expect([word, run.asked.includes(word)]).toEqual([word, true]);
    if (agent.client === 'codex') expect(run.asked).not.toContain('DISABLED-SKILL');
  });

  test('runs no hook, no MCP server and no command of a skill, and leaves no folder behind', (context) => {
    skipIfMissing(context);
    expect([run.ran, run.leftovers]).toEqual([[], []]);
  });

  test('may also load none', async (context) => {
    skipIfMissing(context);
    expect((await tryWith(agent, false)).result).toMatchObject({
      with: { loaded: [], ended: 'finished', predicted: 'pdf', agrees: false },
    });
  });
});
