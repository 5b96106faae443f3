/** The code that the system gave an error (`ENOENT`), or an empty text where it is no error of the system's. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
