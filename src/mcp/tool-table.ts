/**
 * What is listed of every tool. The build writes it down, because making the schemas and loading the work behind them takes
 * longer than all else that stands between a client and its first list; where nothing was built, the tools are asked.
 */
import type { Tool } from '@modelcontextprotocol/server';
import type { Toolset } from '../workspace/server-settings.ts';
import type { Catalog } from './catalog.ts';

export interface ToolEntry {
  toolset: Toolset;
  name: string;
  dotted: string;
  summary: string;
  /** Its description is the list of skills, not the summary. */
  describesCatalog: boolean;
  definition: Omit<Tool, 'name' | 'description'>;
}

/** The entries as JSON, put in by the build. */
declare const LECTERN_TOOLS: string | undefined;

let loading: Promise<readonly ToolEntry[]> | undefined;

async function load(): Promise<readonly ToolEntry[]> {
  if (typeof LECTERN_TOOLS === 'string') return JSON.parse(LECTERN_TOOLS) as ToolEntry[];
  return (await import('./tools.ts')).describeTools();
}

/** The tools that are offered, always in the same order. */
export async function listTools(catalog: Catalog): Promise<Tool[]> {
  const entries = (await (loading ??= load())).filter(({ toolset }) => catalog.has(toolset));
  return Promise.all(
    entries.map(async ({ name, dotted, summary, describesCatalog, definition }) => ({
      name: catalog.serving.toolNames === 'dotted' ? dotted : name,
      description: describesCatalog ? await catalog.skillDescription() : summary,
      ...definition,
    })),
  );
}
