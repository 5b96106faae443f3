/** Lectern as a library: the same snapshot and the same operations as the command, with nothing printed. */
import os from 'node:os';
import path from 'node:path';
import type * as z from 'zod';
import type { Diagnostic } from './core/diagnostics.ts';
import { disableSkills, enableSkills, type ToggleOutput } from './operations/toggle-skills.ts';
import { doctor, type DoctorOutput } from './operations/doctor.ts';
import type { Operation } from './operations/define.ts';
import { Failure } from './core/failure.ts';
import { echo } from './core/text.ts';
import { indexStatus, type IndexStatusOutput } from './operations/index-status.ts';
import { listSkills, type ListSkillsOutput } from './operations/list-skills.ts';
import { newSkill, type NewSkillOutput } from './operations/new-skill.ts';
import { rebuildIndex, type RebuildIndexOutput } from './operations/rebuild-index.ts';
import { search, type SearchOutput } from './operations/search.ts';
import { showSkill, type ShowSkillOutput } from './operations/show-skill.ts';
import { validateSkills } from './operations/validate-skills.ts';
import type { Report } from './core/report.ts';
import { misfitOf } from './workspace/misfit.ts';
import { checkOptions } from './workspace/options-schema.ts';
import type { WorkspaceOptions } from './workspace/settings.ts';
import { type Specs, specLibrary } from './spec-library.ts';
import { Workspace } from './workspace/workspace.ts';

/** Where to look and what to leave out; the same words as the configuration file. Relative paths start from `projectDir`. */
export interface CatalogOptions extends Partial<WorkspaceOptions> {}

/** An opened catalog. What it holds is one immutable snapshot until `reload()` swaps in the next. */
export interface Catalog {
  list(input?: z.input<typeof listSkills.input>): Promise<ListSkillsOutput>;
  show(input: z.input<typeof showSkill.input>): Promise<ShowSkillOutput>;
  search(input: z.input<typeof search.input>): Promise<SearchOutput>;
  validate(input?: z.input<typeof validateSkills.input>): Promise<Report>;
  doctor(): Promise<DoctorOutput>;
  enable(input: z.input<typeof enableSkills.input>): Promise<ToggleOutput>;
  disable(input: z.input<typeof disableSkills.input>): Promise<ToggleOutput>;
  create(input: z.input<typeof newSkill.input>): Promise<NewSkillOutput>;
  /** Specs and changes; looked for when first asked. */
  specs: Specs;
  /** Builds the index for search by meaning, or brings it up to date. */
  index(input?: z.input<typeof rebuildIndex.input>): Promise<RebuildIndexOutput>;
  indexStatus(): Promise<IndexStatusOutput>;
  /** What was wrong with the files of the current snapshot. */
  diagnostics(): Diagnostic[];
  /** Looks again; files that did not change are not read again. */
  reload(): Promise<void>;
  /** Ends the threads of the embedding model at once; left alone they end when idle. */
  close(): Promise<void>;
}

/** Finds every skill that can be seen from a folder. By default: the working folder and the user's home. */
export async function openCatalog(given: CatalogOptions = {}): Promise<Catalog> {
  const options = checkOptions(given);
  const projectDir = path.resolve(options.projectDir ?? process.cwd());
  const userDir = 'userDir' in given ? options.userDir : os.homedir();
  const environment = options.environment ?? ('userDir' in given ? {} : process.env);
  const workspace = await Workspace.open({
    mustExist: options.projectDir !== undefined,
    ...options,
    projectDir,
    userDir: userDir && path.resolve(userDir),
    environment,
  });
  return {
    list: (input = {}) => perform(listSkills, input, workspace),
    show: (input) => perform(showSkill, input, workspace),
    search: (input) => perform(search, input, workspace),
    validate: (input = {}) => perform(validateSkills, input, workspace),
    doctor: () => perform(doctor, {}, workspace),
    enable: (input) => perform(enableSkills, input, workspace),
    disable: (input) => perform(disableSkills, input, workspace),
    create: (input) => perform(newSkill, input, workspace),
    specs: specLibrary((operation, input) => perform(operation, input, workspace)),
    index: (input = {}) => perform(rebuildIndex, input, workspace),
    indexStatus: () => perform(indexStatus, {}, workspace),
    diagnostics: () => workspace.snapshot.diagnostics({ names: true }),
    reload: async () => {
      await workspace.reload();
    },
    close: () => workspace.close(),
  };
}

async function perform<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  input: z.input<Input>,
  workspace: Workspace,
): Promise<z.input<Output>> {
  const parsed = operation.input.safeParse(input);
  if (!parsed.success) {
    const { place, unknown, message, missing, instead, near, known } = misfitOf(operation.input, parsed.error);
    if (missing) {
      const stands = instead === undefined ? '.' : `, and "${echo(instead)}" is not a known key.`;
      throw new Failure('USAGE', `${operation.name}: ${echo(place)} is required${stands}`, {
        suggestions: near,
        ...(near.length > 0 ? { hint: `Did you mean ${near.join(' or ')}?` } : {}),
      });
    }
    if (unknown === undefined)
      throw new Failure('USAGE', `${operation.name}: ${place === '' ? '' : `${echo(place)}: `}${message}`);
    throw new Failure('USAGE', `${operation.name}: "${echo(place)}" is not a known key.`, {
      suggestions: near,
      hint:
        near.length > 0
          ? `Did you mean ${near.join(' or ')}?`
          : known.length > 0
            ? `Known keys: ${known.join(', ')}.`
            : 'It takes none.',
    });
  }
  return operation.run(parsed.data, workspace);
}
