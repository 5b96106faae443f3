/** Finds the installed version of an agent from the package of its command. Nothing is started. */
import path from 'node:path';
import { findTarget } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import type { Profile } from './profile.ts';

/** npm packages of agents. */
const PACKAGES: Readonly<Record<string, string>> = {
  claude: '@anthropic-ai/claude-code',
  cline: 'cline',
  codex: '@openai/codex',
  continue: '@continuedev/cli',
  copilot: '@github/copilot',
  gemini: '@google/gemini-cli',
  kilo: '@kilocode/cli',
  kimi: '@moonshot-ai/kimi-code',
  opencode: 'opencode-ai',
  pi: '@earendil-works/pi-coding-agent',
  qwen: '@qwen-code/qwen-code',
};

/** The command of a package is at most a few folders below its package.json. */
const FOLDERS_UP = 6;

type Commanded = Pick<Profile, 'id' | 'traces'>;
type Variables = Readonly<Record<string, string | undefined>>;

/** Returns undefined if the command is not on the PATH, or does not come from an npm package. */
export function installedVersion(tree: FileTree, profile: Commanded, environment: Variables): string | undefined {
  return findInstalled(tree, profile, environment)?.version;
}

export interface InstalledAgent {
  /** Path of the command. */
  command: string;
  /** Undefined if the command does not come from an npm package. */
  version: string | undefined;
}

/** Returns undefined if the command is not on the PATH. */
export function findInstalled(
  tree: FileTree,
  { id, traces }: Commanded,
  environment: Variables,
): InstalledAgent | undefined {
  const dirs = (environment['PATH'] ?? environment['Path'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  const names = traces.commands.flatMap((name) => [name, `${name}.exe`]);
  for (const command of dirs.flatMap((dir) => names.map((name) => path.join(dir, name)))) {
    const target = findTarget(tree, command);
    if (target?.kind === 'file') return { command, version: packageVersion(tree, target.realPath, PACKAGES[id]) };
  }
  return undefined;
}

function packageVersion(tree: FileTree, command: string, wanted: string | undefined): string | undefined {
  if (wanted === undefined) return undefined;
  let dir = path.dirname(command);
  for (let up = 0; up < FOLDERS_UP && path.dirname(dir) !== dir; up++, dir = path.dirname(dir)) {
    const read = readJsonFile(tree, path.join(dir, 'package.json'));
    if (read.kind !== 'value' || !isRecord(read.value) || read.value['name'] !== wanted) continue;
    const { version } = read.value;
    return typeof version === 'string' ? version : undefined;
  }
  return undefined;
}
