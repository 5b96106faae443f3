/** Creates a change from a template that is valid even with --strict. */
import path from 'node:path';
import { type Disk, WriteTrouble } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';
import { METADATA, PROPOSAL, TASKS } from './change-folder.ts';
import type { SpecCatalog } from './catalog.ts';
import { openSpecRoot, type SpecRoot } from './roots.ts';
import { deltaText, proposalText, tasksText } from './template.ts';

export interface NewChangeOptions {
  /** Folder name in kebab-case. */
  id: string;
  /** Capability to change, which may be new. Defaults to the ID. */
  capability?: string | undefined;
  title?: string | undefined;
  /** Date as YYYY-MM-DD. */
  today: string;
  /** Name of the root, if there are several. */
  root?: string | undefined;
  /** Where to create openspec/ if the project has no specs yet. If omitted, a project without specs is an error. */
  projectDir?: string | undefined;
}

export interface NewChange {
  id: string;
  dir: string;
  files: string[];
}

const SEGMENT = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/u;
/** Device names on Windows, and the folder of archived changes. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|archive)$/u;

export function newChange(catalog: SpecCatalog, disk: Disk, options: NewChangeOptions): NewChange {
  const { id, capability = id, title = sentenceOf(id) } = options;
  checkName(id, 'A change');
  for (const segment of capability.split('/')) checkName(segment, 'A capability');
  const root = rootFor(catalog, options.root, options.projectDir);
  const dir = path.join(root.changesDir, id);
  if (disk.look(dir) !== undefined)
    throw new Failure('REFUSED', `There is already a change "${id}".`, { path: dir, hint: 'Choose another name.' });
  const texts: Record<string, string> = {
    [PROPOSAL]: proposalText(title, capability),
    [TASKS]: tasksText(),
    [`specs/${capability}/spec.md`]: deltaText(title, capability),
    ...(root.layout === 'spec-oxide' ? {} : { [METADATA]: `schema: spec-driven\ncreated: ${options.today}\n` }),
  };
  // Written to a temporary folder and then moved, so that readers never see a partial change.
  const aside = path.join(root.changesDir, `.lectern-new-${id}`);
  if (disk.look(aside) !== undefined)
    throw new Failure(
      'REFUSED',
      `${aside} is in the way: an earlier run was interrupted, or it belongs to the project.`,
      {
        path: aside,
        hint: 'Remove it if you do not need it, and run the command again.',
      },
    );
  try {
    const files = Object.entries(texts).map(([name, text]) => ({
      path: name,
      bytes: Buffer.from(text),
      executable: false,
    }));
    disk.createFolder(aside, files);
    disk.move(aside, dir);
  } catch (error) {
    if (!(error instanceof WriteTrouble && error.reason === 'exists' && error.path === aside)) disk.removeTree(aside);
    throw error;
  }
  return { id, dir, files: Object.keys(texts).map((name) => path.join(dir, ...name.split('/'))) };
}

function checkName(name: string, what: string): void {
  if (SEGMENT.test(name) && !RESERVED.test(name) && name.length <= 100) return;
  throw new Failure('USAGE', `${what} cannot be called "${echo(name)}".`, {
    hint: 'Use lower-case letters, digits and single hyphens, such as add-login.',
  });
}

function rootFor(catalog: SpecCatalog, name: string | undefined, projectDir: string | undefined): SpecRoot {
  const roots = catalog.roots.filter((root) => name === undefined || root.name === name);
  const [root] = roots;
  const suggestions = catalog.roots.map((other) => other.name);
  if (!root && name === undefined && projectDir !== undefined) return openSpecRoot(projectDir, 'openspec');
  if (!root) {
    const message =
      name === undefined ? 'There is no specs folder here.' : `There is no specs folder called "${echo(name)}".`;
    throw new Failure(
      'NOT_FOUND',
      message,
      name === undefined ? { hint: 'Create openspec/specs, or pass --changes-dir.' } : { suggestions },
    );
  }
  if (roots.length > 1)
    throw new Failure('AMBIGUOUS', 'There are several specs folders here.', {
      suggestions,
      hint: `Choose one with --in: ${suggestions.join(', ')}.`,
    });
  return root;
}

function sentenceOf(id: string): string {
  const words = id.replaceAll(/[._-]+/gu, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
