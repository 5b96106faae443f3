/** The only access to the text and the files of a skill, so that skills need not be on this disk. */
import { findEntry, orTrouble, tryRead } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, reasonText, type Stamp } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { bodyOf } from '../core/frontmatter/split.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';
import { type Bundle, type BundledFile, readBundle } from '../skills/bundle.ts';
import type { Skill } from '../skills/skill.ts';
import type { Digests } from './digests.ts';
import type { WholeSkill, WholeSkills } from './whole-skills.ts';

/** Reads the current files, not the state in which the skill was found. */
export interface SkillContent {
  /** Returns the current bytes of SKILL.md. Fails if it cannot be read. To serve it, use `whole`. */
  bytes(): Promise<Uint8Array>;
  /**
   * Returns SKILL.md for serving: header and bytes of one read, never a partly written file. Waits for a file that is being
   * written, up to `deadline`, a time shared by all calls for one reply. Fails if there is no complete version to serve.
   */
  whole(deadline?: number): Promise<WholeContent>;
  /** Returns the size of SKILL.md in bytes, or undefined if it is missing. */
  size(): Promise<number | undefined>;
  /** Lists all files of the skill, including SKILL.md. */
  files(): Promise<Bundle>;
  /** Reads one of these files, or a part of it. Fails if it cannot be read. */
  read(path: string, offset?: number, length?: number): Promise<Uint8Array>;
  /**
   * Returns the SHA-256 of one of these files, or undefined if it is too large, missing, or changed since the files were listed.
   */
  sha256(path: string): Promise<string | undefined>;
}

export interface WholeContent extends WholeSkill {
  text: string;
  /** The text without its frontmatter. */
  body: string;
}

export class DiskContent implements SkillContent {
  readonly #tree: FileTree;
  readonly #skill: Skill;
  readonly #digests: Digests;
  readonly #wholeSkills: WholeSkills;
  #bundle: Bundle | undefined;

  constructor(tree: FileTree, skill: Skill, digests: Digests, wholeSkills: WholeSkills) {
    this.#tree = tree;
    this.#skill = skill;
    this.#digests = digests;
    this.#wholeSkills = wholeSkills;
  }

  async bytes(): Promise<Uint8Array> {
    const { name, file, realFile } = this.#skill;
    const read = tryRead(this.#tree, realFile, LIMITS.skillFileBytes.value);
    if (!(read instanceof FileTrouble)) return read.bytes;
    throw new Failure('UNREADABLE', `The file of skill '${echo(name)}' cannot be read: ${reasonText(read)}.`, {
      path: file,
      hint: read.reason === 'missing' ? 'It was removed after the last scan; try again.' : 'Check its permissions.',
      cause: read,
    });
  }

  async whole(deadline?: number): Promise<WholeContent> {
    const whole = await this.#wholeSkills.read(this.#skill, deadline);
    const text = decode(whole.bytes);
    return { ...whole, text, body: bodyOf(text) };
  }

  async size(): Promise<number | undefined> {
    const { size } = stampOf(this.#tree, this.#skill);
    return Number.isNaN(size) ? undefined : size;
  }

  async files(): Promise<Bundle> {
    return (this.#bundle ??= readBundle(this.#tree, this.#skill));
  }

  async read(path: string, offset = 0, length: number = LIMITS.bundledFileBytes.value): Promise<Uint8Array> {
    const { realDir } = await this.files();
    const file = await this.#find(path);
    if (!file) throw new Failure('NOT_FOUND', `Skill '${echo(this.#skill.name)}' has no file '${echo(path)}'.`);
    if (file.realPath === this.#skill.realFile)
      return (await this.#wholeSkills.read(this.#skill)).bytes.subarray(offset, offset + length);
    const max = LIMITS.bundledFileBytes.value;
    if (file.bytes > max)
      throw new Failure('REFUSED', `The file '${echo(path)}' has ${file.bytes} bytes; at most ${max} are served.`);
    const read = orTrouble(() => this.#tree.readWithin(realDir, file.realPath, offset, length));
    if (!(read instanceof FileTrouble)) return read.bytes;
    const { name } = this.#skill;
    const message = `The file '${echo(path)}' of skill '${echo(name)}' cannot be read: ${reasonText(read)}.`;
    throw new Failure('UNREADABLE', message, { cause: read });
  }

  async sha256(path: string): Promise<string | undefined> {
    const { realDir } = await this.files();
    const file = await this.#find(path);
    return file && this.#digests.of(file, realDir);
  }

  /** The path is only compared with the list. It is never joined, decoded or resolved. */
  async #find(path: string): Promise<BundledFile | undefined> {
    return (await this.files()).files.find((file) => file.path === path);
  }
}

/**
 * Returns the stamp from the scan, or the current one after a one-shot scan. For a missing file, the stamp does not equal any
 * other.
 */
export function stampOf(tree: FileTree, { stamp, realFile }: Skill): Stamp {
  return Number.isNaN(stamp.size) ? (findEntry(tree, realFile)?.stamp ?? stamp) : stamp;
}

/** Reads the text below the frontmatter, and the stamp of the file. Synchronous, for search. */
export function readBody(tree: FileTree, skill: Skill): { text: string; stamp?: Stamp } {
  const read = tryRead(tree, skill.realFile, LIMITS.skillFileBytes.value);
  return read instanceof FileTrouble ? { text: '' } : { text: bodyOf(decode(read.bytes)), stamp: read.stamp };
}

/** Decodes without copying the bytes. */
function decode({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
