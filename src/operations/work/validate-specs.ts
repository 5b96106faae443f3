import type { SpecCatalog } from '../../specs/catalog.ts';
import { judgeChanges, judgeSpecs } from '../../specs/validate.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { joinReports } from '../join-reports.ts';
import type { ValidationReport } from '../schemas.ts';
import { getChange, getSpec } from '../spec-lookup.ts';

export async function validateSpecNow(
  { spec_id, strict }: { spec_id?: string | undefined; strict: boolean },
  workspace: Workspace,
): Promise<ValidationReport> {
  const catalog = await workspace.snapshot.specs();
  if (spec_id !== undefined) return judgeSpecs([getSpec(catalog, spec_id)], { strict });
  const report = judgeSpecs(catalog.specs, { strict });
  return withUnread(report, catalog, 'spec');
}

export async function validateChangeNow(
  { change_id, strict, archived }: { change_id?: string | undefined; strict: boolean; archived: boolean },
  workspace: Workspace,
): Promise<ValidationReport> {
  const catalog = await workspace.snapshot.specs();
  if (change_id !== undefined) return judgeChanges(catalog, [getChange(catalog, change_id)], { strict });
  const report = judgeChanges(catalog, archived ? catalog.archived : catalog.changes, { strict });
  return withUnread(report, catalog, 'change');
}

/** A file that could not be read never became an item, so nobody would hear of it: it stands in the report under its path. */
function withUnread(report: ValidationReport, catalog: SpecCatalog, type: 'spec' | 'change'): ValidationReport {
  const isHere = (place: string): boolean =>
    catalog.roots.some(({ specsDir, changesDir, archiveDir }) => {
      const inChanges = place.startsWith(changesDir) || place.startsWith(archiveDir);
      return type === 'change' ? inChanges : place.startsWith(specsDir) && !inChanges;
    });
  const known = new Set([...report.errors, ...report.warnings].map(({ file }) => file));
  const unread = catalog.diagnostics.filter((diagnostic) => isHere(diagnostic.path) && !known.has(diagnostic.path));
  if (unread.length === 0) return report;
  const findings = (severity: string) =>
    unread
      .filter((diagnostic) => diagnostic.severity === severity)
      .map(({ code, path: file, line, message, fix }) => ({
        code,
        item: file,
        file,
        ...(line === undefined ? {} : { line }),
        description: message,
        fix,
      }));
  return joinReports([
    report,
    {
      valid: true,
      errors: findings('error'),
      warnings: findings('warning'),
      info: findings('info'),
      summary: '',
      items: unread.map(({ path: id, severity }) => ({ type, id, valid: severity !== 'error' })),
    },
  ]);
}
