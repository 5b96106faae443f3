/** Installs an agent, connects it with `lectern setup`, lets it work once, and tells what went over both wires. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { project, type Project } from '../support/project.ts';
import type { TempFolder } from '../support/temp-folder.ts';
import { CLI, lectern, PACKAGE_DIR } from '../support/run-lectern.ts';
import type { Agent, Call } from './agents.ts';
import { type Asked, startFakeModel } from './fake-model.ts';
import { callsOf, isOurs, isSkillTool } from './seen.ts';

/** Agents are large: a folder that the variable names serves several checkouts. */
const PACKAGES = process.env['LECTERN_AGENT_PACKAGES'] ?? path.join(PACKAGE_DIR, '.agent-packages');
const RECORDER = fileURLToPath(new URL('./recorder.mjs', import.meta.url));
const INSTALLED_WITHIN_MS = 300_000;
const ENDS_WITHIN_MS = 180_000;
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

/** Puts an agent into a folder of its own, unless it is there. Tells why it cannot be had, or undefined where it can. */
export async function install(agent: Agent): Promise<string | undefined> {
  const wanted = `${agent.package}@${agent.version}`;
  if (await starts(agent)) return undefined;
  const dir = path.join(PACKAGES, agent.client);
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, 'package.json'), '{"private":true}\n');
  // npm as a child of npm must not take settings from the run it is in.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') || name === 'npm_config_registry'),
  );
  const npm = await runToItsEnd(
    'npm',
    ['install', '--save-exact', '--no-audit', '--no-fund', wanted],
    { cwd: dir, env },
    INSTALLED_WITHIN_MS,
  );
  if (npm.exitCode !== 0)
    return `npm could not install ${wanted}: ${/^npm error (?!code)(.*)$/mu.exec(npm.output)?.[1] ?? lastLine(npm.output)}`;
  return (await starts(agent)) ? undefined : `${wanted} was installed and does not start`;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) || 'it took too long';

export const binOf = (agent: Agent): string => path.join(PACKAGES, agent.client, 'node_modules/.bin', agent.bin);

async function starts(agent: Agent): Promise<boolean> {
  if (!fs.existsSync(binOf(agent))) return false;
  using folder = project({}, 'disk');
  const environment = { PATH: process.env['PATH'], HOME: folder.at('home') };
  const { exitCode, output } = await runToItsEnd(binOf(agent), ['--version'], {
    cwd: folder.at('project'),
    env: environment,
  });
  return exitCode === 0 && output.includes(agent.version);
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
export function startIn(
  folder: TempFolder,
  agent: Agent,
  args: readonly string[],
  model: string,
  below = 'project',
): Promise<Pick<AgentRun, 'exitCode' | 'output'>> {
  return runToItsEnd(binOf(agent), args, {
    cwd: folder.at(below),
    env: {
      PATH: process.env['PATH'],
      ...homeOf(folder),
      NO_COLOR: '1',
      CI: '1',
      ...nothingBut(model),
      ...agent.environment(model),
    },
  });
}

/** Whatever goes elsewhere goes to the model too, and no further. */
const nothingBut = (proxy: string): Record<string, string> => ({
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  NO_PROXY: '127.0.0.1,localhost',
});

/** In a process group of its own, so that nothing it started outlives it. */
function runToItsEnd(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
  withinMs = ENDS_WITHIN_MS,
): Promise<Pick<AgentRun, 'exitCode' | 'output'>> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const timer = setTimeout(() => endGroup(child.pid), withinMs);
    child.on('error', ({ message }) => resolve({ exitCode: null, output: message }));
    child.on('exit', (exitCode) => {
      clearTimeout(timer);
      endGroup(child.pid);
      setTimeout(() => resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8') }), 100);
    });
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}

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
