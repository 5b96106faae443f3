/** Caches the texts of recently loaded skills on a replica. Published skills never change, so entries stay valid. */
import { LIMITS } from '../core/limits.ts';
import type { Skill } from '../skills/skill.ts';
import type { WholeContent } from '../workspace/skill-content.ts';

export class LoadedTexts {
  /** Least recently used first. */
  readonly #texts = new Map<Skill, WholeContent>();
  #bytes = 0;

  find(skill: Skill): WholeContent | undefined {
    const known = this.#texts.get(skill);
    if (!known) return undefined;
    this.#texts.delete(skill);
    this.#texts.set(skill, known);
    return known;
  }

  add(skill: Skill, content: WholeContent): void {
    if (this.#texts.has(skill)) return;
    this.#texts.set(skill, content);
    this.#bytes += content.bytes.length;
    for (const [oldest, { bytes }] of this.#texts) {
      if (this.#bytes <= LIMITS.sharedTextBytes.value) return;
      this.#texts.delete(oldest);
      this.#bytes -= bytes.length;
    }
  }
}
