/**
 * Serves only complete skills. Editors and agents write files in pieces, so a file that changed a moment ago is reread until it
 * stops changing. If it does not, or can no longer be used, the last served version is served. The next scan that finds the file
 * unchanged drops a skill that is broken or missing. A writer that pauses for longer cannot be detected.
 */
import { findEntry, tryRead } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, reasonText, sameStamp } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { echo, foldName } from '../core/text.ts';
import { isMoving } from '../skills/moving.ts';
import { parseWholeFile } from '../skills/read-headers.ts';
import type { Skill } from '../skills/skill.ts';

/** One read of a SKILL.md: its header and its bytes belong together. */
export interface WholeSkill {
  /** The skill as the scan found it, with the header of this read. */
  skill: Skill;
  bytes: Uint8Array;
}

interface Attempt {
  /** Undefined if the file cannot be read, does not parse, or has another name. */
  whole: WholeSkill | undefined;
  moving: boolean;
  problem: string;
  trouble?: FileTrouble;
}

export class WholeSkills {
  readonly #tree: FileTree;
  readonly #maxBytes: number;
  /** The last good version of each served skill, by real file, least recently used first. */
  readonly #kept = new Map<string, WholeSkill>();
  #bytes = 0;

  constructor(tree: FileTree, maxBytes: number = LIMITS.keptSkillBytes.value) {
    this.#tree = tree;
    this.#maxBytes = maxBytes;
  }

  /** Waits up to `deadline` for a file that is being written. */
  async read(skill: Skill, deadline: number = Date.now() + LIMITS.skillSettleWait.value): Promise<WholeSkill> {
    let attempt = await this.#attempt(skill);
    while (attempt.moving && Date.now() < deadline) {
      const pause = Math.min(WAIT_MS, Math.max(1, deadline - Date.now()));
      await new Promise((resolve) => setTimeout(resolve, pause));
      attempt = await this.#attempt(skill);
    }
    if (attempt.whole && !attempt.moving) return this.#keep(attempt.whole);
    const kept = this.#kept.get(skill.realFile);
    if (kept?.skill.key === skill.key) return this.#keep({ ...kept, skill: { ...skill, ...headerOf(kept.skill) } });
    // A new file has no earlier version. The readable part is served, so that the skill does not seem to be missing.
    if (attempt.whole) return attempt.whole;
    throw failureOf(skill, attempt);
  }

  /** Drops skills that the last scan did not find. */
  keepOnly(skills: readonly Skill[]): void {
    if (this.#kept.size === 0) return;
    const present = new Map(skills.map(({ realFile, key }) => [realFile, key]));
    for (const [file, { skill }] of this.#kept) if (present.get(file) !== skill.key) this.#drop(file);
  }

  async #attempt(skill: Skill): Promise<Attempt> {
    const startedAt = Date.now();
    const read = tryRead(this.#tree, skill.realFile, LIMITS.skillFileBytes.value);
    if (read instanceof FileTrouble)
      return { whole: undefined, moving: false, problem: `it cannot be read: ${reasonText(read)}`, trouble: read };
    const { bytes, stamp } = read;
    const now = findEntry(this.#tree, skill.realFile)?.stamp;
    const moving = isMoving(stamp, startedAt) || (now !== undefined && !sameStamp(now, stamp));
    const header = await parseWholeFile(skill.file, bytes);
    if (header.name === undefined || header.description === undefined)
      return { whole: undefined, moving, problem: 'it is incomplete or broken' };
    const key = foldName(header.name);
    if (key !== skill.key) return { whole: undefined, moving, problem: 'it has another name now' };
    return {
      whole: {
        skill: { ...skill, ...headerOf({ ...header, name: header.name, description: header.description }) },
        bytes,
      },
      moving,
      problem: '',
    };
  }

  #keep(whole: WholeSkill): WholeSkill {
    const { realFile } = whole.skill;
    this.#drop(realFile);
    if (whole.bytes.length > this.#maxBytes) return whole;
    this.#kept.set(realFile, whole);
    this.#bytes += whole.bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
    return whole;
  }

  #drop(file: string): void {
    this.#bytes -= this.#kept.get(file)?.bytes.length ?? 0;
    this.#kept.delete(file);
  }
}

/** Short enough to answer soon after the last write, and long enough to cost nothing. */
const WAIT_MS = 25;

type Head = Pick<Skill, 'name' | 'description' | 'frontmatter' | 'bodyLine' | 'diagnostics'>;

function headerOf({ name, description, frontmatter, bodyLine, diagnostics }: Head): Head {
  return { name, description, frontmatter, bodyLine, diagnostics };
}

function failureOf({ name, file }: Skill, { problem, trouble }: Attempt): Failure {
  if (trouble && !trouble.isMissing) {
    const message = `The file of skill '${echo(name)}' cannot be read: ${reasonText(trouble)} (${echo(file)}).`;
    return new Failure('UNREADABLE', message, { path: file, hint: 'Check its permissions.', cause: trouble });
  }
  return new Failure('SKILL_CHANGING', `The file of skill '${echo(name)}' is being changed: ${problem}.`, {
    path: file,
    hint: 'Try again in a moment.',
    ...(trouble ? { cause: trouble } : {}),
  });
}
