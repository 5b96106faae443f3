/** Computes the first request of each agent for the operations that show it. */
import type { Context, ContextQuestion } from '../agents/context/context.ts';
import type { Item } from '../agents/context/item.ts';
import type { Profile } from '../agents/profile.ts';
import type { Reader } from '../workspace/reader.ts';
import { type Answers, serversOf } from './ask-servers.ts';
import { type AgentSummary, settingsOf, type Surveyed } from './agent-shapes.ts';

export interface AgentContext extends Context {
  window: number | null;
  /** Version behind the command, if it is an npm package. */
  installed: string | undefined;
}

export async function contextFor(
  { disk, options }: Reader,
  surveyed: Surveyed,
  profile: Profile,
  window?: number,
  answers?: Answers,
): Promise<AgentContext> {
  const [{ contextOf }, { memoryFiles }, { readMemorySettings }, { installedVersion }, { readPlainFrontmatter }] =
    await Promise.all([
      import('../agents/context/context.ts'),
      import('../agents/context/memory-files.ts'),
      import('../agents/context/settings.ts'),
      import('../agents/installed.ts'),
      import('../core/frontmatter/plain.ts'),
    ]);
  const { at } = surveyed.survey;
  const seen = surveyed.seen(profile, window);
  let needsFullReader = false;
  const asked: ContextQuestion = {
    profile,
    seen,
    settings: settingsOf(surveyed.survey, profile),
    memory: await readMemorySettings(profile.id, disk, at),
    at,
    files: memoryFiles(disk, at.folders.at(-1) ?? at.projectDir),
    parseToml: await tomlParser(profile),
    readFrontmatter(text) {
      const read = readPlainFrontmatter(text);
      needsFullReader ||= read === undefined;
      return read;
    },
    servers: await serverItems(disk, profile, surveyed, answers),
  };
  let context = contextOf(asked);
  // The full reader takes longer to load than most contexts to compute.
  if (needsFullReader) {
    const { readFrontmatter } = await import('../core/frontmatter/read.ts');
    context = contextOf({ ...asked, readFrontmatter });
  }
  return {
    ...context,
    window: seen.budget.window,
    installed: installedVersion(disk, profile, options.environment ?? {}),
  };
}

async function tomlParser({ id }: Profile): Promise<ContextQuestion['parseToml']> {
  const { CONTEXT_RULES } = await import('../agents/context/rules.ts');
  if (CONTEXT_RULES[id]?.subagents?.format !== 'toml') return () => undefined;
  const { parse } = await import('smol-toml');
  return (text) => {
    try {
      return parse(text);
    } catch {
      return undefined;
    }
  };
}

/** Adds the size of the first request to the agents found here, if it was observed. */
export async function withContext(
  workspace: Reader,
  surveyed: Surveyed,
  agents: readonly AgentSummary[],
  window?: number,
): Promise<AgentSummary[]> {
  const { CONTEXT_RULES } = await import('../agents/context/rules.ts');
  return Promise.all(
    agents.map(async (agent) => {
      const profile = surveyed.profiles.find(({ id }) => id === agent.id);
      if (!agent.found || !profile || !Object.hasOwn(CONTEXT_RULES, agent.id)) return agent;
      const { items, total } = await contextFor(workspace, surveyed, profile, window);
      return { ...agent, context: { tokens: total.tokens, skills: skillTokens(items) } };
    }),
  );
}

export function skillTokens(items: readonly Item[]): number {
  return items.find(({ kind }) => kind === 'skills')?.tokens ?? 0;
}

/** A server without an answer has an unknown size. */
async function serverItems(
  disk: Reader['disk'],
  profile: Profile,
  surveyed: Surveyed,
  answers: Answers | undefined,
): Promise<Item[]> {
  const servers = await serversOf(disk, profile, surveyed);
  if (servers.length === 0) return [];
  const { serverItemsOf } = await import('../agents/context/servers.ts');
  return serverItemsOf(
    profile,
    servers.map((server) => ({
      name: server.name,
      file: server.file,
      isOfProject: server.scope === 'project',
      answer: answers?.(server),
    })),
  );
}
