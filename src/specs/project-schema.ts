/** Which workflow schemas a project has, and which one it uses. Asked for every change, answered once for every root. */
import path from 'node:path';
import type { FileTree } from '../core/disk/tree.ts';
import { readFullYaml } from '../core/frontmatter/full-yaml.ts';
import { readPlainYaml } from '../core/frontmatter/plain-yaml.ts';
import type { SpecRoot } from './roots.ts';
import { readTextFile } from './text-file.ts';

export const DEFAULT_SCHEMA = 'spec-driven';

interface ProjectSchemas {
  /** The schema of `config.yaml`. */
  configured: string | undefined;
  own: Map<string, boolean>;
}

const known = new WeakMap<SpecRoot, ProjectSchemas>();

export function configuredSchema(files: FileTree, root: SpecRoot): string | undefined {
  return schemasOf(files, root).configured;
}

/** A schema that the project defines itself, be it under OpenSpec's own name. */
export function hasOwnSchema(files: FileTree, root: SpecRoot, name: string): boolean {
  const { own } = schemasOf(files, root);
  const before = own.get(name);
  if (before !== undefined) return before;
  const isName = /^[\w-][\w.-]*$/u.test(name);
  const isThere =
    isName && readTextFile(files, path.join(root.specsDir, '..', 'schemas', name, 'schema.yaml')).kind === 'text';
  own.set(name, isThere);
  return isThere;
}

function schemasOf(files: FileTree, root: SpecRoot): ProjectSchemas {
  const before = known.get(root);
  if (before) return before;
  const schemas: ProjectSchemas = { configured: readConfigured(files, path.join(root.specsDir, '..')), own: new Map() };
  known.set(root, schemas);
  return schemas;
}

function readConfigured(files: FileTree, dir: string): string | undefined {
  for (const name of ['config.yaml', 'config.yml']) {
    const read = readTextFile(files, path.join(dir, name));
    if (read.kind !== 'text') continue;
    const { data } = readPlainYaml(read.file.text) ?? readFullYaml(read.file.text);
    const schema = data['schema'];
    return typeof schema === 'string' ? schema : undefined;
  }
  return undefined;
}
