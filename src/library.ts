/** Lectern as a library: the same operations as the command and the server, without output. */
import os from 'node:os';
import path from 'node:path';
import type { Diagnostic } from './core/diagnostics.ts';
import { expandHome } from './core/home-path.ts';
import { type CamelCased, camelKey, camelResult } from './core/fields/camel-case.ts';
import type { AnyOperation } from './operations/define.ts';
import { OPERATIONS } from './operations/index.ts';
import { type AnswerOf, type GivenTo, perform } from './operations/perform.ts';
import { checkOptions, type WorkspaceOptions } from './workspace/settings.ts';
import { Workspace } from './workspace/workspace.ts';

/** Folders and filters, with the keys of the configuration file. Relative paths start at `projectDir`. */
export type CatalogOptions = { [K in keyof WorkspaceOptions]?: WorkspaceOptions[K] | undefined };

type Registered = (typeof OPERATIONS)[number];

/** An operation as a method. The input is optional if none of its fields is required. */
type Method<Op> =
  object extends GivenTo<Op, 'library'>
    ? (input?: CamelCased<GivenTo<Op, 'library'>>) => Promise<CamelCased<AnswerOf<Op>>>
    : (input: CamelCased<GivenTo<Op, 'library'>>) => Promise<CamelCased<AnswerOf<Op>>>;

type AtTop<Name> = Name extends `${string}.${string}` ? never : Name;
type BelowSpecs<Name> = Name extends `specs.${infer Rest}` ? Rest : never;
type Top = { [Op in Registered as AtTop<NonNullable<Op['library']>>]: Method<Op> };
type Specs = { [Op in Registered as BelowSpecs<NonNullable<Op['library']>>]: Method<Op> };

/** An open catalog. It holds one immutable snapshot until `reload()` replaces it. */
export interface Catalog extends Top {
  /** Specs and changes, which are read on first use. */
  specs: Specs;
  /** Returns the problems in the files of the current snapshot. */
  diagnostics(): Diagnostic[];
  /** Rescans the files. Unchanged files are not reread. */
  reload(): Promise<void>;
  /** Reserved for future cleanup. Call it when you are done. */
  close(): Promise<void>;
}

/** Finds every skill that is visible from a folder. Defaults to the working folder and the home folder of the user. */
export async function openCatalog(given: CatalogOptions = {}): Promise<Catalog> {
  const options = checkOptions(given);
  const home = os.homedir();
  const userDir = 'userDir' in given ? options.userDir && path.resolve(expandHome(options.userDir, home)) : home;
  const projectDir = path.resolve(expandHome(options.projectDir ?? process.cwd(), userDir));
  const workspace = await Workspace.open({
    ...options,
    projectDir,
    userDir,
    environment: options.environment ?? ('userDir' in given ? {} : process.env),
    mustExist: options.projectDir !== undefined,
    collections: true,
  });
  return {
    // The type matches the registry from which the methods are created.
    ...(methodsOf(OPERATIONS, workspace) as unknown as Top & { specs: Specs }),
    diagnostics: () => workspace.snapshot.diagnostics({ names: true }),
    reload: async () => {
      await workspace.reload();
    },
    close: () => Promise.resolve(),
  };
}

type Methods = Record<string, unknown>;

/** Creates the methods of a registry. `specs.list` becomes `{ specs: { list } }`. */
export function methodsOf(operations: readonly AnyOperation[], workspace: Workspace): Methods {
  const methods: Methods = {};
  const groups: Record<string, Methods> = {};
  for (const operation of operations) {
    if (operation.library === undefined) continue;
    const method = (input: unknown = {}): Promise<object> => call(operation, input, workspace);
    const [first = '', second] = operation.library.split('.');
    if (second === undefined) methods[first] = method;
    else (groups[first] ??= {})[second] = method;
  }
  return { ...methods, ...groups };
}

async function call(operation: AnyOperation, input: unknown, workspace: Workspace): Promise<object> {
  const { output } = await perform(operation, input, () => Promise.resolve(workspace), {
    face: 'library',
    keyOf: camelKey,
    wording: { code: 'USAGE', prefix: `${operation.library ?? operation.name}: `, whole: 'the input', unknown: 'key' },
  });
  return camelResult(operation.output, output);
}
