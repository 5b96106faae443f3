/** Computes the text that an agent sends about an MCP server, from the tools that the server listed. */
import { count, grouped } from '../../core/text.ts';
import type { Profile } from '../profile.ts';
import { type Item, item } from './item.ts';
import { CONTEXT_RULES, type ServerRules } from './rules.ts';

/** The tools of a server, and the instructions that it has for models. */
export interface ServerTools {
  instructions: string | undefined;
  tools: readonly { name: string; description: string; schema: unknown }[];
}

/** The answer of a server, or the reason why there is none. */
export type ServerAnswer = ServerTools | { reason: string };

export interface Server {
  name: string;
  file: string;
  /** A file inside the project defines it. */
  isOfProject: boolean;
  /** Undefined if it was not asked. */
  answer: ServerAnswer | undefined;
}

export function serverItemsOf({ id, name: agent }: Profile, servers: readonly Server[]): Item[] {
  const rules = CONTEXT_RULES[id];
  const isFirst = { server: true, instructions: true };
  const listed = `List its tools with ${rules?.listTools ?? agent}`;
  return servers.map(({ name, file, isOfProject, answer }) => {
    const about = { kind: 'mcp-server', name, path: file, exact: false } as const;
    const unknown = (reason: string, fix: string): Item =>
      item({ ...about, characters: null, status: 'unknown', reason, fix });
    if (isOfProject) return unknown(`${file} defines it, which belongs to the project, so it is never started`, listed);
    if (answer === undefined)
      return unknown('its tools are counted only on request', `lectern context ${id} --ask-servers`);
    if ('reason' in answer) return unknown(answer.reason, listed);
    const tools = { tools: answer.tools.length };
    if (rules === undefined) {
      const size = grouped(answer.tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0));
      const reason = `it has ${count(answer.tools.length, 'tool')} with ${size} characters, but what ${agent} sends of them was not observed`;
      return { ...unknown(reason, listed), ...tools };
    }
    const characters = serverCharacters(rules.servers, name, answer, isFirst);
    if (characters > 0) isFirst.server = false;
    if (answer.instructions) isFirst.instructions = false;
    return { ...item({ ...about, characters, status: 'loaded' }), ...tools, sends: rules.servers.sends };
  });
}

/** Returns the number of characters. `isFirst` is for headings that all servers share. */
function serverCharacters(
  rules: ServerRules,
  server: string,
  { tools, instructions = '' }: ServerTools,
  isFirst: { server: boolean; instructions: boolean },
): number {
  if (tools.length === 0 && instructions === '') return 0;
  const line = instructions === '' ? rules.line : (rules.lineWithInstructions ?? rules.line);
  const heading = (isFirst.server ? (rules.heading ?? '') : '') + headingOf(rules, instructions, isFirst.instructions);
  const lines = tools.map(({ name, description, schema }) =>
    filled(rules.tool, {
      server,
      tool: name,
      description: JSON.stringify(description),
      schema: JSON.stringify(schema),
    }),
  );
  return [heading, filled(line, { server, instructions }), ...lines].reduce((sum, text) => sum + text.length, 0);
}

function headingOf({ instructionsHeading = '' }: ServerRules, instructions: string, isFirst: boolean): string {
  return isFirst && instructions !== '' ? instructionsHeading : '';
}

function filled(template: string | undefined, texts: Readonly<Record<string, string>>): string {
  return (template ?? '').replaceAll(
    /\{(server|tool|description|schema|instructions)\}/gu,
    (_, name: string) => texts[name] ?? '',
  );
}
