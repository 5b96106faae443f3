/** Disables and enables skills for one agent with the agent's own settings. */
import path from 'node:path';
import type { SettingScope } from '../agents/names.ts';
import type { Seen } from '../agents/seen-by.ts';
import { settingFiles, switchKey } from '../agents/setting-files.ts';
import type { Copy } from '../agents/survey.ts';
import { disableIn, enableIn, findTaken } from '../agents/switch-text.ts';
import { copiesNamed, namesOf } from '../agents/why.ts';
import { Failure } from '../core/failure.ts';
import { echo, foldName } from '../core/text.ts';
import { wildcard } from '../core/wildcard.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  type AgentSetting,
  applySetting,
  fileToWrite,
  isChange,
  planSetting,
  type PlannedSetting,
  seenAfter,
  settingOf,
} from './agent-setting.ts';
import { getProfile, noSuchSkill, placesNamed, surveyAgents } from './agent-shapes.ts';
import { type Subject, subjectFor } from '../agents/switch-subject.ts';
import type { Switched } from './setting-shapes.ts';

export interface SwitchRequest {
  names: readonly string[];
  agent: string;
  /** Folder that relative paths start from. */
  workingDir?: string | undefined;
  scope?: SettingScope | undefined;
  force: boolean;
  dryRun: boolean;
}

const INSTEAD = 'Without --for, a skill is disabled for every agent.';

export async function switchSkills(workspace: Workspace, request: SwitchRequest, disable: boolean): Promise<Switched> {
  const profile = await getProfile(request.agent);
  const surveyed = await surveyAgents(workspace, profile.id);
  const setting = settingOf(workspace, surveyed, profile, { scope: request.scope, needs: 'switch', instead: INSTEAD });
  const subjects = subjectsOf(setting, workspace, request, disable);
  return disable ? disableSubjects(setting, subjects, request) : enableSubjects(setting, subjects, request);
}

/** Disables skills that the caller has already found. */
export async function disableSubjects(
  setting: AgentSetting,
  subjects: readonly Subject[],
  { force, dryRun }: Pick<SwitchRequest, 'force' | 'dryRun'>,
): Promise<Switched> {
  const { profile, files } = setting;
  const open = subjects.filter(({ verdict }) => verdict.status !== 'disabled');
  const targets = open.map(({ target }) => target);
  const file = fileToWrite(setting);
  const plan = planSetting(setting, file, (before) => {
    const [taken] = force ? [] : findTaken(files, before, targets);
    if (taken)
      throw new Failure(
        'REFUSED',
        `${file} was not changed: ${switchKey(files.form, taken.target.name)} already has another value, ${echo(taken.value)}.`,
        { path: file, hint: 'Use --force to replace it.' },
      );
    return open.length === 0 ? { kind: 'same' } : disableIn(files, before, targets);
  });
  const after = await seenAfter(setting, [plan]);
  const still = open.find(({ copy }) => {
    const status = after.verdicts.get(copy)?.status;
    return status !== 'disabled' && status !== 'other-copy';
  });
  if (still)
    throw new Failure(
      'REFUSED',
      `${file} was not changed: ${profile.name} would still list ${echo(still.target.name)}, because another setting takes precedence.`,
      { path: file, hint: otherScopes(setting) },
    );
  return {
    ...applySetting(setting, plan, dryRun),
    skills: subjects.map((subject) => ({
      ...described(setting, subject),
      ...(open.includes(subject)
        ? { status: 'changed' as const }
        : { status: 'unchanged' as const, reason: subject.verdict.reason }),
    })),
  };
}

/** Returns the agent's list without these skills. */
export async function seenWithout(setting: AgentSetting, subjects: readonly Subject[], window?: number): Promise<Seen> {
  const targets = subjects.map(({ target }) => target);
  const plan = planSetting(setting, fileToWrite(setting), (before) => disableIn(setting.files, before, targets));
  return seenAfter(setting, [plan], window);
}

async function enableSubjects(
  setting: AgentSetting,
  subjects: readonly Subject[],
  { dryRun }: SwitchRequest,
): Promise<Switched> {
  const { profile, files, kind, scope, surveyed } = setting;
  const targets = subjects.map(({ target }) => target);
  const plans = settingFiles(kind, scope, surveyed.survey.at)
    .filter((file) => setting.disk.look(file))
    .map((file) => planSetting(setting, file, (before) => enableIn(files, before, targets)))
    .filter(isChange);
  const after = await seenAfter(setting, plans);
  const results = subjects.map((subject) => {
    const left = after.verdicts.get(subject.copy);
    const isLeft = left?.status === 'disabled';
    return { subject, left: isLeft ? left : undefined, wasOff: subject.verdict.status === 'disabled' };
  });
  const stuck = results.find(({ left }) => left !== undefined);
  if (plans.length === 0 && stuck?.left)
    throw new Failure(
      'REFUSED',
      `Nothing was changed: ${profile.name} does not list ${echo(stuck.subject.target.name)}, because ${stuck.left.reason}.`,
      { path: stuck.left.file, ...(stuck.left.fix === undefined ? {} : { hint: stuck.left.fix }) },
    );
  const [first, ...more] = plans;
  const written = applySetting(setting, first ?? unchanged(setting), dryRun);
  const rest = more.map((plan) => applySetting(setting, plan, dryRun));
  const diff = [written, ...rest].map((each) => each.diff ?? '').join('');
  return {
    ...written,
    ...(diff === '' ? {} : { diff }),
    skills: results.map(({ subject, left, wasOff }) => ({
      ...described(setting, subject),
      status: wasOff && plans.length > 0 ? ('changed' as const) : ('unchanged' as const),
      ...(left === undefined ? {} : { reason: left.reason }),
      ...(left?.fix === undefined ? {} : { fix: left.fix }),
    })),
  };
}

function unchanged(setting: AgentSetting): PlannedSetting {
  return planSetting(setting, fileToWrite(setting), () => ({ kind: 'same' }));
}

function otherScopes({ files, scope }: AgentSetting): string {
  const others = files.scopes.filter((each) => each !== scope);
  return others.length === 0
    ? 'Change that setting by hand.'
    : `Use --scope ${others.join(' or ')}, or change that setting by hand.`;
}

function described(
  { files }: AgentSetting,
  { copy, verdict, target }: Subject,
): Pick<Switched['skills'][number], 'name' | 'fullName' | 'path' | 'key' | 'value'> {
  const { form } = files;
  const value =
    form.kind === 'table'
      ? `path = ${JSON.stringify(target.files[0])}, enabled = false`
      : JSON.stringify(form.kind === 'item' ? target.name : form.value);
  return {
    name: target.name,
    fullName: copy.fullName,
    path: path.dirname(verdict.file),
    key: switchKey(form, target.name),
    value,
  };
}

/** Finds the copies for all names before anything is changed, so that a misspelled name changes nothing. */
function subjectsOf(
  setting: AgentSetting,
  workspace: Workspace,
  { names, workingDir }: SwitchRequest,
  disable: boolean,
): readonly Subject[] {
  const found = new Map<Copy, Subject>();
  for (const name of names)
    for (const subject of subjectsNamed(setting, name, placesNamed(name, workspace, workingDir), disable))
      found.set(subject.copy, subject);
  return [...found.values()];
}

function subjectsNamed(setting: AgentSetting, name: string, readings: readonly string[], disable: boolean): Subject[] {
  const { profile, files, surveyed } = setting;
  const { survey } = surveyed;
  const { copies } = copiesNamed(survey, readings);
  if (copies.length === 0 && /[*?]/u.test(name)) {
    if (files.hasPatterns) throw wildcardFailure(profile.name, name);
    const matches = wildcard(foldName(name));
    const matching = survey.copies.filter((copy) => namesOf(copy).some((each) => matches(foldName(each))));
    const subjects = matching
      .flatMap((copy) => subjectFor(profile, surveyed.seen(profile), copy) ?? [])
      .filter(({ verdict }) => (verdict.status === 'disabled') !== disable);
    if (subjects.length > 0) return subjects;
    throw new Failure(
      'NOT_FOUND',
      `No skill that ${profile.name} ${disable ? 'lists' : 'has disabled'} matches '${echo(name)}'.`,
      {
        hint: `Run lectern agents ${profile.id} to see its skills.`,
      },
    );
  }
  if (copies.length === 0) throw noSuchSkill(name, survey.copies.flatMap(namesOf));
  const subjects = copies.flatMap((copy) => subjectFor(profile, surveyed.seen(profile), copy) ?? []);
  const [first] = subjects;
  if (!first) throw notUsed(setting, copies);
  if (files.hasPatterns && subjects.some(({ target }) => /[*?]/u.test(target.name)))
    throw wildcardFailure(profile.name, first.target.name);
  return subjects;
}

function notUsed({ profile, surveyed }: AgentSetting, copies: readonly Copy[]): Failure {
  const { verdicts } = surveyed.seen(profile);
  const [copy] = copies;
  const plugin = copies.flatMap(({ sightings }) => sightings.flatMap(({ place }) => place.plugin ?? []))[0];
  if (plugin && profile.plugins) {
    const { id, plugin: name } = plugin;
    return new Failure(
      'REFUSED',
      `${profile.name} has no setting for a single skill of a plugin, and ${echo(copy?.name ?? '')} belongs to the plugin ${echo(name)}.`,
      {
        hint: `To disable the whole plugin: claude plugin disable ${id}, which sets enabledPlugins["${id}"] to false in its settings.`,
      },
    );
  }
  const verdict = copy && verdicts.get(copy);
  return new Failure(
    'REFUSED',
    `${profile.name} does not list ${echo(copy?.name ?? '')}: ${verdict?.reason ?? 'it does not read its folder'}.`,
    { hint: `Run lectern why ${echo(copy?.name ?? '')} --agent ${profile.id} for details.` },
  );
}

function wildcardFailure(agent: string, name: string): Failure {
  return new Failure('REFUSED', `${agent} would read "${echo(name)}" as a pattern that may match other skills.`, {
    hint: 'Name each skill, or rename skills with * or ? in their name.',
  });
}
