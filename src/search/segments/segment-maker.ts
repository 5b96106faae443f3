/** Makes the segments of one source after the other: in a thread of its own, or where there is none, between other work. */
import type { FileTree } from '../../core/disk/tree.ts';
import { Failure } from '../../core/failure.ts';
import type { SegmentFiles } from '../document.ts';
import type { EmbedText, Text } from '../entry.ts';
import { openBundledModel } from '../model/bundled.ts';
import { type KnownEntries, knownEntries, makeSegment } from './make-segment.ts';

export class SegmentMaker {
  readonly #withVectors: boolean;
  readonly #files: FileTree;
  #embed: EmbedText | undefined;
  #isOpen = false;
  #known: KnownEntries = new Map();

  /** `files` are those of the package, for the model. */
  constructor(withVectors: boolean, files: FileTree) {
    this.#withVectors = withVectors;
    this.#files = files;
  }

  /** The next segments are of another source, or of another version: what its last ones know is used again. */
  begin(previous: readonly SegmentFiles[]): void {
    this.#known = knownEntries(previous, this.#open() !== undefined);
  }

  make(id: string, texts: readonly Text[]): Promise<SegmentFiles> {
    return makeSegment(id, texts, this.#open(), this.#known);
  }

  /** Without the model, words count all the same; search says why. */
  #open(): EmbedText | undefined {
    if (this.#isOpen || !this.#withVectors) return this.#embed;
    this.#isOpen = true;
    try {
      const model = openBundledModel(this.#files);
      this.#embed = (text) => model.embed(text);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    return this.#embed;
  }
}
