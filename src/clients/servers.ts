/** Lists the MCP servers in the configuration files of a client. Read-only: no server is started. */
import { exists } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { passesThrough, readingInside } from '../core/disk/confined.ts';
import { Failure } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { CLIENTS } from './all.ts';
import type { ConfigContext } from './client.ts';
import { CLIENT_NAMES, type Scope } from './names.ts';

export interface ConfiguredServer {
  name: string;
  /**
   * Decided by the path of the file with all links followed: `project` for every file that is inside the project or reached through
   * it, also if the client treats it as a file of the user.
   */
  scope: Scope;
  file: string;
  entry: Record<string, unknown>;
}

/** Returns undefined if the agent is not an MCP client that Lectern can set up. Broken files count as empty. */
export async function configuredServers(
  tree: FileTree,
  agent: string,
  context: ConfigContext & { projectRoot: string },
): Promise<ConfiguredServer[] | undefined> {
  const id = CLIENT_NAMES.find((name) => name === agent);
  if (id === undefined) return undefined;
  const client = CLIENTS[id];
  if (client.format === 'yaml') return undefined;
  const places = client.scopes
    .flatMap((scope) => (client.files(scope, context) ?? []).map((file) => ({ scope, file })))
    .filter(({ file }) => exists(tree, file));
  if (places.length === 0) return [];
  const [{ readClientFile }, { serversInText }] = await Promise.all([
    import('./config-file.ts'),
    import('./inspect.ts'),
  ]);
  const inProject = readingInside(context.projectRoot, tree);
  const textOf = (files: FileTree, file: string): string => {
    try {
      return readClientFile(files, client, file)?.text.replace(/^\uFEFF/u, '') ?? '';
    } catch (error) {
      if (error instanceof Failure) return '';
      throw error;
    }
  };
  const found = new Map<string, ConfiguredServer>();
  for (const { scope, file } of places) {
    const text = textOf(scope === 'project' ? inProject : tree, file);
    if (text === '') continue;
    const all = serversInText(client, text, scope, [context.projectRoot, context.projectDir]);
    const owner = scope === 'user' && !passesThrough(tree, context.projectRoot, file) ? 'user' : 'project';
    for (const [name, entry] of Object.entries(all))
      if (isRecord(entry) && entry['enabled'] !== false && entry['disabled'] !== true && !found.has(name))
        found.set(name, { name, scope: owner, file, entry });
  }
  return [...found.values()];
}
