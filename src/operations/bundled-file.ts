/** Reads the files that come with a skill: only entries of its scanned list, only inside its own folder. */
import { isUtf8 } from 'node:buffer';
import { Failure } from '../core/failure.ts';
import { orTrouble } from '../core/disk/answers.ts';
import { FileTrouble, reasonText } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import { type Bundle, type BundledFile, readBundle } from '../skills/bundle.ts';
import type { Skill } from '../skills/schema.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The entry of that path. A path is compared with the list as it stands; it is never joined, decoded or resolved. */
export function getBundledFile(
  workspace: Workspace,
  skill: Skill,
  asked: string,
): { bundle: Bundle; file: BundledFile } {
  const bundle = readBundle(workspace.disk, skill);
  const file = bundle.files.find(({ path }) => path === asked);
  if (file) return { bundle, file };
  const near = nearest(
    asked,
    bundle.files.map(({ path }) => path),
  );
  throw new Failure('NOT_FOUND', `Skill '${echo(skill.name)}' has no file '${echo(asked)}'.`, {
    suggestions: near,
    hint:
      near.length > 0
        ? `Did you mean: ${near.map(echo).join(', ')}?`
        : 'Call skill_file without a path to see its files.',
  });
}

export interface BundledContent {
  bytes: Uint8Array;
  /** The text, where the file is text. */
  text: string | undefined;
}

export function readBundledFile(
  workspace: Workspace,
  skill: Skill,
  { bundle, file }: { bundle: Bundle; file: BundledFile },
): BundledContent {
  if (file.bytes > LIMITS.bundledFileBytes.value) {
    throw new Failure(
      'REFUSED',
      `The file '${echo(file.path)}' has ${file.bytes} bytes; at most ${LIMITS.bundledFileBytes.value} are served.`,
    );
  }
  const read = orTrouble(() =>
    workspace.disk.readWithin(bundle.realDir, file.realPath, 0, LIMITS.bundledFileBytes.value),
  );
  if (read instanceof FileTrouble) {
    throw new Failure(
      'UNREADABLE',
      `The file '${echo(file.path)}' of skill '${echo(skill.name)}' cannot be read: ${reasonText(read)}.`,
      { cause: read },
    );
  }
  const isText = !read.bytes.includes(0) && isUtf8(read.bytes);
  return { bytes: read.bytes, text: isText ? Buffer.from(read.bytes).toString('utf8') : undefined };
}
