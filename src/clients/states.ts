import { CLIENTS } from './all.ts';
import type { Client } from './client.ts';
import { clientConfigUnusable, clientEntryOutdated } from './codes.ts';
import { inspectDocument, type Inspection, type InspectOptions } from './inspect.ts';
import { CLIENT_NAMES, type ClientName, type Scope } from './names.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { Failure } from '../core/failure.ts';
import type { FileTree } from '../core/disk/tree.ts';
import path from 'node:path';
import { exists } from '../core/disk/answers.ts';
import { readingInside } from '../core/disk/confined.ts';
import { readClientFile } from './config-file.ts';

export interface ClientState extends Inspection {
  client: ClientName;
  title: string;
  scope: Scope;
  file: string;
}

/** Folders to search for client files. */
interface ClientPlaces {
  projectDir: string;
  /** Project files must not link to anything outside this folder. */
  projectRoot: string;
  userDir?: string | undefined;
  environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Checks every existing client configuration file for a Lectern entry. Read-only. */
export function clientStates(tree: FileTree, places: ClientPlaces, platform: string): ClientState[] {
  const { projectDir, userDir, environment = {} } = places;
  const inProject = readingInside(places.projectRoot, tree);
  const kinds = CLIENT_NAMES.flatMap((id) => CLIENTS[id].scopes.map((scope) => ({ id, client: CLIENTS[id], scope })));
  return kinds.flatMap(({ id, client, scope }) => {
    // Entries in YAML are added by hand, so there is nothing to compare them with.
    if (client.format === 'yaml') return [];
    const files = client.files(scope, { projectDir, userDir, environment, platform }) ?? [];
    const disk = scope === 'project' ? inProject : tree;
    const file = files.find((each) => exists(disk, each));
    if (file === undefined) return [];
    const inspection = inspect(disk, client, file, {
      scope,
      platform,
      exists: (place) => exists(tree, place),
      isCommand: (name) => isOnPath(tree, name, environment, platform),
    });
    return [{ client: id, title: client.title, scope, file, ...inspection }];
  });
}

/** Reports entries that need attention. Disabled entries are skipped because they were turned off on purpose. */
export function clientDiagnostics(states: readonly ClientState[]): Diagnostic[] {
  return states.flatMap(({ client, scope, file, state, name, reason = state, line }) => {
    const command = `lectern setup ${client} --scope ${scope}${name === undefined || name === 'lectern' ? '' : ` --name ${name}`} --write`;
    const finding = { path: file, message: reason.startsWith(file) ? reason.slice(file.length).trim() : reason, line };
    if (state === 'unreadable')
      return [clientConfigUnusable.at({ ...finding, fix: `Correct the file, then run ${command}.` })];
    if (state !== 'outdated') return [];
    return [
      clientEntryOutdated.at({ ...finding, fix: `Run ${command} --force. Add --dry-run to preview the change.` }),
    ];
  });
}

/** Returns the clients that seem to be in use: those with a configuration file, or with a folder in the home. */
export function foundClients(tree: FileTree, places: ClientPlaces, platform: string): ClientName[] {
  const { projectDir, userDir, environment = {} } = places;
  return CLIENT_NAMES.filter((name) =>
    CLIENTS[name].scopes.some((scope) =>
      (CLIENTS[name].files(scope, { projectDir, userDir, environment, platform }) ?? []).some((file) => {
        const dir = path.dirname(file);
        return exists(tree, file) || (scope === 'user' && dir !== userDir && exists(tree, dir));
      }),
    ),
  );
}

function isOnPath(
  tree: FileTree,
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: string,
): boolean | undefined {
  const folders = (environment['PATH'] ?? environment['Path'])?.split(path.delimiter).filter(path.isAbsolute);
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
  return folders?.some((dir) => endings.some((ending) => exists(tree, path.join(dir, name + ending))));
}

function inspect(disk: FileTree, client: Client, file: string, options: InspectOptions): Inspection {
  try {
    const text = readClientFile(disk, client, file, 'cannot be used')?.text.replace(/^\uFEFF/u, '') ?? '';
    return inspectDocument(client, text, options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { state: 'unreadable', reason: error.message };
  }
}
