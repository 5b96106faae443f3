import { count } from '../core/text.ts';
import type { ValidationReport } from './schemas.ts';

/** One report out of several. */
export function joinReports(reports: readonly ValidationReport[]): ValidationReport {
  const items = reports.flatMap((report) => report.items);
  const invalid = items.filter(({ valid }) => !valid).length;
  // A report may be against something that is no item, such as a filter.
  const valid = invalid === 0 && reports.every((report) => report.valid);
  return {
    valid,
    errors: reports.flatMap(({ errors }) => errors),
    warnings: reports.flatMap(({ warnings }) => warnings),
    info: reports.flatMap(({ info }) => info),
    summary: summaryOf('item', 'Nothing to validate', { all: items.length, invalid, valid }),
    items,
  };
}

/** The verdict in words; `none` where there was nothing to judge. Warnings count with --strict, also those about no item. */
export function summaryOf(
  noun: string,
  none: string,
  { all, invalid, valid }: { all: number; invalid: number; valid: boolean },
): string {
  if (invalid > 0) return `${invalid} of ${count(all, noun)} not valid.`;
  return `${all === 0 ? none : `${count(all, noun)} valid`}${valid ? '.' : ', but there are warnings.'}`;
}
