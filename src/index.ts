/** The public library. Every export is listed by hand. */
export { openCatalog, type Catalog, type CatalogOptions } from './library.js';
export { Failure, type FailureCode } from './core/failure.js';
export type { Diagnostic, Severity } from './core/diagnostics.js';
export { VERSION } from './core/version.js';
