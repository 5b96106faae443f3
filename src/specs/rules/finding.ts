/**
 * One complaint about one spec or change. Findings that OpenSpec has as well decide the verdict; our own advise and never
 * turn a file that OpenSpec accepts into an invalid one, not even under --strict.
 */
import type { CodeDefinition, Severity } from '../../core/diagnostics.ts';

export interface ItemFinding {
  code: string;
  severity: Severity;
  /** Whether the verdict depends on it. */
  decides: boolean;
  /** The id of the spec or change. */
  item: string;
  file: string;
  /** 1-based. */
  line: number;
  /** The part of the file, such as `Purpose` or `Requirements > Login`. */
  section?: string;
  description: string;
  fix: string;
}

export interface FindingPlace {
  item: string;
  file: string;
  /** Index of the line; the first line of the file where nothing better is known. */
  line?: number;
  section?: string;
}

export interface ItemCode extends CodeDefinition {
  decides: boolean;
  at(place: FindingPlace, description: string, fix?: string): ItemFinding;
}

/** A finding that OpenSpec has too. */
export function defineVerdict(definition: CodeDefinition): ItemCode {
  return itemCode(definition, true);
}

/** A finding of our own. */
export function defineAdvice(definition: CodeDefinition): ItemCode {
  return itemCode(definition, false);
}

function itemCode(definition: CodeDefinition, decides: boolean): ItemCode {
  return {
    ...definition,
    decides,
    at: ({ item, file, line = 0, section }, description, fix = definition.fix) => ({
      code: definition.code,
      severity: definition.severity,
      decides,
      item,
      file,
      line: line + 1,
      ...(section === undefined ? {} : { section }),
      description,
      fix,
    }),
  };
}
