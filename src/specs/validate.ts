/**
 * Judges specs and changes as OpenSpec does: the same file gets the same verdict, with and without --strict. Lectern's own
 * findings are advice and never change a verdict.
 */
import type { Diagnostic } from '../core/diagnostics.ts';
import { type Judged, unreadItems } from '../core/report.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import type { SpecFile } from './spec-file.ts';
import { validateChange } from './validate-change.ts';
import { validateSpec } from './validate-spec.ts';

/** Judges one spec, or all specs and the files that could not be read. */
export function judgeSpecs(catalog: SpecCatalog, only?: SpecFile): Judged[] {
  const judged = (only ? [only] : catalog.specs).map((spec): Judged => ({
    type: 'spec',
    id: spec.id,
    diagnostics: validateSpec(spec),
  }));
  return only ? judged : withUnread(judged, catalog, 'spec');
}

/** Judges one change, or all active or all archived ones and the files that could not be read. */
export function judgeChanges(
  catalog: SpecCatalog,
  { only, archived = false }: { only?: ChangeFolder | undefined; archived?: boolean } = {},
): Judged[] {
  const changes = only ? [only] : archived ? catalog.archived : catalog.changes;
  const judged = changes.map((change): Judged => ({
    type: 'change',
    id: change.id,
    diagnostics: validateChange(catalog, change),
  }));
  return only ? judged : withUnread(judged, catalog, 'change');
}

/** A file that could not be read never became an item, so it is reported under its path. */
function withUnread(judged: readonly Judged[], catalog: SpecCatalog, type: 'spec' | 'change'): Judged[] {
  const isHere = (place: string): boolean =>
    catalog.roots.some(({ specsDir, changesDir, archiveDir }) => {
      const inChanges = place.startsWith(changesDir) || place.startsWith(archiveDir);
      return type === 'change' ? inChanges : place.startsWith(specsDir) && !inChanges;
    });
  const known = new Set(
    judged
      .flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity !== 'info'))
      .map(({ path }) => path),
  );
  const unread = catalog.diagnostics.filter(({ path }) => isHere(path) && !known.has(path)).map(asAdvice);
  return [...judged, ...unreadItems(type, unread)];
}

/** OpenSpec has no such warnings about the files themselves, so they must not decide the verdict. */
function asAdvice(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'error' ? diagnostic : { ...diagnostic, advice: true };
}
