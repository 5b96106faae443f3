/**
 * Walks every folder of every agent once, and reads every `SKILL.md` in it once. Unlike the catalog, the survey skips and
 * repairs nothing. The rules of each agent are applied later.
 */
import path from 'node:path';
import { exists, findTarget, orTrouble } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { oneLine } from '../core/text.ts';
import { packageRoots, planRoots, projectFolders, type RootOptions } from '../skills/roots/plan.ts';
import type { Location } from '../skills/skill.ts';
import { type PluginPlace, pluginPlaces } from './claude-plugins.ts';
import { LEADS_OUT, type FileFacts, readFacts, valueOf } from './file-facts.ts';
import type { PlaceRule, Profile, WalkRules } from './profile.ts';
import { PROFILES } from './profiles/index.ts';
import { type AgentSettings, readSettings, type Surroundings } from './settings.ts';
import { counts, type Found, walkPlace, widest } from './walk.ts';

export interface Place {
  dir: string;
  provider: string;
  location: Location;
  plugin?: PluginPlace;
  /** Folder of a package in a monorepo, relative to the project. */
  package?: string;
  builtIn?: true;
  /** Undefined if the folder does not exist. */
  found: readonly Found[] | undefined;
  isCut: boolean;
}

/** A folder that an agent reads. */
export interface AgentPlace {
  place: Place;
  rank: number;
  part: number;
  inProject: boolean;
}

export interface Sighting {
  place: Place;
  found: Found;
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
  sightings: readonly Sighting[];
  builtIn: boolean;
}

export interface Survey {
  at: Surroundings;
  /** Copies, in the order of preference of the catalog. */
  copies: readonly Copy[];
  byFile: ReadonlyMap<string, Copy>;
  agents: ReadonlyMap<string, { places: readonly AgentPlace[]; settings: AgentSettings; isFound: boolean }>;
  /** Folders with more content than is examined. */
  cut: readonly string[];
}

/** Rules of the catalog, which determine the skills of this project. */
const CATALOG_WALK: WalkRules = {
  deepest: 6,
  shallowest: 0,
  hidden: true,
  nodeModules: false,
  insideSkills: false,
  linkedFiles: true,
  anyCase: true,
};

/** `asked` are agents to examine as if they were used here. */
export async function takeSurvey(
  tree: FileTree,
  options: RootOptions,
  now: number,
  asked: readonly string[] = [],
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
  const agents = new Map<string, { places: AgentPlace[]; settings: AgentSettings; isFound: boolean }>();
  const placeAt = (dir: string, more: Omit<Place, 'dir' | 'found' | 'isCut'>): Place => {
    const known = places.get(dir);
    if (known) return known;
    const place: Place = { dir, ...more, found: undefined, isCut: false };
    places.set(dir, place);
    return place;
  };

  for (const profile of PROFILES) {
    const isFound = isUsed(profile, tree, at);
    const settings = await readSettings(profile, tree, at);
    const own = profile.places.flatMap((rule, index) =>
      foldersOf(rule, profile, tree, at).map((dir): AgentPlace => ({
        place: placeAt(dir, {
          provider: rule.provider,
          location: isOfProject(rule) ? 'project' : 'user',
          ...(rule.builtIn ? { builtIn: true } : {}),
        }),
        rank: rule.rank,
        part: rule.part ?? index,
        inProject: isOfProject(rule),
      })),
    );
    if (profile.plugins)
      for (const plugin of pluginPlaces(tree, at, settings))
        own.push({
          place: placeAt(plugin.dir, { provider: 'claude', location: 'plugin', plugin }),
          rank: profile.places.length,
          part: profile.places.length,
          inProject: false,
        });
    const seen = new Set<Place>();
    const once = own.filter(({ place }) => !seen.has(place) && seen.add(place));
    agents.set(profile.id, { places: once, settings, isFound });
    if (isFound || asked.includes(profile.id))
      for (const { place } of once) readers.set(place, [...(readers.get(place) ?? []), profile.walk]);
  }
  const roots = planRoots(tree, options);
  for (const root of [...roots, ...packageRoots(tree, options)])
    placeAt(root.dir, {
      provider: root.scope ?? root.provider,
      location: root.location,
      ...(root.package === undefined ? {} : { package: root.package }),
    });

  const ordered = inCatalogOrder(places, roots);
  for (const place of ordered) {
    const walk = walkPlace(tree, place.dir, widest([CATALOG_WALK, ...(readers.get(place) ?? [])]));
    place.found = walk?.found.filter(
      (found) => counts(found, CATALOG_WALK) || (readers.get(place) ?? []).some((rules) => counts(found, rules)),
    );
    place.isCut = walk?.isCut ?? false;
  }
  const codex = agents.get('codex');
  const isCodexHere = codex?.isFound === true || asked.includes('codex');
  const codexReads = new Set(isCodexHere ? codex?.places.map(({ place }) => place) : []);
  const byFile = await readCopies(tree, ordered, at.folders.at(-1) ?? projectDir, codexReads);
  return {
    at,
    copies: [...byFile.values()],
    byFile,
    agents,
    cut: ordered.filter(({ isCut }) => isCut).map(({ dir }) => dir),
  };
}

/** Project links may lead into the project or into a skill folder. Other targets are not read. */
async function readCopies(
  tree: FileTree,
  places: readonly Place[],
  project: string,
  codexReads: ReadonlySet<Place>,
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
      const facts = isLinkOut ? LEADS_OUT : await readFacts(tree, found.realFile);
      const name = oneLine(valueOf(facts, 'name') ?? '') || path.basename(found.dir);
      const plugin = place.plugin === undefined ? '' : `${place.plugin.plugin}:`;
      byFile.set(found.realFile, {
        name,
        fullName: `${place.provider}:${plugin}${name}`,
        path: found.dir,
        file: found.file,
        facts: {
          ...facts,
          implicitForCodex: !(
            codexReads.has(place) &&
            found.hasAgents !== false &&
            isExplicitForCodex(tree, found.dir)
          ),
        },
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

/** Returns the folders of the catalog in its order, then those that only agents read. Built-in skills may be inside one of them. */
function inCatalogOrder(places: ReadonlyMap<string, Place>, roots: readonly { dir: string }[]): Place[] {
  const builtIn = [...places.values()].filter((place) => place.builtIn);
  return [...new Set([...builtIn, ...roots.flatMap(({ dir }) => places.get(dir) ?? []), ...places.values()])];
}

function isOfProject(rule: PlaceRule): boolean {
  return rule.in === 'project' || rule.in === 'working';
}

function foldersOf(rule: PlaceRule, profile: Profile, tree: FileTree, at: Surroundings): string[] {
  switch (rule.in) {
    case 'machine':
      return [rule.below];
    case 'working':
      return [path.join(at.projectDir, rule.below)];
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
  if (above === 'nothing-without-git' || exists(tree, path.join(folders.at(-1) ?? projectDir, '.git'))) return folders;
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
