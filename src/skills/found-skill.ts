import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import type { Stamp } from '../core/disk/tree.ts';
import type { YamlMap } from '../core/frontmatter/yaml-value.ts';
import { foldName } from '../core/text.ts';
import type { Header } from './parse.ts';
import type { Root } from './roots/plan.ts';
import { headerAt, type Match } from './simple-header.ts';
import { DISABLED_NAME, ENABLED_NAME, type Location, type Sighting, type Skill } from './schema.ts';
import type { Place } from './walk.ts';

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];
const DOT = 0x2e;
const NOWHERE_ELSE: readonly Sighting[] = [];

/**
 * A skill as it was found. Ten thousand of them are kept, and most are only listed: so what its root and its header know stays
 * with them, and what follows from something else is worked out when it is asked for.
 */
export class FoundSkill implements Skill {
  name: string;
  readonly folder: string;
  readonly disabled: boolean;
  readonly stamp: Stamp;
  rank: number;
  private sightings: Sighting[] | undefined;
  private readonly parent: string;
  private readonly root: Root;
  /** Or a text that holds it, and where; and where the description stands in it. */
  private header: Header | string;
  private headerStart: number;
  private descriptionStart: number;
  private descriptionEnd: number;
  private readonly namedFile: string | undefined;
  private readonly linkedFile: string | undefined;

  /** Two paths are left out where they follow: that of a file with the usual name, and a real one that is the same. */
  constructor(
    root: Root,
    { parent, folder, fileName }: Place,
    stamp: Stamp,
    file: string | undefined,
    realFile: string | undefined,
  ) {
    this.name = '';
    this.folder = folder;
    this.disabled = fileName.charCodeAt(0) === DOT;
    this.stamp = stamp;
    this.rank = 0;
    this.sightings = undefined;
    this.parent = parent;
    this.root = root;
    this.header = '';
    this.headerStart = 0;
    this.descriptionStart = 0;
    this.descriptionEnd = 0;
    this.namedFile = file;
    this.linkedFile = realFile;
  }

  /** Every skill is given its header, or a text in which it stands, before anybody sees it. Without a name it is none. */
  describe(header: Header): void {
    this.name = header.name ?? '';
    this.header = header;
  }

  describeBy(text: string, start: number, { name, description, at }: Match): void {
    // Nearly always the two are equal, and then one text will do.
    this.name = name === this.folder ? this.folder : name;
    if (at === -1) {
      this.header = headerAt(text, start, { name, description });
      return;
    }
    this.header = text;
    this.headerStart = start;
    this.descriptionStart = at;
    this.descriptionEnd = at + description.length;
  }

  /** Another path that leads to the same file. */
  addSighting(sighting: Sighting): void {
    this.sightings ??= [];
    this.sightings.push(sighting);
  }

  get alsoAt(): readonly Sighting[] {
    return this.sightings ?? NOWHERE_ELSE;
  }

  /** Whether its header is of the plainest kind: it has a name and a description, and nothing is wrong with it. */
  get isSimple(): boolean {
    return this.descriptionEnd > 0;
  }

  get isDescribed(): boolean {
    return this.header !== '';
  }

  get isNamed(): boolean {
    return this.name !== '' && (typeof this.header === 'string' || this.header.description !== undefined);
  }

  get description(): string {
    const { header } = this;
    return typeof header === 'string'
      ? header.slice(this.descriptionStart, this.descriptionEnd)
      : (header.description ?? '');
  }

  get dir(): string {
    return this.parent + this.folder;
  }

  private readHeader(): Header {
    return typeof this.header === 'string'
      ? (this.header = headerAt(this.header, this.headerStart, this))
      : this.header;
  }

  get key(): string {
    return foldName(this.name);
  }

  get file(): string {
    return this.namedFile ?? this.dir + path.sep + (this.disabled ? DISABLED_NAME : ENABLED_NAME);
  }

  get realFile(): string {
    return this.linkedFile ?? this.file;
  }

  get provider(): string {
    return this.root.provider;
  }

  get location(): Location {
    return this.root.location;
  }

  get scope(): string | undefined {
    return this.root.scope;
  }

  get plugin(): string | undefined {
    return this.root.plugin;
  }

  get marketplace(): string | undefined {
    return this.root.marketplace;
  }

  get frontmatter(): YamlMap {
    return this.readHeader().frontmatter;
  }

  get bodyLine(): number {
    return this.readHeader().bodyLine;
  }

  get diagnostics(): readonly Diagnostic[] {
    return typeof this.header === 'string' ? NO_DIAGNOSTICS : this.header.diagnostics;
  }
}
