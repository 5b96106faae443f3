import * as z from 'zod';
import type { SpecCatalog } from '../specs/catalog.js';
import { judgeChanges, judgeSpecs } from '../specs/validate.js';
import { defineOperation } from './define.js';
import { joinReports } from './join-reports.js';
import { ValidationReport } from './schemas.js';
import { getChange, getSpec } from './spec-lookup.js';

const strict = z.boolean().default(false).describe('Warnings make it fail, as openspec validate --strict does');

export const validateSpec = defineOperation({
  name: 'validate_spec',
  title: 'Validate specs',
  summary: 'Holds specs against OpenSpec’s rules and says what to correct, and where.',
  input: z.strictObject({ spec_id: z.string().min(1).optional().describe('Only this spec; without it, all of them'), strict }),
  output: ValidationReport,
  readOnly: true,
  async run({ spec_id, strict: isStrict }, workspace) {
    const catalog = await workspace.snapshot.specs();
    if (spec_id !== undefined) return judgeSpecs([getSpec(catalog, spec_id)], { strict: isStrict });
    const report = judgeSpecs(catalog.specs, { strict: isStrict });
    return withUnread(report, catalog, 'spec');
  },
});

export const validateChange = defineOperation({
  name: 'validate_change',
  title: 'Validate changes',
  summary: 'Holds change proposals against OpenSpec’s rules and the current specs, and says what to correct, and where.',
  input: z.strictObject({
    change_id: z.string().min(1).optional().describe('Only this change; without it, all active ones'),
    strict,
    archived: z.boolean().default(false).describe('The archived changes instead'),
  }),
  output: ValidationReport,
  readOnly: true,
  async run({ change_id, strict: isStrict, archived }, workspace) {
    const catalog = await workspace.snapshot.specs();
    if (change_id !== undefined) return judgeChanges(catalog, [getChange(catalog, change_id)], { strict: isStrict });
    const report = judgeChanges(catalog, archived ? catalog.archived : catalog.changes, { strict: isStrict });
    return withUnread(report, catalog, 'change');
  },
});

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
