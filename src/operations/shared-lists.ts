/** Lists for operators of a shared catalog: its contents and its audit log. */
import { integer, list, object, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { adminOperation, nameOf } from './shared-database.ts';

export const listTeams = adminOperation({
  name: 'team_list',
  title: 'List teams',
  summary: 'List the teams of the shared catalog',
  params: {},
  output: {
    teams: list(
      object({
        team: text(),
        sources: integer(),
        tokens: integer('Number of tokens that are neither revoked nor expired'),
        createdAt: text(),
      }),
    ),
  },
  command: {
    name: 'team list',
    examples: [['lectern team list', 'show each team with its number of sources and tokens']],
  },
  work: async (_, admin) => ({ teams: await admin.teams() }),
});

export const listSources = adminOperation({
  name: 'source_list',
  title: 'List sources',
  summary: 'List the sources of the shared catalog, with their last publications',
  params: {},
  output: {
    sources: list(
      object({
        source: text('team/name'),
        version: integer('Snapshot of its last publication; 0 before the first'),
        files: integer(),
        bytes: integer(),
        publishedAt: optional(text()),
        publishedBy: optional(text('Team and name of the token')),
        commit: optional(text()),
      }),
    ),
  },
  command: {
    name: 'source list',
    examples: [['lectern source list', 'show the version, size and publisher of each source']],
  },
  work: async (_, admin) => ({ sources: await admin.sources() }),
});

export const sourceUsage = adminOperation({
  name: 'source_usage',
  title: 'Usage of sources',
  summary: 'Show how often each skill of the shared catalog was loaded, over all replicas',
  params: {
    source: { type: 'text', positional: true, help: 'Only this source, as team/name' },
    days: {
      type: 'integer',
      min: 1,
      max: LIMITS.usageDays.value,
      placeholder: 'n',
      help: 'Only this many days, including today; all counted days by default',
    },
  },
  output: {
    skills: list(
      object({
        loads: integer('0 for a published skill that was never loaded'),
        last: optional(text('Day of the last load')),
        source: text('team/name'),
        folder: text('Folder of the skill in the source'),
      }),
      'Most loaded first',
    ),
  },
  command: {
    name: 'source usage',
    examples: [
      ['lectern source usage --days 30', 'show the skills of all sources, most loaded in the last 30 days first'],
      ['lectern source usage payments/skills', 'show the skills of one source; unused skills come last'],
    ],
  },
  work: async ({ source, days }, admin) => ({
    skills: await admin.usage({ source: source === undefined ? undefined : await nameOf(source), days }),
  }),
});

export const listGrants = adminOperation({
  name: 'grant_list',
  title: 'List grants',
  summary: 'List the grants: teams that may read another team’s source',
  params: {},
  output: {
    grants: list(
      object({
        source: text('team/name'),
        reader: text('A team, or * for every team'),
        grantedAt: text(),
        grantedBy: text(),
      }),
    ),
  },
  command: {
    name: 'grant list',
    examples: [['lectern grant list', 'show each grant, its date and who granted it']],
  },
  work: async (_, admin) => ({ grants: await admin.grants() }),
});

export const showAudit = adminOperation({
  name: 'audit',
  title: 'Audit',
  summary: 'Show the audit log of the shared catalog, newest first',
  params: {
    source: { type: 'text', placeholder: 'team/name', help: 'Only entries about this source' },
    limit: { type: 'integer', default: 50, min: 1, max: 1_000, placeholder: 'n', help: 'Maximum number of entries' },
    before: {
      type: 'integer',
      min: 1,
      placeholder: 'id',
      help: 'Show entries before this one: `next` of the previous page',
    },
  },
  output: {
    entries: list(
      object({
        id: integer(),
        at: text(),
        actor: text('User of an admin command, or team and name of a token'),
        action: text('Such as publish, rollback, grant, revoke, token-add or db-prune'),
        subject: text('Affected source, team or token'),
        number: optional(integer('Snapshot that it created')),
      }),
      'Newest first',
    ),
    next: optional(integer('Set if there are more: pass it as `before`')),
  },
  command: {
    name: 'audit',
    examples: [
      ['lectern audit', 'show the last 50 entries'],
      ['lectern audit --source payments/skills --limit 10', 'show the last ten entries about one source'],
    ],
  },
  work: async ({ source, limit, before }, admin) => {
    const about = source === undefined ? undefined : await nameOf(source);
    const found = await admin.audit({ source: about, before, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const last = entries.at(-1);
    return { entries, ...(found.length > limit && last ? { next: last.id } : {}) };
  },
});
