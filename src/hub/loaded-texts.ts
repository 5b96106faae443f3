/** The texts of skills that were loaded lately, on a replica. A published skill never changes, so nothing has to be read again. */
import { LIMITS } from '../core/limits.ts';
import type { Skill } from '../skills/skill.ts';
import type { WholeContent } from '../workspace/skill-content.ts';

export class LoadedTexts {
  /** The one that was not used for longest first. */
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
