/**
 * Computes the first request of an agent in a folder: every part with its size, in the order of the request. The result is a
 * function of the profile, the skill list and the files. No agent and no server is started.
 */
import path from 'node:path';
import type { ReadFrontmatter } from '../../core/frontmatter/plain.ts';
import type { Profile } from '../profile.ts';
import type { Seen } from '../seen-by.ts';
import type { AgentSettings } from '../settings.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Item, item, totalOf, type Total } from './item.ts';
import { memoryItems } from './memory.ts';
import type { MemoryFiles } from './memory-files.ts';
import { CONTEXT_RULES, type ContextRules, MEMORY_NAMES } from './rules.ts';
import type { MemorySettings } from './settings.ts';
import { commandItems, type ParseToml, subagentItems } from './subagents.ts';

export interface ContextQuestion {
  profile: Profile;
  seen: Seen;
  settings: AgentSettings;
  memory: MemorySettings;
  at: Surroundings;
  files: MemoryFiles;
  parseToml: ParseToml;
  readFrontmatter: ReadFrontmatter;
  /** MCP servers in the configuration of the agent. */
  servers: readonly Item[];
}

export interface Context {
  items: Item[];
  total: Total;
}

export function contextOf(asked: ContextQuestion): Context {
  const rules = CONTEXT_RULES[asked.profile.id];
  const items = rules ? knownItems(rules, asked) : placesOnly(asked);
  return { items, total: totalOf(items) };
}

function knownItems(rules: ContextRules, asked: ContextQuestion): Item[] {
  const { profile, seen, settings, memory, at, files, parseToml, readFrontmatter, servers } = asked;
  const skills = skillsItem(seen, rules);
  const all: Item[] = [
    ...rules.constants.map((constant) => item({ ...constant, exact: false, status: 'loaded' })),
    skills,
    ...memoryItems({
      agent: profile.name,
      rules: rules.memory,
      at,
      settings: memory,
      files,
      readFrontmatter,
      distrust: settings.distrust && {
        reason: `${profile.name} does not trust this folder, so it reads no memory files from it`,
        fix: settings.distrust.fix,
      },
      isExact: profile.id === 'claude' || profile.id === 'codex',
    }).map((each) => withSize(each, skills)),
    ...(rules.subagents ? subagentItems(profile.name, rules.subagents, { at, files, parseToml, readFrontmatter }) : []),
    ...(rules.commands ? commandItems(rules.commands, { at, files, readFrontmatter }) : []),
    ...servers,
  ];
  const position = ({ kind }: Item): number => rules.order.indexOf(kind === 'rule' ? 'memory' : kind);
  return all.sort((a, b) => position(a) - position(b));
}

/** Marks a memory file that outweighs the whole list of skills. */
function withSize(memory: Item, { characters }: Item): Item {
  const isLarge = memory.status === 'loaded' && characters !== null && (memory.characters ?? 0) > characters;
  if (!isLarge || memory.reason !== undefined) return memory;
  return {
    ...memory,
    reason: 'it is larger than the whole list of skills',
    fix: 'Move parts that are rarely needed into skills, which the agent loads on demand',
  };
}

/** Uses the size of the list that the budget is computed with. */
function skillsItem({ entries, budget, profile }: Seen, rules: ContextRules | undefined): Item {
  const markup = rules?.skillMarkup;
  const around =
    markup === undefined ? 0 : entries.reduce((sum, { verdict }) => sum + markup + (verdict?.file.length ?? markup), 0);
  const characters = (budget.unit === 'tokens' ? budget.used * 4 : budget.used) + around;
  return item({
    kind: 'skills',
    name: `list of ${entries.length} skills`,
    characters,
    exact: profile.id === 'claude',
    status: budget.wanted > budget.used ? 'cut' : 'loaded',
    ...(budget.wanted > budget.used ? { reason: 'its list of skills is full', fix: `lectern fit ${profile.id}` } : {}),
  });
}

/** For agents whose requests were not observed: the skills, and the files that may be part of a request. */
function placesOnly({ profile, seen, at, files, servers }: ContextQuestion): Item[] {
  const reason = `the first request of ${profile.name} was not observed`;
  const unknown = (kind: Item['kind'], name: string, file?: string): Item =>
    item({
      kind,
      name,
      ...(file === undefined ? {} : { path: file }),
      characters: null,
      exact: false,
      status: 'unknown',
      reason,
    });
  const memory = at.folders.flatMap((dir) =>
    MEMORY_NAMES.map((name) => path.join(dir, name)).filter((file) => files.exists(file)),
  );
  return [
    unknown('system', 'system prompt'),
    unknown('tools', 'tool definitions'),
    skillsItem(seen, undefined),
    ...memory.map((file) => unknown('memory', path.basename(file), file)),
    ...servers,
  ];
}
