/** What all connections of a server share: the workspace, the settings, and the texts made from the current snapshot. */
import { isForModels, type ListedSkill } from '../workspace/agent-listing.ts';
import { renderSkillDescription } from '../render/agents/skill-description.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { ToolNames, Toolset } from '../workspace/settings-table.ts';
import type { Snapshot, Workspace } from '../workspace/workspace.ts';
import { type CatalogChange, compareSnapshots } from './changes.ts';
import type { ServerLog } from './log.ts';

/** The settings of one server, chosen. */
export interface Serving {
  serverName: string;
  tools: ReadonlySet<Toolset>;
  toolNames: ToolNames;
  descriptionBudget: number;
  /** Undefined: no refresh by the clock. */
  refreshIntervalMs: number | undefined;
  watch: boolean;
}

export class Catalog {
  readonly serving: Serving;
  readonly log: ServerLog;
  readonly #opened: Promise<Workspace>;
  readonly #listeners = new Set<(change: CatalogChange) => void>();
  readonly #descriptions = new WeakMap<SkillCatalog, string>();

  /** The workspace may still be opening: a handshake need not wait for the scan. */
  constructor(workspace: Workspace | Promise<Workspace>, serving: Serving, log: ServerLog) {
    this.serving = serving;
    this.log = log;
    this.#opened = this.#observe(workspace);
    // Whoever needs the workspace meets the failure; without anybody asking it is not unhandled either.
    this.#opened.catch(() => undefined);
  }

  async #observe(opening: Workspace | Promise<Workspace>): Promise<Workspace> {
    const workspace = await opening;
    workspace.observe({
      finished: (next, before) => {
        const change = compareSnapshots(before, next);
        if (change) for (const listener of this.#listeners) listener(change);
      },
    });
    return workspace;
  }

  workspace(): Promise<Workspace> {
    return this.#opened;
  }

  async snapshot(): Promise<Snapshot> {
    return (await this.#opened).snapshot;
  }

  /** The specs as the files are now. */
  async specs(): Promise<SpecCatalog> {
    return (await this.#opened).freshSpecs();
  }

  /** Whether lists can change while a client is connected, and somebody notices. */
  get announcesChanges(): boolean {
    return this.serving.watch || this.serving.refreshIntervalMs !== undefined;
  }

  onChange(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get servesSkills(): boolean {
    return this.has('skill') || this.has('skills');
  }

  has(toolset: Toolset): boolean {
    return this.serving.tools.has(toolset);
  }

  /** How a tool is called here; undefined where its toolset is not served. */
  nameOf(toolset: Toolset, underscored: string, dotted: string): string | undefined {
    if (!this.has(toolset)) return undefined;
    return this.serving.toolNames === 'dotted' ? dotted : underscored;
  }

  get searchTool(): string | undefined {
    return this.nameOf('skills', 'skills_search', 'skills.search');
  }

  get fileTool(): string | undefined {
    return this.nameOf('skills', 'skill_file', 'skill.file');
  }

  /** The skills that a model may load. */
  async skillsForModels(): Promise<readonly ListedSkill[]> {
    return (await this.snapshot()).forAgents.filter(({ skill }) => isForModels(skill));
  }

  async skillDescription(): Promise<string> {
    const catalog = (await this.snapshot()).view();
    const known = this.#descriptions.get(catalog);
    if (known !== undefined) return known;
    const skills = await this.skillsForModels();
    const text = renderSkillDescription(
      skills.map(({ name, skill }) => ({
        name,
        description: skill.description,
        location: skill.location,
        provider: skill.provider,
      })),
      { budget: this.serving.descriptionBudget, searchTool: this.searchTool, fileTool: this.fileTool },
    );
    this.#descriptions.set(catalog, text);
    return text;
  }
}
