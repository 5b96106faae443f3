import { sameStamp, type Stamp } from '../core/disk/tree.ts';
import type { Skill } from '../skills/skill.ts';

interface LowerCaseBody {
  body: string;
  stamp: Stamp;
}

/** Caches the bodies of skills in lower case, for keyword search. A body is reread after its file changes. */
export class LowerCaseBodies {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, LowerCaseBody>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns a function that reads the body of a skill on demand. It holds the body only while it is cached here. */
  reader(skill: Skill, read: () => { text: string; stamp?: Stamp }): () => string {
    let kept: LowerCaseBody | undefined;
    return () => {
      kept ??= this.#find(skill);
      if (kept) return kept.body;
      const { text, stamp } = read();
      const body = text.toLowerCase();
      if (stamp) kept = this.#keep(skill, { body, stamp });
      return body;
    };
  }

  /** Drops skills that no longer exist. */
  keepOnly(skills: readonly Skill[]): void {
    if (this.#kept.size === 0) return;
    const present = new Set(skills.map(({ realFile }) => realFile));
    for (const file of this.#kept.keys()) if (!present.has(file)) this.#drop(file);
  }

  #find({ realFile, stamp }: Skill): LowerCaseBody | undefined {
    const known = this.#kept.get(realFile);
    return known && sameStamp(known.stamp, stamp) ? known : undefined;
  }

  /**
   * Skills without a stamp (from a one-shot scan) are not cached, because later searches could not detect changes of the file. A
   * body that does not fit is read each time: evicting another one would drop a body that the same search needs next.
   */
  #keep({ realFile, stamp }: Skill, body: LowerCaseBody): LowerCaseBody | undefined {
    this.#drop(realFile);
    if (Number.isNaN(stamp.size) || this.#bytes + body.stamp.size > this.#maxBytes) return undefined;
    this.#kept.set(realFile, body);
    this.#bytes += body.stamp.size;
    return body;
  }

  #drop(file: string): void {
    this.#bytes -= this.#kept.get(file)?.stamp.size ?? 0;
    this.#kept.delete(file);
  }
}
