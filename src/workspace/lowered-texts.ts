/**
 * The texts of skills in lower case (names, description, body), for searches that want every word: read once, read again when
 * the file changed. They are kept as bytes outside the heap of JavaScript, where ten thousand of them cost their size and
 * nothing else.
 */
import { breather } from '../core/breathe.ts';
import { FileTrouble, sameStamp, type Stamp } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import type { SearchableBytes } from '../search/sought-word.ts';
import type { Skill } from '../skills/schema.ts';
import type { Workspace } from './workspace.ts';

export interface LoweredText {
  bytes: SearchableBytes;
  /** Where the names end and the description begins, and where that ends and the body begins. */
  namesEnd: number;
  descriptionEnd: number;
}

interface KnownText extends LoweredText {
  stamp: Stamp;
}

export class LoweredTexts {
  readonly #maxBytes: number;
  readonly #known = new Map<string, KnownText>();
  #bytes = 0;
  /** The texts of the skills that were asked for last, in their order: a list of skills never changes. */
  #latest: { skills: readonly Skill[]; texts: (KnownText | undefined)[] } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Reads what is not known yet in slices, so that ten thousand files do not hold up everybody else; forgets what is gone.
   * Returns how to get at the text of each, by its place in the list.
   */
  async prepare(skills: readonly Skill[], workspace: Workspace): Promise<(index: number) => LoweredText> {
    if (this.#latest?.skills !== skills) {
      if (this.#known.size > skills.length) this.#forget(skills);
      const breathe = breather();
      const texts: (KnownText | undefined)[] = [];
      for (const skill of skills) {
        const pause = breathe();
        if (pause) await pause;
        texts.push(this.#find(skill) ?? this.#keep(skill, read(skill, workspace)));
      }
      this.#latest = { skills, texts };
    }
    const { texts } = this.#latest;
    return (index) => {
      const known = texts[index];
      if (known) return known;
      const skill = skills[index];
      return skill ? read(skill, workspace) : NO_TEXT;
    };
  }

  #find(skill: Skill): KnownText | undefined {
    const entry = this.#known.get(skill.realFile);
    return entry && sameStamp(entry.stamp, skill.stamp) ? entry : undefined;
  }

  /** What does not fit is read again each time. Making room instead would throw out what the same search needs next. */
  #keep(skill: Skill, text: LoweredText & { stamp?: Stamp }): KnownText | undefined {
    this.#drop(skill.realFile);
    const { bytes, namesEnd, descriptionEnd, stamp } = text;
    if (!stamp || this.#bytes + bytes.length > this.#maxBytes) return undefined;
    const known = { bytes, namesEnd, descriptionEnd, stamp };
    this.#known.set(skill.realFile, known);
    this.#bytes += bytes.length;
    // A file that changed since the skills were listed is known as it is now, and read again by whoever lists it anew.
    return known;
  }

  #forget(skills: readonly Skill[]): void {
    const present = new Set(skills.map(({ realFile }) => realFile));
    for (const file of this.#known.keys()) if (!present.has(file)) this.#drop(file);
  }

  #drop(file: string): void {
    const entry = this.#known.get(file);
    if (!entry) return;
    this.#known.delete(file);
    this.#bytes -= entry.bytes.length;
  }
}

const NO_TEXT: LoweredText = { bytes: Buffer.alloc(0), namesEnd: 0, descriptionEnd: 0 };

/** A file that cannot be read any more has no body. */
function read(skill: Skill, workspace: Workspace): LoweredText & { stamp?: Stamp } {
  const names = Buffer.from(`${skill.name}\n${skill.folder}\n`.toLowerCase());
  const description = Buffer.from(`${skill.description}\n`.toLowerCase());
  const ends = { namesEnd: names.length, descriptionEnd: names.length + description.length };
  try {
    const { bytes, stamp } = workspace.files.read(skill.realFile, LIMITS.skillFileBytes.value);
    const body = bytes.subarray(bodyStart(bytes, skill.bodyLine));
    const joined = join(names, description, body);
    const isLowered = lowerPlain(joined, ends.descriptionEnd);
    return { bytes: isLowered ? joined : join(names, description, lowerAny(body)), ...ends, stamp };
  } catch (error) {
    if (error instanceof FileTrouble) return { bytes: join(names, description), ...ends };
    throw error;
  }
}

/** Exactly their size: a slice of the pool of small buffers would keep its neighbors alive. */
function join(...parts: readonly Uint8Array[]): Buffer {
  const joined = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const LINE_FEED = 0x0a;

function bodyStart(bytes: Uint8Array, bodyLine: number): number {
  let at = 0;
  for (let line = 1; line < bodyLine; line++) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end === -1) return bytes.length;
    at = end + 1;
  }
  return at;
}

const [A, Z, ASCII_MAX, TO_LOWER] = [0x41, 0x5a, 0x7f, 0x20];

/** Lowers plain English where it stands; anything else has rules of its own, and is left to whoever knows them. */
function lowerPlain(bytes: Uint8Array, from: number): boolean {
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte > ASCII_MAX) return false;
    if (byte >= A && byte <= Z) bytes[index] = byte + TO_LOWER;
  }
  return true;
}

function lowerAny(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').toLowerCase());
}
