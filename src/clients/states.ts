import { CLIENTS } from './all.ts';
import type { Client } from './client.ts';
import { clientConfigUnusable, clientEntryOutdated } from './codes.ts';
import { inspectDocument, type Inspection } from './inspect.ts';
import { CLIENT_NAMES, type Scope, SCOPES } from './names.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { Failure } from '../core/failure.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { exists } from '../core/disk/answers.ts';
import { readingInside } from '../core/disk/confined.ts';
import { readClientFile } from './config-file.ts';

export interface ClientState extends Inspection {
  client: (typeof CLIENT_NAMES)[number];
  title: string;
  scope: Scope;
  file: string;
}

/** The folders to look for a client's files in. */
interface ClientPlaces {
  projectDir: string;
  /** Files of the project may not be links to anything outside this folder. */
  projectRoot: string;
  userDir?: string | undefined;
  environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Tells for every existing configuration file of a client whether Lectern is set up in it. Writes nothing. */
export function clientStates(tree: FileTree, places: ClientPlaces, platform: string): ClientState[] {
  const { projectDir, userDir, environment = {} } = places;
  const inProject = readingInside(places.projectRoot, tree);
  const kinds = CLIENT_NAMES.flatMap((name) => SCOPES.map((scope) => ({ client: CLIENTS[name], scope })));
  return kinds.flatMap(({ client, scope }) => {
    const files = client.files(scope, { projectDir, userDir, environment, platform }) ?? [];
    const disk = scope === 'project' ? inProject : tree;
    const file = files.find((each) => exists(disk, each));
    if (file === undefined) return [];
    return [{ client: client.name, title: client.title, scope, file, ...inspect(disk, client, scope, file, platform) }];
  });
}

/** What needs attention. An entry that is off does not: it was turned off on purpose. */
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

function inspect(disk: FileTree, client: Client, scope: Scope, file: string, platform: string): Inspection {
  try {
    const text = readClientFile(disk, client, file, 'cannot be used')?.text.replace(/^\uFEFF/u, '') ?? '';
    return inspectDocument(client, text, { scope, platform, exists: (place) => exists(disk, place) });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { state: 'unreadable', reason: error.message };
  }
}
