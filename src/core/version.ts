declare const LECTERN_VERSION: string | undefined;

/** Set by the build. A run from source has no version. */
export const VERSION: string = typeof LECTERN_VERSION === 'string' ? LECTERN_VERSION : '0.0.0-source';
