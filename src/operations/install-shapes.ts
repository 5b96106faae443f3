/** Shared parts of `install`, `outdated`, `update`, `remove` and `verify`. */
import { count, echo } from '../core/text.ts';
import type { NewFile } from '../core/disk/writes.ts';
import { explain, Failure } from '../core/failure.ts';
import { anything, choice, flag, list, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import type { CheckedSkill } from '../install/newer.ts';
import type { Machine } from '../install/open-source.ts';
import { stateFolder } from '../workspace/state-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RunContext } from './define.ts';
import { FINDING, findingOf } from './scan-skills.ts';

export const DRY_RUN = { type: 'flag', default: false, help: 'Show the plan, and write nothing' } as const;
/** Accepted by read-only commands, so that scripts can pass it to every command. */
export const NOTHING_TO_WRITE = {
  type: 'flag',
  default: false,
  flags: ['--dry-run'],
  unlisted: true,
  help: 'Accepted for symmetry; has no effect',
} as const;
export const YES = {
  type: 'flag',
  default: false,
  flags: ['--yes', '-y'],
  help: 'Skip confirmation (required without a terminal)',
} as const;
export const TIMEOUT = {
  type: 'integer',
  default: 30,
  min: 1,
  max: 3600,
  placeholder: 'seconds',
  help: 'Give up if nothing arrives for this many seconds',
} as const;
export const ALLOW_FILE = {
  type: 'flag',
  default: false,
  help: 'Allow repositories on this machine (file: URLs), and folders outside the project that the lock file names',
} as const;

/** Parameters that name a source. */
export const SOURCE_PARAMS = {
  source: {
    type: 'text',
    filled: true,
    positional: true,
    isPath: true,
    help: 'owner/repo[/path][#ref], a git URL, the address of a folder on GitHub or GitLab, or a folder',
  },
  path: { type: 'text', filled: true, placeholder: 'dir', help: 'Look only below this folder of the source' },
} as const;

export const SOURCE = object({
  type: choice(['git', 'local']),
  url: text('URL of the repository, or path of the folder'),
  ref: nullable(text('Branch, tag or commit; null for the default branch')),
  commit: nullable(text()),
  path: text('Requested folder in the source; empty for all of it'),
});

export const ERROR = optional(anything('Code, message and hint of the failure'));

export async function machineOf(
  workspace: Workspace,
  context: RunContext,
  { timeout, allowFile, yes = false }: { timeout: number; allowFile: boolean; yes?: boolean },
): Promise<Machine> {
  const { ReadBudget } = await import('../install/read-budget.ts');
  const { projectDir, userDir, environment = {} } = workspace.options;
  return {
    projectDir,
    projectRoot: workspace.projectRoot,
    userDir,
    environment,
    workingDir: context.workingDir ?? projectDir,
    files: workspace.disk,
    diskFor: (scope) => workspace.diskFor(scope),
    // Git needs the real variables, such as PATH and the home folder with its credentials, even if Lectern uses another home folder.
    gitEnvironment: process.env,
    timeoutMs: timeout * 1000,
    allowFile,
    stateDir: stateFolder(workspace.disk, workspace.options),
    signal: context.signal,
    onReceived: context.received,
    budget: new ReadBudget(),
    mayReadOutside: askedOnce(async (folder) => allowFile || (!yes && (await agreesToRead(folder, context)))),
  };
}

/** Caches answers, so that each question is asked once. */
function askedOnce(ask: (text: string) => Promise<boolean>): (text: string) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  return (text) => {
    const answer = answers.get(text) ?? ask(text);
    answers.set(text, answer);
    return answer;
  };
}

async function agreesToRead(folder: string, { person }: RunContext): Promise<boolean> {
  const question = `The lock file names ${echo(folder)} as a source, which is outside the project. Read it?`;
  const answer = await person?.pickOne(question, [
    { key: 'no', label: 'No' },
    { key: 'yes', label: 'Yes' },
  ]);
  return answer === 'yes';
}

type Work = 'install' | 'update' | 'remove';

/** Requires consent to continue: `--yes`, or confirmation by the user. */
export async function getConsent(plan: Plan, work: Work, yes: boolean, context: RunContext): Promise<void> {
  await confirmOrFail(plan, { command: work, question: questionFor(plan, work), yes }, context);
}

export interface Confirmation {
  command: string;
  question: string;
  yes: boolean;
  /** Effect of the command, and the message after a refusal. Defaults to those of a command that writes files. */
  effect?: string;
  hint?: string;
  refused?: string;
}

/** Fails unless the user confirms the plan, at a terminal or with `--yes`. */
export async function confirmOrFail(
  plan: object,
  { command, question, yes, effect = 'writes files', hint, refused = 'Nothing was written.' }: Confirmation,
  { person }: RunContext,
): Promise<void> {
  if (yes) return;
  if (!person) {
    throw new Failure('CONFIRM_NEEDED', `lectern ${command} ${effect} and needs confirmation.`, {
      hint: hint ?? 'Use --yes to confirm, or --dry-run to preview the changes.',
    });
  }
  if (!(await person.confirm(plan, question, false))) throw new Failure('REFUSED', refused, { hint: 'You declined.' });
}

interface Plan {
  skills: readonly { name: string; status: string }[];
}

/** Maximum number of skills that a question names. */
const SKILLS_NAMED = 3;

function questionFor({ skills }: Plan, work: Work): string {
  const names = skills
    .filter(({ status }) => status.startsWith('would-') || status === 'removed')
    .map(({ name }) => echo(name));
  const named = names.length > SKILLS_NAMED ? count(names.length, 'skill') : names.join(', ');
  return `${work.charAt(0).toUpperCase()}${work.slice(1)} ${named}?`;
}

export function errorOf(error: Failure | undefined): { error?: object } {
  return error ? { error: explain(error) } : {};
}

/** Throws the first error if every skill failed. */
export function failIfAllFailed(skills: readonly { status: string; error?: Failure | undefined }[]): void {
  const [first] = skills;
  if (first?.error && skills.every(({ status }) => status === 'failed')) throw first.error;
}

export const INSTALLED_NAMES = {
  type: 'list',
  of: { type: 'text', filled: true },
  default: [],
  commas: true,
  positional: true,
  help: 'Names of installed skills; all of them by default',
} as const;

/** One installed skill, compared with its source. */
export const CHECKED = {
  name: text(),
  status: choice([
    'current',
    'outdated',
    'updated',
    'would-update',
    'modified',
    'pinned',
    'gone',
    'renamed',
    'removed',
    'unknown',
    'failed',
  ]),
  commit: nullable(text('Installed commit; null for a folder')),
  latest: nullable(text('Current commit of the ref')),
  ref: nullable(text()),
  refMoved: optional(flag('Set if the ref is a tag that has moved')),
  renamedTo: optional(text('Probable new name of the skill')),
  modified: flag('Whether its files were changed after the installation'),
  lock: text('The name of the lock file'),
  error: ERROR,
} as const;

export function checkedOutput(checked: CheckedSkill): ObjectOf<typeof CHECKED> {
  const { name, status, skill, latest, refMoved, renamedTo, modified, lockName, error } = checked;
  return {
    name,
    status,
    commit: skill.commit,
    latest,
    ref: skill.ref,
    ...(refMoved ? { refMoved } : {}),
    ...(renamedTo === undefined ? {} : { renamedTo }),
    modified,
    lock: lockName,
    ...errorOf(error),
  };
}

/** Maximum number of findings that a message names. The rest is counted. */
const FINDINGS_NAMED = 3;

/** Serious findings stop the operation unless the user confirms after seeing them. Returns whether the user was asked. */
export async function acceptOrFail(
  findings: readonly ScanFinding[],
  preview: object,
  { person }: RunContext,
  done: 'written' | 'published' = 'written',
): Promise<boolean> {
  const serious = findings.filter(isSerious);
  if (serious.length === 0) return false;
  const found = `The scan found ${count(serious.length, 'high-risk passage')}`;
  if (person && (await person.confirm(preview, `${found} (above). Install anyway?`, true))) return true;
  const shown = serious.slice(0, FINDINGS_NAMED).map(({ item, file, line, description }) => {
    const place = line === undefined ? file : `${file}:${line}`;
    return `${echo(item)}, ${echo(place)}: ${description}`;
  });
  const more = serious.length - shown.length;
  const named = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  throw new Failure('UNSAFE', `${found}, so nothing was ${done}: ${named}.`, {
    hint: '--dry-run shows every finding. To accept them, use --accept-findings.',
    suggestions: shown,
    facts: { findings: serious },
  });
}

export const ACCEPT_FINDINGS = {
  type: 'flag',
  default: false,
  help: 'Continue despite high-risk findings of the scan',
} as const;

export type ScanFinding = ObjectOf<typeof FINDING>;
export const FINDINGS = list(object(FINDING), 'Scan findings in the files to write');

/** Scans files before they are written. `folder` is their folder in the source. */
export async function findingsIn(
  name: string,
  folder: string,
  files: readonly NewFile[],
): Promise<readonly ScanFinding[]> {
  const { scanSkill } = await import('../scan/scan.ts');
  const { findings } = scanSkill(files.map(({ path, bytes }) => ({ path, bytes })));
  return findings.map((finding) => {
    const path = folder === '' ? finding.path : `${folder}/${finding.path}`;
    return findingOf(name, { ...finding, path });
  });
}

export function isSerious({ severity }: { severity: string }): boolean {
  return severity === 'high' || severity === 'critical';
}
