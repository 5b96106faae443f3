/** Renders the result of each operation for people. Operations without an entry use `renderData`. */
import type { Fields, InputOf, ObjectOf } from '../core/fields/field.ts';
import { archiveChange } from '../operations/archive-change.ts';
import { changeOverlaps } from '../operations/change-overlaps.ts';
import { clearIndex } from '../operations/clear-index.ts';
import type { Operation, Params } from '../operations/define.ts';
import { diffChange } from '../operations/diff-change.ts';
import { doctor } from '../operations/doctor.ts';
import { indexStatus } from '../operations/index-status.ts';
import { listChanges } from '../operations/list-changes.ts';
import { listSkills } from '../operations/list-skills.ts';
import { listSpecs } from '../operations/list-specs.ts';
import { newChange } from '../operations/new-change.ts';
import { newSkill } from '../operations/new-skill.ts';
import { overview } from '../operations/overview.ts';
import { rebuildIndex } from '../operations/rebuild-index.ts';
import { search } from '../operations/search.ts';
import { searchSpecs } from '../operations/search-specs.ts';
import { setupClient } from '../operations/setup-client.ts';
import type { Report } from '../core/report.ts';
import { showChange } from '../operations/show-change.ts';
import { readRawSkill, showSkill } from '../operations/show-skill.ts';
import { showSpec } from '../operations/show-spec.ts';
import { disableSkills, enableSkills } from '../operations/toggle-skills.ts';
import { validateSkills } from '../operations/validate-skills.ts';
import { validateChange, validateSpec } from '../operations/validate-specs.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { renderChange } from './change.ts';
import { renderChanges } from './changes.ts';
import { renderNotices } from './diagnostics.ts';
import { renderArchive, renderChangeDiff, renderNewChange, renderOverlapReport } from './diff.ts';
import { renderDoctor } from './doctor.ts';
import { renderCleared, renderIndexBuilt, renderIndexStatus } from './index-state.ts';
import { renderList } from './list.ts';
import { renderNewSkill } from './new-skill.ts';
import { renderOverview } from './overview.ts';
import { renderSearch, renderSpecSearch } from './search.ts';
import { renderSetup } from './setup.ts';
import { renderShow } from './show.ts';
import { renderSpec } from './spec.ts';
import { renderSpecs } from './specs.ts';
import type { Style } from './style.ts';
import { renderToggle } from './toggle.ts';
import { renderValidation } from './validation.ts';

/** What a rendering may use besides the result. */
export interface View<Input> {
  input: Input;
  workspace: Workspace;
  verbose: boolean;
}

export interface Rendering<Input, Output> {
  text(output: Output, style: Style, view: View<Input>): string;
  /** For standard error, both for text and for --json. */
  notices?(output: Output, style: Style, view: View<Input>): string;
  /** Another document to print, with and without --json. */
  document?(output: Output, view: View<Input>): Promise<object | undefined>;
  /** Bytes to print instead of the text. */
  raw?(output: Output, view: View<Input>): Promise<Uint8Array> | undefined;
}

type Entry = readonly [name: string, rendering: Rendering<unknown, unknown>];

function entry<P extends Params, O extends Fields>(
  { name }: Operation<P, O>,
  rendering: Rendering<InputOf<P>, ObjectOf<O>>,
): Entry {
  // Safe: the name is the operation's own, so a rendering only ever gets that operation's input and result.
  return [name, rendering as Rendering<unknown, unknown>];
}

function specNotices(_: unknown, style: Style, { workspace }: View<unknown>): string {
  const catalog = workspace.snapshot.openedSpecs;
  // Reading the changes also reports an interrupted archive, which may have left the specs half written.
  void catalog?.changes;
  return renderNotices(catalog?.diagnostics ?? [], style);
}

const validation: Rendering<{ sarif: boolean }, Report> = {
  text: renderValidation,
  document: async (report, { input }) => (input.sarif ? (await import('./sarif.ts')).renderSarif(report) : undefined),
};

export const RENDERINGS: ReadonlyMap<string, Rendering<unknown, unknown>> = new Map([
  entry(overview, { text: renderOverview }),
  entry(listSkills, {
    text: (list, style, { input }) => renderList(list, style, input.state),
    notices: ({ diagnostics, counts }, style) => renderNotices(diagnostics, style, counts.unlistedProblems),
  }),
  entry(showSkill, {
    text: renderShow,
    raw: ({ fullName }, { input, workspace }) => (input.raw ? readRawSkill(workspace, fullName) : undefined),
  }),
  entry(search, {
    text: renderSearch,
    notices: ({ diagnostics = [] }, style) => renderNotices(diagnostics, style),
  }),
  entry(validateSkills, validation),
  entry(validateSpec, validation),
  entry(validateChange, validation),
  entry(doctor, { text: renderDoctor }),
  entry(enableSkills, { text: (data, style) => renderToggle(data, 'enabled', style) }),
  entry(disableSkills, { text: (data, style) => renderToggle(data, 'disabled', style) }),
  entry(newSkill, { text: renderNewSkill }),
  entry(listSpecs, { text: renderSpecs, notices: specNotices }),
  entry(listChanges, {
    text: (data, style, { input }) => renderChanges(data, style, input),
    notices: specNotices,
  }),
  entry(showSpec, { text: renderSpec }),
  entry(searchSpecs, { text: (data, style, { input }) => renderSpecSearch(input.query, data, style) }),
  entry(showChange, { text: renderChange }),
  entry(diffChange, { text: renderChangeDiff }),
  entry(changeOverlaps, { text: renderOverlapReport }),
  entry(newChange, { text: renderNewChange }),
  entry(archiveChange, { text: renderArchive }),
  entry(rebuildIndex, { text: renderIndexBuilt }),
  entry(indexStatus, { text: renderIndexStatus }),
  entry(clearIndex, { text: renderCleared }),
  entry(setupClient, { text: (data, style, { input }) => renderSetup(data, style, input.shell) }),
]);
