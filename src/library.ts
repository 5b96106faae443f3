/** Lectern as a library: the same operations as the command and the server, with nothing printed. */
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

/** Where to look and what to leave out; the same words as the configuration file. Relative paths start from `projectDir`. */
export type CatalogOptions = { [K in keyof WorkspaceOptions]?: WorkspaceOptions[K] | undefined };

type Registered = (typeof OPERATIONS)[number];

/** An operation as a method: its input may be left out if nothing in it is required. */
type Method<Op> =
  object extends GivenTo<Op, 'library'>
    ? (input?: CamelCased<GivenTo<Op, 'library'>>) => Promise<CamelCased<AnswerOf<Op>>>
    : (input: CamelCased<GivenTo<Op, 'library'>>) => Promise<CamelCased<AnswerOf<Op>>>;

type AtTop<Name> = Name extends `${string}.${string}` ? never : Name;
type BelowSpecs<Name> = Name extends `specs.${infer Rest}` ? Rest : never;
type Top = { [Op in Registered as AtTop<NonNullable<Op['library']>>]: Method<Op> };
type Specs = { [Op in Registered as BelowSpecs<NonNullable<Op['library']>>]: Method<Op> };

/** An opened catalog. It holds one immutable snapshot until `reload()` swaps in the next. */
export interface Catalog extends Top {
  /** Specs and changes; read when first used. */
  specs: Specs;
  /** What was wrong with the files of the current snapshot. */
  diagnostics(): Diagnostic[];
  /** Scans again; files that did not change are not read again. */
  reload(): Promise<void>;
  /** Nothing has to be ended at present; call it all the same when you are done. */
  close(): Promise<void>;
}

/** Finds every skill that can be seen from a folder. By default: the working folder and the user's home. */
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
    // The type says the same as the registry that the methods are made from.
    ...(methodsOf(OPERATIONS, workspace) as unknown as Top & { specs: Specs }),
    diagnostics: () => workspace.snapshot.diagnostics({ names: true }),
    reload: async () => {
      await workspace.reload();
    },
    close: () => Promise.resolve(),
  };
}

type Methods = Record<string, unknown>;

/** The methods of a registry; `specs.list` becomes `{ specs: { list } }`. */
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
