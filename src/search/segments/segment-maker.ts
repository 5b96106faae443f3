/** Builds the segments of one source at a time, in a thread or on the main thread between other work. */
import type { FileTree } from '../../core/disk/tree.ts';
import { Failure } from '../../core/failure.ts';
import type { SegmentFiles } from '../document.ts';
import type { EmbedText } from '../entry.ts';
import type { Text } from '../texts.ts';
import { openBundledModel } from '../model/bundled.ts';
import { type KnownEntries, knownEntries, makeSegment } from './make-segment.ts';

export class SegmentMaker {
  readonly #withVectors: boolean;
  readonly #files: FileTree;
  #embed: EmbedText | undefined;
  #isOpen = false;
  #known: KnownEntries = new Map();

  /** `files` are the files of the package, which contain the model. */
  constructor(withVectors: boolean, files: FileTree) {
    this.#withVectors = withVectors;
    this.#files = files;
  }

  /** Starts another source or version. Entries of its previous segments are reused. */
  begin(previous: readonly SegmentFiles[]): void {
    this.#known = knownEntries(previous, this.#open() !== undefined);
  }

  make(id: string, texts: readonly Text[]): Promise<SegmentFiles> {
    return makeSegment(id, texts, this.#open(), this.#known);
  }

  /** Without the model, only words are indexed; search reports the reason. */
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
