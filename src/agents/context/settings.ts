/** Reads the settings of an agent that decide which memory files it reads. */
import path from 'node:path';
import { readingInside } from '../../core/disk/confined.ts';
import type { FileTree } from '../../core/disk/tree.ts';
import { isRecord } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';
import { wildcard } from '../../core/wildcard.ts';
import { readClaudeSettings } from '../../skills/roots/claude-files.ts';
import { settingFiles } from '../setting-files.ts';
import { readLooseJson, readToml } from '../settings.ts';
import { claudeFolder, type Surroundings } from '../surroundings.ts';

export interface MemorySettings {
  /** Whether a setting excludes the file, and which. */
  excludedBy?: (file: string) => string | undefined;
  /** The user allowed imports from outside the working folder. */
  allowsOutside?: boolean;
  /** Names of memory files, instead of the default ones. */
  names?: readonly string[];
  /** Names of memory files that count after the default ones. */
  moreNames?: readonly string[];
  /** Maximum bytes of the files of the project together. */
  projectBytes?: number;
  /** Names that mark the outermost folder of a project, instead of `.git`. */
  markers?: readonly string[];
  /** Further files and patterns in the configuration, relative to its folder. */
  instructions?: readonly { pattern: string; file: string }[];
}

export async function readMemorySettings(agent: string, tree: FileTree, at: Surroundings): Promise<MemorySettings> {
  const inProject = readingInside(at.folders.at(-1) ?? at.projectDir, tree);
  switch (agent) {
    case 'claude':
      return claudeMemory(tree, at);
    case 'codex':
      return codexMemory(tree, at);
    case 'gemini':
      return geminiMemory(tree, inProject, at);
    case 'opencode':
      return opencodeMemory(tree, inProject, at);
    default:
      return {};
  }
}

async function claudeMemory(tree: FileTree, at: Surroundings): Promise<MemorySettings> {
  const excludes = readClaudeSettings(tree, claudeFolder(at), at.folders).flatMap(({ file, settings }) =>
    textsIn(settings['claudeMdExcludes']).map((pattern) => ({ file, matches: excludeTest(pattern) })),
  );
  const moved = at.environment['CLAUDE_CONFIG_DIR'] === undefined ? at.userDir : claudeFolder(at);
  const state = moved === undefined ? {} : await readLooseJson(tree, path.join(moved, '.claude.json'));
  const projects = isRecord(state['projects']) ? state['projects'] : {};
  const own = projects[at.folders.at(-1) ?? at.projectDir] ?? projects[at.projectDir];
  return {
    excludedBy: (file) => excludes.find(({ matches }) => matches(file))?.file,
    allowsOutside: isRecord(own) && own['hasClaudeMdExternalIncludesApproved'] === true,
  };
}

/** A pattern covers whole paths. A leading star-star slash also matches no folder. */
function excludeTest(pattern: string): (file: string) => boolean {
  const matches = wildcard(pattern.replaceAll('\\', '/').replaceAll('**/', '*').replaceAll('**', '*'));
  return (file) => matches(file.replaceAll('\\', '/'));
}

async function codexMemory(tree: FileTree, at: Surroundings): Promise<MemorySettings> {
  const [file] = settingFiles('codex', 'user', at);
  const config = file === undefined ? {} : await readToml(tree, file);
  const bytes = config['project_doc_max_bytes'];
  return {
    moreNames: textsIn(config['project_doc_fallback_filenames']).filter(isFileName),
    ...(typeof bytes === 'number' && bytes >= 0 ? { projectBytes: bytes } : {}),
    ...(Array.isArray(config['project_root_markers'])
      ? { markers: textsIn(config['project_root_markers']).filter(isFileName) }
      : {}),
  };
}

async function geminiMemory(tree: FileTree, inProject: FileTree, at: Surroundings): Promise<MemorySettings> {
  let names: string[] = [];
  for (const [scope, files] of [
    ['user', tree],
    ['project', inProject],
  ] as const) {
    const [file] = settingFiles('gemini', scope, at);
    const settings = file === undefined ? {} : await readLooseJson(files, file);
    const context = isRecord(settings['context']) ? settings['context'] : {};
    const given = textsIn([context['fileName']].flat()).filter(isFileName);
    if (given.length > 0) names = given;
  }
  return names.length > 0 ? { names } : {};
}

async function opencodeMemory(tree: FileTree, inProject: FileTree, at: Surroundings): Promise<MemorySettings> {
  const own = settingFiles('opencode', 'user', at).reverse();
  const shared = settingFiles('opencode', 'project', at).reverse();
  const instructions: { pattern: string; file: string }[] = [];
  for (const file of [...own, ...shared]) {
    const config = await readLooseJson(own.includes(file) ? tree : inProject, file);
    for (const pattern of textsIn(config['instructions'])) instructions.push({ pattern, file });
  }
  return { instructions };
}

/** Returns the texts in a list, as many as are evaluated. */
function textsIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [];
  return all.filter((each) => typeof each === 'string').slice(0, LIMITS.filterPatterns.value);
}

/** A name with a folder could lead anywhere. */
function isFileName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[\\/\0]/u.test(name);
}
