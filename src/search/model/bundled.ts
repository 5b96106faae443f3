/** The bundled model: `model/words.bin`, next to the code in `dist` or at the root of a clone. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exists, tryRead } from '../../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../../core/disk/tree.ts';
import { Failure } from '../../core/failure.ts';
import { openStaticModel, type StaticModel } from './static-model.ts';

export const BUNDLED_MODEL = 'lectern-words-2';
export const BUNDLED_SHA256 = '6fb72ed7798cba851f614f71673ee031d16d21ce08d7a7f6d255a4ae2025b944';

const MAX_BYTES = 16 * 1024 * 1024;

/** Fails if the file is missing or is not the one this version was built with. */
export function openBundledModel(files: FileTree): StaticModel {
  const file = findModel(files);
  const read = file === undefined ? undefined : tryRead(files, file, MAX_BYTES);
  if (read === undefined || read instanceof FileTrouble)
    throw new Failure('MODEL_UNAVAILABLE', 'The bundled search model is missing or cannot be read.', {
      hint: 'Install Lectern again.',
    });
  return openStaticModel(read.bytes, BUNDLED_SHA256);
}

function findModel(files: FileTree): string | undefined {
  let dir = path.dirname(fileURLToPath(import.meta.url));
  for (let levels = 0; levels < 5; levels++, dir = path.dirname(dir)) {
    const file = path.join(dir, 'model', 'words.bin');
    if (exists(files, file)) return file;
  }
  return undefined;
}
