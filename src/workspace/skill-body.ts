import { breather } from '../core/breathe.js';
import { FileTrouble } from '../core/files.js';
import { LIMITS } from '../core/limits.js';
import type { Skill } from '../skills/schema.js';
import type { Workspace } from './workspace.js';

/** The text below the frontmatter; a file that cannot be read any more has none. Unchanged files are not read twice. */
export function readBody(skill: Skill, workspace: Workspace): string {
  const known = workspace.bodies.get(skill.realFile, skill.stamp);
  if (known !== undefined) return known;
  try {
    const { bytes, stamp } = workspace.files.read(skill.realFile, LIMITS.skillFileBytes.value);
    const body = bodyOf(Buffer.from(bytes).toString('utf8'), skill.bodyLine);
    workspace.bodies.set(skill.realFile, stamp, body);
    return body;
  } catch (error) {
    if (error instanceof FileTrouble) return '';
    throw error;
  }
}

function bodyOf(text: string, bodyLine: number): string {
  let at = 0;
  for (let line = 1; line < bodyLine && at !== -1; line++) at = text.indexOf('\n', at) + 1 || -1;
  return at === -1 ? '' : text.slice(at);
}

/** Reads what a search is going to need in slices, so that ten thousand files do not hold up everybody else. */
export async function warmBodies(skills: readonly Skill[], workspace: Workspace): Promise<void> {
  const breathe = breather();
  for (const skill of skills) {
    const pause = breathe();
    if (pause) await pause;
    readBody(skill, workspace);
  }
}
