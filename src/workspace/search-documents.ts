/** Introduces the rooms to search: everything that can be found becomes a document, and nothing but its text is handed on. */
import path from 'node:path';
import { FileTrouble, type Stamp } from '../core/files.js';
import { LIMITS } from '../core/limits.js';
import type { SearchDocument } from '../search/document.js';
import type { State } from '../skills/filter.js';
import { fullNameOf, type Skill } from '../skills/schema.js';
import type { Snapshot, Workspace } from './workspace.js';

const indexed = new WeakMap<Snapshot, readonly SearchDocument[]>();
const shown = new WeakMap<Snapshot, Map<State, readonly SearchDocument[]>>();

/** What the index holds: every skill in every state, whatever the filters say, so that one index serves all of them. */
export function documentsToIndex(workspace: Workspace): readonly SearchDocument[] {
  const { snapshot } = workspace;
  let documents = indexed.get(snapshot);
  if (!documents) {
    documents = snapshot.all.skills.map((skill) => skillDocument(workspace, skill, skill.name));
    indexed.set(snapshot, documents);
  }
  return documents;
}

/** What a search may show: the skills that the filters let through, under the names that lists show. */
export function documentsToSearch(workspace: Workspace, state: State): readonly SearchDocument[] {
  const { snapshot } = workspace;
  let byState = shown.get(snapshot);
  if (!byState) shown.set(snapshot, (byState = new Map()));
  let documents = byState.get(state);
  if (!documents) {
    const catalog = snapshot.view(state);
    documents = catalog.skills.map((skill) => skillDocument(workspace, skill, catalog.displayName(skill)));
    byState.set(state, documents);
  }
  return documents;
}

function skillDocument(workspace: Workspace, skill: Skill, name: string): SearchDocument {
  return {
    kind: 'skill',
    id: fullNameOf(skill),
    // Copies may share a full name; their files do not. Relative, so that a moved project keeps its index.
    key: path.relative(workspace.options.projectDir, skill.realFile),
    name,
    otherNames: [skill.folder],
    path: skill.file,
    description: skill.description,
    stamp: stampText(skill.stamp),
    body: () => readBody(workspace, skill),
  };
}

function stampText({ size, mtimeMs, ctimeMs, ino }: Stamp): string {
  return [size, mtimeMs, ctimeMs, ino].map((part) => part.toString(36)).join('-');
}

/** The text below the frontmatter; a file that cannot be read any more has none. */
function readBody(workspace: Workspace, skill: Skill): string {
  try {
    const text = Buffer.from(workspace.readSkillFile(skill, LIMITS.skillFileBytes.value)).toString('utf8');
    let at = 0;
    for (let line = 1; line < skill.bodyLine && at !== -1; line++) at = text.indexOf('\n', at) + 1 || -1;
    return at === -1 ? '' : text.slice(at);
  } catch (error) {
    if (error instanceof FileTrouble) return '';
    throw error;
  }
}
