/**
 * Manages teams, sources, grants and tokens. Each change creates a snapshot, so replicas pick it up like a publication.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Failure } from '../core/failure.ts';
import { count, echo } from '../core/text.ts';
import { advance, lockHead, SCOPES, type Scope } from './catalog-store.ts';
import type { Database, Query } from './database.ts';
import { NAME, NAME_RULE, type SourceName } from './source-name.ts';

/** Makes secrets recognizable to people and to tools that search for leaked ones. */
const TOKEN_PREFIX = 'lct_';
const TOKEN_BYTES = 32;

export interface ListedToken {
  id: number;
  name: string;
  team: string;
  scopes: string[];
  expiresAt: string;
  /** According to the database's clock, which is authoritative. */
  expired?: true;
  /** Accurate to a few seconds; undefined if never used. */
  lastUsedAt?: string;
}

export interface UsedSkill {
  source: string;
  /** Folder of the skill in the source. */
  folder: string;
  /** 0 for published skills that were never loaded. */
  loads: number;
  /** Day of the last load. */
  last?: string;
}

export interface ListedTeam {
  team: string;
  sources: number;
  /** Number of valid tokens, neither revoked nor expired. */
  tokens: number;
  createdAt: string;
}

export interface ListedSource {
  source: string;
  /** Current version; 0 before the first publication. */
  version: number;
  files: number;
  bytes: number;
  publishedAt?: string;
  publishedBy?: string;
  commit?: string;
}

export interface ListedGrant {
  source: string;
  /** A team, or `*` for all teams. */
  reader: string;
  grantedAt: string;
  grantedBy: string;
}

export interface AuditEntry {
  id: number;
  at: string;
  actor: string;
  action: string;
  subject: string;
  /** The snapshot that the action created, if any. */
  number?: number;
}

export class AdminStore {
  readonly #database: Database;
  readonly #actor: string;

  constructor(database: Database, actor: string) {
    this.#database = database;
    this.#actor = actor;
  }

  async addTeam(name: string): Promise<void> {
    if (!NAME.test(name)) {
      throw new Failure('USAGE', `'${echo(name)}' is not a valid team name.`, {
        hint: `A name has ${NAME_RULE}.`,
      });
    }
    await this.#change('team-add', name, async (query) => {
      const added = await query(
        `insert into team (name) values ($1)
         on conflict (name) do update set retired_in = null where team.retired_in is not null returning name`,
        [name],
      );
      if (added.length === 0) throw new Failure('REFUSED', `The team ${name} already exists.`);
    });
  }

  async addSource({ team, name }: SourceName): Promise<void> {
    await this.#change('source-add', `${team}/${name}`, async (query) => {
      await requireTeam(query, team);
      const added = await query(
        `insert into source (team, name) values ($1, $2)
         on conflict (team, name) do update set retired_in = null where source.retired_in is not null returning id`,
        [team, name],
      );
      if (added.length === 0) throw new Failure('REFUSED', `The source ${team}/${name} already exists.`);
    });
  }

  /**
   * Removes a source. Its versions stay until they are pruned: if the source is added again, it can be rolled back to
   * any of them.
   */
  async removeSource(source: SourceName): Promise<void> {
    const { team, name } = source;
    await this.#database.transaction(async (query) => {
      const head = await lockHead(query);
      const id = await getSourceId(query, source);
      const number = await advance(query, head, { actor: this.#actor, action: 'source-remove', sourceId: id });
      for (const table of ['entry', 'granted'])
        await query(`update ${table} set removed_in = $2 where source_id = $1 and removed_in is null`, [id, number]);
      await query('delete from segment where source_id = $1', [id]);
      await query('update source set version = $3, retired_in = $3 where team = $1 and name = $2', [
        team,
        name,
        number,
      ]);
    });
  }

  /** Removes a team. Throws while it has sources or tokens, which would otherwise be lost. */
  async removeTeam(name: string): Promise<void> {
    await this.#change('team-remove', name, async (query, number) => {
      await requireTeam(query, name, TEAMS);
      const [left] = await query(
        `select (select count(*) from source where team = $1 and retired_in is null) as sources,
           (select count(*) from token where team = $1 and removed_in is null and expires_at > now()) as tokens`,
        [name],
      );
      const [sources, tokens] = [Number(left?.['sources']), Number(left?.['tokens'])];
      if (sources + tokens > 0) {
        throw new Failure('REFUSED', `${name} still has ${count(sources, 'source')} and ${count(tokens, 'token')}.`, {
          hint: 'Remove them first: `lectern source remove`, `lectern token revoke`.',
        });
      }
      await query('update granted set removed_in = $2 where reader = $1 and removed_in is null', [name, number]);
      await query('update team set retired_in = $2 where name = $1', [name, number]);
    });
  }

  /** Grants access to a source. `*` grants it to all teams. */
  async grant(source: SourceName, reader: string): Promise<void> {
    await this.#change('grant', `${source.team}/${source.name} to ${reader}`, async (query, number) => {
      const id = await getSourceId(query, source);
      if (reader !== '*') await requireTeam(query, reader);
      const added = await query(
        `insert into granted (source_id, reader, added_in) values ($1, $2, $3) on conflict do nothing returning 1`,
        [id, reader, number],
      );
      if (added.length === 0) throw new Failure('REFUSED', `${reader} can already read ${source.team}/${source.name}.`);
    });
  }

  async revokeGrant(source: SourceName, reader: string): Promise<void> {
    await this.#change('revoke', `${source.team}/${source.name} from ${reader}`, async (query, number) => {
      const id = await getSourceId(query, source);
      const closed = await query(
        'update granted set removed_in = $3 where source_id = $1 and reader = $2 and removed_in is null returning 1',
        [id, reader, number],
      );
      if (closed.length === 0)
        throw new Failure('NOT_FOUND', `${echo(reader)} has no grant for ${source.team}/${source.name}.`, {
          hint: 'Run `lectern grant list` to see all grants.',
        });
    });
  }

  /** Creates a token. Only its hash is stored, so the returned secret cannot be retrieved later. */
  async addToken(token: { name: string; team: string; scopes: readonly Scope[]; expiresAt: Date }): Promise<{
    id: number;
    secret: string;
    /** The requested scopes and the scopes they include. */
    scopes: Scope[];
  }> {
    // An administrator publishes for every team, including their own.
    const scopes = SCOPES.filter(
      (scope) => token.scopes.includes(scope) || (scope === 'publish' && token.scopes.includes('admin')),
    );
    const secret = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
    const id = await this.#change('token-add', `${token.name} of ${token.team}`, async (query, number) => {
      await requireTeam(query, token.team);
      const [row] = await query(
        `insert into token (hash, name, team, scopes, expires_at, added_in) values ($1, $2, $3, $4, $5, $6) returning id`,
        [hashOfToken(secret), token.name, token.team, scopes, token.expiresAt, number],
      );
      return Number(row?.['id']);
    });
    return { id, secret, scopes };
  }

  async revokeToken(id: number): Promise<void> {
    await this.#change('token-revoke', String(id), async (query, number) => {
      const closed = await query('update token set removed_in = $2 where id = $1 and removed_in is null returning id', [
        id,
        number,
      ]);
      if (closed.length === 0)
        throw new Failure('NOT_FOUND', `There is no token ${id}.`, {
          hint: 'Run `lectern token list` to see all tokens.',
        });
    });
  }

  async tokens(): Promise<ListedToken[]> {
    const rows = await this.#database.query(
      `select id, name, team, scopes, expires_at, expires_at <= now() as expired, last_used_at
       from token where removed_in is null order by id`,
    );
    return rows.map((row) => ({
      id: Number(row['id']),
      name: String(row['name']),
      team: String(row['team']),
      scopes: row['scopes'] as string[],
      expiresAt: timeOf(row['expires_at']),
      ...(row['expired'] === true ? { expired: true as const } : {}),
      ...(row['last_used_at'] === null ? {} : { lastUsedAt: timeOf(row['last_used_at']) }),
    }));
  }

  async teams(): Promise<ListedTeam[]> {
    const rows = await this.#database.query(
      `select name, created_at, (select count(*) from source where team = t.name and retired_in is null) as sources,
         (select count(*) from token where team = t.name and removed_in is null and expires_at > now()) as tokens
       from team t where retired_in is null order by name`,
    );
    return rows.map((row) => ({
      team: String(row['name']),
      sources: Number(row['sources']),
      tokens: Number(row['tokens']),
      createdAt: timeOf(row['created_at']),
    }));
  }

  async sources(): Promise<ListedSource[]> {
    const rows = await this.#database.query(
      `select team || '/' || name as source, version, at, actor, git_commit, coalesce(files, 0) as files,
         coalesce(bytes, 0) as bytes
       from source
         left join snapshot on snapshot.number = version and action <> 'source-remove'
         left join (select source_id, count(*) as files, sum(size) as bytes from entry where removed_in is null group by 1)
           as live on live.source_id = source.id
       where source.retired_in is null
       order by team, name`,
    );
    return rows.map((row) => ({
      source: String(row['source']),
      version: Number(row['version']),
      files: Number(row['files']),
      bytes: Number(row['bytes']),
      ...(row['at'] === null ? {} : { publishedAt: timeOf(row['at']), publishedBy: String(row['actor']) }),
      ...(row['git_commit'] === null ? {} : { commit: String(row['git_commit']) }),
    }));
  }

  async grants(): Promise<ListedGrant[]> {
    const rows = await this.#database.query(
      `select team || '/' || name as source, reader, at, actor
       from granted join source on source.id = granted.source_id join snapshot on snapshot.number = added_in
       where granted.removed_in is null order by team, name, reader`,
    );
    return rows.map((row) => ({
      source: String(row['source']),
      reader: String(row['reader']),
      grantedAt: timeOf(row['at']),
      grantedBy: String(row['actor']),
    }));
  }

  /** Returns how often each skill was loaded, most loaded first, including published skills that were never loaded. */
  async usage(about: { source?: SourceName | undefined; days?: number | undefined }): Promise<UsedSkill[]> {
    if (about.source) await getSourceId(this.#database.query, about.source);
    const rows = await this.#database.query(
      `with skill as (
         select source_id, regexp_replace(path, '/?SKILL\\.md$', '') as folder, true as published from entry
         where removed_in is null and path ~ '(^|/)SKILL\\.md$'),
       loaded as (
         select source_id, folder, sum(loads) as loads, to_char(max(day), 'YYYY-MM-DD') as last from usage
         where $2::integer is null or day > current_date - $2::integer group by 1, 2)
       select team || '/' || name as source, folder, coalesce(loads, 0) as loads, last, published
       from skill full join loaded using (source_id, folder) join source on source.id = source_id
       where source.retired_in is null and ($1::text is null or team || '/' || name = $1)
       order by loads desc, source, folder`,
      [about.source === undefined ? null : `${about.source.team}/${about.source.name}`, about.days ?? null],
    );
    const published = new Set(
      rows.filter((row) => row['published'] === true).map((row) => placeOf(String(row['source']), row['folder'])),
    );
    return rows
      .map((row) => ({
        loads: Number(row['loads']),
        ...(row['last'] === null ? {} : { last: String(row['last']) }),
        source: String(row['source']),
        folder: String(row['folder']),
      }))
      .filter((skill) => skill.loads > 0 || !isPartOfAnother(skill, published));
  }

  /** Returns audit entries, newest first. `before` is the ID of the last known entry. */
  async audit({
    source,
    before,
    limit,
  }: {
    source?: SourceName | undefined;
    before?: number | undefined;
    limit: number;
  }): Promise<AuditEntry[]> {
    const rows = await this.#database.query(
      `select id, at, actor, action, subject, number from audit
       where ($1::bigint is null or id < $1) and ($2::text is null or subject = $2 or starts_with(subject, $2 || ' '))
       order by id desc limit $3`,
      [before ?? null, source === undefined ? null : `${source.team}/${source.name}`, limit],
    );
    // Every source ever added has audit entries, so this name never existed.
    if (source && before === undefined && rows.length === 0) await getSourceId(this.#database.query, source);
    return rows.map((row) => ({
      id: Number(row['id']),
      at: timeOf(row['at']),
      actor: String(row['actor']),
      action: String(row['action']),
      subject: String(row['subject']),
      ...(row['number'] === null ? {} : { number: Number(row['number']) }),
    }));
  }

  #change<T>(action: string, subject: string, work: (query: Query, number: number) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (query) => {
      const head = await lockHead(query);
      const number = await advance(query, head, { actor: this.#actor, action, subject });
      return work(query, number);
    });
  }
}

const placeOf = (source: string, folder: unknown): string => `${source}:${String(folder)}`;

/**
 * A SKILL.md below the folder of another skill is one of that skill's files, such as an example, and cannot be loaded
 * by itself. Only skill root folders and the top of a source may contain both a SKILL.md and skills.
 */
function isPartOfAnother({ source, folder }: UsedSkill, published: ReadonlySet<string>): boolean {
  const above = folder.split('/').slice(0, -1);
  return above.some(
    (name, index) =>
      !['skills', 'skill'].includes(name) && published.has(placeOf(source, above.slice(0, index + 1).join('/'))),
  );
}

function timeOf(value: unknown): string {
  return (value as Date).toISOString();
}

/** Returns the stored hash of a token. 256 random bits need no salt. */
function hashOfToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

async function requireTeam(query: Query, team: string, hint = NEW_TEAM): Promise<void> {
  const [row] = await query('select 1 from team where name = $1 and retired_in is null', [team]);
  if (!row) throw new Failure('NOT_FOUND', `There is no team ${echo(team)}.`, { hint });
}

const TEAMS = 'Run `lectern team list` to see all teams.';
/** Hint for operations on a team that may not exist yet. */
const NEW_TEAM = `Run \`lectern team add\` to add it. ${TEAMS}`;

async function getSourceId(query: Query, { team, name }: SourceName): Promise<number> {
  const [row] = await query('select id from source where team = $1 and name = $2 and retired_in is null', [team, name]);
  if (!row) {
    throw new Failure('NOT_FOUND', `There is no source ${team}/${name}.`, {
      hint: 'Run `lectern source list` to see all sources.',
    });
  }
  return Number(row['id']);
}
