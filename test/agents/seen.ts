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
  result: z.string(),
  /** By what the catalog or the skill was like. */
  description: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.string()),
});
export type Seen = z.infer<typeof Seen>;

export function isSkillTool({ name, group = '' }: ShownTool): boolean {
  return /lectern/u.test(group + name) && /(?:^|_)skill$/u.test(name);
}

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
export function resultShown({ asked }: AgentRun): string {
  return asked.findLast(({ results }) => results.length > 0)?.results.join('\n') ?? '';
}

export function formOf(result: string): string {
  if (/^Loading: /mu.test(result)) return 'text';
  return result.includes('"content":"') ? 'structured content, as JSON' : 'neither';
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
