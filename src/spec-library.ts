/** The part of the library that is about specs and changes. */
import type * as z from 'zod';
import { archiveChange, type ArchiveOutput } from './operations/archive-change.ts';
import { changeOverlaps, type OverlapsOutput } from './operations/change-overlaps.ts';
import type { Operation } from './operations/define.ts';
import { diffChange, type DiffChangeOutput } from './operations/diff-change.ts';
import { type ChangeOutput, getChange } from './operations/get-change.ts';
import { getScenario, type ScenarioOutput } from './operations/get-scenario.ts';
import { getSpecRequirements, type SpecRequirementsOutput } from './operations/get-spec-requirements.ts';
import { listChanges, type ListChangesOutput } from './operations/list-changes.ts';
import { listSpecs, type ListSpecsOutput } from './operations/list-specs.ts';
import { newChange, type NewChangeOutput } from './operations/new-change.ts';
import { searchSpecs, type SearchSpecsOutput } from './operations/search-specs.ts';
import type { Report } from './core/report.ts';
import { validateChange, validateSpec } from './operations/validate-specs.ts';

export interface Specs {
  list(): Promise<ListSpecsOutput>;
  requirements(input: z.input<typeof getSpecRequirements.input>): Promise<SpecRequirementsOutput>;
  scenario(input: z.input<typeof getScenario.input>): Promise<ScenarioOutput>;
  /** By meaning; needs the search index. */
  search(input: z.input<typeof searchSpecs.input>): Promise<SearchSpecsOutput>;
  changes(input?: z.input<typeof listChanges.input>): Promise<ListChangesOutput>;
  change(input: z.input<typeof getChange.input>): Promise<ChangeOutput>;
  validateSpecs(input?: z.input<typeof validateSpec.input>): Promise<Report>;
  validateChanges(input?: z.input<typeof validateChange.input>): Promise<Report>;
  diff(input: z.input<typeof diffChange.input>): Promise<DiffChangeOutput>;
  overlaps(): Promise<OverlapsOutput>;
  propose(input: z.input<typeof newChange.input>): Promise<NewChangeOutput>;
  archive(input: z.input<typeof archiveChange.input>): Promise<ArchiveOutput>;
}

/** `perform` checks the input and runs an operation on the opened workspace. */
export function specLibrary(
  perform: <Input extends z.ZodType, Output extends z.ZodType>(
    operation: Operation<Input, Output>,
    input: z.input<Input>,
  ) => Promise<z.input<Output>>,
): Specs {
  return {
    list: () => perform(listSpecs, {}),
    requirements: (input) => perform(getSpecRequirements, input),
    scenario: (input) => perform(getScenario, input),
    search: (input) => perform(searchSpecs, input),
    changes: (input = {}) => perform(listChanges, input),
    change: (input) => perform(getChange, input),
    validateSpecs: (input = {}) => perform(validateSpec, input),
    validateChanges: (input = {}) => perform(validateChange, input),
    diff: (input) => perform(diffChange, input),
    overlaps: () => perform(changeOverlaps, {}),
    propose: (input) => perform(newChange, input),
    archive: (input) => perform(archiveChange, input),
  };
}
