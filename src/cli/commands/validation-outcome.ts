import type { Report } from '../../core/report.ts';
import { jsonText } from '../../core/text.ts';
import { renderValidation } from '../../render/validation.ts';
import type { Outcome } from '../command.ts';
import { type FlagValues, isSet } from '../flags.ts';

/** What every validating command prints: text, JSON or SARIF. */
export async function validationOutcome(report: Report, flags: FlagValues): Promise<Outcome> {
  const exitCode = report.valid ? 0 : 1;
  if (!isSet(flags, 'sarif')) return { json: report, text: (style) => renderValidation(report, style), exitCode };
  const [{ ALL_CODES }, { renderSarif }] = await Promise.all([
    import('../../codes.ts'),
    import('../../render/sarif.ts'),
  ]);
  const sarif = renderSarif(report, ALL_CODES);
  return { json: sarif, text: () => `${jsonText(sarif, 2)}\n`, exitCode };
}
