/** Lists for operators of a shared catalog: its contents and its audit log. */
import { integer, list, object, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { defineOperation } from './define.ts';
import { administer, COMMON, command, DATABASE, nameOf } from './shared-database.ts';

export const listTeams = defineOperation({
  name: 'team_list',
  title: 'List teams',
  summary: 'List the teams of the shared catalog',
  params: DATABASE,
  output: {
    teams: list(
      object({
        team: text(),
        sources: integer(),
        tokens: integer('Those that are neither revoked nor expired'),
        createdAt: text(),
      }),
    ),
  },
  ...COMMON,
  command: command('team list', ['lectern team list', 'show each team with its numbers of sources and tokens']),
  run: ({ database }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => ({ teams: await admin.teams() })),
});

export const listSources = defineOperation({
  name: 'source_list',
  title: 'List sources',
  summary: 'List the sources of the shared catalog, and who published each of them last',
  params: DATABASE,
  output: {
    sources: list(
      object({
        source: text('team/name'),
        version: integer('The snapshot of its last publication; 0 before the first'),
        files: integer(),
        bytes: integer(),
        publishedAt: optional(text()),
        publishedBy: optional(text('The team and the name of the token')),
        commit: optional(text()),
      }),
    ),
  },
  ...COMMON,
  command: command('source list', ['lectern source list', 'show what is published: version, size, who, when']),
  run: ({ database }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => ({ sources: await admin.sources() })),
});

export const sourceUsage = defineOperation({
  name: 'source_usage',
  title: 'Usage of sources',
  summary: 'Show how often each skill of the shared catalog was loaded, on all replicas together',
  params: {
    source: { type: 'text', positional: true, help: 'Only this source, as team/name' },
    days: {
      type: 'integer',
      min: 1,
      max: LIMITS.usageDays.value,
      placeholder: 'n',
      help: 'Only the last days, today included; all that were counted if not given',
    },
    ...DATABASE,
  },
  output: {
    skills: list(
      object({
        loads: integer('0 for one that is published and was not loaded'),
        last: optional(text('The last day it was loaded')),
        source: text('team/name'),
        folder: text('The folder of the skill in the source'),
      }),
      'The most loaded first',
    ),
  },
  ...COMMON,
  command: command(
    'source usage',
    ['lectern source usage --days 30', 'the skills of all sources, the most loaded in the last 30 days first'],
    ['lectern source usage payments/skills', 'those of one source; skills that nobody loads come last'],
  ),
  run: ({ database, source, days }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => ({
      skills: await admin.usage({ source: source === undefined ? undefined : await nameOf(source), days }),
    })),
});

export const listGrants = defineOperation({
  name: 'grant_list',
  title: 'List grants',
  summary: 'List which team may read which source of others',
  params: DATABASE,
  output: {
    grants: list(
      object({
        source: text('team/name'),
        reader: text('A team, or * for everyone'),
        grantedAt: text(),
        grantedBy: text(),
      }),
    ),
  },
  ...COMMON,
  command: command('grant list', ['lectern grant list', 'show who may read what, since when, and who granted it']),
  run: ({ database }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => ({ grants: await admin.grants() })),
});

export const showAudit = defineOperation({
  name: 'audit',
  title: 'Audit',
  summary: 'Show who did what to the shared catalog, and when, the newest first',
  params: {
    source: { type: 'text', placeholder: 'team/name', help: 'Only what is about this source' },
    limit: { type: 'integer', default: 50, min: 1, max: 1_000, placeholder: 'n', help: 'How many entries' },
    before: { type: 'integer', min: 1, placeholder: 'id', help: 'Go on below this entry: `next` of an earlier answer' },
    ...DATABASE,
  },
  output: {
    entries: list(
      object({
        id: integer(),
        at: text(),
        actor: text('The user of an admin command, or the team and the name of a token'),
        action: text('Such as publish, rollback, grant, revoke, token-add or db-prune'),
        subject: text('What it was done to'),
        number: optional(integer('The snapshot that it made')),
      }),
      'The newest first',
    ),
    next: optional(integer('There is more: give this as `before`')),
  },
  ...COMMON,
  command: command(
    'audit',
    ['lectern audit', 'the last 50 entries'],
    ['lectern audit --source payments/skills --limit 10', 'the last ten about one source'],
  ),
  run: ({ database, source, limit, before }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => {
      const about = source === undefined ? undefined : await nameOf(source);
      const found = await admin.audit({ source: about, before, limit: limit + 1 });
      const entries = found.slice(0, limit);
      const last = entries.at(-1);
      return { entries, ...(found.length > limit && last ? { next: last.id } : {}) };
    }),
});
