/**
 * Serves only complete skills. Editors and agents write files in pieces, so a file that changed a moment ago is reread until it
 * stops changing. If it does not, or can no longer be used, the last served version is served. The next scan that finds the file
 * unchanged drops a skill that is broken or missing. A writer that pauses for longer than the limits allow cannot be detected.
 */
import path from 'node:path';
import { findEntry, tryRead } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, reasonText, sameStamp, type Stamp } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { echo, foldName } from '../core/text.ts';
import { changedAt, isMoving } from '../skills/moving.ts';
import { parseWholeFile } from '../skills/read-headers.ts';
import type { Skill } from '../skills/skill.ts';

/** One read of a SKILL.md: its header and its bytes belong together. */
export interface WholeSkill {
  /** The skill as the scan found it, with the header of this read. */
  skill: Skill;
  bytes: Uint8Array;
  /** The inode that was read, if the file is on a disk. */
  ino?: number;
}

interface Attempt {
  /** Undefined if the file cannot be read, does not parse, or has another name. */
  whole: WholeSkill | undefined;
  moving: boolean;
  problem: string;
  trouble?: FileTrouble;
}

/** A version that was read but not served yet. */
interface Piece {
  length: number;
  hash: string;
  changedAt: number;
  /** How long the file must stay unchanged. */
  settleMs: number;
}

export class WholeSkills {
  readonly #tree: FileTree;
  readonly #maxBytes: number;
  /** The last good version of each served skill, by real file, least recently used first. */
  readonly #kept = new Map<string, WholeSkill>();
  /** The last read of each file that differs from its kept version. */
  readonly #pieces = new Map<string, Piece>();
  #bytes = 0;

  constructor(tree: FileTree, maxBytes: number = LIMITS.keptSkillBytes.value) {
    this.#tree = tree;
    this.#maxBytes = maxBytes;
  }

  /** Waits up to `deadline` for a file that is being written. */
  async read(skill: Skill, deadline: number = Date.now() + LIMITS.skillSettleWait.value): Promise<WholeSkill> {
    let attempt = await this.#attempt(skill);
    const { realFile, key } = skill;
    const hasKept = (): boolean => this.#kept.get(realFile)?.skill.key === key;
    // A file that was moved away is replaced by a complete one, so there is no need to wait.
    const isWorthWaiting = (): boolean => attempt.moving && !(attempt.trouble && hasKept());
    while (isWorthWaiting() && Date.now() < deadline) {
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
    for (const file of this.#pieces.keys()) if (!this.#kept.has(file)) this.#pieces.delete(file);
  }

  async #attempt(skill: Skill): Promise<Attempt> {
    const startedAt = Date.now();
    const read = tryRead(this.#tree, skill.realFile, LIMITS.skillFileBytes.value);
    if (read instanceof FileTrouble) {
      const folder = findEntry(this.#tree, path.dirname(skill.realFile))?.stamp;
      if (read.isMissing && this.#kept.has(skill.realFile))
        this.#pieces.set(skill.realFile, { ...NO_PIECE, changedAt: startedAt });
      const moving =
        read.isMissing && folder !== undefined && isMoving(folder, startedAt, LIMITS.skillSettleSlow.value);
      return { whole: undefined, moving, problem: `it cannot be read: ${reasonText(read)}`, trouble: read };
    }
    const { bytes, stamp } = read;
    const now = findEntry(this.#tree, skill.realFile)?.stamp;
    const settleMs = this.#settleMs(skill, bytes, stamp);
    const moving = isMoving(stamp, startedAt, settleMs) || (now !== undefined && !sameStamp(now, stamp));
    const header = await parseWholeFile(skill.file, bytes);
    if (header.name === undefined || header.description === undefined)
      return { whole: undefined, moving, problem: 'it is incomplete or broken' };
    const key = foldName(header.name);
    if (key !== skill.key) return { whole: undefined, moving, problem: 'it has another name now' };
    return {
      whole: {
        skill: { ...skill, ...headerOf({ ...header, name: header.name, description: header.description }) },
        bytes,
        ino: stamp.ino,
      },
      moving,
      problem: '',
    };
  }

  /**
   * How long a file must stay unchanged. Most editors write a new file and rename it, or write the file in one go. The end of
   * the text then usually stays the same. A file with a different end may be half of a new version.
   */
  #settleMs({ realFile, key }: Skill, bytes: Uint8Array, stamp: Stamp): number {
    const kept = this.#kept.get(realFile);
    if (kept?.skill.key !== key || sameBytes(kept.bytes, bytes)) return LIMITS.skillSettle.value;
    const before = this.#pieces.get(realFile);
    const hash = hashOf(bytes);
    if (before?.hash === hash && before.length === bytes.length) return before.settleMs;
    const grown = before && before.length < bytes.length && before.hash === hashOf(bytes.subarray(0, before.length));
    const pause = grown ? Math.min(3 * (changedAt(stamp) - before.changedAt), LIMITS.skillSettleMax.value) : 0;
    const isReplaced = kept.ino !== stamp.ino;
    const isEdited = lastLine(bytes) === lastLine(kept.bytes) && !startsWith(kept.bytes, bytes);
    const isCertain = !grown && (isReplaced || (isEdited && !before));
    const settleMs = isCertain ? LIMITS.skillSettle.value : Math.max(LIMITS.skillSettleSlow.value, pause);
    this.#pieces.set(realFile, { length: bytes.length, hash, changedAt: changedAt(stamp), settleMs });
    return settleMs;
  }

  #keep(whole: WholeSkill): WholeSkill {
    const { realFile } = whole.skill;
    // The kept version may be served many times while pieces of the next one arrive.
    if (this.#kept.get(realFile)?.bytes !== whole.bytes) this.#pieces.delete(realFile);
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

/** Represents a missing file, of which any later content is a continuation. */
const NO_PIECE = {
  length: 0,
  // The SHA-256 of no bytes. Computing it here would load node:crypto at the start of every command.
  hash: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  settleMs: LIMITS.skillSettleSlow.value,
};

/** Short enough to answer soon after the last write, and long enough to cost nothing. */
const WAIT_MS = 25;

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return sameBytes(bytes.subarray(0, start.length), start);
}

function hashOf(bytes: Uint8Array): string {
  // Loaded only if a file changes while it is read.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(bytes).digest('base64');
}

/** The last line that is not blank. */
function lastLine(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(Math.max(0, bytes.length - LAST_LINE_BYTES)))
    .toString('utf8')
    .trimEnd();
  return text.slice(text.lastIndexOf('\n') + 1);
}

const LAST_LINE_BYTES = 4_096;

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
