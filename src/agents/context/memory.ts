/** Computes which memory files an agent puts into its first request, in its order, and why it leaves others out. */
import path from 'node:path';
import { bodyOf } from '../../core/frontmatter/split.ts';
import type { ReadFrontmatter } from '../../core/frontmatter/plain.ts';
import { isInside } from '../../core/inside.ts';
import { wildcard } from '../../core/wildcard.ts';
import { quoteForBash } from '../../core/quote-for-bash.ts';
import { homeFolder, type Surroundings } from '../surroundings.ts';
import { absent, type Item, item } from './item.ts';
import type { ItemStatus } from '../names.ts';
import { type MemoryFile, type MemoryFiles, TOO_MANY } from './memory-files.ts';
import { type MemoryText, readMemoryText } from './memory-text.ts';
import { MEMORY_NAMES, type MemoryPlace, type MemoryRules } from './rules.ts';
import type { MemorySettings } from './settings.ts';

export interface MemoryQuestion {
  /** Name of the agent, for reasons. */
  agent: string;
  rules: MemoryRules;
  at: Surroundings;
  settings: MemorySettings;
  files: MemoryFiles;
  readFrontmatter: ReadFrontmatter;
  /** Reason why the files of the project are not read. */
  distrust?: { reason: string; fix: string } | undefined;
  isExact: boolean;
}

/** A file whose text is in the request. */
interface Part {
  kind: 'memory' | 'rule';
  file: string;
  label: string;
  text: string;
  bytes: Uint8Array;
  inProject: boolean;
  isBinary: boolean;
  /** Characters that the import itself has in the text of the importing file. */
  replaced?: string;
}

export function memoryItems(asked: MemoryQuestion): Item[] {
  const { rules, at, settings, files } = asked;
  const places = withNames(rules, settings);
  const walk = new Walk(asked);
  const home = places.home.flatMap((place) => filesAt(place, homeOf(place, at), files));
  const folders = foldersOf(asked);
  if (rules.takesHome === 'all') for (const { place, file } of home) walk.take(place, file, false);
  else walk.takeFirst(home, false, rules.takesHome === 'first-with-text');
  if (asked.distrust) walk.leaveOut(folders, places.project, asked.distrust);
  else if (rules.takesProject === 'first-name') walk.takeName(folders, places.project);
  else if (rules.takesProject === 'first-in-folder')
    for (const dir of folders) walk.takeFirst(inFolder(dir, places.project, files), true, false);
  else walk.takeAll(folders, places.project);
  for (const { pattern, file } of settings.instructions ?? []) walk.takeNamed(pattern, file);
  walk.reportOthers(folders);
  return walk.items();
}

interface Found {
  place: MemoryPlace;
  file: string;
}

function withNames(
  { home, project }: MemoryRules,
  { names, moreNames = [] }: MemorySettings,
): Pick<MemoryRules, 'home' | 'project'> {
  if (names) {
    const [own] = home;
    return {
      home: own ? names.map((below) => ({ ...own, below })) : [],
      project: names.map((below) => ({ below })),
    };
  }
  return { home, project: [...project, ...moreNames.map((below) => ({ below }))] };
}

function homeOf({ home }: MemoryPlace, at: Surroundings): string | undefined {
  return home && homeFolder(at, home.folder, home.variable);
}

function filesAt(place: MemoryPlace, dir: string | undefined, files: MemoryFiles): Found[] {
  if (dir === undefined) return [];
  const file = path.join(dir, place.below);
  return place.isFolder ? files.below(file, '.md').map((each) => ({ place, file: each })) : [{ place, file }];
}

function inFolder(dir: string, places: readonly MemoryPlace[], files: MemoryFiles): Found[] {
  return places.flatMap((place) => filesAt(place, dir, files));
}

/** Returns the folders that the agent looks into, in its order. */
function foldersOf({ rules, at, settings: { markers }, files }: MemoryQuestion): string[] {
  const all: string[] = [];
  for (let dir = at.projectDir; path.dirname(dir) !== dir; dir = path.dirname(dir)) all.push(dir);
  const isRoot = (dir: string): boolean => (markers ?? ['.git']).some((name) => files.exists(path.join(dir, name)));
  const root = all.findIndex(isRoot);
  const near =
    rules.above === 'everything'
      ? all
      : root !== -1
        ? all.slice(0, root + 1)
        : rules.above === 'repository-or-everything'
          ? all
          : all.slice(0, 1);
  return rules.order === 'nearest-first' ? near : near.reverse();
}

class Walk {
  readonly #asked: MemoryQuestion;
  readonly #found: (Part | Item)[] = [];
  /** Paths that were loaded or explained, with all links followed as well. */
  readonly #seen = new Set<string>();
  readonly #roots: readonly string[];
  readonly #parts = new Map<string, MemoryText>();

  constructor(asked: MemoryQuestion) {
    this.#asked = asked;
    const { at, files } = asked;
    this.#roots = [at.projectDir, files.real(at.projectDir)];
  }

  takeAll(folders: readonly string[], places: readonly MemoryPlace[]): void {
    const { files, agent, rules } = this.#asked;
    const usual = places.filter(({ onlyAlone }) => !onlyAlone);
    // The alternative file counts only if nothing else has text.
    const hasText = folders.some((dir) =>
      inFolder(
        dir,
        usual.filter(({ isFolder }) => !isFolder),
        files,
      ).some(({ place, file }) => this.#textOf(file, place) !== '' && this.#excludedBy(file) === undefined),
    );
    for (const dir of folders) {
      const main = path.join(dir, rules.main);
      for (const { place, file } of inFolder(dir, places, files)) {
        if (!place.onlyAlone || !hasText) this.take(place, file, true);
        else if (files.read(file) && !this.#seen.has(file) && !this.#seen.has(files.real(file)))
          this.#leave(file, 'memory', 'not-read', {
            reason: `${agent} reads ${path.basename(file)} only if the project has no ${rules.main} or CLAUDE.local.md with text`,
            fix: `Add the line @${path.relative(dir, file)} to ${main}`,
          });
      }
    }
  }

  /** Takes the first file that exists. */
  takeFirst(candidates: readonly Found[], inProject: boolean, needsText: boolean): void {
    const { agent, files } = this.#asked;
    let winner: string | undefined;
    for (const { place, file } of candidates) {
      const read = files.read(file);
      if (read === undefined || (needsText && this.#textOf(file, place) === '')) continue;
      if (winner === undefined) {
        winner = file;
        this.take(place, file, inProject);
      } else
        this.#leave(file, 'memory', 'not-read', {
          reason: `${agent} reads ${winner} instead`,
          fix: `Move its text into ${winner}`,
        });
    }
  }

  /** Takes every file with the first name that any folder has. */
  takeName(folders: readonly string[], places: readonly MemoryPlace[]): void {
    const { agent, files } = this.#asked;
    let winner: string | undefined;
    for (const place of places)
      for (const file of folders.map((dir) => path.join(dir, place.below))) {
        if (files.read(file) === undefined) continue;
        winner ??= place.below;
        if (winner === place.below) this.take(place, file, true);
        else
          this.#leave(file, 'memory', 'not-read', {
            reason: `${agent} reads only ${winner} in a project that has one`,
            fix: `Move its text into a ${winner} in the same folder`,
          });
      }
  }

  /** Takes the files that a pattern in the configuration names. Addresses are left out. */
  takeNamed(pattern: string, config: string): void {
    const { files, at } = this.#asked;
    const base = isInside(at.folders.at(-1) ?? at.projectDir, config) ? at.projectDir : path.dirname(config);
    const file = path.resolve(base, expandTilde(pattern, at.userDir));
    if (/^https?:/iu.test(pattern)) {
      this.#found.push(
        item({
          kind: 'memory',
          name: pattern,
          characters: null,
          exact: false,
          status: 'unknown',
          reason: `${config} names an address, which Lectern does not fetch`,
        }),
      );
      return;
    }
    if (!/[*?]/u.test(pattern)) return this.take({ below: pattern }, file, true);
    const dir = path.dirname(file.slice(0, file.search(/[*?]/u) + 1));
    const matches = wildcard(file);
    for (const each of files.below(dir, path.extname(file)))
      if (matches(each)) this.take({ below: pattern }, each, true);
  }

  leaveOut(folders: readonly string[], places: readonly MemoryPlace[], why: { reason: string; fix: string }): void {
    for (const dir of folders)
      for (const { file } of inFolder(dir, places, this.#asked.files))
        if (this.#asked.files.read(file)) this.#leave(file, 'memory', 'not-read', why);
  }

  /** Reports memory files of other agents, which users often expect every agent to read. */
  reportOthers(folders: readonly string[]): void {
    const { agent, rules, files, at } = this.#asked;
    for (const dir of folders.filter((each) => at.folders.includes(each)))
      for (const name of MEMORY_NAMES) {
        const file = path.join(dir, name);
        if (this.#seen.has(file) || this.#seen.has(files.real(file)) || files.read(file) === undefined) continue;
        const hasOwn = files.exists(path.join(dir, rules.main));
        this.#leave(file, 'memory', 'not-read', {
          reason: `${agent} does not read ${name}`,
          fix: hasOwn
            ? rules.imports === 'none'
              ? `Move its text into ${path.join(dir, rules.main)}`
              : `Add the line @${name} to ${path.join(dir, rules.main)}`
            : `ln -s ${name} ${quoteForBash(path.join(dir, rules.main))}`,
        });
      }
  }

  take(place: MemoryPlace, file: string, inProject: boolean): void {
    const { files } = this.#asked;
    const kind = place.isFolder ? 'rule' : 'memory';
    const known = files.read(file);
    if (known === undefined || this.#seen.has(file)) return;
    const excludedBy = this.#excludedBy(file);
    if (excludedBy !== undefined)
      return this.#leave(file, kind, 'not-read', {
        reason: `claudeMdExcludes in ${excludedBy} excludes it`,
        fix: `Remove the pattern from claudeMdExcludes in ${excludedBy}`,
      });
    const real = files.real(file);
    if (this.#asked.rules.followsOnce && real !== file && this.#seen.has(real))
      return this.#leave(file, kind, 'duplicate', {
        reason: `it is a link to ${real}, which is already loaded`,
        fix: 'Remove the link, or replace it with a file that has other text',
      });
    this.#load({ file, kind, place, inProject, depth: 1 }, known);
  }

  /** Adds a file and its imports. */
  #load(
    given: {
      file: string;
      kind: Part['kind'];
      place: MemoryPlace;
      inProject: boolean;
      depth: number;
      /** Files that lead to it, with all links followed. */
      chain?: readonly string[];
      replaced?: string;
    },
    known: MemoryFile,
  ): void {
    const { rules, files, agent } = this.#asked;
    const { file, kind, place, inProject, depth, replaced } = given;
    if ('trouble' in known) return this.#unreadable(file, kind, known);
    if (rules.fileBytes !== undefined && known.bytes.length > rules.fileBytes)
      return this.#unreadable(file, kind, { trouble: 'too large' });
    const real = files.real(file);
    const paths = place.isFolder && depth === 1 ? pathsOf(known.text, this.#asked.readFrontmatter) : undefined;
    if (paths !== undefined)
      return this.#leave(file, kind, 'not-read', {
        reason: `its frontmatter limits it to files that match ${paths}`,
        fix: 'Remove paths from its frontmatter to load it from the start',
      });
    const { kept, imports } = this.#partsOf(known.text);
    if (kept.trim() === '' && !rules.keepsBlank) return this.#mark(file);
    this.#mark(file);
    this.#found.push({
      kind,
      file,
      label: place.label ?? '',
      text: kept,
      bytes: known.bytes,
      inProject,
      isBinary: known.isBinary,
      ...(replaced === undefined ? {} : { replaced }),
    });
    for (const written of imports) {
      const target = path.resolve(path.dirname(real), expandTilde(written, this.#asked.at.userDir));
      this.#import(target, written, { ...given, depth: depth + 1, chain: [...(given.chain ?? []), real] }, agent);
    }
  }

  #import(
    target: string,
    written: string,
    given: {
      file: string;
      kind: Part['kind'];
      place: MemoryPlace;
      inProject: boolean;
      depth: number;
      chain: readonly string[];
    },
    agent: string,
  ): void {
    const { rules, files, settings, at } = this.#asked;
    if (rules.imports !== 'none' && given.chain.includes(files.real(target)))
      return this.#leave(target, given.kind, 'not-followed', {
        reason: `the import @${written} in ${given.file} leads back to a file that imports it`,
        fix: `Remove the import from ${given.file}`,
      });
    if (this.#seen.has(target)) return;
    const extension = path.extname(target).toLowerCase();
    const isText = rules.importExtensions === undefined || extension === '' || rules.importExtensions.has(extension);
    const from = `the import @${written} in ${given.file}`;
    const leave = (reason: string, fix?: string): void =>
      this.#leave(target, given.kind, 'not-followed', { reason, ...(fix === undefined ? {} : { fix }) });
    if (rules.imports === 'none') {
      if (files.exists(target) && extension !== '')
        leave(`${agent} does not follow imports: ${from} stays as it is`, `Move its text into ${given.file}`);
      return;
    }
    const isAllowed = !given.inProject || settings.allowsOutside === true;
    const isNear = (place: string): boolean => this.#roots.some((root) => isInside(root, place));
    if (!isAllowed && !isNear(target)) {
      const root = at.folders.at(-1) ?? at.projectDir;
      const isOfProject = isInside(root, target);
      if (isOfProject ? files.exists(target) : extension !== '')
        leave(
          `${from} leads out of the folder in which ${agent} is started`,
          isOfProject ? `Start ${agent} in ${root}` : `Move the file into ${at.projectDir} and change the import`,
        );
      return;
    }
    const known = files.read(target);
    if (known === undefined) {
      // Without an extension, the word is more likely a mention than a path.
      if (extension !== '' && isText) leave(`${from} leads to no file`, 'Correct the path, or remove the import');
      return;
    }
    if (!isText)
      return leave(
        `${agent} imports only text files, and ${from} leads to a ${extension} file`,
        'Import a text file, or remove the import',
      );
    if (given.depth > (rules.importDepth ?? 1))
      return leave(
        `${from} is more than ${(rules.importDepth ?? 1) - 1} imports deep`,
        'Import it from a file that is less deep',
      );
    const real = files.real(target);
    if (this.#seen.has(real)) return;
    if ('outside' in known || (!isAllowed && !isNear(real)))
      return leave(
        `${from} is a link that leads out of the folder in which ${agent} is started`,
        'Replace the link with the file',
      );
    this.#load({ ...given, file: target, ...(rules.imports === 'inlined' ? { replaced: written } : {}) }, known);
  }

  items(): Item[] {
    const { rules, settings, agent, isExact } = this.#asked;
    const { form } = rules;
    const limit = settings.projectBytes ?? rules.projectBytes;
    let left = limit ?? Number.POSITIVE_INFINITY;
    let isFirst = true;
    let isFirstOfProject = true;
    const texts = new Map<string, string>();
    return this.#found.map((part) => {
      if ('status' in part) return part;
      const { kind, file, label, inProject, bytes, isBinary, replaced } = part;
      const isCut = inProject && bytes.length > left;
      const whole = isCut ? Buffer.from(bytes.subarray(0, left)).toString('utf8') : part.text;
      if (inProject) left -= Math.min(left, bytes.length);
      const about = { kind, name: path.basename(file), path: file };
      if (isCut && whole === '')
        return absent({ ...about, status: 'cut', ...this.#whyCut(limit ?? 0, 'nothing of it is left') });
      const trims = form.trims === 'all' || (form.trims === 'home' && !inProject);
      const text = trims ? whole.trim() : whole;
      const before = isFirst || !inProject || !isFirstOfProject ? form.between : (form.beforeProject ?? form.between);
      const around =
        replaced === undefined ? before + headed(form.before + form.after, file, label) : inlined(replaced);
      const skips = isFirst && form.before === '' ? before.length : 0;
      isFirst = false;
      if (inProject) isFirstOfProject = false;
      const same = texts.get(text.trim());
      texts.set(text.trim(), same ?? file);
      const why = isCut
        ? this.#whyCut(limit ?? 0, `the last ${bytes.length - Buffer.byteLength(whole)} bytes are left out`)
        : same !== undefined && text.trim() !== ''
          ? {
              reason: `it has the same text as ${same}, so the model gets it twice`,
              fix: `Remove one of the two files`,
            }
          : isBinary
            ? { reason: `${agent} loads it although it is not text`, fix: 'Replace it with a text file' }
            : {};
      return item({
        ...about,
        characters: around.length - skips + text.length,
        exact: isExact,
        status: isCut ? 'cut' : same !== undefined && text.trim() !== '' ? 'duplicate' : 'loaded',
        ...why,
      });
    });
  }

  #whyCut(limit: number, effect: string): { reason: string; fix: string } {
    const { agent, rules } = this.#asked;
    const setting = rules.projectBytesSetting;
    return {
      reason: `${agent} reads ${limit} bytes of memory files in a project, outermost folder first: ${effect}`,
      fix:
        setting === undefined
          ? 'Shorten the files in the folders above it'
          : `Shorten the files in the folders above it, or set ${setting} to a higher number in config.toml`,
    };
  }

  #partsOf(text: string): MemoryText {
    const known = this.#parts.get(text);
    if (known) return known;
    const { stripsMarkup } = this.#asked.rules;
    const parts = stripsMarkup ? readMemoryText(bodyOf(text)) : { kept: text, imports: readMemoryText(text).imports };
    this.#parts.set(text, parts);
    return parts;
  }

  /** Returns the text of a file as the agent reads it, without white space around it. */
  #textOf(file: string, _place: MemoryPlace): string {
    const read = this.#asked.files.read(file);
    return read === undefined || 'trouble' in read ? '' : this.#partsOf(read.text).kept.trim();
  }

  #excludedBy(file: string): string | undefined {
    return this.#asked.settings.excludedBy?.(file);
  }

  #unreadable(file: string, kind: Part['kind'], known: Extract<MemoryFile, { trouble: string }>): void {
    const { agent } = this.#asked;
    this.#mark(file);
    if (known.outside) {
      this.#found.push(
        item({
          kind,
          name: path.basename(file),
          path: file,
          characters: null,
          exact: false,
          status: 'unknown',
          reason: known.trouble,
          ...(known === TOO_MANY ? {} : { fix: 'Replace the link with the file' }),
        }),
      );
      return;
    }
    this.#leave(file, kind, 'not-read', {
      reason: `${agent} cannot read it: ${known.trouble}`,
      ...(known.trouble === 'permission denied'
        ? { fix: `chmod u+r ${quoteForBash(file)}` }
        : { fix: known.trouble === 'too large' ? 'Split it into smaller files' : 'Replace the file' }),
    });
  }

  #leave(file: string, kind: Part['kind'], status: ItemStatus, why: { reason: string; fix?: string }): void {
    this.#mark(file);
    this.#found.push(absent({ kind, name: path.basename(file), path: file, status, ...why }));
  }

  #mark(file: string): void {
    this.#seen.add(file);
    this.#seen.add(this.#asked.files.real(file));
  }
}

function headed(form: string, file: string, label: string): string {
  return form.replaceAll('{path}', () => file).replaceAll('{label}', () => label);
}

/** Comments around an imported text, without the import that they replace. */
function inlined(written: string): string {
  return `<!-- Imported from: ${written} -->\n\n<!-- End of import from: ${written} -->`.slice(written.length + 1);
}

function expandTilde(written: string, userDir: string | undefined): string {
  return written.startsWith('~/') && userDir !== undefined ? path.join(userDir, written.slice(2)) : written;
}

/** Returns the paths in the frontmatter of a rule, if it has any. A rule for all paths is always loaded. */
function pathsOf(text: string, readFrontmatter: ReadFrontmatter): string | undefined {
  const paths = readFrontmatter(text)?.data['paths'];
  const all = (Array.isArray(paths) ? paths : typeof paths === 'string' ? paths.split(',') : [])
    .map((each) =>
      String(each)
        .trim()
        .replace(/\/\*\*$/u, ''),
    )
    .filter((each) => each !== '');
  return all.every((each) => each === '**') ? undefined : all.join(', ');
}
