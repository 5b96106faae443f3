/** Key in the `_meta` of replies for data that programs need but models do not. */
export const FACTS_KEY = 'lectern/facts';
export const ERROR_KEY = 'lectern/error';
/** Snapshot number of the shared catalog that a reply came from. */
export const SNAPSHOT_KEY = 'lectern/snapshot';
/** Role of a shared catalog in a reply. */
export const CATALOG_KEY = 'lectern/catalog';
