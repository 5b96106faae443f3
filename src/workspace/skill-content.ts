/** The only access to the text and the files of a skill, so that a skill need not be on this disk. */
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

/** Everything is read as it is now, not as it was when the skill was found. */
export interface SkillContent {
  /** SKILL.md as it is on disk at this moment, byte for byte. Fails if it cannot be read. To serve it, use `whole`. */
  bytes(): Promise<Uint8Array>;
  /**
   * SKILL.md as it is served: header and bytes of one read, never half a file. Waits for a file that is being written, up to
   * `deadline`, a time that the calls for one reply share. Fails if there is nothing whole to serve.
   */
  whole(deadline?: number): Promise<WholeContent>;
  /** The size of SKILL.md in bytes; undefined if it is gone. */
  size(): Promise<number | undefined>;
  /** Every file of the skill, SKILL.md included. */
  files(): Promise<Bundle>;
  /** One of these files, or a part of it. Fails if it cannot be read. */
  read(path: string, offset?: number, length?: number): Promise<Uint8Array>;
  /** The SHA-256 of one of these files; undefined if it is too large, gone, or changed since the files were listed. */
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

  /** The path is only compared with the list; it is never joined, decoded or resolved. */
  async #find(path: string): Promise<BundledFile | undefined> {
    return (await this.files()).files.find((file) => file.path === path);
  }
}

/** The stamp from the scan, or the current one after a one-shot scan. If the file is gone, it equals no other stamp. */
export function stampOf(tree: FileTree, { stamp, realFile }: Skill): Stamp {
  return Number.isNaN(stamp.size) ? (findEntry(tree, realFile)?.stamp ?? stamp) : stamp;
}

/** The text below the frontmatter, and the stamp of the file. Synchronous, for search. */
export function readBody(tree: FileTree, skill: Skill): { text: string; stamp?: Stamp } {
  const read = tryRead(tree, skill.realFile, LIMITS.skillFileBytes.value);
  return read instanceof FileTrouble ? { text: '' } : { text: bodyOf(decode(read.bytes)), stamp: read.stamp };
}

/** Without a copy of the bytes. */
function decode({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
