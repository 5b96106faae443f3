import { count } from '../core/text.js';
import type { ValidationReport } from './schemas.js';

/** One report out of several. */
export function joinReports(reports: readonly ValidationReport[]): ValidationReport {
  const items = reports.flatMap((report) => report.items);
  const invalid = items.filter(({ valid }) => !valid).length;
  return {
    // A report may be against something that is no item, such as a filter.
    valid: invalid === 0 && reports.every(({ valid }) => valid),
    errors: reports.flatMap(({ errors }) => errors),
    warnings: reports.flatMap(({ warnings }) => warnings),
    info: reports.flatMap(({ info }) => info),
    summary:
      items.length === 0
        ? 'Nothing to validate.'
        : invalid === 0
          ? `${count(items.length, 'item')} valid.`
          : `${invalid} of ${count(items.length, 'item')} not valid.`,
    items,
  };
}
