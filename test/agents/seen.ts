/** What an agent showed its model of what the server sent, measured on one run. */
import { z } from 'zod';
import type { AgentRun, Said } from './run-agent.ts';
import type { ShownTool } from './dialects.ts';

/** Lines that can be told apart, of a hundred bytes each. */
export function numberedLines(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `${`Line ${String(index + 1).padStart(4, '0')}: `.padEnd(98, 'and so on ')}.\n`,
  ).join('');
}
const LINES_PER_KB = 10;

export const Seen = z.object({
  name: z.string(),
  package: z.string(),
  protocol: z.string(),
  tool: z.string(),
  tools: z.string(),
  instructions: z.string(),
  /** By what the catalog was like. */
  description: z.record(z.string(), z.string()),
  /** What the definitions cost, as sent: the catalog, then tokens with and without output schemas. */
  tokens: z.record(
    z.string(),
    z.object({ definitions: z.number(), outputSchemas: z.number(), fullListing: z.number() }),
  ),
  /** By what was asked for: how it was shown. */
  replies: z.record(z.string(), z.string()),
});
export type Seen = z.infer<typeof Seen>;

/** Whether a tool that is shown is one of ours, and which. */
export function isOurs({ name, group = '' }: ShownTool, tool: string): boolean {
  return /lectern/u.test(group + name) && new RegExp(`(?:^|_)${tool}$`, 'u').test(name);
}

export const isSkillTool = (tool: ShownTool): boolean => isOurs(tool, 'skill');

/** The calls of tools that reached the server. */
export function callsOf({ said }: AgentRun): { name: unknown; arguments: unknown }[] {
  return said
    .filter(({ side, message }) => side === 'agent' && message.method === 'tools/call')
    .map(({ message }) => ({ name: message.params?.['name'], arguments: message.params?.['arguments'] }));
}

export function protocolOf({ said }: AgentRun): string {
  const stateless = z.object({ _meta: z.object({ 'io.modelcontextprotocol/protocolVersion': z.string() }) });
  for (const { message } of said) {
    if (typeof message.result?.['protocolVersion'] === 'string') return message.result['protocolVersion'];
    const asked = stateless.safeParse(message.params);
    if (asked.success && message.method === 'tools/list')
      return asked.data._meta['io.modelcontextprotocol/protocolVersion'];
  }
  return 'unknown';
}

/** The first request that offered tools. */
const firstTurn = ({ asked }: AgentRun) => asked.find(({ tools }) => tools.length > 0);

export function toolNameOf(run: AgentRun): string {
  const tool = firstTurn(run)?.tools.find(isSkillTool);
  return tool ? [tool.group, tool.name].filter(Boolean).join(' / ') : 'not shown';
}

export function toolsShown(run: AgentRun): string {
  const shown = firstTurn(run)?.tools.filter(({ name, group = '' }) => /lectern/u.test(group + name)).length ?? 0;
  const all = sentTools(run).length;
  return shown === all ? 'all' : shown === 0 ? 'none' : `${shown} of ${all}; the others by name only`;
}

export function descriptionShown(run: AgentRun): string {
  const sent = sentTools(run).find(({ name }) => name === 'skill')?.description ?? '';
  return howMuch(sent, [firstTurn(run)?.tools.find(isSkillTool)?.description ?? '']);
}

export function instructionsShown(run: AgentRun): string {
  const sent =
    run.said.map(({ message }) => message.result?.['instructions']).find((each) => typeof each === 'string') ?? '';
  return howMuch(sent, stringsIn(firstTurn(run)?.body));
}

/** The result of the tool as the model read it. */
function resultShown({ asked }: AgentRun): string {
  return asked.findLast(({ results }) => results.length > 0)?.results.join('\n') ?? '';
}

/** Whether a reply was shown as its text or as JSON, and whether all of it was. */
export function replyShown(run: AgentRun, pieces: readonly string[]): string {
  const result = resultShown(run);
  const plain = result.replaceAll('\\n', '\n').replaceAll('\\"', '"');
  const missing = pieces.filter((piece) => !plain.includes(piece));
  const form = /"(?:installName|spec_id|code)\\?":/u.test(result) ? 'as JSON' : 'as text';
  return missing.length === 0 ? `whole, ${form}` : `without ${missing.map((piece) => `"${piece}"`).join(', ')}`;
}

/** What the definitions cost, in characters / 4 as sent. */
export function tokensOf({ said }: AgentRun): { definitions: number; outputSchemas: number } {
  const tools = z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string(),
        inputSchema: z.unknown(),
        outputSchema: z.unknown().optional(),
      }),
    )
    .parse(said.map(({ message }) => message.result?.['tools']).find((each) => each !== undefined) ?? []);
  const instructions = said
    .map(({ message }) => message.result?.['instructions'])
    .find((each) => typeof each === 'string');
  const length = (value: unknown): number => JSON.stringify(value ?? '').length;
  const shown = tools.map(({ name, description, inputSchema }) => length({ name, description, inputSchema }));
  const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0);
  return {
    definitions: Math.round((sum(shown) + String(instructions ?? '').length) / 4),
    outputSchemas: Math.round(sum(tools.map(({ outputSchema }) => (outputSchema ? length(outputSchema) : 0))) / 4),
  };
}

/** How many skills the shown description names, and how many of them it describes. */
export function skillsShown(run: AgentRun, names: readonly string[]): string {
  const text = firstTurn(run)?.tools.find(isSkillTool)?.description ?? '';
  const plain = text.replaceAll(/\s+/gu, ' ');
  const named = names.filter((name) => plain.includes(name)).length;
  const described = names.filter(
    (name) =>
      plain.includes(`${name}: `) ||
      plain.includes(`${name}</name> <description>`) ||
      plain.includes(`${name}</name><description>`),
  ).length;
  return `${named} named, ${described} described`;
}

/** How much of the numbered lines that were sent arrived. */
export function bodyShown(run: AgentRun): string {
  const result = resultShown(run);
  const [sent, shown] = [lineNumbersIn(sentText(run.said)), new Set(lineNumbersIn(result))];
  if (sent.length === 0) return 'nothing';
  const page = /^\[Cut after (\d+) of \d+ characters/mu.exec(sentText(run.said))?.[1];
  const what = page === undefined ? '' : `of a first page of ${Math.round(Number(page) / 1000)} kB: `;
  const missing = sent.findIndex((number) => !shown.has(number));
  if (missing === -1) return `${what}whole`;
  const head = Math.round(missing / LINES_PER_KB);
  const tail = Math.round((sent.length - 1 - sent.findLastIndex((number) => !shown.has(number))) / LINES_PER_KB);
  const inFile = /(?:saved to|full output see): /u.test(result) ? '; all of it in a file' : '';
  return `${what}the first ${head} kB${tail > 0 ? ` and the last ${tail} kB` : ''}${inFile}`;
}

function lineNumbersIn(text: string): number[] {
  return [...text.matchAll(/Line (\d{4}): [a-z ]{87}\./gu)].map((match) => Number(match[1]));
}

function sentText(said: readonly Said[]): string {
  const Result = z.object({ content: z.array(z.object({ text: z.string() })) });
  return said
    .map(
      ({ message }) =>
        Result.safeParse(message.result)
          .data?.content.map(({ text }) => text)
          .join('\n') ?? '',
    )
    .join('');
}

function sentTools({ said }: AgentRun): { name: string; description: string }[] {
  const List = z.object({ tools: z.array(z.object({ name: z.string(), description: z.string() })) });
  return said.flatMap(({ message }) => List.safeParse(message.result).data?.tools ?? []);
}

/** Agents indent and wrap what they pass on; that is not cutting. */
function howMuch(sent: string, places: readonly string[]): string {
  const plain = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();
  const wanted = plain(sent);
  const lengths = places.map(plain).map((place) => {
    let length = wanted.length;
    while (length > 0 && !place.includes(wanted.slice(0, length))) length -= length > 100 ? 100 : 1;
    return length;
  });
  const most = Math.max(0, ...lengths);
  if (most < 40) return 'not shown';
  const kB = (length: number): string => `${(length / 1000).toFixed(1)} kB`;
  return most === wanted.length ? `whole, ${kB(sent.length)}` : `the first ${kB(most)} of ${kB(wanted.length)}`;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
