declare const LECTERN_VERSION: string | undefined;

/** Written in by the build; a run from source has no version of its own. */
export const VERSION: string = typeof LECTERN_VERSION === 'string' ? LECTERN_VERSION : '0.0.0-source';
