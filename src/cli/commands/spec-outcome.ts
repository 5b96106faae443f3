import type { ValidationReport } from '../../operations/schemas.js';
import { renderNotices } from '../../render/diagnostics.js';
import { jsonText } from '../../core/text.js';
import { renderSarif } from '../../render/sarif.js';
import type { Style } from '../../render/style.js';
import { renderValidation } from '../../render/validation.js';
import { SPEC_CODES } from '../../specs/all-codes.js';
import type { Workspace } from '../../workspace/workspace.js';
import type { CommandContext, Outcome } from '../command.js';
import { type FlagValues, isSet } from '../flags.js';

const NOTICES_MAX = 20;

/** Specs need no skills, so none are looked for. */
export function openSpecs({ workspace }: CommandContext): Promise<Workspace> {
  return workspace({ skills: false });
}

/** What could not be read, for standard error. */
export async function specNotices(workspace: Workspace): Promise<(style: Style) => string> {
  const { diagnostics } = await workspace.snapshot.specs();
  return (style) => renderNotices(diagnostics, style, NOTICES_MAX);
}

export function validationOutcome(report: ValidationReport, flags: FlagValues): Outcome {
  const sarif = isSet(flags, 'sarif') ? renderSarif(report, SPEC_CODES) : undefined;
  return {
    json: sarif ?? report,
    text: (style) => (sarif ? `${jsonText(sarif, 2)}\n` : renderValidation(report, style)),
    exitCode: report.valid ? 0 : 1,
  };
}
