/**
 * Renders the result of each operation for people. Operations without an entry use `renderData`. Each rendering is
 * loaded on use: JSON output needs none, and text output needs only one.
 */
import type { Fields, InputOf, ObjectOf } from '../core/fields/field.ts';
import { agents } from '../operations/agents.ts';
import { archiveChange } from '../operations/archive-change.ts';
import { changeOverlaps } from '../operations/change-overlaps.ts';
import { clearIndex } from '../operations/clear-index.ts';
import type { Operation, Params } from '../operations/define.ts';
import { diffChange } from '../operations/diff-change.ts';
import { doctor } from '../operations/doctor.ts';
import { indexStatus } from '../operations/index-status.ts';
import { installSkills } from '../operations/install-skills.ts';
import { changeStates } from '../operations/change-states.ts';
import { changeStatus } from '../operations/change-status.ts';
import { listSkills } from '../operations/list-skills.ts';
import { specCounts } from '../operations/spec-counts.ts';
import { newChange } from '../operations/new-change.ts';
import { newSkill } from '../operations/new-skill.ts';
import { outdatedSkills } from '../operations/outdated-skills.ts';
import { overview } from '../operations/overview.ts';
import { publish, rollbackSource, sourceHistory } from '../operations/publish.ts';
import { rebuildIndex } from '../operations/rebuild-index.ts';
import { removeInstalled } from '../operations/remove-skills.ts';
import { scanSkills } from '../operations/scan-skills.ts';
import { search } from '../operations/search.ts';
import { searchSpecs } from '../operations/search-specs.ts';
import { setupClient } from '../operations/setup-client.ts';
import {
  addGrant,
  addSource,
  addTeam,
  addToken,
  databaseStatus,
  listTokens,
  migrateDatabase,
  pruneDatabase,
  removeGrant,
  removeSource,
  removeTeam,
  revokeToken,
} from '../operations/shared-admin.ts';
import { listSources, showAudit, sourceUsage } from '../operations/shared-lists.ts';
import type { Report } from '../core/report.ts';
import { showChange } from '../operations/show-change.ts';
import { readRawSkill, showSkill } from '../operations/show-skill.ts';
import { showSpec } from '../operations/show-spec.ts';
import { syncSkills } from '../operations/sync-skills.ts';
import { disableSkills, enableSkills } from '../operations/toggle-skills.ts';
import { updateSkills } from '../operations/update-skills.ts';
import { validateSkills } from '../operations/validate-skills.ts';
import { validateChange, validateSpec } from '../operations/validate-specs.ts';
import { usage } from '../operations/usage.ts';
import { verifySkills } from '../operations/verify-skills.ts';
import { why } from '../operations/why.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { renderNotices } from './diagnostics.ts';
import type { Shown } from './validation.ts';
import type { Style } from './style.ts';

/** Additional input of a rendering. */
export interface View<Input> {
  input: Input;
  workspace: Workspace;
  verbose: boolean;
}

export interface Rendering<Input, Output> {
  text(): Promise<(output: Output, style: Style, view: View<Input>) => string>;
  /** Text for standard error, with and without --json. */
  notices?(output: Output, style: Style, view: View<Input>): string;
  /** An alternative document to print, with and without --json. */
  document?(output: Output, view: View<Input>): Promise<object | undefined>;
  /** Bytes to print instead of the text. */
  raw?(output: Output, view: View<Input>): Promise<Uint8Array> | undefined;
}

type Entry = readonly [name: string, rendering: Rendering<unknown, unknown>];

function entry<P extends Params, O extends Fields>(
  { name }: Operation<P, O>,
  rendering: Rendering<InputOf<P>, ObjectOf<O>>,
): Entry {
  // Safe: entries are keyed by the operation's name, so a rendering only gets that operation's input and result.
  return [name, rendering as Rendering<unknown, unknown>];
}

function specNotices(_: unknown, style: Style, { workspace }: View<unknown>): string {
  const catalog = workspace.snapshot.openedSpecs;
  // Reading the changes also reports an interrupted archive, which may have left the specs half written.
  void catalog?.changes;
  return renderNotices(catalog?.diagnostics ?? [], style);
}

const validation: Rendering<Shown & { sarif: boolean }, Report> = {
  text: async () => {
    const { renderValidation } = await import('./validation.ts');
    return (report, style, { input }) => renderValidation(report, style, input);
  },
  document: async (report, { input }) => (input.sarif ? (await import('./sarif.ts')).renderSarif(report) : undefined),
};

export const RENDERINGS: ReadonlyMap<string, Rendering<unknown, unknown>> = new Map([
  entry(overview, { text: async () => (await import('./overview.ts')).renderOverview }),
  entry(listSkills, {
    text: async () => {
      const { renderList } = await import('./list.ts');
      return (data, style, { input }) => renderList(data, style, input.state);
    },
    // The list itself marks ambiguous and shadowed names.
    notices: ({ diagnostics, counts }, style) =>
      renderNotices(
        diagnostics.filter(({ code }) => !code.startsWith('name-')),
        style,
        counts.unlistedProblems,
      ),
  }),
  entry(showSkill, {
    text: async () => (await import('./show.ts')).renderShow,
    raw: ({ file }, { input, workspace }) => (input.raw ? readRawSkill(workspace, file) : undefined),
  }),
  entry(search, {
    text: async () => (await import('./search.ts')).renderSearch,
    notices: ({ diagnostics = [] }, style) => renderNotices(diagnostics, style),
  }),
  entry(agents, { text: async () => (await import('./agents-here.ts')).renderAgents }),
  entry(usage, { text: async () => (await import('./usage.ts')).renderUsage }),
  entry(why, { text: async () => (await import('./why.ts')).renderWhy }),
  entry(validateSkills, validation),
  entry(validateSpec, validation),
  entry(validateChange, validation),
  entry(scanSkills, {
    text: async () => {
      const { renderScan } = await import('./scan.ts');
      return (data, style, { verbose }) => renderScan(data, style, verbose);
    },
    document: async (data, { input }) => (input.sarif ? (await import('./sarif.ts')).renderScanSarif(data) : undefined),
  }),
  entry(doctor, { text: async () => (await import('./doctor.ts')).renderDoctor }),
  entry(enableSkills, {
    text: async () => (await import('./toggle.ts')).renderEnabled,
  }),
  entry(disableSkills, {
    text: async () => (await import('./toggle.ts')).renderDisabled,
  }),
  entry(installSkills, { text: async () => (await import('./install.ts')).renderInstalled }),
  entry(outdatedSkills, { text: async () => (await import('./install.ts')).renderOutdated }),
  entry(updateSkills, { text: async () => (await import('./install.ts')).renderUpdated }),
  entry(removeInstalled, { text: async () => (await import('./install.ts')).renderRemoved }),
  entry(verifySkills, { text: async () => (await import('./install.ts')).renderVerified }),
  entry(syncSkills, { text: async () => (await import('./sync.ts')).renderSync }),
  entry(newSkill, { text: async () => (await import('./new-skill.ts')).renderNewSkill }),
  entry(specCounts, {
    text: async () => (await import('./specs.ts')).renderSpecs,
    notices: specNotices,
  }),
  entry(changeStatus, { text: async () => (await import('./change-status.ts')).renderChangeStatus }),
  entry(changeStates, {
    text: async () => {
      const { renderChanges } = await import('./changes.ts');
      return (data, style, { input }) => renderChanges(data, style, input);
    },
    notices: specNotices,
  }),
  entry(showSpec, { text: async () => (await import('./spec.ts')).renderSpec }),
  entry(searchSpecs, {
    text: async () => {
      const { renderSpecSearch } = await import('./search.ts');
      return (data, style, { input }) => renderSpecSearch(input.query, data, style);
    },
  }),
  entry(showChange, { text: async () => (await import('./change.ts')).renderChange }),
  entry(diffChange, { text: async () => (await import('./diff.ts')).renderChangeDiff }),
  entry(changeOverlaps, { text: async () => (await import('./diff.ts')).renderOverlapReport }),
  entry(newChange, { text: async () => (await import('./diff.ts')).renderNewChange }),
  entry(archiveChange, {
    text: async () => {
      const { renderArchive } = await import('./diff.ts');
      return (data, style, { input }) => renderArchive(data, style, input.allow_open_tasks);
    },
  }),
  entry(rebuildIndex, { text: async () => (await import('./index-state.ts')).renderIndexBuilt }),
  entry(indexStatus, { text: async () => (await import('./index-state.ts')).renderIndexStatus }),
  entry(clearIndex, { text: async () => (await import('./index-state.ts')).renderCleared }),
  entry(setupClient, {
    text: async () => {
      const { renderSetup } = await import('./setup.ts');
      return (data, style, { input }) => renderSetup(data, style, input.shell);
    },
  }),
  entry(publish, { text: async () => (await import('./shared.ts')).renderPublished }),
  entry(sourceHistory, { text: async () => (await import('./shared.ts')).renderHistory }),
  entry(showAudit, { text: async () => (await import('./shared.ts')).renderAudit }),
  entry(sourceUsage, { text: async () => (await import('./shared.ts')).renderSourceUsage }),
  entry(listTokens, { text: async () => (await import('./shared.ts')).renderTokens }),
  entry(listSources, { text: async () => (await import('./shared.ts')).renderSources }),
  entry(rollbackSource, { text: async () => (await import('./shared.ts')).renderRolledBack }),
  entry(migrateDatabase, { text: async () => (await import('./shared.ts')).renderMigrated }),
  entry(databaseStatus, { text: async () => (await import('./shared.ts')).renderDatabaseStatus }),
  entry(pruneDatabase, { text: async () => (await import('./shared.ts')).renderPruned }),
  entry(addTeam, { text: async () => (await import('./shared.ts')).renderTeamAdded }),
  entry(addSource, { text: async () => (await import('./shared.ts')).renderSourceAdded }),
  entry(addGrant, { text: async () => (await import('./shared.ts')).renderGranted }),
  entry(removeSource, { text: async () => (await import('./shared.ts')).renderSourceRemoved }),
  entry(removeTeam, { text: async () => (await import('./shared.ts')).renderTeamRemoved }),
  entry(removeGrant, { text: async () => (await import('./shared.ts')).renderGrantRemoved }),
  entry(addToken, { text: async () => (await import('./shared.ts')).renderTokenAdded }),
  entry(revokeToken, { text: async () => (await import('./shared.ts')).renderTokenRevoked }),
]);
