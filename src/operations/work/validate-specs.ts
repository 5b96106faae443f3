import { type Report, reportOf } from '../../core/report.ts';
import { judgeChanges, judgeSpecs } from '../../specs/validate.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { getChange, getSpec } from '../spec-lookup.ts';

export async function validateSpecNow(
  { spec_id, strict }: { spec_id?: string | undefined; strict: boolean },
  workspace: Workspace,
): Promise<Report> {
  const catalog = await workspace.snapshot.specs();
  const only = spec_id === undefined ? undefined : getSpec(catalog, spec_id);
  return reportOf(judgeSpecs(catalog, only), { strict, noun: 'spec' });
}

export async function validateChangeNow(
  { change_id, strict, archived }: { change_id?: string | undefined; strict: boolean; archived: boolean },
  workspace: Workspace,
): Promise<Report> {
  const catalog = await workspace.snapshot.specs();
  const only = change_id === undefined ? undefined : getChange(catalog, change_id);
  return reportOf(judgeChanges(catalog, { only, archived }), { strict, noun: 'change' });
}
