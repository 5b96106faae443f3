import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { isInside } from '../core/inside.ts';
import { foldName } from '../core/text.ts';
import { filterSkills, type State } from '../skills/filter.ts';
import { isSkillPath, type Skill } from '../skills/skill.ts';
import type { Reader } from './reader.ts';

export interface ListedDiagnostics {
  diagnostics: Diagnostic[];
  /** Errors and warnings about skills that the filters exclude. */
  unlisted: number;
}

/**
 * Returns the diagnostics to show with a list: those of the listed skills and of the roots. A file that is not a valid skill is
 * included if the filters would list a skill with the name of its folder.
 */
export function listedDiagnostics(workspace: Reader, state: State): ListedDiagnostics {
  const { snapshot } = workspace;
  const all = snapshot.diagnostics({ state, names: true });
  const listed = new Set(snapshot.view(state).copies.map(({ file }) => file));
  const known = new Set(snapshot.all.copies.map(({ file }) => file));
  const diagnostics = all.filter(
    ({ path: place }) =>
      !isSkillPath(place) || listed.has(place) || (!known.has(place) && wouldBeListed(workspace, place, state)),
  );
  const problems = (each: readonly Diagnostic[]): number => each.filter(({ severity }) => severity !== 'info').length;
  return { diagnostics, unlisted: problems(all) - problems(diagnostics) };
}

function wouldBeListed(workspace: Reader, file: string, state: State): boolean {
  const { roots, settings } = workspace.snapshot;
  const root = roots.filter(({ dir }) => isInside(dir, file)).sort((a, b) => b.dir.length - a.dir.length)[0];
  if (!root) return true;
  const dir = path.dirname(file);
  const folder = path.basename(dir);
  const skill: Skill = {
    name: folder,
    key: foldName(folder),
    folder,
    description: '',
    provider: root.provider,
    location: root.location,
    scope: root.scope,
    plugin: root.plugin,
    marketplace: root.marketplace,
    package: root.package,
    dir,
    file,
    realFile: file,
    disabled: path.basename(file).startsWith('.'),
    disabledBy: root.off,
    rank: 0,
    frontmatter: {},
    bodyLine: 1,
    stamp: { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0, dev: 0 },
    diagnostics: [],
    alsoAt: [],
    copyOf: undefined,
    source: undefined,
  };
  const { include, exclude } = settings;
  const options = { include: include.value, exclude: exclude.value, state, projectDir: workspace.options.projectDir };
  return filterSkills([skill], options).skills.length > 0;
}
