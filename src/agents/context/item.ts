import type { ContextKind, ItemStatus, ToolParts } from '../names.ts';

/** A part of an agent's first request, or a file that a user may expect there. */
export interface Item {
  kind: ContextKind;
  name: string;
  path?: string;
  /** Characters in the request. Null if unknown. */
  characters: number | null;
  tokens: number | null;
  /** False for an estimate. */
  exact: boolean;
  status: ItemStatus;
  reason?: string;
  fix?: string;
  /** Number of tools of an MCP server that was asked, and the part of them that is in the request. */
  tools?: number;
  sends?: ToolParts;
}

export interface Total {
  characters: number;
  tokens: number;
  /** True if every item is exact and none is unknown. */
  exact: boolean;
}

const CHARACTERS_PER_TOKEN = 4;

/** Estimates the number of tokens. */
function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

export function item(given: Omit<Item, 'tokens'>): Item {
  const { kind, name, path, characters, exact, status, reason, fix } = given;
  return {
    kind,
    name,
    ...(path === undefined ? {} : { path }),
    characters,
    tokens: characters === null ? null : tokensOf(characters),
    exact,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(fix === undefined ? {} : { fix }),
  };
}

/** A file that is not in the request. */
export function absent(given: Omit<Item, 'tokens' | 'characters' | 'exact'>): Item {
  return item({ ...given, characters: 0, exact: true });
}

export function totalOf(items: readonly Item[]): Total {
  const characters = items.reduce((sum, each) => sum + (each.characters ?? 0), 0);
  return { characters, tokens: tokensOf(characters), exact: items.every(({ exact }) => exact) };
}
