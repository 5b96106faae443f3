import type { Profile } from '../agents/profile.ts';
import type { Listing } from '../agents/remedies.ts';
import { SETTING_SCOPES, type SettingScope } from '../agents/names.ts';
import { Failure } from '../core/failure.ts';
import { flag, integer, list, nullable, number, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { grouped } from '../core/text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { AGENT, AGENT_ID, summarizeAgent, surveyAgents, type Surveyed, tokensIn, WINDOW } from './agent-shapes.ts';
import { defineOperation, InvalidInput } from './define.ts';
import { FIT_DETAILS } from './fit-details.ts';
import { EFFECT, LIMITED, REMEDY, SWITCHED } from './setting-shapes.ts';
import { PAGE } from './shapes.ts';

const LONG = {
  name: text('Name in the list'),
  fullName: text(),
  path: text('The skill’s folder'),
  file: text('The file with the description'),
  plugin: optional(text('Plugin that it belongs to; an update of the plugin replaces the file')),
  characters: integer('Length of the description now'),
  to: integer('Maximum length'),
  by: integer('Characters to remove'),
  lost: text('The words of the description that the model does not get now'),
} as const;

const output = {
  agent: object(AGENT, 'The agent, with its list before the change'),
  fits: flag('Whether every description fits, or the list has no known limit'),
  now: object(EFFECT, 'The list before the change'),
  share: nullable(number('Fraction of the context window that the list may use; null without a limit')),
  remedies: list(object(REMEDY), 'Ways to show more, best first; empty if everything fits'),
  ...FIT_DETAILS,
  limit: optional(object(LIMITED, 'With --limit or --reset: the changed setting and its effect')),
  unused: optional(
    object(
      {
        days: integer(),
        since: text('The first day of the period'),
        setting: optional(object(SWITCHED, 'Missing if there are no such skills')),
        ...EFFECT,
      },
      'With --unused: the disabled skills and the effect',
    ),
  ),
  shorten: optional(
    object(
      {
        to: integer('Maximum length of every description'),
        fits: flag('Whether every description then fits'),
        skills: list(object(LONG)),
        ...EFFECT,
      },
      'With --shorten: the descriptions to shorten, longest first, and the effect',
    ),
  ),
} as const;
export type FitOutput = ObjectOf<typeof output>;

export const fitList = defineOperation({
  name: 'fit_list',
  title: 'Fit a list',
  summary:
    'Show how to fit more descriptions into an agent’s full skill list, what each way gains and costs, and apply one',
  params: {
    agent: { ...AGENT_ID, positional: true, required: true },
    limit: {
      type: 'text',
      pattern: /^(?:all|[1-9]\d{0,8})$/u,
      mustBe: '"all" or a whole number above zero',
      placeholder: 'n|all',
      help: 'Set the length of the list: all for every description, or a number of characters (claude) or tokens (codex)',
    },
    reset: { type: 'flag', default: false, help: 'Remove the setting of --limit, so that the agent’s default applies' },
    unused: {
      type: 'integer',
      min: 1,
      max: LIMITS.usageDays.value,
      placeholder: 'days',
      help: 'Disable skills that were not loaded in the last n days, with the agent’s own setting',
    },
    shorten: {
      type: 'flag',
      default: false,
      help: 'List the descriptions to shorten, and the words that the model does not get now; changes nothing',
    },
    dryRun: { type: 'flag', default: false, help: 'Show the change as a diff, and write nothing' },
    scope: {
      type: 'choice',
      choices: SETTING_SCOPES,
      help: 'Which settings to change; the user’s by default for --limit, as in lectern disable for --unused',
    },
    after: {
      type: 'choice',
      choices: REMEDY.id.choices,
      faces: ['web'],
      help: 'The descriptions that are still cut after this remedy, instead of those that are cut now',
    },
    cursor: { ...PAGE.cursor, faces: ['web'] },
    window: WINDOW,
  },
  output,
  reads: 'skills',
  settings: ['skills'],
  surveys: true,
  writes: 'project',
  command: {
    name: 'fit',
    group: 'Change',
    examples: [
      ['lectern fit claude', 'show what each remedy gains and costs'],
      ['lectern fit claude --limit all', 'make room for every description'],
      ['lectern fit codex --limit 8000 --dry-run', 'show the change as a diff'],
      ['lectern fit codex --reset', 'undo --limit'],
      ['lectern fit claude --shorten', 'list the descriptions to shorten, and by how much'],
    ],
  },
  library: 'fit',
  async run(
    { agent, limit, reset, unused, shorten, dryRun, scope, window, after, cursor },
    workspace: Workspace,
    { isForPage = false },
  ) {
    const steps = [limit !== undefined, reset, unused !== undefined, shorten].filter(Boolean);
    if (steps.length > 1)
      throw new Failure('USAGE', '--limit, --reset, --unused and --shorten cannot be combined.', {
        hint: 'Run the command once for each.',
      });
    const tokens = tokensIn(window);
    const surveyed = await surveyAgents(workspace, agent);
    const profile = surveyed.profiles.find(({ id }) => id === agent);
    if (!profile) throw new Error('the survey has every agent');
    const [{ appliedRemedies, listingOf }, { effectOf, isFull }, { windowRoom }] = await Promise.all([
      import('./agent-remedies.ts'),
      import('../agents/remedies.ts'),
      import('../agents/seen-by/cut.ts'),
    ]);
    const listing = listingOf(surveyed, profile, tokens);
    const { now, settings } = listing;
    const applied = await appliedRemedies(workspace, surveyed, profile, tokens);
    const base = {
      agent: summarizeAgent(surveyed, now),
      fits: !isFull(now),
      now: effectOf(now, now),
      share: now.budget.limit === null ? null : now.budget.limit / windowRoom(profile, settings, tokens),
      remedies: applied.map(({ remedy }) => remedy),
    };
    if (isForPage) {
      const { fitDetails } = await import('./fit-details.ts');
      return { ...base, ...(await fitDetails(workspace, listing, applied, { after, cursor })) };
    }
    const at: Step = { workspace, surveyed, profile, listing, scope, dryRun };
    if (reset) return { ...base, limit: await changeLimit(at, undefined) };
    if (limit !== undefined) return { ...base, limit: await changeLimit(at, limit === 'all' ? 'all' : Number(limit)) };
    if (unused !== undefined) return { ...base, unused: await disableUnused(at, unused) };
    return shorten ? { ...base, shorten: await describeLong(listing) } : base;
  },
});

interface Step {
  workspace: Workspace;
  surveyed: Surveyed;
  profile: Profile;
  listing: Listing;
  scope: SettingScope | undefined;
  dryRun: boolean;
}

/** `wanted` is the length of the list. Undefined removes the setting. */
async function changeLimit(
  { workspace, surveyed, profile, listing, scope, dryRun }: Step,
  wanted: number | 'all' | undefined,
): Promise<NonNullable<FitOutput['limit']>> {
  const [
    { applySetting, fileToWrite, planSetting, seenAfter, settingOf },
    { effectOf, isFull, limitSetting },
    cut,
    texts,
  ] = await Promise.all([
    import('./agent-setting.ts'),
    import('../agents/remedies.ts'),
    import('../agents/seen-by/cut.ts'),
    import('../agents/switch-text.ts'),
  ]);
  const { now, settings, window } = listing;
  // Checks that the agent has such a setting before anything is computed.
  settingOf(workspace, surveyed, profile, { needs: 'limit', scope: scope ?? 'user' });
  if (wanted !== undefined && settings.limitedBy && 'variable' in settings.limitedBy)
    throw new Failure(
      'REFUSED',
      `The variable ${settings.limitedBy.variable} sets the length of the list, so the setting has no effect.`,
      {
        hint: 'Unset the variable, or change its value.',
      },
    );
  const wantedSetting = limitSetting(listing, wanted ?? 'all', scope);
  const chosen = scope ?? wantedSetting?.scope ?? 'user';
  const setting = settingOf(workspace, surveyed, profile, { needs: 'limit', scope: chosen });
  const max = setting.files.limit?.max ?? cut.windowRoom(profile, settings, window);
  if (typeof wanted === 'number' && wanted > max)
    throw new InvalidInput('limit', `is at most ${grouped(max)} for ${profile.name}`);
  // A list that fits keeps its default.
  const isNeeded = wanted !== 'all' || isFull(now);
  const value = wanted === undefined ? undefined : wantedSetting?.value;
  const plan = planSetting(setting, fileToWrite(setting), (before) =>
    isNeeded ? texts.limitIn(setting.files, before, value) : { kind: 'same' },
  );
  const after = await seenAfter(setting, [plan], window);
  if (value !== undefined && isNeeded && after.budget.limit !== wantedSetting?.limit)
    throw new Failure(
      'REFUSED',
      `${plan.file} was not changed: another setting takes precedence, so it would have no effect.`,
      {
        path: plan.file,
        hint: `Change the setting in the other file, or use --scope.`,
      },
    );
  const length = after.budget.limit ?? 0;
  return {
    ...applySetting(setting, plan, dryRun),
    key: (setting.files.limit?.keys ?? []).join('.'),
    ...(value === undefined || !isNeeded ? {} : { value }),
    limit: length,
    share: length / cut.windowRoom(profile, settings, window),
    ...effectOf(after, now),
  };
}

async function disableUnused(
  { workspace, surveyed, profile, listing, scope, dryRun }: Step,
  days: number,
): Promise<NonNullable<FitOutput['unused']>> {
  const [{ findUnused }, { settingOf }, { disableSubjects, seenWithout }, { effectOf }] = await Promise.all([
    import('./agent-remedies.ts'),
    import('./agent-setting.ts'),
    import('./agent-switches.ts'),
    import('../agents/remedies.ts'),
  ]);
  const setting = settingOf(workspace, surveyed, profile, { needs: 'switch', scope });
  const { first, from, subjects } = await findUnused(workspace, surveyed, profile, days);
  if (first === undefined)
    throw new Failure('REFUSED', 'There are no usage counts, so it is unknown which skills are unused.', {
      hint: workspace.snapshot.settings.usage.value
        ? 'Counting is on, but no skill has been loaded through lectern mcp yet.'
        : 'To count skill use, set "usage": true in ~/.config/lectern/config.json; lectern usage shows the counts.',
    });
  if (first > from)
    throw new Failure('REFUSED', `Skill use is counted only since ${first}, which is less than ${days} days.`, {
      hint: 'Use a smaller number of days, or wait.',
    });
  const { now, window } = listing;
  if (subjects.length === 0) return { days, since: from, ...effectOf(now, now) };
  const after = await seenWithout(setting, subjects, window);
  return {
    days,
    since: from,
    setting: await disableSubjects(setting, subjects, { force: false, dryRun }),
    ...effectOf(after, now),
  };
}

async function describeLong(listing: Listing): Promise<NonNullable<FitOutput['shorten']>> {
  const { effectOf, isFull, lostWords, shortening, toShorten } = await import('../agents/remedies.ts');
  const { now } = listing;
  if (!isFull(now)) return { to: 0, fits: true, skills: [], ...effectOf(now, now) };
  const { to, after } = shortening(listing);
  return {
    to,
    fits: !isFull(after),
    skills: toShorten(listing, to).map((long) => {
      const { copy, file, description, entry } = long;
      const plugin = copy.sightings[0]?.place.plugin?.plugin;
      return {
        name: entry?.name ?? copy.name,
        fullName: copy.fullName,
        path: copy.path,
        file,
        ...(plugin === undefined ? {} : { plugin }),
        characters: description.length,
        to,
        by: description.length - to,
        lost: lostWords(long),
      };
    }),
    ...effectOf(after, now),
  };
}
