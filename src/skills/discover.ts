/**
 * All skills of all roots, in the order in which they win. One broken file never hides another: it becomes a diagnostic.
 * With the result of an earlier run, a file whose stamp is unchanged is not read again.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { type ReadFrontmatter, readPlainFrontmatter } from '../core/frontmatter/plain.ts';
import {
  type EntryKind,
  type FileTree,
  FileTrouble,
  LOOK_CLOSER,
  type Look,
  NO_STAMP,
  NOTHING_THERE,
  reasonText,
  sameStamp,
  type Stamp,
} from '../core/disk/tree.ts';
import { asPrefix, isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import * as codes from './codes.ts';
import { FoundSkill } from './found-skill.ts';
import { HeaderBatch } from './header-batch.ts';
import { type Header, parseHeader } from './parse.ts';
import { SHORT_HEADER_BYTES } from './simple-header.ts';
import { planPluginRoots, type PluginOptions } from './roots/claude-plugins.ts';
import { planRoots, projectFolders, type Root, type RootOptions } from './roots/plan.ts';
import { DISABLED_NAME, ENABLED_NAME, type Skill } from './schema.ts';
import { type Finder, type Place, type Walk, walkRoot, type WalkLimits } from './walk.ts';

/** A folder whose entries decide what is found. */
export interface VisitedFolder {
  dir: string;
  /** Only its SKILL.md counts: the walk does not go below. */
  leaf: boolean;
}

export interface DiscoverOptions extends RootOptions {
  plugins: Omit<PluginOptions, 'projects'> | undefined;
  limits: WalkLimits;
  /** true where nobody will ask again: no file is then asked for its state, which costs a fifth of a long list. */
  once: boolean;
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
  /** Those of them that have diagnostics of their own. */
  troubled: Skill[];
  diagnostics: Diagnostic[];
  roots: RootReport[];
  /** Every SKILL.md that was seen, with what was read in it: the next discovery reads only what changed. */
  found: () => readonly Found[];
  /** How many files were really read: an unchanged one is not. */
  filesRead: number;
  /** Every folder that was looked at: whoever wants to know of changes watches these. */
  folders: () => VisitedFolder[];
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

  constructor(kind: EntryKind, stamp: Stamp) {
    this.kind = kind;
    this.stamp = stamp;
  }
}

/** A file that was looked at closely. */
interface Found {
  place: Place;
  look: Sight;
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
  const realRoots = new Set<string>();
  const reader = new HeaderReader(tree, options.once, diagnostics, earlier?.found());
  const walks: { root: Root; walk: Walk<FoundSkill | Found>; report: RootReport }[] = [];
  const repeated: { root: Root; realRoot: string | undefined; report: RootReport }[] = [];

  for (const root of roots) {
    const walk = await walkRoot(tree, reader, root, options.limits, realRoots, breathe);
    diagnostics.push(...walk.diagnostics);
    const report: RootReport = { ...root, state: walk.state, skills: 0, shared: 0 };
    reports.push(report);
    if (walk.folders.length > 0 || walk.found.length > 0) walks.push({ root, walk, report });
    if (walk.state === 'repeated') repeated.push({ root, realRoot: walk.realRoot, report });
  }

  reader.settle();
  // Every root is known now, so a SKILL.md that is a link can be judged by where it leads.
  const allowed = [...realRoots, realPathOr(tree, options.projectDir)];
  const admission = new Admission(reader.sawLink || mayMeetTwice(walks.map(({ walk }) => walk)));
  const linkTargets: string[] = [];
  for (const { root, walk, report } of walks) {
    const first = admission.skills.length;
    for (const item of walk.found) {
      const pause = breathe();
      if (pause) await pause;
      if (item instanceof FoundSkill && item.isSimple) {
        admission.admit(item, item, root, report);
        continue;
      }
      const found = item instanceof FoundSkill && !item.isDescribed ? reader.lookAgain(item) : item;
      if (!found) continue;
      let skill: FoundSkill | undefined;
      if (found instanceof FoundSkill) skill = found;
      else {
        const target = targetOf(tree, found, allowed, diagnostics);
        if (!target) continue;
        if (found.look.kind === 'link') linkTargets.push(target.realPath);
        skill = admission.at(target.realPath) ?? (await reader.skillAt(target, found, root));
      }
      if (skill?.isNamed === false) diagnostics.push(...skill.diagnostics);
      else if (skill) admission.admit(skill, found instanceof FoundSkill ? found : found.place, root, report);
    }
    for (const other of repeated)
      if (other.realRoot === walk.realRoot) share(admission.skills.slice(first), root, other.root, other.report);
  }
  const { skills, troubled } = admission;
  return {
    skills,
    troubled,
    diagnostics,
    roots: reports,
    found: () => walks.flatMap(({ walk }) => walk.found).filter((item): item is Found => !(item instanceof FoundSkill)),
    filesRead: reader.filesRead,
    folders: () => [
      ...walks.flatMap(({ walk }) => walk.folders).map((dir) => ({ dir, leaf: false })),
      ...walks.flatMap(({ walk }) => walk.found).flatMap(leafOf),
      ...linkTargets.map((file) => ({ dir: path.dirname(file), leaf: true })),
    ],
  };
}

/** The same folder under another path, or searched for another provider: its names lead to these skills too. */
function share(skills: readonly FoundSkill[], root: Root, other: Root, report: RootReport): void {
  if (other.dir === root.dir && other.provider === root.provider) return;
  for (const skill of skills) {
    skill.addSighting({
      provider: other.provider,
      location: other.location,
      file: other.dir + skill.file.slice(root.dir.length),
    });
  }
  report.shared = skills.length;
}

function leafOf(item: FoundSkill | Found): VisitedFolder[] {
  const { dir, leaf } = item instanceof FoundSkill ? { dir: item.dir, leaf: true } : item.place;
  return leaf ? [{ dir, leaf }] : [];
}

/** The skills in the order in which they win, each real file once. */
class Admission {
  readonly skills: FoundSkill[] = [];
  readonly troubled: FoundSkill[] = [];
  readonly #byRealFile: Map<string, FoundSkill> | undefined;

  constructor(mayMeetTwice: boolean) {
    this.#byRealFile = mayMeetTwice ? new Map() : undefined;
  }

  at(realFile: string): FoundSkill | undefined {
    return this.#byRealFile?.get(realFile);
  }

  admit(skill: FoundSkill, place: { file: string }, root: Root, report: RootReport): void {
    if (this.#byRealFile) {
      const { realFile } = skill;
      const known = this.#byRealFile.get(realFile);
      if (known) {
        known.addSighting({ provider: root.provider, location: root.location, file: place.file });
        report.shared += 1;
        return;
      }
      this.#byRealFile.set(realFile, skill);
    }
    skill.rank = this.skills.length;
    this.skills.push(skill);
    if (!skill.isSimple && skill.diagnostics.length > 0) this.troubled.push(skill);
    report.skills += 1;
  }
}

/** Whether two of the paths that were found can be one file: behind links, or where one root lies in another. */
function mayMeetTwice(walks: readonly Walk<unknown>[]): boolean {
  const found = walks.filter((walk) => walk.found.length > 0);
  const overlap = (a: Walk<unknown>, b: Walk<unknown>): boolean =>
    a !== b && isInside(a.realRoot ?? '', b.realRoot ?? '');
  return found.some((walk) => walk.linked || found.some((other) => overlap(walk, other)));
}

function realPathOr(tree: FileTree, place: string): string {
  try {
    return tree.follow(place)?.realPath ?? place;
  } catch (error) {
    if (error instanceof FileTrouble) return place;
    throw error;
  }
}

interface Target {
  realPath: string;
  stamp: Stamp;
}

/** The regular file behind an entry called SKILL.md; a link may only lead into scanned roots or the project. */
function targetOf(
  tree: FileTree,
  { place, look }: Found,
  allowed: readonly string[],
  diagnostics: Diagnostic[],
): Target | undefined {
  const { kind, stamp } = look;
  if (kind === 'file') return { realPath: realFileOf(place) ?? place.file, stamp };
  const refuse = (diagnostic: Diagnostic): undefined => {
    diagnostics.push(diagnostic);
    return undefined;
  };
  if (kind !== 'link') {
    return refuse(
      codes.notARegularFile.at({
        path: place.file,
        message: kind === 'directory' ? 'it is a folder' : 'it is a pipe, a socket or a device',
      }),
    );
  }
  try {
    const target = tree.follow(place.file);
    if (!target) return refuse(codes.linkDangling.at({ path: place.file, message: 'the link leads nowhere' }));
    if (target.kind !== 'file')
      return refuse(
        codes.notARegularFile.at({ path: place.file, message: 'the link does not lead to a regular file' }),
      );
    if (![place.realDir, ...allowed].some((place) => isInside(place, target.realPath))) {
      return refuse(
        codes.symlinkOutside.at({
          path: place.file,
          message: 'the link leads out of every scanned root and the project',
        }),
      );
    }
    return target;
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    return refuse(
      error.reason === 'too-many-links'
        ? codes.linkDangling.at({ path: place.file, message: 'the link leads to itself' })
        : codes.fileUnreadable.at({ path: place.file, message: reasonText(error) }),
    );
  }
}

/** Undefined where it follows from the folder: nearly always. */
function usualFile({ folder, fileName, file }: Place): string | undefined {
  if (folder === '') return file;
  return fileName === ENABLED_NAME || fileName === DISABLED_NAME ? undefined : file;
}

/** Undefined where no link leads to the folder. */
function realFileOf({ dir, realDir, fileName }: Place): string | undefined {
  return realDir === dir ? undefined : asPrefix(realDir) + fileName;
}

class HeaderReader implements Finder<FoundSkill | Found> {
  readonly #tree: FileTree;
  readonly #once: boolean;
  readonly #diagnostics: Diagnostic[];
  readonly #earlier: readonly Found[] | undefined;
  #earlierByFile: Map<string, Sight> | undefined;
  readonly #block = Buffer.allocUnsafe(FIRST_READ_BYTES);
  #batch: HeaderBatch | undefined;
  /** Where one folder holds a skill the next one probably does: its file is then opened at once. */
  #expectsSkill = true;
  /** Reads all YAML; loaded when a header needs it, because most catalogs have none that does. */
  #readFrontmatter: ReadFrontmatter | undefined;
  filesRead = 0;
  /** Whether any SKILL.md is a link. */
  sawLink = false;

  constructor(tree: FileTree, once: boolean, diagnostics: Diagnostic[], earlier: readonly Found[] | undefined) {
    this.#tree = tree;
    this.#once = once;
    this.#diagnostics = diagnostics;
    this.#earlier = earlier;
  }

  /** For the first discovery, looking and reading are one step; a later one reads only what changed since. */
  find(place: Place, root: Root): FoundSkill | Found | undefined {
    if (this.#once && this.#expectsSkill && !this.#earlier) return this.#glance(place, root);
    return this.#found(
      place,
      this.#expectsSkill && !this.#earlier ? this.#lookInto(place.file) : this.#look(place.file),
    );
  }

  #found(place: Place, look: Sight | undefined): Found | undefined {
    this.#expectsSkill = look !== undefined;
    if (look?.kind === 'link') this.sawLink = true;
    return look && { place, look };
  }

  #look(file: string): Sight | undefined {
    const look = this.#tree.look(file);
    return look && new Sight(look.kind, look.stamp);
  }

  /** The first bytes go into the batch, which describes the skill when it is full. */
  #glance(place: Place, root: Root): FoundSkill | Found | undefined {
    const batch = (this.#batch ??= new HeaderBatch());
    const got = this.#tree.glance(place.file, batch.bytes, batch.next, SHORT_HEADER_BYTES, LIMITS.skillFileBytes.value);
    if (got === NOTHING_THERE) return this.#found(place, undefined);
    if (got === LOOK_CLOSER) return this.#found(place, this.#lookInto(place.file));
    this.filesRead += 1;
    const skill = new FoundSkill(root, place, NO_STAMP, usualFile(place), realFileOf(place));
    batch.add(skill, got);
    return skill;
  }

  settle(): void {
    this.#batch?.settle();
  }

  /** A file that was in a batch and whose header is not simple, read once more. */
  lookAgain({ dir, folder, file, realFile }: FoundSkill): Found | undefined {
    const look = this.#readAgain(file);
    const parent = dir.slice(0, dir.length - folder.length);
    return (
      look && {
        place: {
          parent,
          folder,
          dir,
          realDir: path.dirname(realFile),
          fileName: path.basename(file),
          file,
          leaf: true,
        },
        look,
      }
    );
  }

  #readAgain(file: string): Sight | undefined {
    const got = this.#tree.glance(file, this.#block, 0, FIRST_READ_BYTES, LIMITS.skillFileBytes.value);
    // It may have turned into something else since.
    if (got < 0) return this.#lookInto(file);
    const sight = new Sight('file', NO_STAMP);
    const start = this.#block.subarray(0, got);
    sight.header = parseHeader(file, start, { complete: got < FIRST_READ_BYTES, read: readPlainFrontmatter });
    return sight;
  }

  #lookInto(file: string): Sight | undefined {
    const look = this.#tree.lookInto(file, this.#block);
    if (!look) return undefined;
    const { start, stamp } = look;
    const sight = new Sight(look.kind, stamp);
    if (start && stamp.size <= LIMITS.skillFileBytes.value) {
      const header = parseHeader(file, start, {
        complete: start.length < FIRST_READ_BYTES,
        read: readPlainFrontmatter,
      });
      if (header) this.#keep(sight, header, stamp);
    }
    return sight;
  }

  /** The skill of a file that was looked at; undefined where it has none, with the reason among the diagnostics. */
  async skillAt({ realPath, stamp }: Target, { place, look }: Found, root: Root): Promise<FoundSkill | undefined> {
    const header = look.header ?? (await this.#read(realPath, stamp, place.file, look));
    if (!header) return undefined;
    const skill = new FoundSkill(root, place, stamp, place.file, realPath);
    skill.describe(header);
    return skill;
  }

  async #read(realFile: string, stamp: Stamp, file: string, sight: Sight): Promise<Header | undefined> {
    const known = this.#knownAs(file);
    if (known?.header && known.readAt && !known.racy && sameStamp(known.readAt, stamp)) {
      sight.header = known.header;
      sight.readAt = known.readAt;
      return known.header;
    }
    if (stamp.size > LIMITS.skillFileBytes.value) {
      this.#diagnostics.push(
        codes.fileTooLarge.at({
          path: file,
          message: `it has ${stamp.size} bytes; the limit is ${LIMITS.skillFileBytes.value}`,
        }),
      );
      return undefined;
    }
    try {
      let header = this.#readHeader(realFile, file);
      if (!header) {
        this.#readFrontmatter = (await import('../core/frontmatter/read.ts')).readFrontmatter;
        header = this.#readHeader(realFile, file);
      }
      return header && this.#keep(sight, header, stamp);
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
      // It may have vanished, or turned into something else, since the folder was listed.
      if (error.reason === 'missing') return undefined;
      const code = error.reason === 'not-a-regular-file' ? codes.notARegularFile : codes.fileUnreadable;
      this.#diagnostics.push(code.at({ path: file, message: reasonText(error) }));
      return undefined;
    }
  }

  #knownAs(file: string): Sight | undefined {
    if (!this.#earlier) return undefined;
    this.#earlierByFile ??= new Map(this.#earlier.map(({ place, look }) => [place.file, look]));
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
    const header = parseHeader(shownAs, first, {
      complete: first.length < FIRST_READ_BYTES,
      read: read ?? readPlainFrontmatter,
    });
    if (header || !read) return header;
    const second = this.#tree.readStart(realFile, Buffer.allocUnsafe(SECOND_READ_BYTES));
    const again = parseHeader(shownAs, second, { complete: second.length < SECOND_READ_BYTES, read });
    if (again) return again;
    // Kilobytes of blank lines before the fence: rare enough to read all of it.
    const last = parseHeader(shownAs, this.#tree.read(realFile, LIMITS.skillFileBytes.value).bytes, {
      complete: true,
      read,
    });
    if (last) return last;
    throw new Error('a complete header asked for more');
  }
}
