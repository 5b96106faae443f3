import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.js';
import type { Stamp } from '../core/files.js';
import type { YamlMap } from '../core/frontmatter/yaml-value.js';
import { foldName } from '../core/text.js';
import type { Header } from './parse.js';
import type { Root } from './roots/plan.js';
import type { Location, Sighting, Skill } from './schema.js';
import type { Place } from './walk.js';

/** A header that names its skill. */
export interface NamedHeader extends Header {
  readonly name: string;
  readonly description: string;
}

export function isNamed(header: Header): header is NamedHeader {
  return header.name !== undefined && header.description !== undefined;
}

const DOT = 0x2e;
const NOWHERE_ELSE: readonly Sighting[] = [];

/**
 * A skill as it was found. Ten thousand of them are kept, and most are only listed: so what its root and its header know stays
 * with them, and what follows from something else is worked out when it is asked for.
 */
export class FoundSkill implements Skill {
  readonly name: string;
  readonly description: string;
  readonly dir: string;
  readonly disabled: boolean;
  readonly stamp: Stamp;
  rank: number;
  alsoAt: readonly Sighting[];
  private readonly root: Root;
  private readonly header: Header;
  private readonly namedFile: string | undefined;
  private readonly linkedFile: string | undefined;

  /** Two paths are left out where they follow: that of a file with the usual name, and a real one that is the same. */
  constructor(root: Root, { dir, fileName }: Place, header: NamedHeader, stamp: Stamp, file: string | undefined, realFile: string | undefined) {
    this.name = header.name;
    this.description = header.description;
    this.dir = dir;
    this.disabled = fileName.charCodeAt(0) === DOT;
    this.stamp = stamp;
    this.rank = 0;
    this.alsoAt = NOWHERE_ELSE;
    this.root = root;
    this.header = header;
    this.namedFile = file;
    this.linkedFile = realFile;
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
    return this.header.frontmatter;
  }

  get bodyLine(): number {
    return this.header.bodyLine;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.header.diagnostics;
  }
}
