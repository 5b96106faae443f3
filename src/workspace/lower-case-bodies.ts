import { sameStamp, type Stamp } from '../core/disk/tree.ts';
import type { Skill } from '../skills/skill.ts';

/** The bodies of skills in lower case, for keyword search. A body is read again after its file changed. */
export class LowerCaseBodies {
  readonly #maxBytes: number;
  readonly #known = new Map<string, { stamp: Stamp; body: string }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  of(skill: Skill, read: () => { text: string; stamp?: Stamp }): string {
    const known = this.#known.get(skill.realFile);
    if (known && sameStamp(known.stamp, skill.stamp)) return known.body;
    this.#drop(skill.realFile);
    const { text, stamp } = read();
    const body = text.toLowerCase();
    // Without a stamp of the skill (a one-shot scan) no later search could tell whether the file changed. A body that does not
    // fit is read each time: evicting another one would drop what the same search needs next.
    if (stamp && !Number.isNaN(skill.stamp.size) && this.#bytes + stamp.size <= this.#maxBytes) {
      this.#known.set(skill.realFile, { stamp, body });
      this.#bytes += stamp.size;
    }
    return body;
  }

  /** Forgets skills that are gone. */
  keepOnly(skills: readonly Skill[]): void {
    if (this.#known.size === 0) return;
    const present = new Set(skills.map(({ realFile }) => realFile));
    for (const file of this.#known.keys()) if (!present.has(file)) this.#drop(file);
  }

  #drop(file: string): void {
    this.#bytes -= this.#known.get(file)?.stamp.size ?? 0;
    this.#known.delete(file);
  }
}
