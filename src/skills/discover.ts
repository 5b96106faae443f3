/**
 * All skills of all roots, in the order in which they win. One broken file never hides another: it becomes a diagnostic.
 * With the result of an earlier run, a file whose stamp is unchanged is not read again.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.js';
import { type FileTree, FileTrouble, sameStamp, type Stamp } from '../core/files.js';
import { isInside } from '../core/inside.js';
import { LIMITS } from '../core/limits.js';
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
  headers: HeaderCache;
  /** How many files were really read: an unchanged one is not. */
  filesRead: number;
  /** Every folder that was looked at. */
  folders: VisitedFolder[];
}

/** What is kept of a header: the lines of its keys are looked up again when somebody validates. */
type KeptHeader = Omit<Header, 'lines'>;

interface CachedHeader {
  stamp: Stamp;
  header: KeptHeader;
  /** The file changed so shortly before it was read that another write might bear the same stamp. */
  racy: boolean;
}

export type HeaderCache = ReadonlyMap<string, CachedHeader>;

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
  earlier: HeaderCache = new Map(),
): Promise<Discovery> {
  const plugins = options.plugins
    ? planPluginRoots(tree, { ...options.plugins, projects: projectFolders(tree, options.projectDir).folders })
    : { roots: [], diagnostics: [] };
  const roots = [...planRoots(tree, options), ...plugins.roots];
  const diagnostics: Diagnostic[] = [...plugins.diagnostics];
  const reports: RootReport[] = [];
  const folders: VisitedFolder[] = [];
  const headers = new Map<string, CachedHeader>();
  const skills = new Map<string, Skill>();
  const sightings = new Map<string, Sighting[]>();
  const realRoots = new Set<string>();
  const reader = new HeaderReader(tree, earlier, headers);
  const waiting: { root: Root; found: Found[]; report: RootReport }[] = [];

  for (const root of roots) {
    const walk = await walkRoot(tree, root, options.limits, realRoots, breathe);
    diagnostics.push(...walk.diagnostics);
    for (const folder of walk.folders) folders.push(folder);
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
      const header = reader.read(target, item, diagnostics);
      if (!header) continue;
      if (header.name === undefined || header.description === undefined) {
        diagnostics.push(...header.diagnostics);
        continue;
      }
      skills.set(target.realFile, {
        name: header.name,
        folder: path.basename(item.dir),
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
        alsoAt: [],
      });
      report.skills += 1;
    }
  }
  const complete = [...skills.values()].map((skill) => {
    const alsoAt = sightings.get(skill.realFile);
    return alsoAt ? { ...skill, alsoAt } : skill;
  });
  return { skills: complete, diagnostics, roots: reports, headers, filesRead: reader.filesRead, folders };
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
function targetOf(tree: FileTree, item: Found, allowed: readonly string[], diagnostics: Diagnostic[]): Target | undefined {
  const { kind, stamp } = item.look;
  if (kind === 'file') return { realFile: item.realDir + path.sep + item.fileName, stamp };
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

const NO_DIAGNOSTICS: Diagnostic[] = [];

class HeaderReader {
  readonly #tree: FileTree;
  readonly #earlier: HeaderCache;
  readonly #headers: Map<string, CachedHeader>;
  readonly #block = Buffer.allocUnsafe(FIRST_READ_BYTES);
  filesRead = 0;

  constructor(tree: FileTree, earlier: HeaderCache, headers: Map<string, CachedHeader>) {
    this.#tree = tree;
    this.#earlier = earlier;
    this.#headers = headers;
  }

  read({ realFile, stamp }: Target, item: Found, diagnostics: Diagnostic[]): KeptHeader | undefined {
    const known = this.#earlier.get(item.file);
    if (known && !known.racy && sameStamp(known.stamp, stamp)) {
      this.#headers.set(item.file, known);
      return known.header;
    }
    if (stamp.size > LIMITS.skillFileBytes.value) {
      diagnostics.push(
        codes.fileTooLarge.at({ path: item.file, message: `it has ${stamp.size} bytes; the limit is ${LIMITS.skillFileBytes.value}` }),
      );
      return undefined;
    }
    try {
      const { name, description, frontmatter, bodyLine, diagnostics: found } = this.#readHeader(realFile, item.file);
      const header: KeptHeader = { name, description, frontmatter, bodyLine, diagnostics: found.length === 0 ? NO_DIAGNOSTICS : found };
      this.filesRead += 1;
      this.#headers.set(item.file, { header, stamp, racy: Math.abs(Date.now() - Math.max(stamp.mtimeMs, stamp.ctimeMs)) < RACY_MS });
      return header;
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
      // It may have vanished, or turned into something else, since the folder was listed.
      if (error.reason === 'missing') return undefined;
      const code = error.reason === 'not-a-regular-file' ? codes.notARegularFile : codes.fileUnreadable;
      diagnostics.push(code.at({ path: item.file, message: error.reason === 'not-permitted' ? 'permission denied' : error.reason }));
      return undefined;
    }
  }

  #readHeader(realFile: string, shownAs: string): Header {
    const first = this.#tree.readStart(realFile, this.#block);
    const header = parseHeader(shownAs, first, { complete: first.length < FIRST_READ_BYTES });
    if (header) return header;
    const second = this.#tree.readStart(realFile, Buffer.allocUnsafe(SECOND_READ_BYTES));
    const again = parseHeader(shownAs, second, { complete: second.length < SECOND_READ_BYTES });
    if (again) return again;
    // Kilobytes of blank lines before the fence: rare enough to read all of it.
    const last = parseHeader(shownAs, this.#tree.read(realFile, LIMITS.skillFileBytes.value).bytes, { complete: true });
    if (last) return last;
    throw new Error('a complete header asked for more');
  }
}
