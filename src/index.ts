/** The public library. Every export is listed by hand. */
export { openCatalog, type Catalog, type CatalogOptions } from './library.ts';
export { Failure, type FailureCode } from './core/failure.ts';
export type { Diagnostic, Severity } from './core/diagnostics.ts';
export { VERSION } from './core/version.ts';
