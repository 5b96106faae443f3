/** Where the server tells programs what models need not read, in the `_meta` of its answers. */
export const FACTS_KEY = 'lectern/facts';
export const ERROR_KEY = 'lectern/error';
/** The snapshot of a shared catalog that an answer is from. */
export const SNAPSHOT_KEY = 'lectern/snapshot';
/** What a shared catalog has to do with an answer. */
export const CATALOG_KEY = 'lectern/catalog';
