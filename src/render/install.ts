import { count, grouped } from '../core/text.ts';
import type { installSkills } from '../operations/install-skills.ts';
import type { outdatedSkills } from '../operations/outdated-skills.ts';
import type { AnswerOf } from '../operations/perform.ts';
import type { removeInstalled } from '../operations/remove-skills.ts';
import type { updateSkills } from '../operations/update-skills.ts';
import type { verifySkills } from '../operations/verify-skills.ts';
import { renderDiff } from './diff.ts';
import { safe, type Style } from './style.ts';

type Installed = AnswerOf<typeof installSkills>;
type Verified = AnswerOf<typeof verifySkills>;
type Outdated = AnswerOf<typeof outdatedSkills>;
type Updated = AnswerOf<typeof updateSkills>;
type Removed = AnswerOf<typeof removeInstalled>;

const MAX_SCRIPTS = 5;

export function renderInstalled(data: Installed, style: Style): string {
  const { source, skills, notes, findings } = data;
  const commit = !source?.commit ? '' : ` at ${style.cyan(source.commit.slice(0, 12))}`;
  const ref = !source?.ref ? '' : ` (${safe(source.ref)})`;
  const head = source
    ? [`${style.dim('from')} ${source.type === 'git' ? safe(source.url) : style.place(source.url)}${commit}${ref}`]
    : [];
  if (data.foundAgents) head.push(`${style.dim('for')} ${agentsIn(data.foundAgents)}`);
  const lines = skills.flatMap((skill) => [
    `${markOf(skill.status, style)} ${style.bold(safe(skill.name))} ${sayStatus(skill.status)}${sizeOf(skill, style)}`,
    ...errorLines(skill.error, style),
    ...(skill.status === 'failed'
      ? []
      : skill.targets.map((target) => `    ${style.dim('in')} ${style.place(target)}`)),
    ...(skill.backup === undefined ? [] : [`    ${style.yellow('backup')} ${style.place(skill.backup)}`]),
    ...scriptLines(skill.scripts, style),
    ...skill.notes.map((note) => `    ${style.yellow('note:')} ${safe(note)}`),
  ]);
  const ends = [
    ...notes.map((note) => `${style.yellow('note:')} ${safe(note)}`),
    ...findingLines(findings, style),
    ...(data.dryRun ? [style.dim('Nothing was written.')] : []),
  ];
  return `${[...head, ...lines, ...ends].join('\n')}\n`;
}

function agentsIn(found: NonNullable<Installed['foundAgents']>): string {
  if (found.length === 0) return 'every agent that reads .agents/skills, because no agent was found here';
  return `${found.map(({ name }) => name).join(', ')} (found here; --to chooses others)`;
}

const MAX_PASSAGES = 3;

/** Shows the passages that stop an installation. Lower findings are facts to look up, so they are only counted. */
function findingLines(findings: Installed['findings'], style: Style): string[] {
  const serious = findings.filter(({ severity }) => severity === 'high' || severity === 'critical');
  const shown = serious.slice(0, MAX_PASSAGES).map(({ severity, file, line, description }) => {
    return `    ${style.red(severity)} ${style.place(file, line)} ${safe(description)}`;
  });
  const more = serious.length - shown.length;
  const medium = findings.filter(({ severity }) => severity === 'medium').length;
  const head = `${style.yellow('!')} ${count(serious.length, 'high-risk passage')}`;
  return [
    ...(serious.length > 0 ? [head, ...shown] : []),
    ...(more > 0 ? [`    and ${more} more; see --json`] : []),
    ...(medium > 0
      ? [style.dim(`  ${count(medium, 'passage')} worth a look: lectern scan shows ${medium === 1 ? 'it' : 'them'}`)]
      : []),
  ];
}

function markOf(status: string, style: Style): string {
  if (status === 'failed') return style.red('✗');
  if (status === 'unchanged') return style.dim('·');
  if (status === 'would-remove') return style.yellow('-');
  return status.startsWith('would') ? style.yellow('+') : style.green('✓');
}

function sayStatus(status: Installed['skills'][number]['status']): string {
  return status === 'would-install' ? 'would be installed' : status === 'unchanged' ? 'is unchanged' : status;
}

function sizeOf({ files, bytes, status }: Installed['skills'][number], style: Style): string {
  return status === 'failed' ? '' : style.dim(` (${count(files, 'file')}, ${grouped(bytes)} bytes)`);
}

function errorLines(error: unknown, style: Style): string[] {
  if (typeof error !== 'object' || error === null || !('message' in error)) return [];
  const hint = 'hint' in error ? [`    ${style.say(String(error.hint))}`] : [];
  return [`    ${style.say(String(error.message))}`, ...hint];
}

function scriptLines(scripts: readonly string[], style: Style): string[] {
  if (scripts.length === 0) return [];
  const shown = scripts.slice(0, MAX_SCRIPTS).map(safe).join(', ');
  const more = scripts.length > MAX_SCRIPTS ? `, and ${scripts.length - MAX_SCRIPTS} more` : '';
  return [`    ${style.yellow('scripts')} ${shown}${more}`];
}

export function renderVerified({ ok, skills }: Verified, style: Style): string {
  const lines = skills
    .filter((skill) => !skill.ok)
    .flatMap(({ name, lock, problems }) => [
      `${style.red('✗')} ${style.bold(safe(name))} ${style.dim(safe(lock))}`,
      ...problems.map(({ code, file, expected, actual, target }) => {
        const place = [target, file].filter(Boolean).join('/');
        const difference =
          actual === undefined ? '' : ` ${style.dim(`is ${safe(actual)}, not ${safe(expected ?? '')}`)}`;
        return `    ${style.yellow(code)} ${style.place(place)}${difference}`;
      }),
    ]);
  const good = skills.filter((skill) => skill.ok).length;
  const bad = skills.length - good;
  const end = ok
    ? `${style.green('✓')} ${count(good, 'skill')} ${good === 1 ? 'matches' : 'match'} the lock`
    : `${style.red('✗')} ${count(bad, 'skill')} ${bad === 1 ? 'differs' : 'differ'} from the lock; ${good} ${good === 1 ? 'matches' : 'match'}`;
  return `${[...lines, end].join('\n')}\n`;
}

/** Text for each status, following the name of the skill. */
const CHECKED_TEXTS: Readonly<Record<Updated['skills'][number]['status'], string>> = {
  current: 'is up to date',
  outdated: 'is outdated',
  updated: 'updated',
  'would-update': 'would be updated',
  modified: 'was changed here, so it was not updated',
  pinned: 'is pinned to a commit',
  gone: 'is no longer in its source; --prune removes it',
  renamed: 'was renamed in its source',
  removed: 'removed because it is no longer in its source',
  unknown: 'could not be checked',
  failed: 'failed',
};

type Checked = Outdated['skills'][number];

function checkedLines(skill: Checked, style: Style): string[] {
  const { name, status, commit, latest, ref, refMoved, renamedTo, error } = skill;
  const isGood = ['current', 'updated', 'pinned', 'removed'].includes(status);
  const mark = isGood
    ? style.green('✓')
    : status === 'unknown' || status === 'failed'
      ? style.red('✗')
      : style.yellow('!');
  const short = (id: string | null): string => (id === null ? '' : id.slice(0, 12));
  const change = status === 'current' ? `(unchanged in ${short(latest)})` : `${short(commit)} → ${short(latest)}`;
  const moved = commit !== latest && latest !== null ? ` ${style.dim(change)}` : '';
  const to = renamedTo === undefined ? '' : `: ${safe(renamedTo)}`;
  return [
    `${mark} ${style.bold(safe(name))} ${CHECKED_TEXTS[status]}${to}${moved}`,
    ...(refMoved ? [`    ${style.yellow('note:')} the tag ${safe(ref ?? '')} now points to another commit`] : []),
    ...(skill.modified && status === 'outdated' ? [`    ${style.yellow('note:')} it was changed here`] : []),
    ...errorLines(error, style),
  ];
}

export function renderOutdated({ skills }: Outdated, style: Style): string {
  if (skills.length === 0) return 'Nothing is installed.\n';
  return `${skills.flatMap((skill) => checkedLines(skill, style)).join('\n')}\n`;
}

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;

export function renderUpdated({ dryRun, skills, findings }: Updated, style: Style): string {
  if (skills.length === 0) return 'Nothing is installed.\n';
  const lines = skills.flatMap((skill) => [
    ...checkedLines(skill, style),
    ...skill.changes.flatMap(({ file, kind, diff }) => [
      `    ${SIGNS[kind]} ${safe(file)}`,
      ...(diff === undefined || diff === '' ? [] : [renderDiff(diff, style)]),
    ]),
    ...(skill.backup === undefined ? [] : [`    ${style.yellow('backup')} ${style.place(skill.backup)}`]),
  ]);
  const end = dryRun ? [style.dim('Nothing was written.')] : [];
  return `${[...lines, ...findingLines(findings, style), ...end].join('\n')}\n`;
}

export function renderRemoved({ dryRun, skills }: Removed, style: Style): string {
  const lines = skills.flatMap(({ name, status, targets, backup, error }) => [
    `${markOf(status, style)} ${style.bold(safe(name))} ${status === 'would-remove' ? 'would be removed' : status}`,
    ...errorLines(error, style),
    ...(status === 'failed' ? [] : targets.map((target) => `    ${style.dim('from')} ${style.place(target)}`)),
    ...(backup === undefined ? [] : [`    ${style.yellow('backup')} ${style.place(backup)}`]),
  ]);
  return `${[...lines, ...(dryRun ? [style.dim('Nothing was written.')] : [])].join('\n')}\n`;
}
