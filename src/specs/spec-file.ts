import { type ParsedSpec, parseSpec, parseSummary } from './parse-spec.ts';
import type { SpecRoot } from './roots.ts';
import { type EditableSpec, editableSpec } from './structure.ts';
import type { TextFile } from './text-file.ts';

/** One main spec: its text, parsed on first use. */
export class SpecFile {
  /** Unique in the catalog: the capability, prefixed with the root name if two roots share it. */
  readonly id: string;
  /** Path below the specs folder. */
  readonly capability: string;
  readonly root: SpecRoot;
  readonly file: TextFile;
  #parsed: ParsedSpec | undefined;
  #editable: EditableSpec | undefined;
  #summary: Pick<ParsedSpec, 'title' | 'purpose'> | undefined;

  /** `before` is the same spec in the previous catalog. It is reused if the file has not changed. */
  constructor(
    id: string,
    place: { capability: string; root: SpecRoot; file: TextFile; before?: SpecFile | undefined },
  ) {
    this.id = id;
    this.capability = place.capability;
    this.root = place.root;
    this.file = place.file;
    if (place.before?.file === place.file) this.#parsed = place.before.#parsed;
  }

  get parsed(): ParsedSpec {
    this.#parsed ??= parseSpec(this.file.text);
    return this.#parsed;
  }

  get editable(): EditableSpec {
    this.#editable ??= editableSpec(this.file.text, this.parsed.outline);
    return this.#editable;
  }

  get #titles(): Pick<ParsedSpec, 'title' | 'purpose'> {
    if (this.#parsed) return this.#parsed;
    this.#summary ??= parseSummary(this.file.text);
    return this.#summary;
  }

  /** The first heading, or the ID if there is none. */
  get title(): string {
    return this.#titles.title || this.id;
  }

  get purpose(): string {
    return this.#titles.purpose;
  }
}
