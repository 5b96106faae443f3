/** Shared parts of the join functions: the call and access to both sides. */
import { Failure, type FailureCode } from '../../core/failure.ts';
import type { AnyOperation } from '../../operations/define.ts';
import type { ItemKind } from '../../operations/join.ts';
import type { Data, Outcome } from '../outcome.ts';
import type { ServedWorkspace } from '../served-workspace.ts';
import type { RemoteAnswer, RemoteCatalog } from './remote-catalog.ts';

export interface JoinCall {
  operation: AnyOperation;
  args: Data;
  served: ServedWorkspace;
  catalog: RemoteCatalog;
  /** Number of skills in the shared catalog, as far as known. */
  sharedSkills: number;
  /** Runs the operation on local files. */
  local(args: Data): Promise<Outcome>;
}

/** How long a call waits for the shared catalog if there is no local answer. */
export const LOAD_MS = 10_000;
/** How long local results wait for the shared catalog. */
export const JOIN_MS = 3_000;

/** Whether a name resolves to a local item. */
export async function findLocally(
  served: ServedWorkspace,
  kind: ItemKind,
  name: string,
): Promise<'found' | 'ambiguous' | 'missing'> {
  const snapshot = await served.snapshot();
  if (kind === 'skill') return snapshot.view().find(name).kind;
  const specs = await snapshot.specs();
  return (kind === 'spec' ? specs.findSpec(name) : specs.findChange(name)).kind;
}

/** Items of the shared catalog without those whose name resolves to a local item. */
export async function withoutLocal<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  { served, kind }: { served: ServedWorkspace; kind: ItemKind },
): Promise<T[]> {
  const kept: T[] = [];
  for (const item of items) if ((await findLocally(served, kind, nameOf(item))) === 'missing') kept.push(item);
  return kept;
}

/** Output of the shared catalog, if it could be used. */
export function outputOf(answer: RemoteAnswer): Data | undefined {
  return 'output' in answer ? answer.output : undefined;
}

/** Whether an outcome is a failure with this code. */
export function failedWith(code: FailureCode, outcome: object): boolean {
  return 'error' in outcome && outcome.error instanceof Failure && outcome.error.code === code;
}
