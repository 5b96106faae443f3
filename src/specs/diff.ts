/** Compares a change with the current specs, requirement by requirement, and tells why it could not be archived. */
import { unifiedDiff } from '../core/line-diff.ts';
import { applyDelta } from './apply.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import { metadataOf } from './change-metadata.ts';
import { type IgnoredHeading, ignoredHeadings } from './ignored-headings.ts';
import { blockLines } from './parse-delta.ts';
import { specPath } from './roots.ts';
import type { Operation } from './words.ts';

export interface RequirementDiff {
  operation: Operation;
  requirement: string;
  /** The new name of a rename. */
  to?: string;
  /** A unified diff; empty if nothing would change. */
  diff: string;
}

export interface CapabilityDiff {
  capability: string;
  file: string;
  isNew: boolean;
  /** Why the delta cannot be applied as it is. */
  refused?: string;
  /** What the delta has and archiving would ignore. */
  ignored: IgnoredHeading[];
  requirements: RequirementDiff[];
}

export function diffChange(catalog: SpecCatalog, change: ChangeFolder): CapabilityDiff[] {
  return change.deltas.map(({ capability, parsed }) => {
    const current = catalog.specFor(change.root, capability);
    const currentText = (name: string): string => {
      const block = current?.editable.section?.blocks.findLast((each) => each.name === name);
      return current && block ? `${blockLines(current.editable.outline, block).join('\n')}\n` : '';
    };
    const oldNames = new Map(parsed.renamed.map(({ from, to }) => [to, from]));
    const requirements: (RequirementDiff & { line: number })[] = [
      ...parsed.renamed.map(({ from, to, line }) => ({
        operation: 'renamed' as const,
        requirement: from,
        to,
        diff: diffOf(header(from), header(to), from),
        line,
      })),
      ...parsed.removed.map(({ name, line }) => ({
        operation: 'removed' as const,
        requirement: name,
        diff: diffOf(currentText(name), '', name),
        line,
      })),
      ...parsed.blocks.map((block) => {
        const before = currentText(block.name) || currentText(oldNames.get(block.name) ?? '');
        return {
          operation: block.operation,
          requirement: block.name,
          diff: diffOf(before, `${blockLines(parsed.outline, block).join('\n')}\n`, block.name),
          line: block.line,
        };
      }),
    ];
    const outcome = applyDelta(parsed, current?.editable, { capability, change: change.name });
    const isRefused =
      outcome.kind === 'refused' &&
      (outcome.reason !== 'spec-gone' || !metadataOf(catalog.files, change).retireCapabilities);
    return {
      capability,
      file: current?.file.path ?? specPath(change.root, capability),
      isNew: current === undefined,
      ...(isRefused ? { refused: outcome.message } : {}),
      ignored: ignoredHeadings(parsed),
      requirements: requirements.sort((a, b) => a.line - b.line).map(({ line: _line, ...rest }) => rest),
    };
  });
}

function header(name: string): string {
  return `### Requirement: ${name}\n`;
}

function diffOf(before: string, after: string, name: string): string {
  return unifiedDiff(before, after, {
    from: before === '' ? '/dev/null' : name,
    to: after === '' ? '/dev/null' : name,
  });
}
