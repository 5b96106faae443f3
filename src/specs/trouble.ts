import type { Diagnostic } from '../core/diagnostics.ts';
import { type FileTrouble, reasonText } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { specLinkDangling, specNotARegularFile, specTooLarge, specUnreadable } from './codes.ts';

const MIB = 1024 * 1024;

/** Returns the diagnostic for a file that could not be read. */
export function troubleWith(trouble: FileTrouble, path: string): Diagnostic {
  switch (trouble.reason) {
    case 'too-large':
      return specTooLarge.at({
        path,
        message: `${((trouble.size ?? 0) / MIB).toFixed(1)} MiB; the limit is ${LIMITS.specFileBytes.value / MIB} MiB`,
      });
    case 'not-a-regular-file':
      return specNotARegularFile.at({ path, message: 'not a regular file' });
    case 'too-many-links':
      return specLinkDangling.at({ path, message: 'the link leads to itself' });
    default:
      return specUnreadable.at({
        path,
        message: trouble.reason === 'not-permitted' ? reasonText(trouble) : `cannot be read (${reasonText(trouble)})`,
      });
  }
}
