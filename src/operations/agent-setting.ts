/** Changes a settings file of an agent: reads it, edits its text, shows the effect before anything is written, and writes it. */
import type { SettingScope } from '../agents/names.ts';
import type { Profile } from '../agents/profile.ts';
import { type Seen, seenBy } from '../agents/seen-by.ts';
import { SETTING_FILES, type SettingFiles, settingFiles, type SettingsKind } from '../agents/setting-files.ts';
import { readSettings } from '../agents/settings.ts';
import { BYTE_ORDER_MARK, brokenFile, readConfigFile } from '../core/config-text/config-file.ts';
import type { Edited } from '../core/config-text/edits.ts';
import { findEntry } from '../core/disk/answers.ts';
import { overlaid } from '../core/disk/overlaid.ts';
import type { Stamp } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { unifiedDiff } from '../core/line-diff.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Surveyed } from './agent-shapes.ts';
import type { ChangedSetting } from './setting-shapes.ts';

/** The settings of one agent in one scope. */
export interface AgentSetting {
  profile: Profile;
  kind: SettingsKind;
  files: SettingFiles;
  scope: SettingScope;
  disk: Disk;
  surveyed: Surveyed;
}

/** Fails if the agent has no setting of the required kind, or not in this scope. */
export function settingOf(
  workspace: Workspace,
  surveyed: Surveyed,
  profile: Profile,
  {
    scope,
    needs,
    instead,
  }: { scope?: SettingScope | undefined; needs: 'switch' | 'limit'; instead?: string | undefined },
): AgentSetting {
  const files = profile.settings && SETTING_FILES[profile.settings];
  if (!profile.settings || !files || (needs === 'limit' && !files.limit)) {
    const others = surveyed.profiles.filter(({ settings }) => {
      const known = settings && SETTING_FILES[settings];
      return known && (needs === 'switch' || known.limit);
    });
    const about = needs === 'switch' ? 'that disables single skills' : 'for the length of its list';
    throw new Failure('REFUSED', `There is no known setting of ${profile.name} ${about}.`, {
      hint: `Agents with such a setting: ${others.map(({ id }) => id).join(', ')}.${instead === undefined ? '' : ` ${instead}`}`,
    });
  }
  const chosen = scope ?? files.scopes[0];
  if (!files.scopes.includes(chosen))
    throw new Failure('USAGE', `${profile.name} has no ${chosen} settings for skills.`, {
      hint: `Use --scope ${[...files.scopes].join(' or ')}.`,
    });
  const disk = workspace.diskFor(chosen === 'user' ? 'user' : 'project');
  return { profile, kind: profile.settings, files, scope: chosen, disk, surveyed };
}

/** Returns the file to write: an existing one in the working folder or in the home, or the one to create. */
export function fileToWrite({ kind, scope, disk, profile, surveyed }: AgentSetting): string {
  const { at } = surveyed.survey;
  const files = settingFiles(kind, scope, { ...at, folders: [at.projectDir] });
  const file = files.find((each) => findEntry(disk, each)) ?? files.at(-1);
  if (file !== undefined) return file;
  throw new Failure('REFUSED', `There is no home folder for the settings of ${profile.name}.`, {
    hint: 'Set --user-dir.',
  });
}

/** A change that has not been written yet. */
export interface PlannedSetting {
  file: string;
  /** Undefined if there is no file. */
  before: { text: string; realPath: string; stamp: Stamp } | undefined;
  after: string;
}

/** Computes a change. Fails, and nothing is changed, if the file cannot be read, is a link or cannot be written. */
export function planSetting(
  { disk, profile, files }: AgentSetting,
  file: string,
  edit: (text: string) => Edited,
): PlannedSetting {
  if (findEntry(disk, file)?.kind === 'link')
    throw new Failure('REFUSED', `${file} was not changed: it is a link.`, {
      path: file,
      hint: 'Edit the target of the link by hand.',
    });
  const before = readConfigFile(disk, file, { title: profile.name, refusesMark: files.refusesMark === true });
  const mark = before?.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const edited = edit((before?.text ?? '').slice(mark.length));
  if (edited.kind === 'broken') throw brokenFile(file, edited, `Correct the file, then run the command again.`);
  if (edited.kind === 'same') return { file, before, after: before?.text ?? '' };
  if (before) disk.checkReplace(before.realPath);
  return { file, before, after: mark + edited.text };
}

export function isChange({ before, after }: PlannedSetting): boolean {
  return (before?.text ?? '') !== after;
}

/** Returns the agent's list as it is after the change. */
export async function seenAfter(
  { profile, disk, surveyed }: AgentSetting,
  planned: readonly PlannedSetting[],
  window?: number,
): Promise<Seen> {
  const { survey } = surveyed;
  const tree = planned.reduce(
    (files, plan) => (isChange(plan) ? overlaid(files, plan.file, plan.after) : files),
    disk as Parameters<typeof overlaid>[0],
  );
  return seenBy(profile, survey, await readSettings(profile, tree, survey.at), window);
}

/** Writes the change, unless it is a preview, and describes it. */
export function applySetting(
  { disk, profile, scope }: AgentSetting,
  plan: PlannedSetting,
  dryRun: boolean,
): ChangedSetting {
  const { file, before, after } = plan;
  const about = { agent: profile.id, title: profile.name, scope, file };
  if (!isChange(plan)) return { ...about, state: 'unchanged' };
  if (!dryRun) {
    if (before) disk.replace(before.realPath, after, before.stamp);
    else disk.create(file, after);
  }
  const [created, changed] = dryRun ? (['would-create', 'would-change'] as const) : (['created', 'changed'] as const);
  return {
    ...about,
    state: before ? changed : created,
    diff: unifiedDiff(before?.text ?? '', after, { from: file, to: file }),
  };
}
