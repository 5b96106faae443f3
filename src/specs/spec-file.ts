import { type ParsedSpec, parseSpec, parseSummary } from './parse-spec.ts';
import type { SpecRoot } from './roots.ts';
import type { TextFile } from './text-file.ts';

/** One main spec. The text is there; the parts are read off it when somebody asks. */
export class SpecFile {
  /** Unique in the catalog: the path below the specs folder, with the root before it where two roots have the same. */
  readonly id: string;
  /** The path below the specs folder. */
  readonly capability: string;
  readonly root: SpecRoot;
  readonly file: TextFile;
  #parsed: ParsedSpec | undefined;
  #summary: Pick<ParsedSpec, 'title' | 'purpose'> | undefined;

  constructor(id: string, capability: string, root: SpecRoot, file: TextFile, parsed?: ParsedSpec) {
    this.id = id;
    this.capability = capability;
    this.root = root;
    this.file = file;
    this.#parsed = parsed;
  }

  get parsed(): ParsedSpec {
    this.#parsed ??= parseSpec(this.file.text);
    return this.#parsed;
  }

  /** Text and outline together, for whoever edits. */
  get asCurrent(): { text: string; outline: ParsedSpec['outline'] } {
    return { text: this.file.text, outline: this.parsed.outline };
  }

  get #titles(): Pick<ParsedSpec, 'title' | 'purpose'> {
    if (this.#parsed) return this.#parsed;
    this.#summary ??= parseSummary(this.file.text);
    return this.#summary;
  }

  /** The first heading, or the id where there is none. */
  get title(): string {
    return this.#titles.title || this.id;
  }

  get purpose(): string {
    return this.#titles.purpose;
  }

  /** The same file in the roots of a later catalog, without parsing it again. */
  in(root: SpecRoot): SpecFile {
    return new SpecFile(this.capability, this.capability, root, this.file, this.#parsed);
  }

  /** The same file under another id, without parsing it again. */
  named(id: string): SpecFile {
    return id === this.id ? this : new SpecFile(id, this.capability, this.root, this.file, this.#parsed);
  }
}
