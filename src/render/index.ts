/**
 * Renders the result of each operation for people. Operations without an entry have a `sentence`, or use `renderData`. Each
 * rendering is loaded on use: JSON output needs none, and text output needs only one.
 */
import { realPlace } from '../core/disk/answers.ts';
import type { InputOf } from '../core/fields/field.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import type { Report } from '../core/report.ts';
import type { OPERATIONS } from '../operations/index.ts';
import type { FindingFormat } from '../operations/shapes.ts';
import type { FORMATS, TryOutput } from '../operations/try.ts';
import type { AnswerOf } from '../operations/perform.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { HostedBase } from './hosted.ts';
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
  /** Problems to report on standard error, unless the printed JSON has them. */
  notices?(output: Output, view: View<Input>): Notices;
  /** An alternative to print instead of the text: an object with and without --json, a text without. */
  document?(output: Output, view: View<Input>): Promise<object | string | undefined>;
  /** Bytes to print instead of the text. */
  raw?(output: Output, view: View<Input>): Promise<Uint8Array> | undefined;
}

/** Problems next to a result, and the number of those that it leaves out. */
export interface Notices {
  diagnostics: readonly Diagnostic[];
  unlisted?: number;
}

/** Renderings by operation name. The registry is imported as a type only. */
type Renderings = {
  readonly [Op in (typeof OPERATIONS)[number] as Op['name']]?: Rendering<InputOf<Op['params']>, AnswerOf<Op>>;
};

function specNotices(_: unknown, { workspace }: View<unknown>): Notices {
  const catalog = workspace.snapshot.openedSpecs;
  // Reading the changes also reports an interrupted archive, which may have left the specs half written.
  void catalog?.changes;
  return { diagnostics: catalog?.diagnostics ?? [] };
}

const validation: Rendering<Shown & { format?: FindingFormat | undefined }, Report> = {
  text: async () => {
    const { renderValidation } = await import('./validation.ts');
    return (report, style, { input }) => renderValidation(report, style, input);
  },
  document: async (report, { input: { format }, workspace }) =>
    format && (await import('./hosted.ts')).renderFor(format, report, hostedBase(workspace)),
};

function hostedBase({ disk, projectRoot }: Workspace): HostedBase {
  const known = new Map<string, string>();
  return {
    root: realPlace(disk, projectRoot),
    // Most files have several findings.
    realPath: (file) => {
      const found = known.get(file) ?? realPlace(disk, file);
      known.set(file, found);
      return found;
    },
  };
}

async function tryDocument(
  checked: NonNullable<TryOutput['checked']>,
  format: (typeof FORMATS)[number],
  base: HostedBase,
): Promise<object | string> {
  if (format === 'junit') return (await import('./reports.ts')).renderJunit(checked, base);
  const [{ renderFor }, { reportOf }] = await Promise.all([import('./hosted.ts'), import('../core/report.ts')]);
  return renderFor(format, reportOf([], { strict: false, others: checked.diagnostics }), base);
}

const RENDERINGS: Renderings = {
  overview: { text: async () => (await import('./overview.ts')).renderOverview },
  list_skills: {
    text: async () => {
      const { renderList } = await import('./list.ts');
      return (data, style, { input }) => renderList(data, style, input.state);
    },
    // The list itself marks ambiguous and shadowed names.
    notices: ({ diagnostics, counts }) => ({
      diagnostics: diagnostics.filter(({ code }) => !code.startsWith('name-')),
      unlisted: counts.unlistedProblems,
    }),
  },
  show_skill: {
    text: async () => (await import('./show.ts')).renderShow,
    raw: ({ file }, { input, workspace }) =>
      input.raw
        ? import('../operations/show-skill.ts').then(({ readRawSkill }) => readRawSkill(workspace, file))
        : undefined,
  },
  search: {
    text: async () => {
      const { renderSearch } = await import('./search.ts');
      return (data, style, { verbose }) => renderSearch(data, style, verbose);
    },
    notices: ({ diagnostics = [] }) => ({ diagnostics }),
  },
  agents: { text: async () => (await import('./agents-here.ts')).renderAgents },
  context: { text: async () => (await import('./context.ts')).renderContext },
  usage: { text: async () => (await import('./usage.ts')).renderUsage },
  why: {
    text: async () => {
      const { renderWhy } = await import('./why.ts');
      return (data, style, { input, verbose }) => renderWhy(data, style, verbose || input.agent !== undefined);
    },
  },
  skill_overlaps: { text: async () => (await import('./overlap.ts')).renderOverlap },
  try: {
    text: async () => (await import('./try.ts')).renderTry,
    document: async ({ checked }, { input: { format }, workspace }) =>
      checked && format && tryDocument(checked, format, hostedBase(workspace)),
  },
  validate_skills: {
    ...validation,
    text: async () => {
      const [{ renderValidation }, { renderFixed, renderFixEnd, renderFixes, renderFixHint }] = await Promise.all([
        import('./validation.ts'),
        import('./fixes.ts'),
      ]);
      return (report, style, { input }) => {
        // The prompt shows a plan, which has no report yet.
        if (!('items' in report)) return renderFixes(report, style);
        const none = input.all
          ? undefined
          : 'To check the skills outside this project too, run lectern validate --all.';
        const shown = { ...input, none };
        if (!input.fix) {
          const hint = input.quiet ? '' : renderFixHint(report, input.target, style);
          return renderValidation(report, style, shown) + hint;
        }
        const wasPrompted = !input.dryRun && !input.yes;
        const fixes = wasPrompted ? renderFixed(report, style) : renderFixes(report, style);
        const end = wasPrompted || fixes === '' ? '' : renderFixEnd(report, input.dryRun, style);
        return [fixes + end, renderValidation(report, style, shown)].filter((part) => part !== '').join('\n');
      };
    },
  },
  validate_spec: validation,
  validate_change: validation,
  scan_skills: {
    text: async () => {
      const { renderScan } = await import('./scan.ts');
      return (data, style, { verbose }) => renderScan(data, style, verbose);
    },
    document: async (data, { input: { format }, workspace }) =>
      format && (await import('./hosted.ts')).renderScanFor(format, data, hostedBase(workspace)),
  },
  doctor: {
    text: async () => {
      const [{ renderDoctor }, { renderOwnFiles }] = await Promise.all([
        import('./doctor.ts'),
        import('./own-files.ts'),
      ]);
      return (data, style, view) => (data.files ? renderOwnFiles(data.files, style) : renderDoctor(data, style, view));
    },
  },
  uninstall: { text: async () => (await import('./own-files.ts')).renderUninstall },
  enable_skills: {
    text: async () => (await import('./toggle.ts')).renderEnabled,
  },
  disable_skills: {
    text: async () => (await import('./toggle.ts')).renderDisabled,
  },
  list_source: {
    text: async () => {
      const { renderOffered } = await import('./offered.ts');
      return (data, style) => renderOffered(data, style, []);
    },
  },
  fit_list: { text: async () => (await import('./fit.ts')).renderFit },
  install_skills: { text: async () => (await import('./install.ts')).renderInstalled },
  share_skills: { text: async () => (await import('./share.ts')).renderShared },
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
  change_view: { text: async () => (await import('./changes.ts')).renderBoard, notices: specNotices },
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
      return (data, style, { input, verbose }) => renderSpecSearch(input.query, data, style, verbose);
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
  db_check: { text: async () => (await import('./shared.ts')).renderChecked },
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
