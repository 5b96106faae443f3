/** Determines the folders to search, in order of precedence. Reads only folder listings. */
import path from 'node:path';
import { entriesOf, exists } from '../../core/disk/answers.ts';
import { foldersBelow } from '../../core/disk/folders-below.ts';
import type { FileTree } from '../../core/disk/tree.ts';
import { isInside } from '../../core/inside.ts';
import type { Location } from '../skill.ts';
import type { WalkLimits } from '../walk-rules.ts';
import { type Agent, ALL_AGENTS, CLAUDE, OTHER_AGENTS, SHARED_AGENTS } from './agents.ts';

export interface Root {
  dir: string;
  provider: string;
  location: Location;
  scope?: string;
  plugin?: string;
  marketplace?: string;
  /** Reason why its skills are disabled, if a setting disables them. */
  off?: string;
  /** Package folder in a monorepo, relative to the project. */
  package?: string;
  /** True if configured explicitly: no depth limit, nested skills count, and a missing folder is reported. */
  explicit: boolean;
  /** The folder up to which .gitignore files apply to this root. */
  gitRoot?: string;
}

export interface RootOptions {
  projectDir: string;
  userDir: string | undefined;
  /** Environment for the variables in the agents table. Empty if the user folder was given explicitly. */
  environment: Readonly<Record<string, string | undefined>>;
  skillDirs: readonly { dir: string; scope?: string }[];
  /** Replaces the `skills/` folder of the project. */
  vendoredRoot: string | undefined;
  scanDefaultDirs: boolean;
  priority: 'contract' | 'project-first';
  limits: WalkLimits;
}

/** Returns the folders from the working folder up to the one with `.git`, or only the working folder if there is no `.git`. */
export function projectFolders(tree: FileTree, projectDir: string): { folders: string[]; gitRoot: string | undefined } {
  const folders: string[] = [];
  for (let dir = projectDir; ; dir = path.dirname(dir)) {
    folders.push(dir);
    if (exists(tree, path.join(dir, '.git'))) return { folders, gitRoot: dir };
    if (path.dirname(dir) === dir) return { folders: [projectDir], gitRoot: undefined };
  }
}

/** Returns the outermost folder of the project. */
export function projectRoot(tree: FileTree, projectDir: string): string {
  return projectFolders(tree, projectDir).folders.at(-1) ?? projectDir;
}

/** Returns the roots of the project, the user and the options, in order of precedence. */
export function planRoots(tree: FileTree, options: RootOptions): Root[] {
  const { folders, gitRoot } = projectFolders(tree, options.projectDir);
  // In the home folder itself, `.claude/skills` belongs to the user, not to a project.
  const projects = folders.filter((dir) => dir !== options.userDir);
  const inProject = (provider: string, dir: string): Root => ({
    dir,
    provider,
    location: 'project',
    explicit: false,
    ...(gitRoot === undefined ? {} : { gitRoot }),
  });
  const projectRoots = (agent: Agent): Root[] =>
    projects.flatMap((dir) => agent.project.map((below) => inProject(agent.name, path.join(dir, below))));
  const userRoots = (agent: Agent): Root[] =>
    userFolders(agent, options).map((dir) => ({ dir, provider: agent.name, location: 'user', explicit: false }));

  const custom = options.skillDirs.map(({ dir, scope }): Root => ({
    dir,
    provider: 'file',
    location: 'custom',
    explicit: true,
    ...(scope === undefined ? {} : { scope }),
  }));
  const vendored: Root[] =
    options.vendoredRoot === undefined
      ? folders.map((dir) => inProject('repo', path.join(dir, 'skills')))
      : [{ dir: options.vendoredRoot, provider: 'repo', location: 'project', explicit: true }];
  if (!options.scanDefaultDirs)
    return uniqueRoots([...custom, ...(options.vendoredRoot === undefined ? [] : vendored)]);

  const roots = [
    ...custom,
    ...projectRoots(SHARED_AGENTS),
    ...userRoots(SHARED_AGENTS),
    ...projectRoots(CLAUDE),
    ...userRoots(CLAUDE),
    ...OTHER_AGENTS.flatMap(projectRoots),
    ...projects.flatMap((dir) =>
      otherDotFolders(tree, dir, 'project').map(([provider, root]) => inProject(provider, root)),
    ),
    ...OTHER_AGENTS.flatMap(userRoots),
    ...(options.userDir === undefined ? [] : otherDotFolders(tree, options.userDir, 'user')).map(
      ([provider, dir]): Root => ({
        dir,
        provider,
        location: 'user',
        explicit: false,
      }),
    ),
    ...vendored,
  ];
  return uniqueRoots(roots);
}

/** Returns the agent folders in the packages of a monorepo, such as `apps/web/.claude/skills`. */
export function packageRoots(tree: FileTree, options: RootOptions): Root[] {
  const { projectDir } = options;
  if (!options.scanDefaultDirs || holdsHome(options)) return [];
  const { gitRoot } = projectFolders(tree, projectDir);
  return foldersBelow(tree, projectDir).flatMap(({ dir, entries }) => {
    const hidden = new Set(entries.filter(({ name }) => name.startsWith('.')).map(({ name }) => name));
    if (hidden.size === 0) return [];
    const known = ALL_AGENTS.flatMap(({ name, project }) =>
      project
        .filter((below) => hidden.has(below.slice(0, below.indexOf('/'))))
        .map((below): [string, string] => [name, path.join(dir, below)])
        .filter(([, root]) => exists(tree, root)),
    );
    return [...known, ...otherDotFolders(tree, dir, 'project')].map(([provider, root]): Root => ({
      dir: root,
      provider,
      location: 'project',
      package: path.relative(projectDir, dir).split(path.sep).join('/'),
      explicit: false,
      ...(gitRoot === undefined ? {} : { gitRoot }),
    }));
  });
}

/** Returns the project as a skill repository. No agent reads skills from there, but authors work on them. */
export function collectionRoot(tree: FileTree, options: RootOptions): Root | undefined {
  const { projectDir, skillDirs, vendoredRoot, scanDefaultDirs } = options;
  if (!scanDefaultDirs || vendoredRoot !== undefined || skillDirs.length > 0 || holdsHome(options)) return undefined;
  const { gitRoot } = projectFolders(tree, projectDir);
  return {
    dir: projectDir,
    provider: 'repo',
    location: 'collection',
    explicit: false,
    ...(gitRoot === undefined ? {} : { gitRoot }),
  };
}

/** Whether the project folder is the home folder or one above it. These are too broad to search. */
function holdsHome({ projectDir, userDir }: RootOptions): boolean {
  return userDir !== undefined && isInside(projectDir, userDir);
}

const LOCATION_ORDER: Record<Location, number> = { custom: 0, project: 1, user: 2, plugin: 3, collection: 4 };

/** Sorts roots by precedence. */
export function inOrder(roots: readonly Root[], priority: RootOptions['priority']): Root[] {
  if (priority === 'contract') return [...roots];
  return [...roots].sort((a, b) => LOCATION_ORDER[a.location] - LOCATION_ORDER[b.location]);
}

export function userFolders(
  agent: Agent,
  { userDir, environment }: Pick<RootOptions, 'userDir' | 'environment'>,
): string[] {
  if (userDir === undefined) return [];
  const variable = agent.homeVariable;
  const moved = variable && environment[variable.name];
  if (variable && moved && path.isAbsolute(moved)) return [path.join(moved, variable.below)];
  const config = environment['XDG_CONFIG_HOME'];
  return agent.user.map((below) =>
    config && path.isAbsolute(config) && below.startsWith('.config/')
      ? path.join(config, below.slice('.config/'.length))
      : path.join(userDir, below),
  );
}

/** Finds `.<name>/skills` folders that are not in the agents table. */
function otherDotFolders(
  tree: FileTree,
  dir: string,
  location: 'project' | 'user',
): [provider: string, root: string][] {
  const known = new Set(ALL_AGENTS.flatMap((agent) => agent[location]));
  return entriesOf(tree, dir)
    .filter(
      ({ name, kind }) =>
        /^\.[\w-]/u.test(name) &&
        (kind === 'directory' || kind === 'link') &&
        name !== '.git' &&
        !known.has(`${name}/skills`),
    )
    .map(({ name }): [string, string] => [name.slice(1), path.join(dir, name, 'skills')])
    .filter(([, root]) => exists(tree, root))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

export function uniqueRoots(roots: readonly Root[]): Root[] {
  const seen = new Set<string>();
  return roots.filter(({ dir }) => !seen.has(dir) && seen.add(dir));
}
