/**
 * The texts of skills in lower case (names, description, body), for searches that want every word: read once, read again when the file changed. They are
 * kept as bytes outside the heap of JavaScript, where ten thousand of them cost their size and nothing else.
 */
import { breather } from '../core/breathe.js';
import { sameStamp, type Stamp } from '../core/files.js';
import type { Skill } from '../skills/schema.js';
import { readBody } from './skill-body.js';
import type { Workspace } from './workspace.js';

export class LoweredTexts {
  readonly #maxBytes: number;
  readonly #known = new Map<string, { stamp: Stamp; text: Buffer }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reads what is not known yet in slices, so that ten thousand files do not hold up everybody else; forgets what is gone. */
  async prepare(skills: readonly Skill[], workspace: Workspace): Promise<void> {
    if (this.#known.size > skills.length) this.#forget(skills);
    const breathe = breather();
    for (const skill of skills) {
      if (this.#find(skill)) continue;
      const pause = breathe();
      if (pause) await pause;
      this.#read(skill, workspace);
    }
  }

  of(skill: Skill, workspace: Workspace): Buffer {
    return this.#find(skill) ?? this.#read(skill, workspace);
  }

  #find(skill: Skill): Buffer | undefined {
    const entry = this.#known.get(skill.realFile);
    return entry && sameStamp(entry.stamp, skill.stamp) ? entry.text : undefined;
  }

  #read(skill: Skill, workspace: Workspace): Buffer {
    const { text, stamp } = readBody(skill, workspace);
    const lowered = `${skill.name}\n${skill.folder}\n${skill.description}\n${text}`.toLowerCase();
    // Exactly its size: a slice of the pool of small buffers would keep its neighbours alive.
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(lowered));
    bytes.write(lowered);
    this.#drop(skill.realFile);
    // What does not fit is read again each time. Making room instead would throw out what the same search needs next.
    if (stamp && this.#bytes + bytes.length <= this.#maxBytes) {
      this.#known.set(skill.realFile, { stamp, text: bytes });
      this.#bytes += bytes.length;
    }
    return bytes;
  }

  #forget(skills: readonly Skill[]): void {
    const present = new Set(skills.map(({ realFile }) => realFile));
    for (const file of this.#known.keys()) if (!present.has(file)) this.#drop(file);
  }

  #drop(file: string): void {
    const entry = this.#known.get(file);
    if (!entry) return;
    this.#known.delete(file);
    this.#bytes -= entry.text.length;
  }
}
