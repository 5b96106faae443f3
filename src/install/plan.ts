/** The plan of an installation: the request, the questions to the user and the planned skills. */
import type { NewFile } from '../core/disk/writes.ts';
import type { Failure } from '../core/failure.ts';
import type { OfferedSkill } from './discover.ts';
import type { LockPlace } from './lock.ts';
import type { OpenedSource } from './open-source.ts';
import type { Change } from './write.ts';

export interface InstallRequest {
  source: string;
  skills: readonly string[];
  all: boolean;
  path?: string | undefined;
  to?: readonly string[] | undefined;
  dir?: string | undefined;
  /** Used instead of `to` if no target is requested and the user is not asked. */
  defaultTo: readonly string[];
  mode?: 'copy' | 'link' | undefined;
  force: boolean;
}

/** Interactive questions, if the command is interactive. */
export interface InstallQuestions<Finding> {
  /** Selects from the offered skills. Returns their paths. */
  skills?: ((offered: readonly MarkedSkill<Finding>[]) => Promise<readonly string[]>) | undefined;
  targets?: (() => Promise<Pick<InstallRequest, 'to' | 'mode'>>) | undefined;
}

/** An offered skill with details for choosing it. */
export interface MarkedSkill<Finding> extends OfferedSkill {
  scripts: number;
  findings: readonly Finding[];
}

/** Scan findings are only passed through, because the scan is in another module. */
export interface PlannedSkill<Finding> {
  name: string;
  /** Folder in the source. */
  path: string;
  status: 'installed' | 'replaced' | 'unchanged' | 'failed';
  error?: Failure | undefined;
  files: readonly NewFile[];
  bytes: number;
  scripts: string[];
  notes: string[];
  /** Absolute paths. */
  targets: string[];
  findings: readonly Finding[];
  /** Changes to write to each lock. */
  changes: { place: LockPlace; change: Change }[];
}

export interface InstallPlan<Finding> {
  /** Undefined if the skills have different sources. */
  source?: Pick<OpenedSource, 'type' | 'url' | 'ref' | 'commit' | 'path'>;
  skills: PlannedSkill<Finding>[];
  notes: string[];
  /** Lock files that would be written. */
  locks: string[];
  /** Whether the default targets were used. */
  usesDefaults?: boolean;
}

export type FindingsOf<Finding> = (
  name: string,
  folder: string,
  files: readonly NewFile[],
) => Promise<readonly Finding[]>;

export function failedSkill(name: string, error: Failure): PlannedSkill<never> {
  return {
    name,
    path: '',
    status: 'failed',
    error,
    files: [],
    bytes: 0,
    scripts: [],
    notes: [],
    targets: [],
    findings: [],
    changes: [],
  };
}

/** Returns the files that look executable. */
export function scriptsAmong(files: readonly NewFile[]): string[] {
  return files
    .filter(
      ({ path, bytes, executable }) =>
        executable ||
        /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|py|rb|pl|php|lua|js|mjs|cjs|ts|mts|exe|dll|so|dylib|jar)$/iu.test(path) ||
        (bytes[0] === 0x23 && bytes[1] === 0x21),
    )
    .map(({ path }) => path);
}
