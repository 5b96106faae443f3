/** A list whose items are made from others when they are asked for: whoever writes ten thousand of them holds a few at a time. */
export class LongList<Source, Item> {
  readonly #sources: readonly Source[];
  readonly #make: (source: Source) => Item;

  constructor(sources: readonly Source[], make: (source: Source) => Item) {
    this.#sources = sources;
    this.#make = make;
  }

  get length(): number {
    return this.#sources.length;
  }

  slice(start = 0, end = this.length): Item[] {
    return this.#sources.slice(start, end).map(this.#make);
  }

  toJSON(): Item[] {
    return this.slice();
  }
}
