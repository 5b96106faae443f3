/** Connects an agent with `lectern setup`, lets it work once, and records the messages on both connections. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { project, type Project } from '../support/project.ts';
import type { TempFolder } from '../support/temp-folder.ts';
import { CLI, lectern } from '../support/run-lectern.ts';
import type { Agent, Call, ListedAgent } from './agents.ts';
import { type Asked, startFakeModel } from './fake-model.ts';
import { binOf, searchPath } from './install.ts';
import { runToItsEnd } from './run-to-its-end.ts';
import { callsOf, isOurs, isSkillTool } from './seen.ts';

const RECORDER = fileURLToPath(new URL('./recorder.mjs', import.meta.url));
/** Some agents ask their model before a slow server has answered. The next time it answers at once, from what it kept. */
const ATTEMPTS = 4;

/** One line between agent and server. */
export interface Said {
  side: 'agent' | 'server';
  message: {
    id?: unknown;
    method?: string;
    params?: Record<string, unknown>;
    result?: Record<string, unknown>;
    error?: unknown;
  };
}

export interface AgentRun {
  asked: Asked[];
  said: Said[];
  exitCode: number | null;
  output: string;
}

/** Files lie under `project/` and `home/`; the model makes one call. */
export async function runAgent(agent: Agent, files: Record<string, string>, call: Call): Promise<AgentRun> {
  using folder = project(files, 'disk');
  let run = await runIn(folder, agent, call);
  for (let attempt = 1; attempt < ATTEMPTS && callsOf(run).length === 0; attempt++)
    run = await runIn(folder, agent, call);
  return run;
}

async function runIn(folder: Project & TempFolder, agent: Agent, call: Call): Promise<AgentRun> {
  const { program } = agent;
  await using model = await startFakeModel({
    // Where only some tools are shown, the others are called as those are.
    find(tools) {
      const skill = tools.find(isSkillTool);
      const shown = tools.find((tool) => isOurs(tool, call.tool));
      return shown ?? (skill && { ...skill, name: skill.name.replace(/skill$/u, call.tool) });
    },
    input: call.input,
    ...(program === undefined ? {} : { program: { tool: program.tool, script: program.script(call) } }),
  });
  const record = folder.at('record.jsonl');
  folder.write({
    ...agent.settings(model.url, folder),
    // Some agents hand no environment on, so the place of the record is part of the program.
    'recorder.mjs': `process.env.LECTERN_RECORD = ${JSON.stringify(record)};\nawait import(${JSON.stringify(pathToFileURL(RECORDER).href)});\n`,
    'record.jsonl': '',
  });
  const setup = await lectern(folder, ['setup', agent.client, '--local', '--write', '--json'], {
    env: homeOf(folder),
  });
  if (setup.code !== 0) throw new Error(setup.stdout);
  putBetween(folder.dir, CLI, folder.at('recorder.mjs'));
  const ended = await startIn(folder, agent, agent.args, model.url);
  return { ...ended, asked: model.asked, said: readRecord(record) };
}

/** The variables that make a folder the home of whatever is started. */
export const homeOf = (folder: TempFolder): Record<string, string> => ({
  HOME: folder.at('home'),
  XDG_CONFIG_HOME: folder.at('home/.config'),
  XDG_DATA_HOME: folder.at('home/.local/share'),
  XDG_CACHE_HOME: folder.at('home/.cache'),
  XDG_STATE_HOME: folder.at('home/.local/state'),
});

/** Starts an agent in the project, or in a folder below it, and waits for its end. */
export async function startIn(
  folder: TempFolder,
  agent: ListedAgent,
  args: readonly string[],
  model: string,
  below = 'project',
): Promise<Pick<AgentRun, 'exitCode' | 'output'>> {
  const ended = await runToItsEnd(binOf(agent), args, {
    cwd: folder.at(below),
    env: {
      PATH: searchPath(agent),
      ...homeOf(folder),
      NO_COLOR: '1',
      CI: '1',
      ...nothingBut(model),
      ...agent.environment(model),
    },
  });
  endThoseOf(folder.at('home'));
  return ended;
}

/** Cline leaves a server behind in a process group of its own, so processes are also found by their home folder. */
function endThoseOf(home: string): void {
  if (process.platform !== 'linux') return;
  for (const name of fs.readdirSync('/proc').filter((each) => /^\d+$/u.test(each))) {
    try {
      const variables = fs.readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      if (variables.includes(`HOME=${home}`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // The process ended in the meantime, or belongs to another user.
    }
  }
}

/** Whatever goes elsewhere goes to the model too, and no further. */
const nothingBut = (proxy: string): Record<string, string> => ({
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  NO_PROXY: '127.0.0.1,localhost',
});

/** Every configuration that names the command names the recorder instead. */
function putBetween(dir: string, command: string, recorder: string): void {
  const names = fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:json|jsonc|toml)$/u.test(entry.name));
  for (const place of names.map((entry) => path.join(entry.parentPath, entry.name))) {
    const text = fs.readFileSync(place, 'utf8');
    if (text.includes(command)) fs.writeFileSync(place, text.replaceAll(command, recorder));
  }
}

function readRecord(place: string): Said[] {
  const lines = fs.readFileSync(place, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const { side, line: said } = JSON.parse(line) as { side: Said['side']; line: string };
    return { side, message: JSON.parse(said) as Said['message'] };
  });
}
