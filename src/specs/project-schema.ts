/** The workflow schemas of a project. */
import path from 'node:path';
import { findEntry } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { readFullYaml } from '../core/frontmatter/full-yaml.ts';
import { readPlainYaml } from '../core/frontmatter/plain-yaml.ts';
import type { SpecRoot } from './roots.ts';
import { readTextFile } from './text-file.ts';

export const DEFAULT_SCHEMA = 'spec-driven';

/** The schema that `config.yaml` sets for all changes. */
export function configuredSchema(files: FileTree, { specsDir }: SpecRoot): string | undefined {
  for (const name of ['config.yaml', 'config.yml']) {
    const read = readTextFile(files, path.join(specsDir, '..', name));
    if (read.kind !== 'text') continue;
    const { data } = readPlainYaml(read.file.text) ?? readFullYaml(read.file.text);
    const schema = data['schema'];
    return typeof schema === 'string' ? schema : undefined;
  }
  return undefined;
}

/** Whether the project defines a schema itself. It may redefine OpenSpec's own. */
export function hasOwnSchema(files: FileTree, { specsDir }: SpecRoot, name: string): boolean {
  const file = path.join(specsDir, '..', 'schemas', name, 'schema.yaml');
  return /^[\w-][\w.-]*$/u.test(name) && findEntry(files, file)?.kind === 'file';
}
