/**
 * All skills of all roots, in the order in which they win. One broken file never hides another: it becomes a diagnostic.
 * With the result of an earlier run, a file whose stamp is unchanged is not read again.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.js';
import { type ReadFrontmatter, readPlainFrontmatter } from '../core/frontmatter/plain.js';
import { type EntryKind, type FileTree, FileTrouble, type Look, sameStamp, type Stamp } from '../core/files.js';
import { isInside } from '../core/inside.js';
import { LIMITS } from '../core/limits.js';
import { foldName } from '../core/text.js';
import * as codes from './codes.js';
import { type Header, parseHeader } from './parse.js';
import { planPluginRoots, type PluginOptions } from './roots/claude-plugins.js';
import { planRoots, projectFolders, type Root, type RootOptions } from './roots/plan.js';
import type { Sighting, Skill } from './schema.js';
import { type Found, type VisitedFolder, walkRoot, type WalkLimits } from './walk.js';

export interface DiscoverOptions extends RootOptions {
  plugins: Omit<PluginOptions, 'projects'> | undefined;
  limits: WalkLimits;
}

export interface RootReport extends Root {
  state: 'walked' | 'missing' | 'unreadable' | 'not-a-folder' | 'repeated';
  /** Skills that this root brought in. */
  skills: number;
  /** Skills that can be reached here too, but came in through a root that is searched earlier. */
  shared: number;
}

export interface Discovery {
  skills: Skill[];
  diagnostics: Diagnostic[];
  roots: RootReport[];
  /** Every SKILL.md that was seen, with what was read in it: the next discovery reads only what changed. */
  found: readonly Found<Sight>[];
  /** How many files were really read: an unchanged one is not. */
  filesRead: number;
  /** Every folder that was looked at. */
  folders: VisitedFolder[];
}

/** What stands where a SKILL.md may be, and its header once that was read. */
class Sight implements Look {
  readonly kind: EntryKind;
  readonly stamp: Stamp;
  header: Header | undefined = undefined;
  /** The state of the file that was read: behind a link, that of the link's target. */
  readAt: Stamp | undefined = undefined;
  /** The file changed so shortly before it was read that another write might bear the same stamp. */
  racy = false;

  constructor({ kind, stamp }: Look) {
    this.kind = kind;
    this.stamp = stamp;
  }
}

/** Most headers end well within the first block; one read is enough for them, and a larger one costs more to copy. */
const FIRST_READ_BYTES = 2048;
/** A fence after this many bytes is beyond the limit anyway: the allowance covers a byte order mark and blank lines. */
const SECOND_READ_BYTES = LIMITS.frontmatterBytes.value + FIRST_READ_BYTES;
/** File systems stamp in steps of some milliseconds; a file read within this time of its change is read again next time. */
const RACY_MS = 100;

export async function discoverSkills(
  tree: FileTree,
  options: DiscoverOptions,
  breathe: () => Promise<void> | undefined,
  earlier?: Discovery,
): Promise<Discovery> {
  const plugins = options.plugins
    ? planPluginRoots(tree, { ...options.plugins, projects: projectFolders(tree, options.projectDir).folders })
    : { roots: [], diagnostics: [] };
  const roots = [...planRoots(tree, options), ...plugins.roots];
  const diagnostics: Diagnostic[] = [...plugins.diagnostics];
  const reports: RootReport[] = [];
  const folders: VisitedFolder[] = [];
  const all: Found<Sight>[] = [];
  const skills = new Map<string, Skill>();
  const sightings = new Map<string, Sighting[]>();
  const realRoots = new Set<string>();
  const reader = new HeaderReader(tree, earlier?.found);
  const waiting: { root: Root; found: Found<Sight>[]; report: RootReport }[] = [];

  for (const root of roots) {
    const walk = await walkRoot(tree, reader.look, root, options.limits, realRoots, breathe);
    diagnostics.push(...walk.diagnostics);
    for (const folder of walk.folders) folders.push(folder);
    for (const found of walk.found) all.push(found);
    const report: RootReport = { ...root, state: walk.state, skills: 0, shared: 0 };
    reports.push(report);
    waiting.push({ root, found: walk.found, report });
  }

  // Every root is known now, so a SKILL.md that is a link can be judged by where it leads.
  const allowed = [...realRoots, realPathOr(tree, options.projectDir)];
  let rank = 0;
  for (const { root, found, report } of waiting) {
    for (const item of found) {
      const pause = breathe();
      if (pause) await pause;
      const target = targetOf(tree, item, allowed, diagnostics);
      if (!target) continue;
      if (item.look.kind === 'link') folders.push({ dir: path.dirname(target.realFile), leaf: true });
      const known = skills.get(target.realFile);
      if (known) {
        report.shared += 1;
        addSighting(sightings, known, { provider: root.provider, location: root.location, file: item.file });
        continue;
      }
      let header = reader.read(target, item, diagnostics);
      if (header === UNSURE) {
        await reader.prepare();
        header = reader.read(target, item, diagnostics);
      }
      if (!header || header === UNSURE) continue;
      if (header.name === undefined || header.description === undefined) {
        diagnostics.push(...header.diagnostics);
        continue;
      }
      skills.set(target.realFile, {
        name: header.name,
        key: foldName(header.name),
        folder: item.dir.slice(item.dir.lastIndexOf(path.sep) + 1),
        description: header.description,
        provider: root.provider,
        location: root.location,
        scope: root.scope,
        plugin: root.plugin,
        marketplace: root.marketplace,
        dir: item.dir,
        file: item.file,
        realFile: target.realFile,
        disabled: item.disabled,
        rank: rank++,
        frontmatter: header.frontmatter,
        bodyLine: header.bodyLine,
        stamp: target.stamp,
        diagnostics: header.diagnostics,
        alsoAt: NOWHERE_ELSE,
      });
      report.skills += 1;
    }
  }
  const complete = [...skills.values()];
  for (const [realFile, alsoAt] of sightings) {
    const at = complete.findIndex((skill) => skill.realFile === realFile);
    const skill = complete[at];
    if (skill) complete[at] = { ...skill, alsoAt };
  }
  return { skills: complete, diagnostics, roots: reports, found: all, filesRead: reader.filesRead, folders };
}

function realPathOr(tree: FileTree, place: string): string {
  try {
    return tree.follow(place)?.realPath ?? place;
  } catch (error) {
    if (error instanceof FileTrouble) return place;
    throw error;
  }
}

function addSighting(sightings: Map<string, Sighting[]>, known: Skill, sighting: Sighting): void {
  const list = sightings.get(known.realFile) ?? [];
  list.push(sighting);
  sightings.set(known.realFile, list);
}

interface Target {
  realFile: string;
  stamp: Stamp;
}

/** The regular file behind an entry called SKILL.md; a link may only lead into scanned roots or the project. */
function targetOf(tree: FileTree, item: Found<Look>, allowed: readonly string[], diagnostics: Diagnostic[]): Target | undefined {
  const { kind, stamp } = item.look;
  if (kind === 'file') return { realFile: item.realDir === item.dir ? item.file : item.realDir + path.sep + item.fileName, stamp };
  const refuse = (diagnostic: Diagnostic): undefined => {
    diagnostics.push(diagnostic);
    return undefined;
  };
  if (kind !== 'link') {
    return refuse(
      codes.notARegularFile.at({ path: item.file, message: kind === 'directory' ? 'it is a folder' : 'it is a pipe, a socket or a device' }),
    );
  }
  try {
    const target = tree.follow(item.file);
    if (!target) return refuse(codes.linkDangling.at({ path: item.file, message: 'the link leads nowhere' }));
    if (target.kind !== 'file') return refuse(codes.notARegularFile.at({ path: item.file, message: 'the link does not lead to a regular file' }));
    if (![item.realDir, ...allowed].some((place) => isInside(place, target.realPath))) {
      return refuse(codes.symlinkOutside.at({ path: item.file, message: 'the link leads out of every scanned root and the project' }));
    }
    return { realFile: target.realPath, stamp: target.stamp };
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    return refuse(
      error.reason === 'too-many-links'
        ? codes.linkDangling.at({ path: item.file, message: 'the link leads to itself' })
        : codes.fileUnreadable.at({ path: item.file, message: error.reason }),
    );
  }
}

const NOWHERE_ELSE: readonly Sighting[] = [];

/** A header that is not plain: the reader has to be prepared for it. */
const UNSURE = Symbol('unsure');

class HeaderReader {
  readonly #tree: FileTree;
  readonly #earlier: readonly Found<Sight>[] | undefined;
  #earlierByFile: Map<string, Sight> | undefined;
  readonly #block = Buffer.allocUnsafe(FIRST_READ_BYTES);
  /** Where one folder holds a skill the next one probably does: its file is then opened at once. */
  #expectsSkill = true;
  /** Reads all YAML; loaded when a header needs it, because most catalogues have none that does. */
  #readFrontmatter: ReadFrontmatter | undefined;
  filesRead = 0;

  constructor(tree: FileTree, earlier: readonly Found<Sight>[] | undefined) {
    this.#tree = tree;
    this.#earlier = earlier;
  }

  /** For the first discovery, looking and reading are one step; a later one reads only what changed since. */
  readonly look = (file: string): Sight | undefined => {
    if (!this.#expectsSkill || this.#earlier) {
      const look = this.#tree.look(file);
      this.#expectsSkill = look !== undefined;
      return look && new Sight(look);
    }
    const look = this.#tree.lookInto(file, this.#block);
    this.#expectsSkill = look !== undefined;
    if (!look) return undefined;
    const { start, stamp } = look;
    const sight = new Sight(look);
    if (start && stamp.size <= LIMITS.skillFileBytes.value) {
      const header = parseHeader(file, start, { complete: start.length < FIRST_READ_BYTES, read: readPlainFrontmatter });
      if (header) this.#keep(sight, header, stamp);
    }
    return sight;
  };

  async prepare(): Promise<void> {
    this.#readFrontmatter = (await import('../core/frontmatter/read.js')).readFrontmatter;
  }

  read({ realFile, stamp }: Target, item: Found<Sight>, diagnostics: Diagnostic[]): Header | typeof UNSURE | undefined {
    const sight = item.look;
    if (sight.header) return sight.header;
    const known = this.#knownAs(item.file);
    if (known?.header && known.readAt && !known.racy && sameStamp(known.readAt, stamp)) {
      sight.header = known.header;
      sight.readAt = known.readAt;
      return known.header;
    }
    if (stamp.size > LIMITS.skillFileBytes.value) {
      diagnostics.push(
        codes.fileTooLarge.at({ path: item.file, message: `it has ${stamp.size} bytes; the limit is ${LIMITS.skillFileBytes.value}` }),
      );
      return undefined;
    }
    try {
      const header = this.#readHeader(realFile, item.file);
      return header ? this.#keep(sight, header, stamp) : UNSURE;
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
      // It may have vanished, or turned into something else, since the folder was listed.
      if (error.reason === 'missing') return undefined;
      const code = error.reason === 'not-a-regular-file' ? codes.notARegularFile : codes.fileUnreadable;
      diagnostics.push(code.at({ path: item.file, message: error.reason === 'not-permitted' ? 'permission denied' : error.reason }));
      return undefined;
    }
  }

  #knownAs(file: string): Sight | undefined {
    if (!this.#earlier) return undefined;
    this.#earlierByFile ??= new Map(this.#earlier.map(({ file: place, look }) => [place, look]));
    return this.#earlierByFile.get(file);
  }

  #keep(sight: Sight, header: Header, stamp: Stamp): Header {
    this.filesRead += 1;
    sight.header = header;
    sight.readAt = stamp;
    sight.racy = Math.abs(Date.now() - Math.max(stamp.mtimeMs, stamp.ctimeMs)) < RACY_MS;
    return header;
  }

  #readHeader(realFile: string, shownAs: string): Header | undefined {
    const read = this.#readFrontmatter;
    const first = this.#tree.readStart(realFile, this.#block);
    const header = parseHeader(shownAs, first, { complete: first.length < FIRST_READ_BYTES, read: read ?? readPlainFrontmatter });
    if (header || !read) return header;
    const second = this.#tree.readStart(realFile, Buffer.allocUnsafe(SECOND_READ_BYTES));
    const again = parseHeader(shownAs, second, { complete: second.length < SECOND_READ_BYTES, read });
    if (again) return again;
    // Kilobytes of blank lines before the fence: rare enough to read all of it.
    const last = parseHeader(shownAs, this.#tree.read(realFile, LIMITS.skillFileBytes.value).bytes, { complete: true, read });
    if (last) return last;
    throw new Error('a complete header asked for more');
  }
}
