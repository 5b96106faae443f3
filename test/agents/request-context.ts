/** The memory files and subagents in the first request of an agent, and those that `lectern context` predicts. */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { project, type ProjectFiles } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import type { Agent } from './agents.ts';
import { startFakeModel } from './fake-model.ts';
import { homeOf, startIn } from './run-agent.ts';
import { stringsIn, writeSettings } from './skill-list.ts';

export interface ContextScene {
  files: ProjectFiles;
  /** Links, from name to target. */
  links?: Record<string, string>;
  /** The working folder, `project` by default. */
  in?: string;
  /** Counts the tools of the configured MCP servers. In files, `{node}` and `{server}` start a server for tests. */
  asksServers?: true;
}

const SERVER = fileURLToPath(new URL('../fixtures/mcp-servers/server.mjs', import.meta.url));

/** Sizes in characters, by path without the temporary folder or by the name of a subagent. */
export interface Sizes {
  memory: Record<string, number>;
  subagents: Record<string, number>;
  /** All MCP servers together, if they are asked. */
  servers?: number;
}

export interface ContextComparison {
  sent: Sizes;
  predicted: Sizes;
}

const Prediction = z.object({
  items: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      path: z.string().optional(),
      characters: z.number().nullable(),
      exact: z.boolean(),
    }),
  ),
});

export async function compareContext(agent: Agent, scene: ContextScene): Promise<ContextComparison> {
  const { in: below = 'project', links = {} } = scene;
  using folder = project(scene.files, 'disk');
  await using model = await startFakeModel({ find: () => undefined, input: {} });
  writeSettings(folder, agent.settings(model.url, folder));
  for (const [name, text] of Object.entries(scene.files))
    if (typeof text === 'string' && /\{(?:dir|node|server)\}/u.test(text)) {
      const written = fs.readFileSync(folder.at(name), 'utf8');
      const { execPath } = process;
      const filled = written
        .replaceAll('{dir}', folder.dir)
        .replaceAll('{node}', execPath)
        .replaceAll('{server}', SERVER);
      folder.write({ [name]: filled });
    }
  for (const [from, to] of Object.entries(links)) fs.symlinkSync(to.replaceAll('{dir}', folder.dir), folder.at(from));
  const asks = scene.asksServers ? ['--ask-servers', '--yes'] : [];
  const answer = await lectern(folder, ['context', agent.client, '--json', ...asks], {
    cwd: folder.at(below),
    env: { ...homeOf(folder), ...agent.environment('') },
  });
  const { items } = Prediction.parse(JSON.parse(answer.stdout));
  const ended = await startIn(folder, agent, agent.lists ?? agent.args, model.url, below);
  const texts = model.asked.flatMap(({ body }) => stringsIn(body));
  if (texts.length === 0) throw new Error(`no request; exit ${ended.exitCode}: ${ended.output.slice(-2_000)}`);
  const own = items.filter(({ path, characters }) => path !== undefined && (characters ?? 0) > 0);
  const short = (file: string): string => file.replaceAll(folder.dir, '');
  const isMemory = ({ kind }: { kind: string }): boolean => kind === 'memory' || kind === 'rule';
  const memory = own.filter(isMemory).map(({ path = '', characters }) => [short(path), characters ?? 0] as const);
  const servers = own
    .filter(({ kind }) => kind === 'mcp-server')
    .map(({ name, characters }) => [name, characters ?? 0] as const);
  const subagents = own.filter(({ kind }) => kind === 'subagent');
  const sent = SENT[agent.client]?.(texts, short, new Set(subagents.map(({ name }) => name)));
  return {
    sent: {
      ...(sent ?? { memory: {}, subagents: {} }),
      ...(scene.asksServers ? { servers: SENT_OF_SERVERS[agent.client]?.(texts) ?? 0 } : {}),
    },
    predicted: {
      ...(scene.asksServers ? { servers: sum(servers) } : {}),
      memory: agent.client === 'codex' ? { all: sum(memory) } : Object.fromEntries(memory),
      subagents: Object.fromEntries(subagents.map(({ name, characters }) => [name, characters ?? 0])),
    },
  };
}

const SENT: Partial<
  Record<
    Agent['client'],
    (texts: readonly string[], short: (file: string) => string, own: ReadonlySet<string>) => Sizes
  >
> = {
  claude(texts, short, own) {
    const block = texts.find((text) => text.includes('Codebase and user instructions are shown below.')) ?? '';
    const parts = block.slice(0, block.lastIndexOf('\n</system-reminder>')).split(/(?=\n\nContents of \/)/u);
    const memory = parts.slice(1).map((part) => {
      const file = /^\n\nContents of (.*?) \(/u.exec(part)?.[1] ?? '';
      // Temporary folders have different lengths, but the same one is in both sizes.
      return [short(file), part.length] as const;
    });
    const list = texts.find((text) => text.includes('Available agent types for the Agent tool:\n')) ?? '';
    const lines = list
      .slice(
        list.indexOf('Available agent types for the Agent tool:\n') + 42,
        list.indexOf('\nWhen you launch multiple'),
      )
      .split(/^(?=- [^:\n]+: )/mu);
    const subagents = lines.map((line) => [/^- ([^:\n]+): /u.exec(line)?.[1] ?? '', line.length] as const);
    return {
      memory: Object.fromEntries(memory),
      subagents: Object.fromEntries(
        subagents.filter(([name]) => name !== '' && (own.has(name) || !BUILT_IN.has(name))),
      ),
    };
  },
  codex(texts, _short, own) {
    const block = texts.find((text) => text.startsWith('# AGENTS.md instructions')) ?? '';
    const inner = /<INSTRUCTIONS>\n([^]*)\n<\/INSTRUCTIONS>$/u.exec(block)?.[1] ?? '';
    const roles = texts.find((text) => text.includes('\nAvailable roles:\n')) ?? '';
    const found = [...roles.matchAll(/^([^\s:{}]+): \{\n[^{}]*\n\}\n/gmu)];
    return {
      memory: { all: inner.length },
      subagents: Object.fromEntries(
        found
          .map(([text, name = '']) => [name, text.length] as const)
          .filter(([name]) => own.has(name) || !BUILT_IN.has(name)),
      ),
    };
  },
};

/** Characters about MCP servers. */
const SENT_OF_SERVERS: Partial<Record<Agent['client'], (texts: readonly string[]) => number>> = {
  claude(texts) {
    const text = texts.find((each) => each.includes('\nmcp__')) ?? '';
    const names = text.match(/^mcp__.*\n/gmu) ?? [];
    const from = text.indexOf('# MCP Server Instructions');
    const instructions = from < 0 ? '' : text.slice(from, text.indexOf('The following skills are available', from));
    return names.join('').length + instructions.length;
  },
  codex: (texts) => texts.find((text) => text.startsWith('<tools>\nDeferred tool namespaces:'))?.length ?? 0,
};

const BUILT_IN = new Set([
  'claude',
  'Explore',
  'general-purpose',
  'Plan',
  'statusline-setup',
  'default',
  'explorer',
  'worker',
]);

function sum(sizes: readonly (readonly [string, number])[]): number {
  return sizes.reduce((all, [, size]) => all + size, 0);
}
