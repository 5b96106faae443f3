/**
 * Renders the result of each operation for people. Operations without an entry have a `sentence`, or use `renderData`. Each
 * rendering is loaded on use: JSON output needs none, and text output needs only one.
 */
import type { InputOf } from '../core/fields/field.ts';
import type { Report } from '../core/report.ts';
import type { OPERATIONS } from '../operations/index.ts';
import type { AnswerOf } from '../operations/perform.ts';
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

/** Renderings by the name of their operation. The registry is imported as a type only. */
type Renderings = {
  readonly [Op in (typeof OPERATIONS)[number] as Op['name']]?: Rendering<InputOf<Op['params']>, AnswerOf<Op>>;
};

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

const RENDERINGS: Renderings = {
  overview: { text: async () => (await import('./overview.ts')).renderOverview },
  list_skills: {
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
  },
  show_skill: {
    text: async () => (await import('./show.ts')).renderShow,
    raw: ({ file }, { input, workspace }) =>
      input.raw
        ? import('../operations/show-skill.ts').then(({ readRawSkill }) => readRawSkill(workspace, file))
        : undefined,
  },
  search: {
    text: async () => (await import('./search.ts')).renderSearch,
    notices: ({ diagnostics = [] }, style) => renderNotices(diagnostics, style),
  },
  agents: { text: async () => (await import('./agents-here.ts')).renderAgents },
  usage: { text: async () => (await import('./usage.ts')).renderUsage },
  why: { text: async () => (await import('./why.ts')).renderWhy },
  validate_skills: validation,
  validate_spec: validation,
  validate_change: validation,
  scan_skills: {
    text: async () => {
      const { renderScan } = await import('./scan.ts');
      return (data, style, { verbose }) => renderScan(data, style, verbose);
    },
    document: async (data, { input }) => (input.sarif ? (await import('./sarif.ts')).renderScanSarif(data) : undefined),
  },
  doctor: { text: async () => (await import('./doctor.ts')).renderDoctor },
  enable_skills: {
    text: async () => (await import('./toggle.ts')).renderEnabled,
  },
  disable_skills: {
    text: async () => (await import('./toggle.ts')).renderDisabled,
  },
  install_skills: { text: async () => (await import('./install.ts')).renderInstalled },
  outdated_skills: { text: async () => (await import('./install.ts')).renderOutdated },
  update_skills: { text: async () => (await import('./install.ts')).renderUpdated },
  remove_skills: { text: async () => (await import('./install.ts')).renderRemoved },
  verify_skills: { text: async () => (await import('./install.ts')).renderVerified },
  sync_skills: { text: async () => (await import('./sync.ts')).renderSync },
  new_skill: { text: async () => (await import('./new-skill.ts')).renderNewSkill },
  spec_counts: {
    text: async () => (await import('./specs.ts')).renderSpecs,
    notices: specNotices,
  },
  change_status: { text: async () => (await import('./change-status.ts')).renderChangeStatus },
  change_states: {
    text: async () => {
      const { renderChanges } = await import('./changes.ts');
      return (data, style, { input }) => renderChanges(data, style, input);
    },
    notices: specNotices,
  },
  show_spec: { text: async () => (await import('./spec.ts')).renderSpec },
  search_specs: {
    text: async () => {
      const { renderSpecSearch } = await import('./search.ts');
      return (data, style, { input }) => renderSpecSearch(input.query, data, style);
    },
  },
  show_change: { text: async () => (await import('./change.ts')).renderChange },
  change_diff: { text: async () => (await import('./diff.ts')).renderChangeDiff },
  change_overlap: { text: async () => (await import('./diff.ts')).renderOverlapReport },
  change_new: { text: async () => (await import('./diff.ts')).renderNewChange },
  change_archive: {
    text: async () => {
      const { renderArchive } = await import('./diff.ts');
      return (data, style, { input }) => renderArchive(data, style, input.allow_open_tasks);
    },
  },
  rebuild_index: { text: async () => (await import('./index-state.ts')).renderIndexBuilt },
  index_status: { text: async () => (await import('./index-state.ts')).renderIndexStatus },
  clear_index: { text: async () => (await import('./index-state.ts')).renderCleared },
  setup_client: {
    text: async () => {
      const { renderSetup } = await import('./setup.ts');
      return (data, style, { input }) => renderSetup(data, style, input.shell);
    },
  },
  publish: { text: async () => (await import('./shared.ts')).renderPublished },
  source_history: { text: async () => (await import('./shared.ts')).renderHistory },
  audit: { text: async () => (await import('./shared.ts')).renderAudit },
  source_usage: { text: async () => (await import('./shared.ts')).renderSourceUsage },
  token_list: { text: async () => (await import('./shared.ts')).renderTokens },
  source_list: { text: async () => (await import('./shared.ts')).renderSources },
  rollback_source: { text: async () => (await import('./shared.ts')).renderRolledBack },
  db_status: { text: async () => (await import('./shared.ts')).renderDatabaseStatus },
  db_prune: { text: async () => (await import('./shared.ts')).renderPruned },
  token_add: { text: async () => (await import('./shared.ts')).renderTokenAdded },
};

/** Returns the rendering of an operation, or undefined if it has none. */
export function renderingOf(name: string): Rendering<unknown, unknown> | undefined {
  // Safe: a rendering only gets the input and the result of the operation that it is named after.
  return Object.hasOwn(RENDERINGS, name)
    ? (RENDERINGS as Record<string, Rendering<unknown, unknown>>)[name]
    : undefined;
}
