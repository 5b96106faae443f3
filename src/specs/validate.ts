/**
 * Validates specs and changes as OpenSpec does: the same file gets the same verdict, with and without --strict. Additional
 * findings of Lectern are advice and never change a verdict.
 */
import type { Diagnostic } from '../core/diagnostics.ts';
import { type Judged, unreadItems } from '../core/report.ts';
import type { SpecCatalog } from './catalog.ts';
import { isPlaceOf } from './roots.ts';
import type { ChangeFolder } from './change-folder.ts';
import type { SpecFile } from './spec-file.ts';
import { validateChange } from './validate-change.ts';
import { validateSpec } from './validate-spec.ts';

/** Validates one spec, or all specs and the files that could not be read. */
export function* judgeSpecs(catalog: SpecCatalog, only?: SpecFile): Generator<Judged> {
  const judged: Judged[] = [];
  for (const spec of only ? [only] : catalog.specs) {
    const verdict: Judged = { type: 'spec', id: spec.id, diagnostics: validateSpec(spec) };
    judged.push(verdict);
    yield verdict;
  }
  if (!only) yield* unreadAmong(judged, catalog, 'spec');
}

/** Validates one change, or all active or archived ones and the files that could not be read. */
export function* judgeChanges(
  catalog: SpecCatalog,
  { only, archived = false }: { only?: ChangeFolder | undefined; archived?: boolean } = {},
): Generator<Judged> {
  const judged: Judged[] = [];
  for (const change of only ? [only] : archived ? catalog.archived : catalog.changes) {
    const verdict: Judged = { type: 'change', id: change.id, diagnostics: validateChange(catalog, change) };
    judged.push(verdict);
    yield verdict;
  }
  if (!only) yield* unreadAmong(judged, catalog, 'change');
}

/** An unreadable file is not an item of the catalog, so it is reported under its path. */
function unreadAmong(judged: readonly Judged[], catalog: SpecCatalog, type: 'spec' | 'change'): Judged[] {
  const known = new Set(
    judged
      .flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity !== 'info'))
      .map(({ path }) => path),
  );
  const unread = catalog.diagnostics
    .filter(({ path }) => isPlaceOf(catalog.roots, type, path) && !known.has(path))
    .map(asAdvice);
  return unreadItems(type, unread);
}

/** OpenSpec has no such warnings about files, so they must not affect the verdict. */
function asAdvice(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'error' ? diagnostic : { ...diagnostic, advice: true };
}
