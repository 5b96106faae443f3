import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type TempFile = string | Uint8Array | { link: string };

export interface TempFolder extends Disposable {
  dir: string;
  at(...below: string[]): string;
  write(files: Record<string, TempFile>): void;
}

/** A folder that is gone when the test is done; anybody may enter it, so that an ordinary user can be tried out in it. */
export function tempFolder(files: Record<string, TempFile> = {}): TempFolder {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-test-')));
  fs.chmodSync(dir, 0o755);
  const folder: TempFolder = {
    dir,
    at: (...below) => path.join(dir, ...below),
    write(more) {
      for (const [name, file] of Object.entries(more)) {
        const place = path.join(dir, name);
        fs.mkdirSync(path.dirname(place), { recursive: true });
        if (typeof file === 'object' && 'link' in file) fs.symlinkSync(file.link, place);
        else fs.writeFileSync(place, file);
      }
    },
    [Symbol.dispose]: () => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 3 }),
  };
  folder.write(files);
  return folder;
}
