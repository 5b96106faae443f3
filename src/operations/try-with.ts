/** Runs the installed agent of the user once with a request, and compares the skill that it loads with the predicted one. */
import path from 'node:path';
import { LIVE_AGENTS, type LiveAgent, RUN_ENDS } from '../agents/names.ts';
import type { Profile } from '../agents/profile.ts';
import type { Layout } from '../agents/live/lay-out.ts';
import type { Launch } from '../agents/live/launches.ts';
import type { ProgramEnd, ProgramRun } from '../agents/live/run-once.ts';
import { tryReadTarget } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { choice, flag, list, nullable, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { clip, echo, foldName, oneLine } from '../core/text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { contextFor } from './agent-context.ts';
import { getProfile, surveyAgents } from './agent-shapes.ts';
import type { RunContext } from './define.ts';
import type { TriedAgent } from './try-request.ts';

export const WITH = {
  type: 'choice',
  choices: LIVE_AGENTS,
  faces: ['cli'],
  placeholder: 'agent',
  help: 'Also run this agent once, and report the skill that it loads; its model may cost money',
} as const;

export const RAN = {
  agent: text(),
  title: text(),
  version: text(),
  loaded: list(text(), 'Skills that it loaded, in order'),
  ended: choice(RUN_ENDS, 'loaded: it was ended after loading a skill; time: it was ended after 120 seconds'),
  predicted: nullable(text('The first skill of the ranking; null if none fits')),
  agrees: flag('Whether the predicted skill was loaded, or none if none fits'),
  leftOut: list(text(), 'Listed skills that were not part of the run, such as those of plugins'),
  outcome: optional(choice(['pass', 'fail'], 'With an expected skill: whether it was loaded')),
} as const;
type Ran = ObjectOf<typeof RAN>;

interface Asked {
  agent: LiveAgent;
  request: string;
  yes: boolean;
  /** Name of a skill, or `none`. */
  expected: string | undefined;
  /** The ranking for this agent. */
  predicted: TriedAgent | undefined;
}

export async function runAgentOnce(workspace: Workspace, asked: Asked, context: RunContext): Promise<Ran> {
  const [{ LAUNCHES }, { NO_SKILL }] = await Promise.all([
    import('../agents/live/launches.ts'),
    import('../agents/try-request.ts'),
  ]);
  const profile = await getProfile(asked.agent);
  const live: Live = { workspace, context, profile, launch: LAUNCHES[asked.agent] };
  const { command, version: known } = await findAgent(live);
  await askFirst(live, asked);
  const version = known ?? (await askVersion(live, command));
  const found = await runInFolder(live, command, asked.request);
  const { verdict = 'none', results = [] } = asked.predicted ?? {};
  const predicted = verdict === 'none' ? null : (results[0]?.name ?? null);
  const isLoaded = (name: string): boolean => found.loaded.some((each) => foldName(each) === foldName(name));
  const matches = (name: string | null): boolean => (name === null ? found.loaded.length === 0 : isLoaded(name));
  const expected = asked.expected === NO_SKILL ? null : asked.expected;
  return {
    agent: profile.id,
    title: profile.name,
    version,
    ...found,
    predicted,
    agrees: matches(predicted),
    ...(expected === undefined ? {} : { outcome: matches(expected) ? 'pass' : 'fail' }),
  };
}

/** An agent to run, and what it is run for. */
interface Live {
  workspace: Workspace;
  context: RunContext;
  profile: Profile;
  launch: Launch;
}

async function findAgent({ workspace: { disk }, context: { environment = {} }, profile, launch }: Live): Promise<{
  command: string;
  version: string | undefined;
}> {
  const { findInstalled } = await import('../agents/installed.ts');
  const { name, traces } = profile;
  const found = findInstalled(disk, profile, environment);
  if (!found)
    throw new Failure('NOT_FOUND', `${name} was not found: no folder in PATH has ${traces.commands[0]}.`, {
      hint: `Install ${name}, or try the request without --with.`,
    });
  if (found.version !== undefined) await refuseOld(found.version, profile, launch);
  return found;
}

async function refuseOld(version: string, { name }: Profile, { since }: Launch): Promise<void> {
  const { isNewer } = await import('../agents/versions.ts');
  if (version === since || isNewer(version, since)) return;
  const message = `${name} ${version} cannot be run without its hooks, plugins and MCP servers. Version ${since} or newer can.`;
  throw new Failure('REFUSED', message, { hint: `Update ${name}.` });
}

async function askFirst({ profile: { name }, context: { person } }: Live, asked: Asked): Promise<void> {
  const { request, yes, predicted } = asked;
  if (yes) return;
  const cost = 'It sends the request, the list of skills and the memory files to its model, which may cost money.';
  if (!person)
    throw new Failure('CONFIRM_NEEDED', `lectern try --with runs ${name} and needs confirmation. ${cost}`, {
      hint: 'Use --yes to confirm.',
    });
  const plan = { request, agents: predicted ? [predicted] : [] };
  if (!(await person.confirm(plan, `Run ${name} once? ${cost}`, true)))
    throw new Failure('REFUSED', `${name} was not run.`, { hint: 'You declined.' });
}

/** For an agent that was not installed with npm. */
async function askVersion(live: Live, command: string): Promise<string> {
  let version: string | undefined;
  await startAgent(live, {
    command,
    args: ['--version'],
    cwd: path.parse(command).root,
    timeoutMs: LIMITS.liveVersion.value,
    onLine: (line) => {
      version ??= /\b\d{1,6}\.\d{1,6}\.\d{1,6}\b/u.exec(clip(line, 200))?.[0];
      return version !== undefined;
    },
  });
  if (version === undefined) throw failed(live.profile, 'it does not report its version');
  await refuseOld(version, live.profile, live.launch);
  return version;
}

/** The folder is removed in any case. If this process is killed, the next one removes it. */
async function runInFolder(
  live: Live,
  command: string,
  request: string,
): Promise<Pick<Ran, 'loaded' | 'ended' | 'leftOut'>> {
  const { workspace, profile, launch } = live;
  const { readRun } = await import('../agents/live/read-run.ts');
  const { files, workingDir, names, hidden, leftOut } = await layOutFor(live);
  const disk = workspace.diskFor('user');
  const temporary = disk.createTemporaryFolder('lectern-try');
  try {
    const base = path.join(temporary, 'run');
    disk.createFolder(base, files);
    const placed = [...names].map(([place, name]) => [path.resolve(base, place).replaceAll('\\', '/'), name] as const);
    const read = readRun(launch.readEvent, new Map(placed));
    const end = await startAgent(live, {
      command,
      args: launch.args(oneLine(request), hidden),
      cwd: path.join(base, workingDir),
      timeoutMs: LIMITS.liveRun.value,
      onLine: (line) => read.takeLine(line),
    });
    const { loaded, problem } = read;
    if (end.by === 'output') throw failed(profile, 'it printed more than 64 MiB');
    // An agent also reports errors that it recovers from.
    if (loaded.length === 0 && end.by === 'itself' && end.code !== 0)
      throw failed(profile, problem ?? lastLine(end.messages) ?? `its exit code is ${end.code}`);
    const ended = loaded.length > 0 ? 'loaded' : end.by === 'time' ? 'time' : 'finished';
    return { loaded: [...loaded], ended, leftOut };
  } finally {
    disk.removeTree(temporary);
  }
}

async function layOutFor({ workspace, profile, launch }: Live): Promise<Layout> {
  const { layOut } = await import('../agents/live/lay-out.ts');
  const surveyed = await surveyAgents(workspace, profile.id);
  const { items } = await contextFor(workspace, surveyed, profile);
  return layOut({
    seen: surveyed.seen(profile),
    memory: items.flatMap(({ kind, path: file, status }) =>
      file !== undefined && (kind === 'memory' || kind === 'rule') && (status === 'loaded' || status === 'cut')
        ? file
        : [],
    ),
    at: surveyed.survey.at,
    home: launch.home,
    read(file) {
      const read = tryReadTarget(workspace.disk, file, LIMITS.skillFileBytes.value);
      return read === undefined || read instanceof FileTrouble ? undefined : read.bytes;
    },
  });
}

async function startAgent(
  { workspace, context: { environment, signal }, profile, launch }: Live,
  run: Pick<ProgramRun, 'command' | 'args' | 'cwd' | 'timeoutMs' | 'onLine'>,
): Promise<ProgramEnd> {
  const { runOnce } = await import('../agents/live/run-once.ts');
  const { environment: places = {}, userDir } = workspace.options;
  const home = userDir === undefined ? {} : { HOME: userDir, USERPROFILE: userDir };
  // With another home folder, the variables that move its folders do not apply.
  const moved = Object.fromEntries(MOVING.map((name) => [name, places[name]]));
  try {
    return await runOnce({ ...run, env: { ...environment, ...home, ...moved, ...launch.environment }, signal });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw failed(profile, error instanceof Error ? error.message : 'it could not be started');
  }
}

/** Variables that move the folder of an agent. */
const MOVING = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME'];

function failed({ name }: Profile, reason: string): Failure {
  return new Failure(
    'AGENT_FAILED',
    `${name} could not try the request: ${echo(oneLine(reason).replace(/\.$/u, ''))}.`,
    {
      hint: 'Start it by hand once, to see whether it is signed in and works.',
    },
  );
}

function lastLine(messages: string): string | undefined {
  return clip(messages.trim().split('\n').at(-1) ?? '', 300) || undefined;
}
