/** Server side of publishing. Requests are untrusted: everything is checked again here. */
import { Failure } from '../core/failure.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import { echo } from '../core/text.ts';
import type { About, CatalogStore, HistoryEntry, Published, StoredFile, StoredSource } from '../store/catalog-store.ts';
import { type Changes, changesBetween } from '../store/changes.ts';
import { isSkillPath } from '../skills/skill.ts';
import type { Follower } from './follower.ts';
import { largeFolders, readManifest, refuseProblems } from './manifest.ts';
import type { Caller } from './shared-catalog.ts';
import type { SharedSource } from './shared-source.ts';

interface Checked extends Changes {
  /** Version that the next publication is based on. */
  base: number;
  /** Contents that must be uploaded first. */
  missing: string[];
}

interface Replicas {
  /** Number of the latest snapshot. */
  head: number;
  replicas: { id: string; number: number }[];
}

/** A replica without a heartbeat for this long counts as dead. */
const LIVE_MS = 30_000;

export class Publishing {
  readonly #store: CatalogStore;
  readonly #follower: Follower;

  constructor(store: CatalogStore, follower: Follower) {
    this.#store = store;
    this.#follower = follower;
  }

  /** Returns the source if the caller may publish it. The error is the same for a missing source and for one of another team. */
  async sourceFor(caller: Caller, team: string, name: string): Promise<StoredSource> {
    const mayPublish =
      caller.scopes.includes('publish') && (caller.teams.includes(team) || caller.scopes.includes('admin'));
    const source = mayPublish ? await this.#store.findSource(team, name) : undefined;
    if (source) return source;
    throw new Failure('NOT_FOUND', `This token cannot publish ${echo(`${team}/${name}`)}.`, {
      hint: 'Check the name. The source must exist, and the token must belong to its team and have the scope publish.',
    });
  }

  async check(source: StoredSource, given: unknown, caller: Caller): Promise<Checked> {
    const files = readManifest(given);
    const hashes = files.map(({ sha256 }) => sha256);
    const teams = teamsOf(source, caller);
    // Only visible contents, because an update of others would take time.
    await this.#store.announce((await this.#store.sizes(hashes, teams)).keys());
    // Pruning may have removed some before they were announced.
    const there = await this.#store.sizes(hashes, teams);
    return {
      base: source.version,
      missing: [...new Set(files.map(({ sha256 }) => sha256).filter((sha256) => !there.has(sha256)))].sort(),
      ...changesBetween(await this.#store.files(source, source.version), files),
    };
  }

  /** Stores content under its hash for the teams of the caller. */
  upload(content: Uint8Array, { teams }: Caller): Promise<string> {
    return this.#store.upload(content, teams);
  }

  async publish(source: StoredSource, base: unknown, given: unknown, about: About, caller: Caller): Promise<Published> {
    if (typeof base !== 'number' || !Number.isSafeInteger(base)) throw new Failure('USAGE', '`base` must be a number.');
    const files = readManifest(given);
    try {
      const opened = await this.#checkContents(source, files, teamsOf(source, caller));
      if (base === source.version) await this.#prepareSearch(opened);
      // The publisher knows about skills that it did not send.
      const skipped = Math.max(about.skipped ?? 0, unreadSkills(opened));
      const published = await this.#store.publish(source, base, files, { ...about, skipped });
      await this.#afterwards(published, opened);
      return published;
    } catch (error) {
      this.#follower.release(files);
      throw error;
    }
  }

  /** Lists the changes that a rollback would make. */
  async planRollback(source: StoredSource, given: unknown): Promise<{ number: number } & Changes> {
    const files = await this.#store.restorable(source, versionIn(given));
    return { number: source.version, ...changesBetween(await this.#store.files(source, source.version), files) };
  }

  async rollback(source: StoredSource, given: unknown, about: About): Promise<Published> {
    const to = versionIn(given);
    let opened: SharedSource | undefined;
    const published = await this.#store.rollback(source, to, about, async (files) => {
      opened = await this.#tryToOpen(source, files);
      if (opened) await this.#prepareSearch(opened);
    });
    await this.#afterwards(published, opened);
    return published;
  }

  history(source: StoredSource, limit: number): Promise<HistoryEntry[]> {
    return this.#store.history(source, limit);
  }

  async replicas(): Promise<Replicas> {
    return { head: await this.#store.head(), replicas: await this.#store.replicas(LIVE_MS) };
  }

  /** Runs before publication, whose lock is held for milliseconds only. On failure, replicas index the source themselves. */
  async #prepareSearch(opened: SharedSource): Promise<void> {
    try {
      await this.#follower.segments.prepare(opened, await this.#follower.slices(opened));
    } catch (error) {
      this.#follower.report(error);
    }
  }

  async #afterwards({ outcome, number }: Published, opened: SharedSource | undefined): Promise<void> {
    if (outcome !== 'published') return;
    void this.#follower.poll();
    if (opened)
      await this.#follower.segments.published(opened, number).catch((error: unknown) => this.#follower.report(error));
  }

  /** A rollback restores a version even if this replica cannot read it. */
  async #tryToOpen(source: StoredSource, files: readonly StoredFile[]): Promise<SharedSource | undefined> {
    try {
      await this.#follower.contents.fetch(files);
      return await this.#follower.open(source, files);
    } catch (error) {
      this.#follower.report(error);
      return undefined;
    }
  }

  /** Reads the source as a replica will. Findings of the rules are advice: skills that load are served. */
  async #checkContents(
    source: StoredSource,
    files: readonly StoredFile[],
    teams: readonly string[],
  ): Promise<SharedSource> {
    const hashes = files.map(({ sha256 }) => sha256);
    const sizes = await this.#store.sizes(hashes, teams);
    refuseProblems(
      files.flatMap(({ path, sha256, size }) => {
        const real = sizes.get(sha256);
        if (real === undefined) return [`the content of ${echo(path)} was not uploaded`];
        return real === size ? [] : [`${echo(path)} has ${real} bytes, not ${size}`];
      }),
    );
    await this.#follower.contents.fetch(files);
    const opened = await this.#follower.open(source, files).catch((error: unknown) => {
      if (error instanceof FileTrouble)
        throw new Failure('UNREADABLE', 'The uploaded contents cannot be read back.', { cause: error });
      throw error;
    });
    const folders = opened.skills.map(({ dir }) => dir.slice(opened.root.length + 1) || '.');
    refuseProblems(largeFolders(files, folders).map(({ problem }) => problem));
    return opened;
  }
}

/** Teams whose uploaded contents a publication may use. */
function teamsOf({ team }: StoredSource, { teams }: Caller): string[] {
  return [...new Set([team, ...teams])];
}

function versionIn(given: unknown): number {
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
  throw new Failure('USAGE', '`to` must be a number.');
}

/** Number of published SKILL.md files that did not become skills. */
function unreadSkills({ workspace }: SharedSource): number {
  const { diagnostics } = workspace.snapshot.discovery;
  const unread = diagnostics.filter(({ severity, path }) => severity === 'error' && isSkillPath(path));
  return new Set(unread.map(({ path }) => path)).size;
}
