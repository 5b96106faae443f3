import * as z from 'zod';
import { CLIENTS } from '../clients/all.ts';
import type { Client } from '../clients/client.ts';
import { clientConfigUnusable, clientEntryOutdated } from '../clients/codes.ts';
import { inspectDocument, type Inspection } from '../clients/inspect.ts';
import { CLIENT_NAMES, type Scope, SCOPES } from '../clients/names.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { Failure } from '../core/failure.ts';
import { exists } from '../core/disk/answers.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { readClientFile } from './client-file.ts';

export const ClientState = z.object({
  client: z.enum(CLIENT_NAMES),
  title: z.string(),
  scope: z.enum(SCOPES),
  file: z.string(),
  state: z.enum(['present', 'absent', 'outdated', 'off', 'unreadable']),
  name: z.string().optional().describe('What the server is called there'),
  reason: z.string().optional(),
  line: z.int().optional().describe('Where the file is broken'),
});
type ClientState = z.output<typeof ClientState>;

/** For every configuration file of a client that exists: whether Lectern is set up in it. Writes nothing. */
export function clientStates(workspace: Workspace, platform: string): ClientState[] {
  const { projectDir, userDir, environment = {} } = workspace.options;
  const places = CLIENT_NAMES.flatMap((name) => SCOPES.map((scope) => ({ client: CLIENTS[name], scope })));
  return places.flatMap(({ client, scope }) => {
    const files = client.files(scope, { projectDir, userDir, environment, platform }) ?? [];
    const file = files.find((each) => exists(workspace.disk, each));
    if (file === undefined) return [];
    return [
      { client: client.name, title: client.title, scope, file, ...inspect(workspace, client, scope, file, platform) },
    ];
  });
}

/** What somebody should do something about; an entry that was switched off was switched off by somebody. */
export function clientDiagnostics(states: readonly ClientState[]): Diagnostic[] {
  return states.flatMap(({ client, scope, file, state, name, reason = state, line }) => {
    const command = `lectern setup ${client} --scope ${scope}${name === undefined || name === 'lectern' ? '' : ` --name ${name}`} --write`;
    const finding = { path: file, message: reason.startsWith(file) ? reason.slice(file.length).trim() : reason, line };
    if (state === 'unreadable')
      return [clientConfigUnusable.at({ ...finding, fix: `Correct the file, then run ${command}.` })];
    if (state !== 'outdated') return [];
    return [
      clientEntryOutdated.at({ ...finding, fix: `Run ${command} --force; with --dry-run it shows what would change.` }),
    ];
  });
}

function inspect(workspace: Workspace, client: Client, scope: Scope, file: string, platform: string): Inspection {
  try {
    const text = readClientFile(workspace, file, 'cannot be used')?.text.replace(/^\uFEFF/u, '') ?? '';
    return inspectDocument(client, text, { scope, platform, exists: (place) => exists(workspace.disk, place) });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { state: 'unreadable', reason: error.message };
  }
}
