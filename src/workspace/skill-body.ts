import { tryRead } from '../core/disk/answers.ts';
import { FileTrouble, type Stamp } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import type { Skill } from '../skills/schema.ts';
import type { Workspace } from './workspace.ts';

/** The text below the frontmatter, and the state of the file it was read from; a file that cannot be read any more has no text. */
export function readBody(skill: Skill, workspace: Workspace): { text: string; stamp?: Stamp } {
  const read = tryRead(workspace.disk, skill.realFile, LIMITS.skillFileBytes.value);
  if (read instanceof FileTrouble) return { text: '' };
  const { bytes, stamp } = read;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return { text: bodyOf(text, skill.bodyLine), stamp };
}

function bodyOf(text: string, bodyLine: number): string {
  let at = 0;
  for (let line = 1; line < bodyLine && at !== -1; line++) at = text.indexOf('\n', at) + 1 || -1;
  return at === -1 ? '' : text.slice(at);
}
