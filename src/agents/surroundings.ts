import path from 'node:path';

/** Folder in which an agent would be started, and its user. */
export interface Surroundings {
  projectDir: string;
  /** The working folder and the folders above it that belong to the project, nearest first. */
  folders: readonly string[];
  userDir: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  /** Current time in milliseconds. Claude Code discounts older uses of a skill. */
  now: number;
}

/** Returns the folder from an environment variable, or the default in the home folder. */
export function homeFolder(at: Surroundings, below: string, variable?: string): string | undefined {
  const named = variable === undefined ? undefined : at.environment[variable];
  if (named !== undefined && path.isAbsolute(named)) return named;
  return at.userDir === undefined ? undefined : path.join(at.userDir, below);
}

export function claudeFolder(at: Surroundings): string | undefined {
  return homeFolder(at, '.claude', 'CLAUDE_CONFIG_DIR');
}
