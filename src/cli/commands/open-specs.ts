import { renderNotices } from '../../render/diagnostics.ts';
import type { Style } from '../../render/style.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { CommandContext } from '../command.ts';

/** Specs need no skills, so none are looked for. */
export function openSpecs({ workspace }: CommandContext): Promise<Workspace> {
  return workspace({ skills: false });
}

/** What could not be read, for standard error. */
export async function specNotices(workspace: Workspace): Promise<(style: Style) => string> {
  const catalog = await workspace.snapshot.specs();
  // Where an archive run was cut off, the specs may be half of one change: only a look at the changes tells.
  void catalog.changes;
  const { diagnostics } = catalog;
  return (style) => renderNotices(diagnostics, style);
}
