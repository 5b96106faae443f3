import type { ClientName, Scope } from './names.ts';

/**
 * The flags of a server for one client that reads skills itself: it leaves those out. The `.mcp.json` of a project is for several
 * clients, and how Zed finds skills is not known, so these get all of them.
 */
export function flagsForOne(client: ClientName, scope: Scope): readonly string[] {
  const isShared = scope === 'project' && (client === 'claude' || client === 'copilot');
  return client === 'zed' || isShared ? [] : ['--for', client];
}
