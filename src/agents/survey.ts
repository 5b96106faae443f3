/**
 * Walks every folder of every agent with the most permissive rules, and collects every `SKILL.md` with its facts. Unlike the catalog, the
 * survey skips and repairs nothing. The rules of each agent are applied later. Headers that the catalog has read are reused.
 */
import path from 'node:path';
import { breather } from '../core/breathe.ts';
import { entriesOf, exists, findTarget, orTrouble } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { oneLine } from '../core/text.ts';
import type { Discovery } from '../skills/discover.ts';
import { type FileFacts, LEADS_OUT, valueOf } from '../skills/file-facts.ts';
import { packageRoots, planRoots, projectFolders, type Root, type RootOptions } from '../skills/roots/plan.ts';
import type { Location } from '../skills/skill.ts';
import { type FoundFile, walkForAgents } from '../skills/walk.ts';
import { catalogRules, counts, covers, widest, type WalkRules } from '../skills/walk-rules.ts';
import { claudePlugins, type Hidden, type PluginPlace } from './claude-plugins.ts';
import { installedVersion } from './installed.ts';
import type { PlaceRule, Profile } from './profile.ts';
import { PROFILES } from './profiles/index.ts';
import { readFacts } from './read-facts.ts';
import { type AgentSettings, readSettings } from './settings.ts';
import type { Surroundings } from './surroundings.ts';
import { asInstalled, isNewer } from './versions.ts';

export interface Place {
  dir: string;
  provider: string;
  location: Location;
  plugin?: PluginPlace;
  /** Folder of a package in a monorepo, relative to the project. */
  package?: string;
  builtIn?: true;
  /** Undefined if the folder does not exist. */
  found: readonly FoundFile[] | undefined;
  isCut: boolean;
}

/** A folder that an agent reads. */
export interface AgentPlace {
  place: Place;
  rank: number;
  /** Number of folders between the working folder and the folder that contains it. 0 outside the project. */
  distance: number;
  /** See `PlaceRule`. */
  among?: number | undefined;
  part: number;
  inProject: boolean;
  /** Rules for finding skills in it. */
  walk: WalkRules;
  /** Reasons why skills in it are not listed, by skill folder. */
  hidden?: ReadonlyMap<string, Hidden>;
}

/** Returns the place of a folder, which is added if it is new. */
type PlaceAt = (dir: string, more: Omit<Place, 'dir' | 'found' | 'isCut'>) => Place;

export interface Sighting {
  place: Place;
  found: FoundFile;
}

/** One `SKILL.md`, with every path that leads to it. */
export interface Copy {
  /** Name in its frontmatter, or the name of its folder. */
  name: string;
  fullName: string;
  /** Folder and file of the first sighting. */
  path: string;
  file: string;
  facts: FileFacts;
  /** False if an `agents/openai.yaml` in the skill folder removes the skill from the list of Codex. */
  implicitForCodex: boolean;
  sightings: readonly Sighting[];
  builtIn: boolean;
}

export interface SurveyedAgent {
  places: readonly AgentPlace[];
  settings: AgentSettings;
  isFound: boolean;
  /** Version behind the command, if it is an npm package. */
  installed: string | undefined;
  /** The installed version is newer than the one that the rules were observed with. */
  isNewer: boolean;
}

export interface Survey {
  at: Surroundings;
  /** Copies, in the order of preference of the catalog. */
  copies: readonly Copy[];
  byFile: ReadonlyMap<string, Copy>;
  /** Roots of the catalog, and its rules there. */
  roots: ReadonlyMap<Place, { root: Root; rules: WalkRules }>;
  agents: ReadonlyMap<string, SurveyedAgent>;
  /** Folders with too much content to examine completely. */
  cut: readonly string[];
}

export interface SurveyOptions {
  now: number;
  /** Agents to examine as if they were used here. */
  asked?: readonly string[];
  /** Catalog of the same files. Its headers are reused, and in a one-shot command also its walks. */
  discovery?: Pick<Discovery, 'headers' | 'oneShot'> | undefined;
}

export async function takeSurvey(
  tree: FileTree,
  options: RootOptions,
  { now, asked = [], discovery }: SurveyOptions,
): Promise<Survey> {
  const { projectDir, userDir, environment } = options;
  const at: Surroundings = {
    projectDir,
    userDir,
    environment,
    now,
    folders: projectFolders(tree, projectDir).folders,
  };
  const places = new Map<string, Place>();
  const readers = new Map<Place, WalkRules[]>();
  const agents = new Map<string, SurveyedAgent>();
  const placeAt: PlaceAt = (dir, more) => {
    const known = places.get(dir);
    if (known) return known;
    const place: Place = { dir, ...more, found: undefined, isCut: false };
    places.set(dir, place);
    return place;
  };

  const roots = planRoots(tree, options);
  for (const known of PROFILES) {
    const isFound = isUsed(known, tree, at);
    const installed = isFound ? installedVersion(tree, known, environment) : undefined;
    const profile = asInstalled(known, installed);
    const settings = await readSettings(profile, tree, at);
    const usual = placesOf(profile, settings, { tree, at, placeAt });
    const own = [...usual, ...addedPlaces(profile, settings, roots, placeAt).filter(isNewTo(usual))];
    agents.set(profile.id, {
      places: own,
      settings,
      isFound,
      installed,
      isNewer: isNewer(installed ?? '', profile.version ?? ''),
    });
    if (isFound || asked.includes(profile.id))
      for (const { place, walk } of own) readers.set(place, [...(readers.get(place) ?? []), walk]);
  }
  const catalog = new Map<Place, { root: Root; rules: WalkRules }>();
  for (const root of [...roots, ...packageRoots(tree, options)]) {
    const place = placeAt(root.dir, {
      provider: root.scope ?? root.provider,
      location: root.location,
      ...(root.package === undefined ? {} : { package: root.package }),
    });
    if (!catalog.has(place)) catalog.set(place, { root, rules: catalogRules(root, options.limits) });
  }

  const ordered = inCatalogOrder(places, roots);
  const breathe = breather();
  for (const place of ordered) {
    const own = catalog.get(place)?.rules ?? catalogRules({ explicit: false }, options.limits);
    const all = [own, ...(readers.get(place) ?? [])];
    const walked = discovery?.oneShot?.walks.get(place.dir);
    const isCovered = walked?.state === 'walked' && !walked.isPartial && covers(own, widest(all));
    const walk = isCovered ? walked : await walkForAgents(tree, place, widest(all), breathe);
    place.found = walk?.found
      .flatMap((found) => resolveFile(tree, found) ?? [])
      .filter((found) => all.some((rules) => counts(found, rules)));
    place.isCut = walk?.isPartial ?? false;
  }
  const codex = agents.get('codex');
  const isCodexHere = codex?.isFound === true || asked.includes('codex');
  const codexReads = new Set(isCodexHere ? codex?.places.map(({ place }) => place) : []);
  const byFile = await readCopies(tree, ordered, {
    discovery,
    project: at.folders.at(-1) ?? projectDir,
    codexReads,
  });
  return {
    at,
    copies: [...byFile.values()],
    byFile,
    roots: catalog,
    agents,
    cut: ordered.filter(({ isCut }) => isCut).map(({ dir }) => dir),
  };
}

/** Whether an installed plugin updates the folder. Users edit those in their skills folder. */
export function isManaged({ plugin }: Place): boolean {
  return plugin !== undefined && plugin.isInSkillsFolder === undefined;
}

/** Returns the agents with traces in the project, in the home folder or on the PATH. */
export function findAgents(
  tree: FileTree,
  { projectDir, userDir, environment }: Pick<RootOptions, 'projectDir' | 'userDir' | 'environment'>,
): Profile[] {
  const { folders } = projectFolders(tree, projectDir);
  return PROFILES.filter((profile) => isUsed(profile, tree, { projectDir, userDir, environment, folders, now: 0 }));
}

/** Returns the folders that an agent reads, each once. */
function placesOf(
  profile: Profile,
  settings: AgentSettings,
  {
    tree,
    at,
    placeAt,
  }: {
    tree: FileTree;
    at: Surroundings;
    placeAt: PlaceAt;
  },
): AgentPlace[] {
  const own = extensionFolders(profile, tree, at).map((dir): AgentPlace => ({
    place: placeAt(dir, { provider: profile.id, location: 'user' }),
    rank: profile.extensions?.rank ?? 0,
    distance: 0,
    part: 0,
    inProject: false,
    walk: profile.walk,
  }));
  const named = profile.places.flatMap((rule, index) =>
    foldersOf(rule, profile, tree, at).map((dir, distance): AgentPlace => ({
      place: placeAt(dir, {
        provider: rule.provider,
        location: isOfProject(rule) ? 'project' : 'user',
        ...(rule.builtIn ? { builtIn: true } : {}),
      }),
      rank: rule.rank,
      distance,
      among: rule.among,
      part: rule.part ?? index,
      inProject: isOfProject(rule),
      walk: profile.walk,
    })),
  );
  own.push(...named);
  if (profile.plugins) {
    const { places, hidden } = claudePlugins(tree, at, settings);
    if (hidden.size > 0) for (const each of own) each.hidden = hidden;
    for (const plugin of places)
      own.push({
        place: placeAt(plugin.dir, { provider: 'claude', location: 'plugin', plugin }),
        rank: profile.places.length,
        distance: 0,
        part: profile.places.length,
        inProject: false,
        walk: profile.walk,
      });
  }
  const seen = new Set<Place>();
  return own.filter(({ place }) => !seen.has(place) && seen.add(place));
}

/** Returns the folders that settings add to those of the profile. A root of the catalog keeps its provider. */
function addedPlaces(
  { id, places, walk, addedWalk = walk }: Profile,
  { added = [] }: AgentSettings,
  roots: readonly Root[],
  placeAt: PlaceAt,
): AgentPlace[] {
  return added
    .filter(({ unread }) => unread === undefined)
    .map(({ dir, inProject }): AgentPlace => {
      const { provider = id, location = inProject ? 'project' : 'user' } = roots.find((root) => root.dir === dir) ?? {};
      const rank = places.length;
      return { place: placeAt(dir, { provider, location }), rank, distance: 0, part: rank, inProject, walk: addedWalk };
    });
}

function isNewTo(known: readonly AgentPlace[]): (added: AgentPlace) => boolean {
  const places = new Set(known.map(({ place }) => place));
  return ({ place }) => !places.has(place);
}

/** Maximum number of extensions to examine. */
const EXTENSIONS_MAX = 500;

function extensionFolders({ extensions }: Profile, tree: FileTree, at: Surroundings): string[] {
  if (extensions === undefined) return [];
  return inHome(extensions.below, at).flatMap((dir) =>
    entriesOf(tree, dir)
      .slice(0, EXTENSIONS_MAX)
      .map(({ name }) => path.join(dir, name, 'skills'))
      .filter((skills) => exists(tree, skills)),
  );
}

/** Follows a SKILL.md that is a link. Returns undefined for anything but a file. */
function resolveFile(tree: FileTree, found: FoundFile): FoundFile | undefined {
  if (found.kind !== 'link') return found.kind === 'file' ? found : undefined;
  const target = findTarget(tree, found.file);
  return target?.kind === 'file' ? { ...found, realFile: target.realPath, stamp: target.stamp } : undefined;
}

/** Project links may lead into the project or into a skill folder. Other targets are not read. */
async function readCopies(
  tree: FileTree,
  places: readonly Place[],
  {
    discovery,
    project,
    codexReads,
  }: Pick<SurveyOptions, 'discovery'> & { project: string; codexReads: ReadonlySet<Place> },
): Promise<Map<string, Copy>> {
  const walked = places.filter(({ found }) => found !== undefined).map(({ dir }) => dir);
  const allowed = [project, ...walked].map((dir) => findTarget(tree, dir)?.realPath ?? dir);
  const leadsOut = (realFile: string): boolean => !allowed.some((dir) => isInside(dir, realFile));
  const byFile = new Map<string, Copy & { sightings: Sighting[] }>();
  for (const place of places) {
    for (const found of place.found ?? []) {
      const known = byFile.get(found.realFile);
      if (known) {
        known.sightings.push({ place, found });
        continue;
      }
      const isLinkOut = found.file !== found.realFile && place.location === 'project' && leadsOut(found.realFile);
      const facts = isLinkOut ? LEADS_OUT : await readFacts(tree, found, discovery);
      const name = oneLine(valueOf(facts, 'name') ?? '') || path.basename(found.dir);
      const plugin = place.plugin === undefined ? '' : `${place.plugin.plugin}:`;
      byFile.set(found.realFile, {
        name,
        fullName: `${place.provider}:${plugin}${name}`,
        path: found.dir,
        file: found.file,
        facts,
        implicitForCodex: !(codexReads.has(place) && found.hasAgents !== false && isExplicitForCodex(tree, found.dir)),
        sightings: [{ place, found }],
        builtIn: place.builtIn === true,
      });
    }
  }
  return byFile;
}

/** Whether `agents/openai.yaml` has `policy.allow_implicit_invocation: false`. */
function isExplicitForCodex(tree: FileTree, dir: string): boolean {
  const read = orTrouble(() => tree.read(path.join(dir, 'agents/openai.yaml'), MANIFEST_MAX_BYTES));
  if (read instanceof FileTrouble) return false;
  return /^[ \t]+allow_implicit_invocation:\s*false\b/mu.test(Buffer.from(read.bytes).toString('utf8'));
}

const MANIFEST_MAX_BYTES = 64 * 1024;

/**
 * Returns the folders of the catalog in its order, then folders that only agents read. Built-in skills and plugins may be inside one
 * of them, and a skill belongs to its first place.
 */
function inCatalogOrder(places: ReadonlyMap<string, Place>, roots: readonly { dir: string }[]): Place[] {
  const inside = [...places.values()].filter((place) => place.builtIn || place.plugin?.isInSkillsFolder);
  return [...new Set([...inside, ...roots.flatMap(({ dir }) => places.get(dir) ?? []), ...places.values()])];
}

function isOfProject(rule: PlaceRule): boolean {
  return rule.in === 'project' || rule.in === 'working' || rule.in === 'root';
}

function foldersOf(rule: PlaceRule, profile: Profile, tree: FileTree, at: Surroundings): string[] {
  switch (rule.in) {
    case 'machine':
      return [rule.below];
    case 'working':
      return [path.join(at.projectDir, rule.below)];
    case 'root':
      return [path.join(at.folders.at(-1) ?? at.projectDir, rule.below)];
    case 'project':
      return upFrom(profile, tree, at).map((dir) => path.join(dir, rule.below));
    case 'home':
      return homePlace(rule, at);
  }
}

function homePlace({ below, variable }: PlaceRule, at: Surroundings): string[] {
  const moved = variable && at.environment[variable.name];
  if (variable && at.userDir !== undefined && moved !== undefined && path.isAbsolute(moved))
    return [path.join(moved, variable.below)];
  return inHome(below, at);
}

/** Returns a path in the home folder, or in the configuration folder from an environment variable. */
function inHome(below: string, { userDir, environment }: Surroundings): string[] {
  if (userDir === undefined) return [];
  const config = environment['XDG_CONFIG_HOME'];
  if (config !== undefined && path.isAbsolute(config) && below.startsWith('.config/'))
    return [path.join(config, below.slice('.config/'.length))];
  return [path.join(userDir, below)];
}

function upFrom({ above }: Profile, tree: FileTree, { projectDir, folders }: Surroundings): readonly string[] {
  if (above !== 'everything-without-git' || exists(tree, path.join(folders.at(-1) ?? projectDir, '.git')))
    return folders;
  const all: string[] = [];
  for (let dir = projectDir; ; dir = path.dirname(dir)) {
    all.push(dir);
    if (path.dirname(dir) === dir) return all;
  }
}

/** Looks for traces of the agent, which is never started. */
function isUsed({ traces, places }: Profile, tree: FileTree, at: Surroundings): boolean {
  const { userDir, folders, environment } = at;
  const has = (dir: string, names: readonly string[]): boolean =>
    names.some((name) => exists(tree, path.join(dir, name)));
  const moved = places.flatMap(({ variable }) => (variable ? (environment[variable.name] ?? []) : []));
  if (moved.some((dir) => path.isAbsolute(dir) && exists(tree, dir))) return true;
  if (traces.home.some((below) => inHome(below, at).some((place) => exists(tree, place)))) return true;
  // In the home folder, only home traces count.
  if (folders.some((dir) => dir !== userDir && has(dir, traces.project))) return true;
  const onPath = (environment['PATH'] ?? environment['Path'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  return onPath.some((dir) =>
    has(
      dir,
      traces.commands.flatMap((name) => [name, `${name}.exe`, `${name}.cmd`]),
    ),
  );
}
