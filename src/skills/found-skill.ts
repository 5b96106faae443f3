import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.js';
import type { Stamp } from '../core/files.js';
import type { YamlMap } from '../core/frontmatter/yaml-value.js';
import { foldName } from '../core/text.js';
import type { Header } from './parse.js';
import type { Root } from './roots/plan.js';
import { headerAt } from './simple-header.js';
import type { Location, Sighting, Skill } from './schema.js';
import type { Place } from './walk.js';

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];
const DOT = 0x2e;
const NOWHERE_ELSE: readonly Sighting[] = [];

/**
 * A skill as it was found. Ten thousand of them are kept, and most are only listed: so what its root and its header know stays
 * with them, and what follows from something else is worked out when it is asked for.
 */
export class FoundSkill implements Skill {
  name: string;
  description: string;
  readonly dir: string;
  readonly disabled: boolean;
  readonly stamp: Stamp;
  rank: number;
  alsoAt: readonly Sighting[];
  private readonly root: Root;
  /** Or a text that holds it, and where. */
  private header: Header | string;
  private headerStart: number;
  private readonly namedFile: string | undefined;
  private readonly linkedFile: string | undefined;

  /** Two paths are left out where they follow: that of a file with the usual name, and a real one that is the same. */
  constructor(root: Root, { dir, fileName }: Place, stamp: Stamp, file: string | undefined, realFile: string | undefined) {
    this.name = '';
    this.description = '';
    this.dir = dir;
    this.disabled = fileName.charCodeAt(0) === DOT;
    this.stamp = stamp;
    this.rank = 0;
    this.alsoAt = NOWHERE_ELSE;
    this.root = root;
    this.header = '';
    this.headerStart = 0;
    this.namedFile = file;
    this.linkedFile = realFile;
  }

  /** Every skill is given its header, or a text in which it stands, before anybody sees it. Without a name it is none. */
  describe(name: string, description: string, header: Header | string, headerStart: number): void {
    this.name = name;
    this.description = description;
    this.header = header;
    this.headerStart = headerStart;
  }

  get isDescribed(): boolean {
    return this.header !== '';
  }

  get isNamed(): boolean {
    return this.name !== '' && this.description !== '';
  }

  private readHeader(): Header {
    return typeof this.header === 'string' ? (this.header = headerAt(this.header, this.headerStart, this)) : this.header;
  }

  get key(): string {
    return foldName(this.name);
  }

  get file(): string {
    return this.namedFile ?? this.dir + path.sep + (this.disabled ? '.SKILL.md' : 'SKILL.md');
  }

  get realFile(): string {
    return this.linkedFile ?? this.file;
  }

  get folder(): string {
    return this.dir.slice(this.dir.lastIndexOf(path.sep) + 1);
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
