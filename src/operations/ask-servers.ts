/** Asks the MCP servers of agents for their tools, on request only and after confirmation. Servers of the project are never asked. */
import type { ServerAnswer } from '../agents/context/servers.ts';
import type { Profile } from '../agents/profile.ts';
import type { StartPlan } from '../clients/server-start.ts';
import type { ConfiguredServer } from '../clients/servers.ts';
import { passesThrough } from '../core/disk/confined.ts';
import { Failure } from '../core/failure.ts';
import { list, object, type ObjectOf, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { count } from '../core/text.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Surveyed } from './agent-shapes.ts';
import type { RunContext } from './define.ts';
import { confirmOrFail } from './install-shapes.ts';

export const ASKED_SERVERS = list(
  object({
    agent: text('The id of the agent'),
    name: text(),
    file: text('The file of the user that defines it'),
    starts: text('The command line or the address, with masked values'),
  }),
  'With --ask-servers: the MCP servers that were started or called',
);
type AskedServer = ObjectOf<typeof ASKED_SERVERS.of.fields>;

/** Returns the answer of a server. Undefined if it was not asked, because the project defines it. */
export type Answers = (server: ConfiguredServer) => ServerAnswer | undefined;

export interface Asked {
  answers: Answers;
  servers: AskedServer[];
}

interface Planned {
  server: ConfiguredServer;
  plan: StartPlan;
}

interface AskInput {
  yes: boolean;
  timeout: number;
}

export async function askServers(
  { disk, options }: Reader,
  surveyed: Surveyed,
  agents: readonly Profile[],
  { yes, timeout }: AskInput,
  context: RunContext,
): Promise<Asked> {
  const { askServer } = context;
  if (!askServer) throw new Failure('USAGE', 'MCP servers can only be asked by lectern context.');
  const { planStart } = await import('../clients/server-start.ts');
  const environment = context.environment ?? options.environment ?? {};
  const root = projectRootOf(surveyed);
  const { userDir } = surveyed.survey.at;
  const places = { userDir, environment, isAllowed: (dir: string) => !passesThrough(disk, root, dir) };
  const planned = (await Promise.all(agents.map((each) => serversOf(disk, each, surveyed)))).map((servers) =>
    servers
      .filter(({ scope }) => scope === 'user')
      .map((server): Planned => ({
        server,
        plan: planStart(server, places),
      })),
  );
  const servers = planned
    .flatMap((all, index) =>
      all.flatMap(({ server: { name, file }, plan }) =>
        'start' in plan ? [{ agent: agents[index]?.id ?? '', name, file, starts: plan.shown }] : [],
      ),
    )
    .slice(0, LIMITS.askedServers.value);
  if (servers.length > 0) {
    await confirm(servers, yes, context);
    for (const { name, starts } of servers) context.notice?.(`asking ${name}: ${starts}`);
  }
  const signal = AbortSignal.any([
    AbortSignal.timeout(LIMITS.askedMs.value),
    ...(context.signal ? [context.signal] : []),
  ]);
  const answers = await ask(planned.flat(), (start) =>
    askServer(start, { timeoutMs: timeout * 1000, environment, signal }),
  );
  if (context.signal?.aborted) throw new Failure('INTERRUPTED', 'Stopped. The servers that were started have ended.');
  return { servers, answers: (server) => answers.get(keyOf(server)) };
}

/** Returns the MCP servers in the configuration files of an agent. */
export async function serversOf(
  disk: Reader['disk'],
  { id }: Profile,
  surveyed: Surveyed,
): Promise<ConfiguredServer[]> {
  const { configuredServers } = await import('../clients/servers.ts');
  const { at } = surveyed.survey;
  const places = { ...at, projectRoot: projectRootOf(surveyed), platform: process.platform };
  return (await configuredServers(disk, id, places)) ?? [];
}

function projectRootOf({ survey: { at } }: Surveyed): string {
  return at.folders.at(-1) ?? at.projectDir;
}

async function confirm(servers: readonly AskedServer[], yes: boolean, context: RunContext): Promise<void> {
  const starts = servers.map(({ name, starts: shown }) => `${name}: ${shown}`);
  await confirmOrFail(
    { servers },
    {
      command: 'context --ask-servers',
      question: `Start or call ${count(servers.length, 'MCP server')}?`,
      yes,
      effect: 'starts programs',
      hint: `Use --yes to confirm. It starts or calls ${starts.join('; ')}`,
      refused: 'No MCP server was started.',
    },
    context,
  );
}

/** Number of servers that are asked at a time. */
const AT_ONCE = 4;

/** Agents often share a server, which is asked once. */
async function ask(
  planned: readonly Planned[],
  answer: (start: Extract<StartPlan, { start: unknown }>['start']) => Promise<ServerAnswer>,
): Promise<ReadonlyMap<string, ServerAnswer>> {
  const answers = new Map<string, ServerAnswer>();
  const started = new Map<string, Promise<ServerAnswer>>();
  const left = planned.values();
  let asked = 0;
  const work = async (): Promise<void> => {
    for (const { server, plan } of left) {
      if ('reason' in plan) {
        answers.set(keyOf(server), plan);
        continue;
      }
      asked += 1;
      if (asked > LIMITS.askedServers.value) {
        answers.set(keyOf(server), { reason: `Lectern asks at most ${LIMITS.askedServers.value} servers` });
        continue;
      }
      const key = JSON.stringify(plan.start);
      const pending = started.get(key) ?? answer(plan.start);
      started.set(key, pending);
      answers.set(keyOf(server), await pending);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

function keyOf({ name, file, entry }: ConfiguredServer): string {
  return JSON.stringify([name, file, entry]);
}
