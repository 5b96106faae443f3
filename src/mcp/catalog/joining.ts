/** What the ways to join two answers have in common: what was asked, and how each side is asked. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ServedWorkspace } from '../served-workspace.ts';
import type { AskedCatalog } from './asked-catalog.ts';

export interface Asked {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  served: ServedWorkspace;
  catalog: AskedCatalog;
  /** How many skills the catalog has, as far as that is known. */
  sharedSkills: number;
  /** What the tool answers from the local files. */
  local(args: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
}

export type Join = (asked: Asked) => Promise<CallToolResult>;

/** How long a call waits for the catalog if nothing local answers it. */
export const LOAD_MS = 10_000;
/** How long local results wait for those of the catalog. */
export const JOIN_MS = 3_000;

export type Kind = 'skill' | 'spec' | 'change';

/** Whether a name means something local. */
export async function findLocally(
  served: ServedWorkspace,
  kind: Kind,
  name: string,
): Promise<'found' | 'ambiguous' | 'missing'> {
  const snapshot = await served.snapshot();
  if (kind === 'skill') return snapshot.view().find(name).kind;
  const specs = await snapshot.specs();
  return (kind === 'spec' ? specs.findSpec(name) : specs.findChange(name)).kind;
}

/** The items of the catalog that no local one has the name of, because that name loads the local one. */
export async function withoutLocal<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  { served, kind }: { served: ServedWorkspace; kind: Kind },
): Promise<T[]> {
  const kept: T[] = [];
  for (const item of items) if ((await findLocally(served, kind, nameOf(item))) === 'missing') kept.push(item);
  return kept;
}
