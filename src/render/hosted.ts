/** Findings for code hosts, which know files only by their path in the repository. */
import path from 'node:path';
import type { Level } from '../core/diagnostics.ts';
import { isInside } from '../core/inside.ts';
import type { Report, ReportedFinding } from '../core/report.ts';
import type { ScanOutput } from '../operations/scan-skills.ts';
import type { FindingFormat } from '../operations/shapes.ts';

/** The repository that the findings are reported for. */
export interface HostedBase {
  /** Real path of the repository, or of the project folder if there is no repository. */
  root: string;
  /** Resolves links: a linked folder may be outside the repository. */
  realPath(file: string): string;
}

export type Findings = Pick<Report, 'errors' | 'warnings' | 'info'>;

/** Returns the names on the way from the root to a file. Undefined if it is outside. */
export function placeIn({ root, realPath }: HostedBase, file: string): string[] | undefined {
  const real = realPath(file);
  if (!isInside(root, real)) return undefined;
  // Half a surrogate pair, which Windows allows in names, cannot be encoded.
  return Buffer.from(path.relative(root, real)).toString().split(path.sep);
}

/** Findings of the scan by severity: critical and high are errors, medium is a warning. */
export function scanFindings({ findings }: Pick<ScanOutput, 'findings'>): Findings {
  const of = (...levels: Level[]): ReportedFinding[] =>
    findings
      .filter(({ severity }) => levels.includes(severity))
      .map(({ severity, ...finding }) => ({ ...finding, level: severity }));
  return { errors: of('critical', 'high'), warnings: of('medium'), info: of('low', 'info') };
}

const NOT_SCANNED = { code: 'not-scanned', item: '', fix: 'The file was not scanned.', docs: '' } as const;

/** Renders findings in the format of a code host. */
export async function renderFor(format: FindingFormat, found: Findings, base: HostedBase): Promise<object | string> {
  if (format === 'sarif') return (await import('./sarif.ts')).renderSarif(found, base);
  const { renderGithub, renderGitlab } = await import('./reports.ts');
  return (format === 'github' ? renderGithub : renderGitlab)(found, base);
}

export async function renderScanFor(
  format: FindingFormat,
  scan: ScanOutput,
  base: HostedBase,
): Promise<object | string> {
  if (format === 'sarif') return (await import('./sarif.ts')).renderScanSarif(scan, base);
  const { errors, warnings, info } = scanFindings(scan);
  // Without them, an incomplete scan would look like a clean one.
  const notScanned = scan.notScanned.map(({ file, reason }) => ({ ...NOT_SCANNED, file, description: reason }));
  return renderFor(format, { errors, warnings: [...warnings, ...notScanned], info }, base);
}
