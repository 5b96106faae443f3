/**
 * The first bytes of many files, decoded together: one text for a hundred headers costs a tenth of a hundred texts, to make and
 * to keep.
 */
import { readPlainFrontmatter } from '../core/frontmatter/plain.ts';
import type { FoundSkill } from './found-skill.ts';
import { parseHeader } from './parse.ts';
import { matchAscii, SHORT_HEADER_BYTES } from './simple-header.ts';

/** Enough for a text that the engine does not move about any more. */
const SKILLS = 512;

export class HeaderBatch {
  readonly bytes = Buffer.allocUnsafe(SKILLS * SHORT_HEADER_BYTES);
  readonly #skills: FoundSkill[] = [];
  readonly #ends: number[] = [];

  /** Where the bytes of the next file belong. */
  get next(): number {
    return this.#skills.length * SHORT_HEADER_BYTES;
  }

  /** The skill whose first bytes were just put there. */
  add(skill: FoundSkill, length: number): void {
    this.#ends.push(this.next + length);
    this.#skills.push(skill);
    if (this.#skills.length === SKILLS) this.settle();
  }

  /** Describes every skill whose header is within these bytes and plain. */
  settle(): void {
    const text = this.bytes.toString('latin1', 0, this.next);
    for (let index = 0; index < this.#skills.length; index++) {
      const start = index * SHORT_HEADER_BYTES;
      const end = this.#ends[index] ?? start;
      const skill = this.#skills[index];
      const found = matchAscii(text, start, end);
      if (found) skill?.describeBy(text, start, found);
      else if (skill) this.#parse(skill, start, end);
    }
    this.#skills.length = 0;
    this.#ends.length = 0;
  }

  #parse(skill: FoundSkill, start: number, end: number): void {
    const complete = end - start < SHORT_HEADER_BYTES;
    const header = parseHeader(skill.file, this.bytes.subarray(start, end), { complete, read: readPlainFrontmatter });
    if (header) skill.describe(header);
  }
}
