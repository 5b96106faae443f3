/**
 * The two lists that scripts ask for most. They stand apart from their operations because the schemas there take longer to
 * load than the lists take to make; a command that prints them needs no schema.
 */
import type { Workspace } from '../workspace/workspace.ts';

export interface SpecIndex {
  specs: { id: string; title: string; purpose: string }[];
}

export interface ChangeIndex {
  changes: { id: string; title: string; task_progress: { completed: number; total: number } }[];
}

export async function specIndex(workspace: Workspace): Promise<SpecIndex> {
  const catalog = await workspace.snapshot.specs();
  return { specs: catalog.specs.map(({ id, title, purpose }) => ({ id, title, purpose })) };
}

export async function changeIndex(workspace: Workspace, { archived }: { archived: boolean }): Promise<ChangeIndex> {
  const catalog = await workspace.snapshot.specs();
  return {
    changes: (archived ? catalog.archived : catalog.changes).map(({ id, title, progress: { completed, total } }) => ({
      id,
      title,
      task_progress: { completed, total },
    })),
  };
}
